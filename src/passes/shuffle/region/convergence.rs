//! Where the lanes of a warp are provably converged (CONTRACT.md, "Masks and convergence").
//!
//! Each block has a *head*: the outermost block above it from which every thread that gets there goes on to this block,
//! the same number of times, whatever its lane. A member mask that `activemask` reads at the head names lanes that all
//! execute the whole region. Invariant: from the head to the block, every branch that decides whether or how often the
//! block is executed is uniform.

use super::ending::exit_guards;
use super::placement::Place;
use crate::shuffle::prove::memory::MAX_BLOCKS;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Function};
use ptxasw_ir::reachability::Reachability;
use std::cell::RefCell;

/// Steps of one walk over control dependences; a block with more is taken as diverged.
const MAX_CONTROL_STEPS: usize = 512;

/// Why a region can't have a mask of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its head lies in a loop whose control, or the path inside it, differs between lanes.
    DivergentLoop,
    /// Its head follows a divergent branch whose arms meet again.
    DivergentIf(BlockId),
    /// Its head lies in an irreducible part of the graph.
    Irreducible,
}

/// The head of a block's region.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The block.
    pub block: BlockId,
    /// Why no mask can be read there, if so.
    pub obstacle: Option<Obstacle>,
}

/// The heads of all blocks.
pub struct Convergence {
    heads: Vec<Head>,
}

impl Convergence {
    /// Finds the head of each block, walking down the dominator tree.
    pub fn new(function: &Function, analyses: &Analyses) -> Self {
        let entry = BlockId(0);
        let mut heads = vec![
            Head {
                block: entry,
                obstacle: None
            };
            function.blocks.len()
        ];
        let renew_at_joins = function
            .insts
            .iter()
            .any(|inst| effects::waits(function, analyses, inst));
        let finder = Finder {
            analyses,
            renew_at_joins,
            exit_guards: exit_guards(function, analyses),
            parting: parting(function, analyses),
        };
        for &block in analyses.cfg.reverse_post_order() {
            if block != entry {
                heads[block.index()] = finder.head(block, &heads);
            }
        }
        Convergence { heads }
    }

    /// The head of the region of `block`.
    pub fn head(&self, block: BlockId) -> Head {
        self.heads[block.index()]
    }
}

/// The instructions of a function that can wait for a thread which is elsewhere in the kernel. Lanes must not be united
/// across one by a mask that is older: the lane that is waited for would itself wait at the shuffle.
pub struct Waits {
    /// Block and statement, sorted.
    at: Vec<(BlockId, u32)>,
    reachability: RefCell<Reachability>,
}

impl Waits {
    /// Looks for them.
    pub fn new(function: &Function, analyses: &Analyses) -> Self {
        let waiting = function
            .insts
            .iter()
            .filter(|inst| effects::waits(function, analyses, inst));
        let mut at: Vec<(BlockId, u32)> = waiting.map(|inst| (inst.block, inst.origin)).collect();
        at.sort_unstable();
        Waits {
            at,
            reachability: RefCell::default(),
        }
    }

    /// One on a path from a place outside of loops to a destination that it dominates.
    pub fn between(&self, analyses: &Analyses, place: Place, destination: &Event) -> Option<u32> {
        let at = Place {
            block: destination.block,
            statement: destination.origin,
        };
        self.on_path(analyses, place, at)
    }

    /// One on a path from a place outside of loops to another that it dominates; any, if there are too many blocks to look at.
    pub fn on_path(&self, analyses: &Analyses, place: Place, at: Place) -> Option<u32> {
        if self.at.is_empty() {
            return None;
        }
        let (from, to) = (place.block, at.block);
        if from == to {
            return self.first(from, place.statement, at.statement);
        }
        let mut reachability = self.reachability.borrow_mut();
        let Some(path) = reachability.blocks(&analyses.cfg, from, to, MAX_BLOCKS) else {
            return self.at.first().map(|at| at.1);
        };
        let inside = path
            .iter()
            .find_map(|&block| self.first(block, 0, u32::MAX));
        self.first(from, place.statement, u32::MAX)
            .or(inside)
            .or_else(|| self.first(to, 0, at.statement))
    }

