//! Proved, but not known to pay.

use super::{ConditionName, Reason};

const PROFIT: Reason = Reason {
    option: "`--profit always`",
    ..Reason::of(ConditionName::Profit)
};

pub(super) static ALL: &[&Reason] = &[
    &TARGET,
    &UNKNOWN_TARGET,
    &FEW,
    &SHUFFLES_ALREADY,
    &SET_UP,
    &BOUND,
];

/// The target is not known to gain.
pub static TARGET: Reason = Reason {
    code: "profit-target",
    text: "{}: shuffles are not known to pay",
    about: "Since Volta (sm_70) a misaligned load that hits L1 occupies the load/store unit for two cycles, and so do a \
            shuffle and the load of its corner lanes. On Maxwell (sm_50 to sm_53) four of twelve published kernels lose. Values \
            of the thread's own are taken on every target. Measure with `ptxasw time` before you ask for more.",
    example: "ptxasw opt k.ptx              # .target sm_80",
    ..PROFIT
};

/// No target at all.
pub static UNKNOWN_TARGET: Reason = Reason {
    code: "profit-unknown-target",
    text: "unknown target: shuffles are not known to pay",
    option: "`--arch sm_60`, or `--profit always`",
    about: "The module names no target, and shuffles pay on some only.",
    example: "ptxasw opt k.ll               # no target-cpu",
    ..PROFIT
};

/// Few covered loads on Pascal.
pub static FEW: Reason = Reason {
    code: "profit-few",
    text: "fewer than {} loads of the kernel can be covered: on sm_60 to sm_62 shuffles pay from {} on",
    about: "The mask and the clamp cost a few instructions for each kernel; few shuffles do not earn them.",
    example: "ptxasw opt k.ptx              # .target sm_60, a three-point row",
    ..PROFIT
};

/// A kernel that shuffles.
pub static SHUFFLES_ALREADY: Reason = Reason {
    code: "profit-shuffles",
    text: "the kernel shuffles already, and gets no more",
    about: "Whoever wrote its shuffles has thought about them; and a second rewriting changes nothing.",
    example: "x = __shfl_down_sync(0xffffffff, x, 1);",
    ..PROFIT
};

/// A set-up for few shuffles.
pub static SET_UP: Reason = Reason {
    code: "profit-set-up",
    text: "{}",
    about: "A scheme that is selected by name is emitted within a bound: a region's set-up serves at least four shuffles that \
            run as often.",
    example: "ptxasw opt --scheme F k.ptx",
    ..PROFIT
};

/// More than a quarter of the hot path.
pub static BOUND: Reason = Reason {
    code: "profit-bound",
    text: "{}",
    about: "A scheme that is selected by name is emitted within a bound: it adds at most a quarter to the machine \
            instructions of the hot path, as estimated from the SSA form.",
    example: "ptxasw opt --scheme paper k.ptx",
    ..PROFIT
};
