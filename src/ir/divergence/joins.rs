//! The joins of paths on which threads diverge.
//!
//! A label spreads from each edge of the split; a block that two labels reach is a join, and spreads a label of its
//! own. Blocks are visited in reverse post-order, so a block has all its labels before it is left, and the walk ends at
//! the immediate post-dominator, or as soon as one label is left that nothing can meet any more (the usual case of a
//! bounds check whose one side returns).
//!
//! The walk stays in one iteration of the innermost loop around the split. If it gets to the next iteration or out of
//! the loop before the paths have met, threads leave the loop in different iterations: the caller then treats the exits
//! of the loop as a split in the loop around it.

use crate::cfg::Cfg;
use crate::function::{BlockId, Function};
use crate::loops::{LoopId, LoopNest};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No label.
const NONE: u32 = u32::MAX;

/// The state of the walk, kept between splits so that each costs only what it visits.
#[derive(Default)]
pub(super) struct Joins {
    /// Label of each block.
    labels: Vec<u32>,
    /// Blocks with a label, to be cleaned up.
    labelled: Vec<BlockId>,
    /// Blocks to visit, by position.
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many blocks that can still be met have each label.
    active: FxHashMap<u32, u32>,
    /// Joins found.
    joined: Vec<BlockId>,
    /// Blocks visited.
    steps: usize,
}

/// Where the walk ends.
struct Bounds<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    nest: &'a LoopNest,
    enclosing: Option<LoopId>,
    stop: Option<BlockId>,
}

impl Bounds<'_> {
    /// The header of the loop around the split.
    fn header(&self) -> Option<BlockId> {
        self.enclosing.map(|id| self.nest.get(id).header)
    }

    fn inside(&self, block: BlockId) -> bool {
        self.enclosing
            .is_none_or(|id| self.nest.contains(id, block))
    }

    /// A thread that goes there does nothing more.
    fn dead_end(&self, block: BlockId) -> bool {
        let body = self.function.block(block);
        body.params.is_empty() && body.insts.is_empty() && body.terminator.leads_nowhere()
    }
}

impl Joins {
    pub(super) fn new(blocks: usize) -> Self {
        Joins {
            labels: vec![NONE; blocks],
            ..Joins::default()
        }
    }

    /// The joins that the last [`Joins::find`] found.
    pub(super) fn blocks(&self) -> &[BlockId] {
        &self.joined
    }

    /// The number of blocks that the last [`Joins::find`] visited.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Finds the joins of threads that diverge over `edges`, inside the loop `enclosing`, up to the post-dominator `stop`.
    /// Returns whether threads can leave `enclosing` in different iterations.
    pub(super) fn find(
        &mut self,
        function: &Function,
        cfg: &Cfg,
        nest: &LoopNest,
        edges: &[BlockId],
        enclosing: Option<LoopId>,
        stop: Option<BlockId>,
    ) -> bool {
        let mut bounds = Bounds {
            function,
            cfg,
            nest,
            enclosing,
            stop,
        };
        self.steps = 0;
        let mut leaves = self.walk(&bounds, edges);
        if leaves && stop.is_some_and(|block| bounds.inside(block)) {
            // Some threads get to the stop in a later iteration only: others go on from it meanwhile.
            bounds.stop = None;
            leaves = self.walk(&bounds, edges);
        }
        leaves
    }

    fn walk(&mut self, bounds: &Bounds<'_>, edges: &[BlockId]) -> bool {
        self.reset();
        let live = edges.iter().filter(|&&to| !bounds.dead_end(to));
        if live.clone().count() < 2 {
            return false;
        }
        // All paths get to the stop: it is the immediate post-dominator, so that they get there by different edges.
        self.joined.extend(bounds.stop);
        // If the stop is outside the loop, the back edge and the exit edge diverge before it.
        let outside = bounds.stop.is_none_or(|block| !bounds.inside(block));
        let mut leaves = bounds.enclosing.is_some() && outside;
        let known = bounds.enclosing.is_none() || leaves;
        for (label, &to) in live.enumerate() {
            leaves |= self.edge(bounds, to, label as u32);
        }
        while let Some(Reverse((position, block))) = self.queue.pop() {
            if known && self.active.len() < 2 {
                break;
            }
            self.steps += 1;
            let block = BlockId(block);
            let label = self.labels[block.index()];
            self.deactivate(label);
            for target in bounds.function.block(block).terminator.targets() {
                let to = target.block;
                // Back edges of loops that the split is not in add no labels: those have one entry.
                if bounds.cfg.position(to) > position || bounds.header() == Some(to) {
                    leaves |= self.edge(bounds, to, label);
                }
            }
        }
        leaves
    }

    fn reset(&mut self) {
        for block in self.labelled.drain(..) {
            self.labels[block.index()] = NONE;
        }
        self.queue.clear();
        self.active.clear();
        self.joined.clear();
    }

    /// Follows an edge to `to` with `label`; true if it starts the next iteration or leaves the loop.
    fn edge(&mut self, bounds: &Bounds<'_>, to: BlockId, label: u32) -> bool {
        if bounds.stop == Some(to) {
            return false;
        }
        if !bounds.inside(to) {
            return !bounds.dead_end(to);
        }
        let next_iteration = bounds.header() == Some(to);
        let old = self.labels[to.index()];
        if old == NONE {
            if !bounds.dead_end(to) {
                self.labels[to.index()] = label;
                self.labelled.push(to);
                *self.active.entry(label).or_default() += 1;
                if !next_iteration {
                    self.queue.push(Reverse((bounds.cfg.position(to), to.0)));
                }
            }
        } else if old != label {
            self.joined.push(to);
            self.deactivate(old);
            // Labels of joins follow those of edges.
            let own = NONE - 1 - to.0;
            self.labels[to.index()] = own;
            *self.active.entry(own).or_default() += 1;
        }
        next_iteration
    }

    fn deactivate(&mut self, label: u32) {
        if let Some(count) = self.active.get_mut(&label) {
            *count -= 1;
            if *count == 0 {
                self.active.remove(&label);
            }
        }
    }
}
