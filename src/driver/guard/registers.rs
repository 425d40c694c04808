//! Whether a rewritten kernel still fits: more registers can make a launch fail that was legal, or leave fewer warps on a
//! multiprocessor.
//!
//! What is compared is the number of warps that the registers of a multiprocessor have room for, in the steps in which they
//! are handed out, and the largest block that can be launched. The copy that a check at run time falls back to is part of its
//! kernel: `ptxas` gives a kernel the registers that the hungrier one of the two takes.
//!
//! A block that fitted still fits where no warps are lost: a block has at most as many warps as a multiprocessor, and `ptxas`
//! itself keeps to `.maxntid` and `.reqntid`. It is asked for all the same: the rule about warps has its exceptions, that about
//! launches has none.

use super::launch::{self, Block, Blocks};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_machine::toolchain::cubin::Resources;
use ptxasw_machine::toolchain::occupancy;
use ptxasw_passes::rules::rules;
use rustc_hash::{FxHashMap, FxHashSet};

/// Resources of kernels and functions, by name.
pub type ByName = FxHashMap<String, Resources>;

/// What is known of kernels as they came.
#[derive(Clone, Debug)]
pub struct Original {
    /// Their resources.
    pub resources: ByName,
    /// How large their blocks are.
    pub blocks: Blocks,
    /// Which of them may lose warps.
    pub independent: Independent,
}

/// Kernels of which no block waits for another. With fewer warps on a multiprocessor fewer blocks are resident, and one that waits
/// would wait for ever if the other is never started.
pub type Independent = FxHashSet<String>;

/// How a kernel loses by its registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Loss {
    /// Fewer warps would be resident, and perhaps a launch would fail.
    #[error("{after} registers instead of {before}, {} instead of {} warps would fit{}", .warps.1, .warps.0, refused(.block))]
    Registers {
        /// Registers of each thread, as it was.
        before: u32,
        /// Registers of each thread, rewritten.
        after: u32,
        /// Resident warps as far as registers decide, as it was and rewritten.
        warps: (u32, u32),
        /// Threads of the largest legal block that no longer fits, if there is one.
        block: Option<u32>,
        /// Registers are spilled besides, or the stack frame grows.
        spills: bool,
    },
    /// The stack frame grows: registers are spilled, or an array can no longer be kept in them.
    #[error("a stack frame of {after} bytes instead of {before}")]
    Frame {
        /// Its bytes, as it was.
        before: u32,
        /// Its bytes, rewritten.
        after: u32,
    },
    /// Registers are spilled where none was, into a frame that is not larger.
    #[error("{0} bytes of spill stores and loads instead of none")]
    Spill(u32),
}

fn refused(block: &Option<u32>) -> String {
    block.map_or_else(String::new, |threads| {
        format!(", a launch with {threads} threads in a block would fail")
    })
}

/// What was found of a module's kernels: names, in their order, and how or why.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Kernels that are taken back: fewer warps, a launch that would fail, or spills.
    pub lost: Vec<(String, String)>,
    /// Kernels that stay rewritten with fewer warps.
    pub accepted: Vec<(String, String)>,
}

/// Whether the resources of the rewritten kernels are harmless whatever the original's were.
pub fn harmless(rewritten: &ByName) -> bool {
    rewritten.values().all(is_harmless)
}

/// Whether they are of one kernel.
pub fn is_harmless(rewritten: &Resources) -> bool {
    rewritten.registers <= rules().guard.harmless_registers && rewritten.frame == 0
}

/// Which kernels lost. `pays`: why a kernel is faster although it has fewer warps than before, if it is; asked where it loses
/// nothing else, and no block of it waits for another.
pub fn compared(
    target: u32,
    original: &Original,
    rewritten: &ByName,
    mut pays: impl FnMut(&str, (u32, u32)) -> Option<String>,
) -> Judged {
    let mut lost: Vec<(&String, Loss)> = rewritten
        .iter()
        .filter_map(|(name, after)| {
            let before = original.resources.get(name)?;
            let loss = loss(target, original.blocks.get(name), *before, *after)?;
            Some((name, loss))
        })
        .collect();
    lost.sort_by_key(|(name, _)| *name);
    let mut judged = Judged::default();
    for (name, loss) in lost {
        let warps = loss.warps().filter(|_| !original.may_wait(name));
        match warps.and_then(|warps| pays(name, warps)) {
            Some(why) => judged
                .accepted
                .push((name.clone(), format!("{loss}, and {why}"))),
            None => judged.lost.push((name.clone(), loss.to_string())),
        }
    }
    judged
}

impl Original {
    /// Whether a block of this kernel may wait for another one: then no warp may be lost.
    fn may_wait(&self, kernel: &str) -> bool {
        !self.independent.contains(kernel) && !active(Mutation::WaitingIgnored)
    }
}

impl Loss {
    /// The warps before and after, where nothing but them is lost.
    fn warps(&self) -> Option<(u32, u32)> {
        match *self {
            Loss::Registers {
                warps,
                block: None,
                spills: false,
                ..
            } => Some(warps),
            _ => None,
        }
    }
}

/// How a kernel loses that takes other resources than before, if it does.
fn loss(target: u32, block: Block, before: Resources, after: Resources) -> Option<Loss> {
    let warps = |one: Resources| occupancy::warps(target, one.registers);
    let block = launch::failing(target, block, before.registers, after.registers);
    let spilled = spilled(before, after);
    let fewer = warps(after) < warps(before) && !active(Mutation::LostWarpsIgnored);
    if fewer || block.is_some() {
        return Some(Loss::Registers {
            before: before.registers,
            after: after.registers,
            warps: (warps(before), warps(after)),
            block,
            spills: spilled.is_some(),
        });
    }
    spilled
}

