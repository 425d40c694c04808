//! What a pass may ask about the text that a function was read from, before it says what is to become of it.

use super::RegionClone;
use crate::function::{BlockId, InstId, Value};
use crate::registers::{BlockText, Carrier, Held, Loaded};
use crate::types::Type;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
    /// Where a statement is, which instructions name as their origin.
    fn place(&self, statement: u32) -> Place;
    /// A statement, for reports.
    fn site(&self, statement: u32) -> Site;
    /// Whether the text can have a second copy of a region.
    ///
    /// # Errors
    /// What prevents it.
    fn clonable(&self, clone: &RegionClone) -> Result<(), Uncopyable>;
    /// The register that an instruction wrote `value` to, if it is exactly as wide.
    fn held(&self, value: Value) -> Option<Held<'_>>;
    /// What a load's statement says of its registers; none if it is no load of scalar registers.
    fn loaded(&self, statement: u32) -> Option<Loaded>;
    /// The register that a block's parameter is in at the start of the block, if its name means this register everywhere, and
    /// the back end can take values of this type out of it.
    fn carrier(&self, parameter: Value, ty: Type) -> Option<Carrier>;
    /// The register of integers or bits that holds a block's parameter right after a statement of that block, as the text
    /// names it: nothing from the start of the block on has written to it.
    fn kept(&self, _parameter: Value, _statement: u32) -> Option<Box<str>> {
        None
    }
    /// The first instruction of a block.
    fn first_statement(&self, block: BlockId) -> Option<u32>;
    /// The first statement of the front end in front of which new instructions that belong to the end of `block` can be placed,
    /// in front of its last one.
    fn last_statement(&self, block: BlockId) -> Option<u32>;
    /// The statements of a block, and the block that the text runs into.
    fn block_text(&self, block: BlockId) -> BlockText;
    /// Where the branch at the end of a block goes if a test fails that an earlier pass has put there: to the original of a copy.
    fn fallback(&self, _block: BlockId) -> Option<BlockId> {
        None
    }
    /// Of the instructions that are counted on a path through the code, the share that certainly become machine instructions:
    /// numerator and denominator.
    fn machine_share(&self) -> (u32, u32) {
        (4, 5)
    }
    /// Instructions that each access to memory in a loop may take in a copy of the loop, beside those that it takes in the
    /// original.
    fn copied_access(&self) -> u32 {
        0
    }
    /// Whether instructions that both arms of a branch begin with stay in both: a mask may be read there.
    fn keeps_arms_apart(&self) -> bool {
        true
    }
    /// Whether the text tells the assembler to keep the loop of this header as it is.
    fn keeps_loop(&self, _header: BlockId) -> bool {
        false
    }
    /// Why statements can't be duplicated in front of the statement `before`, if so: the statement that prevents it, and what
    /// it is.
    fn uncopyable(
        &self,
        before: u32,
        statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)>;
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

/// Where a statement is in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// In bytes; means nothing where there is no line.
    #[serde(skip)]
    pub at: u32,
    /// Its line, from 1; 0 if it has none.
    pub line: u32,
}

/// A statement, for people to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
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
