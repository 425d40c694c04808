//! What a pass may ask about the text that a function was read from, before it says what is to become of it.

use super::RegionClone;
use crate::ir::function::{InstId, Value};
use serde::{Deserialize, Serialize};

/// The text that a function was read from: PTX, or LLVM IR. Whoever writes a patch asks the same questions and refuses what is
/// answered with no, so a pass that asks first loses no work.
pub trait Text {
    /// How a step can read a value, wherever it is there.
    fn readable(&self, value: Value) -> Readable;
    /// Whether the text can read another value in place of this one: not if it computes it only as a part of another value.
    fn redirectable(&self, value: Value) -> bool;
    /// Whether a load gives all of its bytes, to registers that a step can define, too; else some of them are undefined in its registers (PTX ISA, "Pragma Strings",
    /// `used_bytes_mask`).
    fn defines_all(&self, load: InstId) -> bool;
    /// The line and text of a statement, which instructions name as their origin, for reports.
    fn site(&self, statement: u32) -> Site;
    /// Whether the text can have a second copy of a region.
    ///
    /// # Errors
    /// What prevents it.
    fn clonable(&self, clone: &RegionClone) -> Result<(), Uncopyable>;
}

/// How a step can read a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readable {
    /// At no cost: a constant, or what holds the value for as long as it lives.
    Directly,
    /// At the price of an instruction after its definition, or in front of the reader.
    ByCopy,
    /// Nothing of the text holds it.
    No,
}

/// A statement, for people to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Its line, from 1; 0 if it has none.
    pub line: u32,
    /// The statement itself, shortened.
    pub text: String,
}

/// Why a region can't be duplicated in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} can't stand in the function twice (statement {origin})")]
pub struct Uncopyable {
    /// The statement that prevents it.
    pub origin: u32,
    /// What it is.
    pub what: &'static str,
}

/// What a back end makes of its text, as far as passes must know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The architecture that machine code is made for (80 of `sm_80`), if it is known.
    pub architecture: Option<u32>,
    /// Code that both sides of a branch begin with may be merged in front of it: a mask that is read there is then another.
    pub merges_arms: bool,
    /// Accesses of global memory may have 32 bytes, where others have 16 at most (PTX ISA 8.8, `ld`: `.v8`, from sm_100 on).
    pub has_32_bytes: bool,
    /// Whoever makes machine code of it tests by itself whether operands of divisions fit into 32 bits.
    pub bypasses_division: bool,
    /// A product and a sum without rounding modifiers may become one `fma`: that is what their lack says (PTX ISA, `add`).
    pub contracts: bool,
    /// Whoever makes machine code of it numbers values, reduces strength and reassociates addresses by itself.
    pub optimizes_scalars: bool,
}
