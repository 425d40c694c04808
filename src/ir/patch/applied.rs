//! What comes of a patch.

use super::position::Copied;
use super::{CloneId, NewValue};
use crate::function::{BlockId, Function, Value};
use rustc_hash::FxHashMap;

/// A changed function, and what became of values.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The changed function, with redundant block parameters removed.
    pub function: Function,
    /// What the instructions of the old function give, in each copy of the code.
    pub values: FxHashMap<(Copied, Value), Value>,
    /// The results of steps.
    pub new: FxHashMap<NewValue, Value>,
    /// What is read in place of values, each with the place at which the value was defined.
    pub(super) redirected: Vec<(Value, NewPosition)>,
    /// Places of which the first must be passed before the second.
    pub(super) orders: Vec<(NewPosition, NewPosition)>,
    /// The blocks that end with the choice between two copies.
    pub(super) choices: Vec<(CloneId, BlockId)>,
}

/// A place in the new function.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewPosition {
    pub block: BlockId,
    /// After so many instructions of the block.
    pub index: usize,
    /// In a block, what is written later has a larger number.
    pub time: u32,
}
