//! What the text that a function was lowered from says of the registers of its values.

use super::function::BlockId;
use super::types::Type;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Range;

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
