//! Whether a rewritten kernel still fits: more registers can make a launch fail that was legal, or leave fewer warps on a
//! multiprocessor.
//!
//! What is compared is the number of warps that the registers of a multiprocessor have room for, in the steps in which they
//! are handed out. A block that fitted still fits where this number has not become smaller: a block has at most as many warps
//! as a multiprocessor, and `ptxas` itself keeps to `.maxntid` and `.reqntid`.

use crate::toolchain::cubin::{self, Resources};
use crate::toolchain::occupancy;
use rustc_hash::FxHashMap;

/// Up to so many registers no block is too large and no warp is lost, on any target.
const HARMLESS: u32 = 32;

/// Resources of kernels and functions, by name.
pub type ByName = FxHashMap<String, Resources>;

/// Kernels of a rewritten module that lost, in the order of their names, and how. `rewritten` is its machine code; what the
/// originals take is asked for only if that matters.
pub fn lost(
    target: u32,
    rewritten: &[u8],
    original: impl FnOnce() -> Option<ByName>,
) -> Vec<(String, String)> {
    match cubin::resources(rewritten).filter(|after| !harmless(after)) {
        Some(after) => original().map_or_else(Vec::new, |before| compared(target, &before, &after)),
        None => Vec::new(),
    }
}

/// Whether the resources of the rewritten kernels are harmless whatever the original's were.
pub fn harmless(rewritten: &ByName) -> bool {
    rewritten
        .values()
        .all(|one| one.registers <= HARMLESS && one.frame == 0)
}

/// Kernels that lost, in the order of their names, and how.
pub fn compared(target: u32, original: &ByName, rewritten: &ByName) -> Vec<(String, String)> {
    let mut lost: Vec<(String, String)> = rewritten
        .iter()
        .filter_map(|(name, after)| {
            let before = original.get(name)?;
            Some((name.clone(), worse(target, *before, *after)?))
        })
        .collect();
    lost.sort();
    lost
}

fn worse(target: u32, before: Resources, after: Resources) -> Option<String> {
    let warps = |resources: Resources| occupancy::warps(target, resources.registers);
    if warps(after) < warps(before) {
        return Some(format!(
            "{} registers for {} leave {} warps on a multiprocessor for {}",
            after.registers,
            before.registers,
            warps(after),
            warps(before)
        ));
    }
    (after.frame > before.frame).then(|| {
        format!(
            "a stack frame of {} bytes for {}",
            after.frame, before.frame
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(registers: u32, frame: u32) -> ByName {
        FxHashMap::from_iter([("k".to_string(), Resources { registers, frame })])
    }

    #[test]
    fn a_kernel_that_loses_warps_or_spills_has_lost() {
        assert!(harmless(&one(32, 0)) && !harmless(&one(33, 0)) && !harmless(&one(8, 4)));
        assert!(compared(80, &one(33, 0), &one(40, 0)).is_empty());
        assert_eq!(compared(80, &one(40, 0), &one(41, 0)).len(), 1);
        assert!(compared(75, &one(40, 0), &one(64, 0)).is_empty());
        assert_eq!(compared(75, &one(64, 0), &one(64, 8)).len(), 1);
    }

    /// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": registers of a block; they are handed
    /// out to warps in pieces of 256, to four warps at a time.
    #[test]
    fn a_block_that_fitted_still_fits() {
        let fits = |target: u32, registers: u32, warps: u32| {
            let of_block = if matches!(target, 53 | 62) { 32 } else { 64 } << 10;
            of_block / (registers * 32).next_multiple_of(256) / 4 * 4 >= warps
        };
        for target in [50, 53, 60, 61, 62, 70, 75, 80, 86, 89, 90, 100, 120] {
            for (before, after) in (1..=255).flat_map(|n| (n..=255).map(move |more| (n, more))) {
                if !compared(target, &one(before, 0), &one(after, 0)).is_empty() {
                    continue;
                }
                let lost = (1..=32)
                    .find(|&warps| fits(target, before, warps) && !fits(target, after, warps));
                assert_eq!(lost, None, "sm_{target}: {before} -> {after}");
            }
            assert!(fits(target, 32, 32));
        }
    }
}
