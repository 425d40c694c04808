//! What other options would make of a kernel, and how much faster that would be.

use serde::{Deserialize, Serialize};

/// What the user would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Says that what pointer parameters point to does not overlap.
    Restrict,
    /// Keeps what went back for its registers.
    Registers,
    /// Emits all shuffles that are proved.
    Shuffles,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 3] = [Way::Restrict, Way::Registers, Way::Shuffles];

    /// In words, with the option.
    pub fn words(self) -> &'static str {
        match self {
            Way::Restrict => {
                "pointers that never overlap (`__restrict__` in the source, or `--assume noalias`)"
            }
            Way::Registers => {
                "`--no-register-check`, for blocks that are launched whole (or `__launch_bounds__` of their size)"
            }
            Way::Shuffles => "all shuffles that are proved (`--profit always`)",
        }
    }
}

/// A kernel under other options.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Variant {
    /// What the user would do.
    pub way: Way,
    /// The GPU that the estimate is for: `sm_90`.
    pub arch: String,
    /// The original's time by that of the variant, with the least and the largest by uncertain figures of the GPU.
    pub ratio: [f64; 3],
}