fn spilled(before: Resources, after: Resources) -> Option<Loss> {
    if after.frame > before.frame && !active(Mutation::LargerFrameIgnored) {
        return Some(Loss::Frame {
            before: before.frame,
            after: after.frame,
        });
    }
    match (before.spilled, after.spilled) {
        (Some(0), Some(bytes @ 1..)) if !active(Mutation::NewSpillIgnored) => {
            Some(Loss::Spill(bytes))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_base::mutation::{GUARD, with};

    fn one(registers: u32, frame: u32) -> Resources {
        Resources {
            registers,
            frame,
            spilled: None,
        }
    }

    /// A kernel with so many registers, and so many bytes of spills in a frame of 16.
    fn spilling(registers: u32, spilled: u32) -> Resources {
        Resources {
            spilled: Some(spilled),
            ..one(registers, 16)
        }
    }

    fn why(target: u32, header: &str, before: Resources, after: Resources, pays: bool) -> String {
        let named = |one| FxHashMap::from_iter([("k".to_string(), one)]);
        let original = Original {
            resources: named(before),
            blocks: Blocks::of(header.as_bytes()),
            independent: match header.contains("volatile") {
                true => Independent::default(),
                false => Independent::from_iter(["k".to_owned()]),
            },
        };
        let pays = |_: &str, _| pays.then(String::new);
        let mut lost = compared(target, &original, &named(after), pays).lost;
        lost.pop().map_or_else(String::new, |(_, why)| why)
    }

    /// Fewer warps are no loss where they pay; a launch that fails and spills are, and so is a block that may wait for one that
    /// is no longer resident.
    #[test]
    fn fewer_warps_may_pay() {
        let paid = |header, before, after| why(80, header, before, after, true);
        assert_eq!(
            paid(".entry k() .maxntid 128 {", one(64, 0), one(120, 0)),
            ""
        );
        assert_eq!(
            paid("", one(64, 0), one(72, 0)),
            "72 registers instead of 64, 28 instead of 32 warps would fit, a launch with 1024 threads in a block would fail"
        );
        assert_eq!(
            paid(".entry k() .maxntid 128 {", one(64, 0), one(120, 16)),
            "120 registers instead of 64, 16 instead of 32 warps would fit"
        );
    }

    #[test]
    fn a_kernel_that_loses_warps_or_spills_has_lost() {
        let harmless = |one| harmless(&FxHashMap::from_iter([("k".to_string(), one)]));
        assert!(harmless(one(32, 0)) && !harmless(one(33, 0)) && !harmless(one(8, 4)));
        assert_eq!(why(80, "", one(33, 0), one(40, 0), false), "");
        assert_eq!(why(75, "", one(40, 0), one(64, 0), false), "");
        assert_eq!(why(80, "", one(64, 8), one(40, 8), false), "");
        assert_eq!(why(80, "", spilling(40, 8), spilling(40, 24), false), "");
        assert_eq!(why(80, "", spilling(40, 8), spilling(40, 0), false), "");
        for (rule, _) in CASES {
            assert_eq!(rule.found(), rule.why);
        }
    }

    /// A rule, with what is found by it.
    struct Rule {
        header: &'static str,
        before: fn() -> Resources,
        after: fn() -> Resources,
        /// Whether fewer warps would be faster.
        pays: bool,
        why: &'static str,
    }

    impl Rule {
        fn found(&self) -> String {
            why(80, self.header, (self.before)(), (self.after)(), self.pays)
        }
    }

    const CASES: &[(Rule, Mutation)] = &[
        (
            Rule {
                header: "",
                before: || one(55, 0),
                after: || one(64, 0),
                pays: false,
                why: "64 registers instead of 55, 32 instead of 36 warps would fit",
            },
            Mutation::LostWarpsIgnored,
        ),
        (
            Rule {
                header: "",
                before: || one(64, 0),
                after: || one(72, 0),
                pays: false,
                why: "72 registers instead of 64, 28 instead of 32 warps would fit, a launch with 1024 threads in a block would fail",
            },
            Mutation::LargestBlockIgnored,
        ),
        (
            Rule {
                header: ".entry k() .maxntid 256 {",
                before: || one(64, 0),
                after: || one(72, 0),
                pays: false,
                why: "72 registers instead of 64, 28 instead of 32 warps would fit",
            },
            Mutation::BlockSizeIgnored,
        ),
        (
            Rule {
                header: "",
                before: || one(64, 0),
                after: || one(64, 8),
                pays: false,
                why: "a stack frame of 8 bytes instead of 0",
            },
            Mutation::LargerFrameIgnored,
        ),
        (
            Rule {
                header: "",
                before: || spilling(64, 0),
                after: || spilling(64, 8),
                pays: false,
                why: "8 bytes of spill stores and loads instead of none",
            },
            Mutation::NewSpillIgnored,
        ),
        (
            Rule {
                header: ".entry k() .maxntid 128 { L: ld.volatile.global.u32 %r1, [%rd1]; @%p1 bra L; }",
                before: || one(55, 0),
                after: || one(64, 0),
                pays: true,
                why: "64 registers instead of 55, 32 instead of 36 warps would fit",
            },
            Mutation::WaitingIgnored,
        ),
    ];

    #[test]
    fn every_rule_that_is_ignored_is_missed() {
        for (rule, mutation) in CASES {
            assert_ne!(with(*mutation, || rule.found()), rule.why, "{mutation:?}");
        }
        for mutation in GUARD {
            assert!(CASES.iter().any(|case| case.1 == *mutation), "{mutation:?}");
        }
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
                if loss(target, Block::Fitted, one(before, 0), one(after, 0)).is_some() {
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
