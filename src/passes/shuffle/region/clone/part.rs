//! Divergent regions: the parts of a kernel that may get a copy.

use crate::shuffle::plan::Wrapping;
use crate::shuffle::refusal::Refusal;
use ptxasw_ir::function::BlockId;

/// Statements that one copy may repeat.
pub(super) const MAX_STATEMENTS: u32 = 4096;

/// A divergent region, or *part*: blocks that the lanes of a warp may execute apart, and that may get a copy.
#[derive(Clone, Debug)]
pub(in crate::shuffle) struct DivergentRegion {
    /// The scheme of its shuffles: [`Wrapping::Full`] or [`Wrapping::Halo`] in a copy; or that of a part whose masks are
    /// tracked, which gets no copy.
    pub kind: Wrapping,
    /// The block that all lanes leave together and in which the part is entered; not one of `blocks`.
    pub above: BlockId,
    /// The part begins with the branch that ends `above`.
    pub with_branch: bool,
    /// The first block, if the part does not begin with a branch.
    pub first: BlockId,
    /// All blocks, in their order.
    pub blocks: Vec<BlockId>,
    /// Why it can't have a copy, if so.
    pub refusal: Option<Refusal>,
}

/// The divergent regions of a kernel; no block is in two.
#[derive(Debug, Default)]
pub(in crate::shuffle) struct DivergentRegions {
    pub parts: Vec<DivergentRegion>,
    /// Numbers of parts by block.
    pub(super) of: Vec<Option<u32>>,
}

impl DivergentRegions {
    /// The part of a block.
    pub fn of(&self, block: BlockId) -> Option<u32> {
        self.of.get(block.index()).copied().flatten()
    }

    /// A part by its number.
    pub fn get(&self, number: u32) -> &DivergentRegion {
        &self.parts[number as usize]
    }
}
