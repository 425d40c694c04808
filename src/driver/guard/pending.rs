//! What passes across lanes change, before it is part of a module.

use super::arbiter::choose;
use super::door::{Door, Purpose, Rewritten};
use super::{Checked, Code, Machine, ptx};
use crate::pipeline::FrontEnd;
use crate::pipeline::ssa::{Passed, Reversions, Reverted};
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::memory::Loads;

struct Pending<'p, M: FrontEnd> {
    passed: &'p mut Passed<M>,
    machine: Machine,
}

impl<M: FrontEnd> Pending<'_, M> {
    fn drop_all(&mut self, back: &Reversions) {
        let out = back
            .out
            .iter()
            .map(|(name, why)| (name.clone(), why.clone()));
        self.passed
            .drop_pending(&out.collect::<Vec<(String, Reverted)>>());
    }

    fn now(&self) -> Result<Rewritten, String> {
        let changed = self.passed.pending();
        Ok(Rewritten {
            texts: vec![ptx(&self.passed.module, &self.passed.pending)?],
            changed: changed
                .map(|(name, is_kernel)| (name.to_owned(), is_kernel))
                .collect(),
            ..Rewritten::default()
        })
    }
}

impl<M: FrontEnd> Door for Pending<'_, M> {
    type Made = ();

    fn target(&self) -> u32 {
        self.machine.target()
    }

    /// There is nothing between all of it and nothing.
    fn loads(&self, _: &str) -> Loads {
        Loads::Off
    }

    fn original(&self) -> Result<Vec<Vec<u8>>, String> {
        Ok(vec![ptx(&self.passed.module, &[])?])
    }

    /// What goes back is dropped: without levels there are no trials.
    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String> {
        debug_assert_eq!(purpose, Purpose::Output);
        self.drop_all(back);
        self.now()
    }

    fn assembled(&self, texts: &[Vec<u8>], _: Purpose) -> Result<((), Code), String> {
        Ok(((), self.machine.assembled(texts)?))
    }
}

/// Drops what is pending for kernels that lose by their registers, or spill. The reports say why.
pub fn examine_pending<M: FrontEnd>(passed: &mut Passed<M>, arch: Result<Arch, String>) -> Checked {
    let mut checked = Checked::default();
    if passed.pending.is_empty() {
        return checked;
    }
    match examined(passed, arch) {
        Ok(found) => checked = found,
        Err(why) => checked.unknown = Some(why),
    }
    checked
}

fn examined<M: FrontEnd>(
    passed: &mut Passed<M>,
    arch: Result<Arch, String>,
) -> Result<Checked, String> {
    let mut door = Pending {
        passed,
        machine: Machine::of(arch)?,
    };
    let first = door.now()?;
    let is_kernel = |name: &str| {
        first
            .changed
            .iter()
            .any(|(one, entry)| one == name && *entry)
    };
    let kernels: Vec<String> = first.changed.iter().map(|(name, _)| name.clone()).collect();
    let kernels: Vec<String> = kernels.into_iter().filter(|name| is_kernel(name)).collect();
    let choice = choose(&mut door, first);
    door.drop_all(&choice.back);
    let out = choice.back.out.into_iter();
    let lost = out.filter(|(name, _)| choice.rejected.is_none() && kernels.contains(name));
    Ok(Checked {
        lost: lost.map(|(name, why)| (name, why.why)).collect(),
        accepted: choice.accepted,
        rejected: choice.rejected,
        unknown: choice.unknown,
    })
}
