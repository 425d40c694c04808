//! C2, same instance: the value is the one that the source loaded last, in the same iteration of every loop around it.

use super::{ConditionName, Reason};

const C2: Reason = Reason::of(ConditionName::C2);

pub(super) static ALL: &[&Reason] = &[
    &PATH,
    &OTHER_LOOP,
    &CARRIED_BACK,
    &CARRIED_FIRST,
    &CARRIED_LOOP,
];

/// The source does not dominate.
pub static PATH: Reason = Reason {
    code: "C2-path",
    text: "the source does not run on every path to the destination",
    cuda: "the source's load in front of the branch",
    about: "A lane can only give a value that it has loaded on whatever path it took.",
    example: "float x = 0;\nif (odd) x = in[i];\nfloat y = in[i + 1];          // stays: not every lane has loaded in[i]",
    ..C2
};

/// The last iteration's value is not the one wanted.
pub static OTHER_LOOP: Reason = Reason {
    code: "C2-loop",
    text: "the source is in a loop that the destination is not in",
    about: "Behind a loop, lanes may have run different numbers of iterations, and the register holds the last one's value.",
    example: "for (int k = 0; k < n; ++k) sum += in[i + k];\nfloat y = in[i + n];",
    ..C2
};

/// On some back edge.
pub static CARRIED_BACK: Reason = Reason {
    code: "C2-carried-back",
    text: "the register that the loop carries holds no loaded value on one of the back edges",
    about: "On one path through the loop body the register gets a computed value instead of a loaded one.",
    example: "before = now > 0 ? now : 0;   // carried, but not what memory holds",
    ..C2
};

/// On the entry edge.
pub static CARRIED_FIRST: Reason = Reason {
    code: "C2-carried-first",
    text: "in the first iteration the register that the loop carries holds no loaded value",
    cuda: "the first iteration's load in front of the loop",
    about: "What enters the loop is a constant or a computed value, so that the first iteration has nothing to give.",
    example: "float before = 0;\nfor (int k = 0; k < n; ++k) { float now = in[i + k]; use(before, now); before = now; }",
    ..C2
};

/// Loaded in some other loop.
pub static CARRIED_LOOP: Reason = Reason {
    code: "C2-carried-loop",
    text: "the value that the loop carries was loaded in another loop",
    about: "Which iteration of the other loop loaded it may differ from lane to lane.",
    example: "for (...) last = in[i + k];\nfor (...) { use(last, in[i + j]); last = in[i + j]; }",
    ..C2
};
