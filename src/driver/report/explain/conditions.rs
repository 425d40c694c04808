//! What the conditions mean, for `ptxasw explain C1`.

use ptxasw_passes::shuffle::refusal::ConditionName;

/// A condition in one line, and what it asks for.
pub fn page(condition: ConditionName) -> (&'static str, &'static str) {
    match condition {
        ConditionName::C1 => (
            "same bytes",
            "The source's address in lane i+N is the destination's address in lane i, for all 64 bits, with the same width \
             and state space, and neither load is volatile. Proved by algebra on affine forms, by range rules, or by a \
             bit-vector solver; an overflow of a 32-bit index is excluded by guards or checked at run time.",
        ),
        ConditionName::C2 => (
            "same instance",
            "The source runs before the destination on every path, and both are in the same iteration of every loop around \
             the source. A value that a loop carries in a register counts where every back edge brings it.",
        ),
        ConditionName::C3 => (
            "same memory",
            "Nothing between source and destination may write the bytes or order memory: no store that may overlap, no \
             barrier, fence, atomic operation or unknown call. What the thread stored before the source counts as well, back \
             to the last barrier.",
        ),
        ConditionName::C4 => (
            "participation",
            "All lanes that the member mask of `shfl.sync` names run it together, with this mask, and have run the source. \
             The mask is read by `activemask` at a point from which all its lanes come here together, or tracked by ballots.",
        ),
        ConditionName::C5 => (
            "neighbour",
            "Lane i+N exists, is in the mask, and is in the same row of the block. The clamp operand of the shuffle holds \
             the ends of the row; lanes without a neighbour load for themselves.",
        ),
        ConditionName::C6 => (
            "active source",
            "The source ran in the lane that gives: its predicate, if it has one, is implied, or a vote shows that all lanes \
             ran it; and all its bytes are defined.",
        ),
        ConditionName::Limit => (
            "a limit of this version, or a choice of the user",
            "Nothing is wrong with the load, but ptxasw does not handle its form, or an option excludes it.",
        ),
        ConditionName::Profit => (
            "proved, but not known to pay",
            "The shuffle would be right. By default ptxasw emits only what measurements or published timings show to pay on \
             the target.",
        ),
    }
}
