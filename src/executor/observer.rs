//! Who watches an execution: the tracer, the race detector, and nobody.

use super::memory::MemoryLocation;
use super::program::Inst;
use super::state::Block;

/// How memory was touched. Whether it was volatile, relaxed, acquire or release is in the instruction.
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
    pub(super) place: MemoryLocation,
    pub(super) bytes: u32,
    pub(super) kind: TouchKind,
    /// A store of what is there already; only reported where [`Observer::VALUES`].
    pub(super) unchanged: bool,
}

/// What an execution reports to an observer. Everything is reported in the order of the interleaving that runs.
#[allow(unused_variables)]
pub(super) trait Observer {
    /// Wants to know which stores change something.
    const VALUES: bool = false;

    /// Lanes have executed an instruction that is no branch; its results are in their registers.
    #[inline]
    fn executed(&mut self, block: &Block, w: usize, pc: u32, inst: &Inst, on: u32) {}

    /// Lanes of a group take a branch, call a function, return or exit; the others of the group go on.
    #[inline]
    fn branched(&mut self, block: &Block, w: usize, inst: &Inst, on: u32, group: u32) {}

    /// Lanes of a group come to a branch: these take it, the others of the group, perhaps all, go on.
    #[inline]
    fn decided(&mut self, block: &Block, w: usize, pc: u32, on: u32, group: u32) {}

    /// A lane is about to access memory.
    #[inline]
    fn touched(&mut self, block: &Block, inst: &Inst, touched: Touched) {}

    /// Lanes execute a fence.
    #[inline]
    fn fence(&mut self, block: &Block, w: usize, inst: &Inst, on: u32) {}

    /// Lanes have met at `bar.warp.sync`.
    #[inline]
    fn warp_barrier(&mut self, block: &Block, w: usize, members: u32) {}

    /// Lanes come to a barrier of the block without waiting there.
    #[inline]
    fn arrived(&mut self, block: &Block, w: usize, on: u32, number: usize) {}

    /// A barrier of the block is about to open for the threads that wait there.
    #[inline]
    fn barrier(&mut self, block: &Block, number: usize) {}

    /// Lanes have arrived at the barrier of the cluster.
    #[inline]
    fn arrived_at_cluster(&mut self, block: &Block, w: usize, on: u32) {}

    /// Lanes go on after the barrier of the cluster.
    #[inline]
    fn left_cluster(&mut self, block: &Block, w: usize, on: u32) {}

    /// All threads of a block have exited.
    #[inline]
    fn finished(&mut self, block: &Block) {}
}

/// Nobody.
impl Observer for () {}
