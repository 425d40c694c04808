//! A convergent instruction is duplicated only if all lanes that execute it reach the same copy.
//!
//! A barrier or a shuffle is executed by several threads at once, and its two copies are two instructions. All threads come to one
//! copy if each of them passes the place at which the clone is entered before, if they agree there, and if whoever has left
//! the clone does not come to the original's copy without passing that place again.
//!
//! Nothing is asked about a clone whose threads stay together ([`RegionClone::together`]): its condition and its exits are votes.

use super::applied::Applied;
use super::error::PatchError;
use super::position::{Position, Positions};
use super::{Patch, RegionClone};
use crate::analyses::Analyses;
use crate::cfg::Cfg;
use crate::divergence::Level;
use crate::dominators::DominatorTree;
use crate::effects::of_instruction;
use crate::function::{BlockId, Function, InstId};
use ptxasw_base::mutation::{Mutation, active};
use rustc_hash::FxHashSet;

/// Checks all clones of a patch.
pub(super) fn check(
    function: &Function,
    patch: &Patch,
    applied: &Applied,
) -> Result<(), PatchError> {
    let positions = Positions::new(function);
    let (mut analyses, mut dominators) = (None, None);
    for clone in patch.clones.iter().filter(|clone| !clone.together) {
        let region = Region::new(function, &positions, clone)?;
        if region.together.is_empty() {
            continue;
        }
        let refused = |id: InstId| Err(PatchError::Convergent(clone.id, id));
        // Threads of a warp may be in different copies of one iteration.
        if clone.after.is_some() {
            return refused(region.together[0]);
        }
        let tree = || DominatorTree::dominators(&Cfg::new(function));
        let dominators = dominators.get_or_insert_with(tree);
        if let Some(id) = region.passed_by(dominators).or_else(|| region.met_again())
            && !active(Mutation::PassersByUnchecked)
        {
            return refused(id);
        }
        let analyses = analyses.get_or_insert_with(|| Analyses::new(&applied.function));
        let choices = applied.choices.iter().filter(|(id, _)| *id == clone.id);
        for (_, block) in choices {
            let condition = applied.function.block(*block).terminator.decision();
            let uniform = condition.is_none_or(|value| {
                let divergence = &analyses.divergence;
                // Threads may be in different iterations: the condition is the same in all.
                let outside = divergence.value_at(&analyses.loops, value, BlockId(0));
                divergence.branch(*block) == Level::Uniform && outside == Level::Uniform
            });
            if !uniform && !active(Mutation::UniformityUnchecked) {
                return refused(region.together[0]);
            }
        }
    }
    Ok(())
}

/// A cloned region, and what it doubles that lanes do together.
struct Region<'a> {
    function: &'a Function,
    positions: &'a Positions<'a>,
    clone: &'a RegionClone,
    enter: Position,
    exits: Vec<Position>,
    together: Vec<InstId>,
}

impl<'a> Region<'a> {
    fn new(
        function: &'a Function,
        positions: &'a Positions<'a>,
        clone: &'a RegionClone,
    ) -> Result<Self, PatchError> {
        let enter = positions.of(clone.enter)?;
        let exits = clone.exits.iter().map(|exit| positions.of(exit.at));
        let entry = &function.block(enter.0).insts[enter.1..];
        let blocks = clone.blocks.iter();
        let blocks = blocks.map(|&block| &function.block(block).insts[..]);
        let insts = blocks.chain([entry]).flatten().copied();
        Ok(Region {
            function,
            positions,
            clone,
            enter,
            exits: exits.collect::<Result<_, _>>()?,
            together: insts
                .filter(|&id| of_instruction(function.inst(id)).convergent)
                .collect(),
        })
    }

    /// One of them that a thread can come to without passing the place at which the clone is entered.
    fn passed_by(&self, dominators: &DominatorTree) -> Option<InstId> {
        let mut all = self.together.iter().copied();
        all.find(|&id| {
            let block = self.function.inst(id).block;
            match block == self.enter.0 {
                true => self.positions.index(id) < self.enter.1,
                false => !dominators.dominates(self.enter.0, block),
            }
        })
    }

    /// One of them that a thread which has left the clone can come to without passing that place again.
    fn met_again(&self) -> Option<InstId> {
        let inside: FxHashSet<BlockId> = self.clone.blocks.iter().copied().collect();
        let together: FxHashSet<InstId> = self.together.iter().copied().collect();
        let parts = self.clone.blocks.iter().copied().chain([self.enter.0]);
        let targets = parts.flat_map(|block| {
            let targets = self.function.block(block).terminator.targets();
            let targets = targets.into_iter().map(|target| target.block);
            targets.collect::<Vec<_>>()
        });
        let left = targets
            .filter(|block| !inside.contains(block))
            .map(|block| (block, 0));
        let mut work: Vec<Position> = left.chain(self.exits.iter().copied()).collect();
        let mut seen: FxHashSet<Position> = FxHashSet::default();
        while let Some((block, from)) = work.pop() {
            if !seen.insert((block, from)) {
                continue;
            }
            let insts = &self.function.block(block).insts;
            let enters = block == self.enter.0 && from <= self.enter.1;
            let end = if enters { self.enter.1 } else { insts.len() };
            let here = insts[from..end].iter().copied();
            if let Some(found) = here.clone().find(|id| together.contains(id)) {
                return Some(found);
            }
            if !enters {
                let targets = self.function.block(block).terminator.targets();
                work.extend(targets.into_iter().map(|target| (target.block, 0)));
            }
        }
        None
    }
}
