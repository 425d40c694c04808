//! A patched function before it is known what its instructions read.

use super::agenda::Agenda;
use super::applied::NewPosition;
use super::position::{Copied, Position};
use super::repair::{DefinitionSource, Definitions};
use super::{CloneId, NewValue, Patch};
use crate::builder::FunctionBuilder;
use crate::function::{BlockId, Function, InstId, Terminator, Value};
use rustc_hash::FxHashMap;

/// A read at a place of the new function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// The definition it comes from, as far as it is known.
    pub source: DefinitionSource,
    /// Where, in the new function.
    pub place: NewPosition,
}

/// What an instruction reads: its guard, and its operands.
pub(super) struct Reads {
    pub inst: InstId,
    pub guard: Option<(Use, bool)>,
    pub args: Vec<Use>,
}

/// What the new function has, but for what is read in it.
pub(super) struct Draft<'a> {
    pub old: &'a Function,
    pub patch: &'a Patch,
    pub builder: FunctionBuilder,
    pub insts: Vec<Reads>,
    pub ends: Vec<(BlockId, End, u32)>,
    pub assumed: Vec<(BlockId, Vec<Use>)>,
    pub definitions: Definitions,
    pub values: FxHashMap<(Copied, Value), Value>,
    pub new: FxHashMap<NewValue, Value>,
    /// The patch by its places.
    pub agenda: Agenda<'a>,
    /// The blocks that end with the choice between two copies.
    pub choices: Vec<(CloneId, BlockId)>,
}

/// The end of a block.
pub(super) enum End {
    Jump(Edge),
    Branch(Use, Edge, Edge, bool),
    Switch(Use, Vec<Edge>),
    Plain(Terminator),
}

/// A branch target and what is passed to it.
pub(super) struct Edge {
    pub block: BlockId,
    pub args: Vec<Use>,
}

impl Edge {
    pub(super) fn plain(block: BlockId) -> Self {
        Edge {
            block,
            args: Vec::new(),
        }
    }
}

/// The blocks that the new function begins with.
#[derive(Default)]
pub(super) struct Blocks {
    /// The first block of each copy of a block: the original's in their order.
    pub starts: FxHashMap<(Copied, BlockId), BlockId>,
    /// The first block of each clone.
    pub entries: FxHashMap<CloneId, BlockId>,
    /// The blocks in which clones go on in the original.
    resumes: FxHashMap<Position, BlockId>,
}

impl Blocks {
    pub(super) fn new(old: &Function, patch: &Patch, builder: &mut FunctionBuilder) -> Self {
        let mut blocks = Blocks::default();
        for id in old.block_ids() {
            blocks.starts.insert((None, id), builder.block());
        }
        for clone in &patch.clones {
            blocks.entries.insert(clone.id, builder.block());
            for &block in &clone.blocks {
                let copy = (Some(clone.id), block);
                blocks.starts.insert(copy, builder.block());
            }
        }
        blocks
    }

    /// The block in which clones that are left at a place go on in the original.
    pub(super) fn resume(&mut self, position: Position, builder: &mut FunctionBuilder) -> BlockId {
        let known = self.resumes.entry(position);
        *known.or_insert_with(|| builder.block())
    }
}
