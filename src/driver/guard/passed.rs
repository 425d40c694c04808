//! Kernels that passes over the SSA IR changed.

use super::registers::Independent;
use super::{Checked, RevertedFunction, Revertible, arithmetic, examine, ptx};
use crate::pipeline::ssa::{self, Passed, Report, TakeBack, revert_arithmetic, settled_options};
use crate::pipeline::{FrontEnd, Options};
use ptxasw_machine::toolchain::Arch;

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

/// A module after its passes, and the options that these ran under.
struct Passes<'p, M: FrontEnd> {
    passed: &'p mut Passed<M>,
    options: &'p Options,
}

impl<M: FrontEnd> Passes<'_, M> {
    /// The options under which each function is as it is now.
    fn settled(&self) -> Options {
        settled_options(&self.passed.reports, self.options)
    }

    /// The module as PTX, after the passes under other options.
    fn under(&self, options: &Options) -> Result<Vec<u8>, String> {
        let passed = self.passed.under(options);
        ptx(&passed.map_err(|error| error.to_string())?.module, &[])
    }

    fn take_back(&mut self, how: TakeBack, back: &[RevertedFunction]) -> Result<(), String> {
        let passed = self.passed.again(how, back, self.options);
        *self.passed = passed.map_err(|error| error.to_string())?;
        Ok(())
    }
}

impl<M: FrontEnd> Revertible for Passes<'_, M> {
    fn changed(&self) -> Vec<(String, bool)> {
        changed(&self.passed.reports)
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        ptx(&self.passed.module, &[])
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        let original = self.passed.module.as_it_came(self.options.jobs);
        ptx(&original.map_err(|error| error.to_string())?, &[])
    }

    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        let mut options = self.settled();
        options.memory.tests_hold = true;
        Some(self.under(&options))
    }

    fn arithmetic(&self) -> Vec<(String, bool)> {
        arithmetic::changed(&self.passed.reports)
    }

    fn without_arithmetic(&self) -> Result<Vec<u8>, String> {
        self.under(&self.settled().without_arithmetic())
    }

    fn drop_arithmetic(&mut self, back: &[RevertedFunction]) -> Result<(), String> {
        self.take_back(revert_arithmetic, back)
    }

    fn independent(&self) -> Independent {
        let names = ssa::wait_for_none(&self.passed.reports);
        names.map(str::to_owned).collect()
    }

    fn send_back(&mut self, back: &[RevertedFunction]) -> Result<(), String> {
        self.take_back(ssa::step_back, back)
    }
}

/// Sends back what passes changed, where it loses by its registers, or spills. The reports say why. `options` are those that the
/// passes ran under.
pub fn examine_passes<M: FrontEnd>(
    passed: &mut Passed<M>,
    options: &Options,
    arch: Result<Arch, String>,
) -> Checked {
    Checked {
        lost: Vec::new(),
        ..examine(&mut Passes { passed, options }, arch)
    }
}
