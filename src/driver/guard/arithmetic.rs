//! Whether a kernel gains by the passes over its arithmetic: they stay only where the machine code has fewer instructions, waits for
//! memory no more often, and keeps its warps. `ptxas` optimizes arithmetic by itself, and schedules what it is given: a kernel with
//! fewer registers may have fewer loads in flight.
//!
//! The module after all passes is compared with the module after all passes but those over the arithmetic.

use super::passed::changed_by;
use crate::pipeline::ssa::{Report, Reverted};
use ptxasw_machine::cost::sass::KernelCode;

/// Why a kernel keeps its arithmetic, without figures.
const NO_GAIN: &str = "its machine code does not gain by it";

/// The functions whose arithmetic some pass changed, each once, with whether it is a kernel.
pub fn changed(reports: &[Report]) -> Vec<(String, bool)> {
    changed_by(reports.iter().filter(|one| one.is_arithmetic()))
}

/// The changed functions that do not gain. One that is called goes back with the first kernel that does not. `before` and `after`
/// have kernels without and with what was changed.
pub fn losing(
    changed: &[(String, bool)],
    before: &[KernelCode],
    after: &[KernelCode],
) -> Vec<(String, Reverted)> {
    let called = changed.iter().any(|(_, is_kernel)| !is_kernel);
    let mut losing: Vec<(String, Reverted)> = Vec::new();
    for after in after {
        let is_changed = changed.iter().any(|(name, _)| *name == after.name);
        let before = before.iter().find(|one| one.name == after.name);
        let (Some(before), true) = (before, is_changed || called) else {
            continue;
        };
        // A kernel that does not call what is changed is as it was.
        if !is_changed && before.instructions == after.instructions {
            continue;
        }
        if let Some(why) = lost(before, after).or_else(|| slower(before, after)) {
            let why = Reverted {
                reason: NO_GAIN,
                why: format!("{NO_GAIN}: {why}"),
            };
            losing.push((after.name.clone(), why));
        }
    }
    let Some((first, why)) = losing.first().cloned() else {
        return losing;
    };
    losing.retain(|(one, _)| changed.iter().any(|(name, _)| name == one));
    let called = changed.iter().filter(|(_, is_kernel)| !is_kernel);
    let called_by = Reverted {
        why: format!("kernel `{first}`: {}", why.why),
        ..why
    };
    losing.extend(called.map(|(name, _)| (name.clone(), called_by.clone())));
    losing
}

/// How a kernel loses warps, or gets a larger stack frame.
fn lost(before: &KernelCode, after: &KernelCode) -> Option<String> {
    if after.resident_warps() < before.resident_warps() {
        let (before, after) = (before.registers, after.registers);
        return Some(format!("{after} registers instead of {before}"));
    }
    (after.frame > before.frame).then(|| {
        let (before, after) = (before.frame, after.frame);
        format!("a stack frame of {after} bytes instead of {before}")
    })
}

/// Why a kernel is no faster by its instructions and waits, if that is so.
fn slower(before: &KernelCode, after: &KernelCode) -> Option<String> {
    let [Ok(before), Ok(after)] = [before, after].map(KernelCode::path_counts) else {
        return Some("it is not understood".to_owned());
    };
    let rounds = [
        (before.total.rounds, after.total.rounds),
        (before.hot().rounds, after.hot().rounds),
    ];
    if let Some((before, after)) = rounds.into_iter().find(|(before, after)| after > before) {
        return Some(format!(
            "it waits for memory {after} times instead of {before}"
        ));
    }
    let instructions = [
        (before.hot().instructions, after.hot().instructions),
        (before.total.instructions, after.total.instructions),
    ];
    if let Some((before, after)) = instructions
        .into_iter()
        .find(|(before, after)| after > before)
    {
        return Some(format!("{after} instructions instead of {before}"));
    }
    let gains = instructions.iter().any(|(before, after)| after < before);
    (!gains).then(|| "as many instructions as before".to_owned())
}
