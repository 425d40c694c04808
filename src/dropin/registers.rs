//! Whether a rewritten kernel still fits: more registers can make a launch fail that was legal, or leave fewer warps on a
//! multiprocessor (soundness.md, "What is emitted").

use crate::toolchain::cubin::{self, Resources};
use crate::toolchain::occupancy;
use rustc_hash::FxHashMap;

/// Up to so many registers no block is too large and no warp is lost, on any target.
const HARMLESS: u32 = 32;

/// Kernels of a cubin and their resources; nothing if it is none.
pub fn of(cubin: &[u8]) -> Option<FxHashMap<String, Resources>> {
    cubin::resources(cubin)
}

/// Whether the resources of the rewritten kernels are harmless whatever the original's were.
pub fn harmless(rewritten: &FxHashMap<String, Resources>) -> bool {
    rewritten
        .values()
        .all(|one| one.registers <= HARMLESS && one.frame == 0)
}

/// Kernels that lost, in the order of their names, and how.
pub fn lost(
    target: u32,
    original: &FxHashMap<String, Resources>,
    rewritten: &FxHashMap<String, Resources>,
) -> Vec<(String, String)> {
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

    #[test]
    fn a_kernel_that_loses_warps_or_spills_has_lost() {
        let one = |registers, frame| {
            FxHashMap::from_iter([("k".to_string(), Resources { registers, frame })])
        };
        assert!(harmless(&one(32, 0)) && !harmless(&one(33, 0)) && !harmless(&one(8, 4)));
        assert!(lost(80, &one(33, 0), &one(40, 0)).is_empty());
        assert_eq!(lost(80, &one(40, 0), &one(41, 0)).len(), 1);
        assert!(lost(75, &one(40, 0), &one(64, 0)).is_empty());
        assert_eq!(lost(75, &one(64, 0), &one(64, 8)).len(), 1);
    }
}
