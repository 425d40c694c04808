//! Kernels that passes over the SSA IR changed.

use super::registers::Independent;
use super::{Back, Changed, Checked, examine};
use crate::pipeline::Options;
use crate::pipeline::ssa::{self, Passed, Report, Reverted};
use crate::toolchain::Arch;

/// A module of PTX behind its passes.
struct Module<'p, 't> {
    input: &'t [u8],
    passed: &'p mut Passed<'t>,
    options: &'p Options,
}

impl Changed for Module<'_, '_> {
    fn changed(&self) -> Vec<(String, bool)> {
        changed(&self.passed.reports)
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        Ok(self.passed.text.to_vec())
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        Ok(self.input.to_vec())
    }

    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        let mut options = ssa::behind(&self.passed.reports, self.options);
        options.memory.tests_hold = true;
        let fast = ssa::run(self.input, &options);
        Some(
            fast.map(|fast| fast.text.into_owned())
                .map_err(|error| error.to_string()),
        )
    }

    fn independent(&self) -> Independent {
        independent(&self.passed.reports)
    }

    fn send_back(&mut self, back: &[Back]) -> Result<(), String> {
        let passed = self
            .passed
            .stepped_back(self.input, &reverted(back), self.options);
        *self.passed = passed.map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// The functions that some pass changed, each once, with whether it is a kernel.
pub fn changed(reports: &[Report]) -> Vec<(String, bool)> {
    let changed = reports.iter().filter(|report| report.changed);
    let mut changed: Vec<(String, bool)> = changed
        .map(|report| (report.function.to_string(), report.kernel))
        .collect();
    changed.sort();
    changed.dedup();
    changed
}

/// The kernels that may lose warps, by the reports of passes.
pub fn independent(reports: &[Report]) -> Independent {
    ssa::wait_for_none(reports).map(str::to_owned).collect()
}

/// Functions that go back, as reports of passes have them.
pub fn reverted(back: &[Back]) -> Vec<(String, Reverted)> {
    let reverted = back.iter().map(|one| {
        let why = Reverted {
            reason: one.reason,
            why: one.why.clone(),
        };
        (one.function.clone(), why)
    });
    reverted.collect()
}

/// Sends back what passes changed, where it loses by its registers, or spills. The reports say why.
pub fn examine_passes(module: &mut impl Changed, arch: Result<Arch, String>) -> Checked {
    Checked {
        lost: Vec::new(),
        ..examine(module, arch)
    }
}

/// Takes back what the passes did to kernels that lose by their registers, or spill. `passed` is what the passes made of the
/// input under these options.
pub fn check_passed<'t>(
    input: &'t [u8],
    passed: &mut Passed<'t>,
    options: &Options,
    arch: Result<Arch, String>,
) -> Checked {
    let mut module = Module {
        input,
        passed,
        options,
    };
    examine_passes(&mut module, arch)
}