    /// One in a block.
    pub fn in_block(&self, block: BlockId) -> Option<u32> {
        self.first(block, 0, u32::MAX)
    }

    /// The first in a block from one statement to another, the last not included.
    fn first(&self, block: BlockId, from: u32, to: u32) -> Option<u32> {
        let index = self.at.partition_point(|&at| at < (block, from));
        self.at
            .get(index)
            .filter(|at| at.0 == block && at.1 < to)
            .map(|at| at.1)
    }
}

struct Finder<'a> {
    analyses: &'a Analyses,
    renew_at_joins: bool,
    /// See [`exit_guards`].
    exit_guards: Vec<bool>,
    /// Blocks that are not uniform branches, by their place in the dominator tree, ascending.
    parting: Vec<u32>,
}

/// See [`Finder::parting`].
fn parting(function: &Function, analyses: &Analyses) -> Vec<u32> {
    let parts = |&block: &BlockId| analyses.divergence.branch(block) != Level::Uniform;
    let blocks = function.block_ids().filter(parts);
    let mut found: Vec<u32> = blocks
        .filter_map(|block| Some(analyses.dominators.below(block)?.start))
        .collect();
    found.sort_unstable();
    found
}

impl Finder<'_> {
    fn head(&self, block: BlockId, heads: &[Head]) -> Head {
        let Some(above) = self.analyses.dominators.immediate(block) else {
            return Head {
                block,
                obstacle: Some(Obstacle::Irreducible),
            };
        };
        let outer = heads[above.index()];
        match self.divergent_branch_between(above, block) {
            None if self.leaves_loop_of(outer.block, block) => self.new_head(block, None),
            None if self.renew_at_joins && self.is_join(block) => {
                self.new_head(block, outer.obstacle)
            }
            None => outer,
            Some(branch)
                if self.exit_guards[branch.index()] && active(Mutation::MaskBeforeExits) =>
            {
                outer
            }
            Some(branch) if self.exit_guards[branch.index()] => {
                self.new_head(block, outer.obstacle)
            }
            Some(branch) => self.new_head(block, Some(Obstacle::DivergentIf(branch))),
        }
    }

    fn new_head(&self, block: BlockId, obstacle: Option<Obstacle>) -> Head {
        let loops = &self.analyses.loops;
        let obstacle = match obstacle {
            _ if loops.irreducible(block) => Some(Obstacle::Irreducible),
            Some(obstacle @ (Obstacle::DivergentIf(_) | Obstacle::Irreducible)) => Some(obstacle),
            _ if loops.innermost(block).is_some() => Some(Obstacle::DivergentLoop),
            _ => None,
        };
        Head { block, obstacle }
    }

    /// A non-uniform branch that decides whether `block` is executed once `above`, its immediate dominator, was.
    fn divergent_branch_between(&self, above: BlockId, block: BlockId) -> Option<BlockId> {
        let Analyses {
            dominators,
            control,
            divergence,
            ..
        } = self.analyses;
        // In a nest of uniform loops each block depends on the branches of all of them: nothing need be looked at.
        let below = dominators.below(above)?;
        let first = self.parting.partition_point(|&at| at < below.start);
        if self.parting.get(first).is_none_or(|&at| at >= below.end) {
            return None;
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![block];
        let mut steps = 0;
        while let Some(current) = work.pop() {
            let branches = match control.branches_up_to(current, MAX_CONTROL_STEPS - steps) {
                Ok(branches) => branches,
                Err(one) => return Some(one),
            };
            steps += branches.len();
            for branch in branches {
                if !dominators.dominates(above, branch) || !seen.insert(branch) {
                    continue;
                }
                if divergence.branch(branch) != Level::Uniform {
                    return Some(branch);
                }
                if branch != above {
                    work.push(branch);
                }
            }
        }
        None
    }

    /// The head is inside a loop that does not hold `block`: lanes left that loop one by one and meet again here.
    fn leaves_loop_of(&self, head: BlockId, block: BlockId) -> bool {
        let loops = &self.analyses.loops;
        loops
            .innermost(head)
            .is_some_and(|inner| !loops.contains(inner, block))
    }

    fn is_join(&self, block: BlockId) -> bool {
        self.analyses.cfg.predecessors(block).count() > 1
    }
}
