//! Kernels with shuffles.

use super::{Checked, RevertedKernel, Revertible, examine};
use crate::pipeline::Kernel;
use crate::toolchain::Arch;
use std::fmt::Display;

/// Kernels with plans, and how a module is written with the plans of some functions.
struct Plans<'k, F> {
    kernels: &'k mut [Kernel],
    ptx: F,
}

impl<E: Display, F: Fn(&[Kernel]) -> Result<Vec<u8>, E>> Revertible for Plans<'_, F> {
    fn changed(&self) -> Vec<(String, bool)> {
        let kernels = self.kernels.iter().filter(|one| one.is_rewritten());
        let named = kernels.map(|one| (one.name.to_string(), one.entry));
        named.collect()
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        (self.ptx)(self.kernels).map_err(|error| error.to_string())
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        (self.ptx)(&[]).map_err(|error| error.to_string())
    }

    fn send_back(&mut self, back: &[RevertedKernel]) -> Result<(), String> {
        for kernel in self.kernels.iter_mut() {
            if let Some(one) = back.iter().find(|one| *one.function == *kernel.name) {
                kernel.drop_plan(one.reason);
            }
        }
        Ok(())
    }
}

/// Drops the plans of kernels that lose by their registers, or spill. `ptx` writes the module with the plans of some
/// functions; with those of none it is the original.
pub fn check<E: Display>(
    kernels: &mut [Kernel],
    arch: Result<Arch, String>,
    ptx: impl Fn(&[Kernel]) -> Result<Vec<u8>, E>,
) -> Checked {
    examine(&mut Plans { kernels, ptx }, arch)
}
