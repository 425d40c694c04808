//! Who watches an execution: the tracer, the race detector, and nobody.

use super::program::Inst;
use super::state::Block;
use crate::ir::types::Space;

/// Bytes found in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Never generic.
    pub(super) space: Space,
    /// The region in the arena of that space: of the grid, the block or the thread.
    pub(super) region: usize,
    /// First byte in the region.
    pub(super) offset: usize,
}

/// How memory was touched. Whether it was volatile, relaxed, acquire or release stands in the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TouchKind {
    Load,
    Store,
    Atomic,
}

/// One access of one lane. A vector store comes as one for each element, a vector load as one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    /// Number of the thread in the grid.
    pub(super) thread: u64,
    pub(super) place: Place,
    pub(super) bytes: u32,
    pub(super) kind: TouchKind,
}

/// What an execution tells those who watch it. Everything is reported in the order of the interleaving that runs.
#[allow(unused_variables)]
pub(super) trait Observer {
    /// Lanes have executed an instruction that is no branch; its results are in their registers.
    #[inline]
    fn executed(&mut self, block: &Block, w: usize, pc: u32, inst: &Inst, on: u32) {}

    /// Lanes of a group take a branch, return or exit; the others of the group go on.
    #[inline]
    fn branched(&mut self, block: &Block, w: usize, inst: &Inst, on: u32, group: u32) {}

    /// A lane is about to access memory.
    #[inline]
    fn touched(&mut self, block: &Block, inst: &Inst, touched: Touched) {}

    /// Lanes execute a fence.
    #[inline]
    fn fence(&mut self, block: &Block, w: usize, inst: &Inst, on: u32) {}

    /// Lanes have met at `bar.warp.sync`.
    #[inline]
    fn warp_barrier(&mut self, block: &Block, w: usize, members: u32) {}

    /// A barrier of the block is about to open for the threads that wait there.
    #[inline]
    fn barrier(&mut self, block: &Block, number: usize) {}
}

/// Nobody.
impl Observer for () {}

/// Whoever is lent for the time of an execution.
impl<O: Observer> Observer for &mut O {
    #[inline]
    fn executed(&mut self, block: &Block, w: usize, pc: u32, inst: &Inst, on: u32) {
        O::executed(self, block, w, pc, inst, on);
    }

    #[inline]
    fn branched(&mut self, block: &Block, w: usize, inst: &Inst, on: u32, group: u32) {
        O::branched(self, block, w, inst, on, group);
    }

    #[inline]
    fn touched(&mut self, block: &Block, inst: &Inst, touched: Touched) {
        O::touched(self, block, inst, touched);
    }

    #[inline]
    fn fence(&mut self, block: &Block, w: usize, inst: &Inst, on: u32) {
        O::fence(self, block, w, inst, on);
    }

    #[inline]
    fn warp_barrier(&mut self, block: &Block, w: usize, members: u32) {
        O::warp_barrier(self, block, w, members);
    }

    #[inline]
    fn barrier(&mut self, block: &Block, number: usize) {
        O::barrier(self, block, number);
    }
}
