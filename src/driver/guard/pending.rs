//! What passes across lanes change, before it is part of a module.

use super::{Checked, RevertedFunction, Revertible, examine, ptx};
use crate::pipeline::FrontEnd;
use crate::pipeline::ssa::Passed;
use ptxasw_machine::toolchain::Arch;

impl<M: FrontEnd> Revertible for Passed<M> {
    fn changed(&self) -> Vec<(String, bool)> {
        let changed = self.pending();
        changed
            .map(|(name, entry)| (name.to_owned(), entry))
            .collect()
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        ptx(&self.module, &self.pending)
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        ptx(&self.module, &[])
    }

    fn send_back(&mut self, back: &[RevertedFunction]) -> Result<(), String> {
        self.drop_pending(back);
        Ok(())
    }
}

/// Drops what is pending for kernels that lose by their registers, or spill. The reports say why.
pub fn examine_pending<M: FrontEnd>(passed: &mut Passed<M>, arch: Result<Arch, String>) -> Checked {
    examine(passed, arch)
}
