//! C6, active source: the source ran in every lane that gives, and its bytes are all defined.

use super::{ConditionName, Reason};

const C6: Reason = Reason::of(ConditionName::C6);
const UNGUARDED: &str = "the source's load outside of the condition";

pub(super) static ALL: &[&Reason] = &[
    &MAY_NOT_RUN,
    &DIVERGENT,
    &BEFORE_DIVERGENCE,
    &BEFORE_MASK,
    &UNDEFINED,
];

/// N = 0 under another predicate.
pub static MAY_NOT_RUN: Reason = Reason {
    code: "C6-predicate",
    text: "the source may not run where the destination does",
    cuda: UNGUARDED,
    about: "Both loads have predicates, and the destination's does not imply the source's.",
    example: "float x = p ? in[i] : 0;\nfloat y = q ? in[i] : 0;",
    ..C6
};

/// In a region of tracked masks.
pub static DIVERGENT: Reason = Reason {
    code: "C6-divergent",
    text: "the source is predicated, and lanes may diverge where the destination is",
    cuda: UNGUARDED,
    about: "A vote shows whether all lanes ran the source; where lanes may diverge no vote can be inserted.",
    example: "if (lane_dependent) { float x = p ? in[i] : 0; float y = in[i + 1]; }",
    ..C6
};

/// In front of such a region.
pub static BEFORE_DIVERGENCE: Reason = Reason {
    code: "C6-before-divergence",
    text: "the source is predicated, and lanes may diverge between source and destination",
    cuda: UNGUARDED,
    about: "The lanes that ran the source are not the lanes that reach the destination.",
    example: "float x = p ? in[i] : 0;\nif (lane_dependent) y = in[i + 1];",
    ..C6
};

/// In front of the mask.
pub static BEFORE_MASK: Reason = Reason {
    code: "C6-before-mask",
    text: "the source is predicated, and runs before the mask of the lanes is read",
    cuda: UNGUARDED,
    about: "A vote of the mask's lanes after the source would show that all of them ran it; here the source precedes \
            the mask.",
    example: "float x = p ? in[i] : 0;\nif (i >= n) return;\nfloat y = in[i + 1];",
    ..C6
};

/// `used_bytes_mask`.
pub static UNDEFINED: Reason = Reason {
    code: "C6-undefined",
    text: "not all bytes that the loop carries are defined",
    about: "The compiler promised to use only some bytes of the vector load (`.pragma \"used_bytes_mask\"`).",
    example: "float4 v = in4[i];             // only v.x is used",
    ..C6
};
