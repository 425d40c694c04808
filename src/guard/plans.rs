//! Kernels with shuffles.

use super::{Checked, RevertedFunction, Revertible, examine, ptx};
use crate::pipeline::{FrontEnd, Kernel};
use crate::toolchain::Arch;

/// The plans of the kernels of a module.
struct Plans<'k, M> {
    module: &'k M,
    kernels: &'k mut [Kernel],
}

impl<M: FrontEnd> Revertible for Plans<'_, M> {
    fn changed(&self) -> Vec<(String, bool)> {
        let kernels = self.kernels.iter().filter(|one| one.is_rewritten());
        let named = kernels.map(|one| (one.name.to_string(), one.entry));
        named.collect()
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        ptx(self.module, self.kernels)
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        ptx(self.module, &[])
    }

    fn send_back(&mut self, back: &[RevertedFunction]) -> Result<(), String> {
        for kernel in self.kernels.iter_mut() {
            if let Some((_, why)) = back.iter().find(|(name, _)| **name == *kernel.name) {
                kernel.drop_plan(why.reason);
            }
        }
        Ok(())
    }
}

/// Drops the plans of kernels that lose by their registers, or spill.
pub fn examine_plans<M: FrontEnd>(
    module: &M,
    kernels: &mut [Kernel],
    arch: Result<Arch, String>,
) -> Checked {
    examine(&mut Plans { module, kernels }, arch)
}
