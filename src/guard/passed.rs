//! Kernels that passes over the SSA IR changed.

use super::registers::Independent;
use super::{Checked, RevertedKernel, Revertible, examine};
use crate::pipeline::ssa::{self, Report, Reverted};
use crate::toolchain::Arch;

/// The functions that some pass changed, each once, with whether it is a kernel.
pub fn changed(reports: &[Report]) -> Vec<(String, bool)> {
    changed_by(reports.iter())
}

/// The functions that the passes of these reports changed, each once, with whether it is a kernel.
pub(super) fn changed_by<'r>(reports: impl Iterator<Item = &'r Report>) -> Vec<(String, bool)> {
    let changed = reports.filter(|report| report.changed);
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
pub fn reverted(back: &[RevertedKernel]) -> Vec<(String, Reverted)> {
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
pub fn examine_passes(module: &mut impl Revertible, arch: Result<Arch, String>) -> Checked {
    Checked {
        lost: Vec::new(),
        ..examine(module, arch)
    }
}
