//! Kernels that passes over the SSA IR changed.

use super::arbiter::choose;
use super::door::{Door, Purpose, Rewritten};
use super::{Checked, Code, Machine, arithmetic, ptx};
use crate::pipeline::ssa::{self, Passed, Report, Reversions, settled_options, take_back};
use crate::pipeline::{FrontEnd, Options};
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::memory::Loads;

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
    passed: &'p Passed<M>,
    options: &'p Options,
    machine: Machine,
    /// The module after something was taken back, the last time.
    again: Option<(Reversions, Passed<M>)>,
}

impl<M: FrontEnd> Passes<'_, M> {
    /// The passes once more, after something is taken back.
    fn after(&self, back: &Reversions) -> Result<Passed<M>, String> {
        let again = |reports: &mut [Report]| take_back(reports, back);
        let again = self.passed.again(again, self.options);
        again.map_err(|error| error.to_string())
    }

    /// The module as PTX, of which no code will run.
    fn counted(&self, back: &Reversions, tests_hold: bool) -> Result<Rewritten, String> {
        let mut reports = self.passed.reports.clone();
        take_back(&mut reports, back);
        let mut options = settled_options(&reports, self.options);
        options.memory.tests_hold = tests_hold;
        let passed = self.passed.under(&options);
        rewritten(&passed.map_err(|error| error.to_string())?)
    }
}

impl<M: FrontEnd> Door for Passes<'_, M> {
    type Made = ();

    fn target(&self) -> u32 {
        self.machine.target()
    }

    fn loads(&self, function: &str) -> Loads {
        let mut reports = self.passed.reports.iter().filter(|report| report.changed);
        let report = reports.find(|report| report.is_memory() && *report.function == *function);
        report.map_or(Loads::Off, |report| report.loads)
    }

    fn original(&self) -> Result<Vec<Vec<u8>>, String> {
        let original = self.passed.module.as_it_came(self.options.jobs);
        let original = original.map_err(|error| error.to_string())?;
        Ok(vec![ptx(&original, &[])?])
    }

    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String> {
        if purpose != Purpose::Output {
            return self.counted(back, purpose == Purpose::TestsHold);
        }
        let again = self.after(back)?;
        let made = rewritten(&again);
        self.again = Some((back.clone(), again));
        made
    }

    fn assembled(&self, texts: &[Vec<u8>], _: Purpose) -> Result<((), Code), String> {
        Ok(((), self.machine.assembled(texts)?))
    }
}

fn rewritten<M: FrontEnd>(passed: &Passed<M>) -> Result<Rewritten, String> {
    Ok(Rewritten {
        texts: vec![ptx(&passed.module, &[])?],
        changed: changed(&passed.reports),
        arithmetic: arithmetic::changed(&passed.reports),
        independent: ssa::wait_for_none(&passed.reports)
            .map(str::to_owned)
            .collect(),
        least: ssa::least(&passed.reports).collect(),
    })
}

/// Sends back what passes changed, where it loses by its registers, or spills. The reports say why. `options` are those that the
/// passes ran under.
pub fn examine_passes<M: FrontEnd>(
    passed: &mut Passed<M>,
    options: &Options,
    arch: Result<Arch, String>,
) -> Checked {
    let mut checked = Checked::default();
    if !passed.reports.iter().any(|report| report.changed) {
        return checked;
    }
    match examined(passed, options, arch, &mut checked) {
        Ok(Some(after)) => *passed = after,
        Ok(None) => {}
        Err(why) => checked.unknown = Some(why),
    }
    checked
}

/// The module after what is taken back, if something is.
fn examined<M: FrontEnd>(
    passed: &Passed<M>,
    options: &Options,
    arch: Result<Arch, String>,
    checked: &mut Checked,
) -> Result<Option<Passed<M>>, String> {
    let first = rewritten(passed)?;
    let mut door = Passes {
        passed,
        options,
        machine: Machine::of(arch)?,
        again: None,
    };
    let choice = choose(&mut door, first);
    checked.accepted = choice.accepted;
    checked.rejected = choice.rejected;
    checked.unknown = choice.unknown;
    if choice.back.is_empty() {
        return Ok(None);
    }
    let known = door.again.take().filter(|(back, _)| *back == choice.back);
    match known {
        Some((_, after)) => Ok(Some(after)),
        None => door.after(&choice.back).map(Some),
    }
}
