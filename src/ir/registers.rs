//! What the text that a function was lowered from says of the registers of its values.

use super::function::{BlockId, Value};
use super::patch::Site;
use super::types::Type;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Range;

/// What the front end knows of the registers of its text.
pub trait Registers {
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
    /// The line and text of a statement, for reports.
    fn site(&self, statement: u32) -> Site;
    /// The statements of a block, and the block that the text runs into.
    fn text(&self, block: BlockId) -> BlockText;
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
    /// Why statements can't be duplicated in front of the statement `before`, if so: the statement that prevents it, and what
    /// it is.
    fn uncopyable(
        &self,
        before: u32,
        statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)>;
}

/// The statements of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockText {
    /// All of them, with labels in front and the branch at the end.
    pub statements: Range<u32>,
    /// The branch, return or the like at its end.
    pub branch: Option<u32>,
    /// Where a branch goes that is taken.
    pub taken: Option<BlockId>,
    /// Where a branch goes that is not taken.
    pub otherwise: Option<BlockId>,
    /// The block that it falls through to where no branch is taken, if that passes the text between the two.
    pub next: Option<BlockId>,
}

/// The register of a block's parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carrier {
    /// As the text names it.
    pub name: Box<str>,
    /// As it is declared.
    pub ty: Type,
}

/// The registers of a load.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// One for each element; none where the value is dropped.
    pub elements: SmallVec<[Option<Element>; 1]>,
    /// The bytes that are defined (bit 0 the first), if not all are.
    pub used_bytes: Option<u64>,
}

/// The register of one element.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The back end can take values of this kind out of the register and put them into it.
    pub movable: bool,
    /// As [`Held::stable`].
    pub stable: bool,
    /// A narrower element is not extended in it.
    pub exact: bool,
}

/// A register that a value was written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held<'r> {
    /// As the text names it.
    pub name: Cow<'r, str>,
    /// It holds the value for as long as the value dominates: written by this unguarded statement alone, declared in the
    /// function's own scope, its name hidden in no inner one.
    pub stable: bool,
    /// Of an integer or untyped type.
    pub integer: bool,
}

impl Held<'_> {
    /// Arithmetic on the value can read it anywhere below its definition.
    pub fn checkable(&self) -> bool {
        self.stable && self.integer
    }
}
