//! Whether a kernel that loses warps is faster all the same: it waits for memory so much less often that what is left of its warps
//! does more.
//!
//! A warp that waits for memory does nothing, and a multiprocessor with `w` warps, each of which waits `r` times, takes about
//! `r / w` latencies for all of them (Little's law). So fewer warps are fine where `r` shrinks by more than `w`. Both are read
//! off machine code ([`ptxasw_machine::cost::sass`]): that of the original, and that of the rewritten kernel without its fallback.
//!
//! Not all waits are alike: a load that is repeated hits the cache. So the loads that all warps together have in flight, `w` times the
//! loads of a round, must not become fewer either, and no access may be added.
//!
//! Measured on an H200 (`benches/gpu`): the block-tridiagonal solve of OpenACC goes from 20 to 8 warps and from 207 rounds to 7,
//! and takes 0.13 of the time; the elimination of 5x5 blocks goes from 32 to 16 warps and from 79 rounds to 2, and takes 0.6.

use ptxasw_machine::cost::sass::{Counts, KernelCode};
use ptxasw_passes::rules::rules;

/// Why a kernel is likely to be faster although `warps` are resident before and after; nothing where it is not, or where its code is
/// not understood.
///
/// `original` and `fast` have the kernel as it came, and rewritten, where tests at run time are taken to hold.
pub fn pays(
    original: &[KernelCode],
    fast: &[KernelCode],
    kernel: &str,
    warps: (u32, u32),
) -> Option<String> {
    let before = counts(original, kernel)?;
    let after = counts(fast, kernel)?;
    let accesses = |one: &Counts| one.loads.device() + one.stores.device();
    let spills = |one: &Counts| one.loads.local + one.stores.local;
    let in_flight = |counts: &Counts, warps, other: &Counts| {
        u64::from(counts.loads.device()) * u64::from(warps) * u64::from(other.rounds)
    };
    let pays = is_less(before.rounds, after.rounds, warps)
        && in_flight(&before, warps.0, &after) <= in_flight(&after, warps.1, &before)
        && accesses(&after) <= accesses(&before)
        && spills(&after) <= spills(&before);
    pays.then(|| {
        let (before, after) = (before.rounds, after.rounds);
        format!("each waits for memory {after} times instead of {before}")
    })
}

/// Whether a rewriting of a kernel can be faster with so many warps before and after, if it waits at least once where the original waits.
pub fn may_pay(original: &[KernelCode], kernel: &str, warps: (u32, u32)) -> bool {
    counts(original, kernel)
        .is_some_and(|before| is_less(before.rounds, before.rounds.min(1), warps))
}

/// Whether warps wait so much less often that fewer of them do more.
fn is_less(before: u32, after: u32, warps: (u32, u32)) -> bool {
    f64::from(after * warps.0) <= f64::from(before * warps.1) * rules().guard.rounds
}

fn counts(kernels: &[KernelCode], kernel: &str) -> Option<Counts> {
    let code = kernels.iter().find(|one| one.name == kernel)?;
    Some(code.path_counts().ok()?.total)
}
