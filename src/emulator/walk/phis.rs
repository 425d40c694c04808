//! Joins: the parameters of a block with several predecessors as `ite` over the conditions that led to each; where these
//! are not known (after a loop), as one of the values plus what the others are apart from it.

use super::Walk;
use crate::JoinPaths;
use crate::term::{Node, TermId, Terms, Variance};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::LoopId;

/// Blocks on the path from a join's dominator to one of its predecessors.
const MAX_PATH: usize = 32;
/// Parts of the differences between the values that meet at a join.
const MAX_PARTS: usize = 64;

/// The exact condition, given that `dominator` was executed, under which control comes to `join` over the edge from
/// `predecessor`: the conjunction of the edge conditions. None where the path itself has joins or loops and is not exact.
///
/// `edge_condition(from, to)` is the term of the branch condition of an edge (true for a jump), or none if `from` can reach
/// `to` over several edges or by a switch.
pub(super) fn condition_of_path(
    terms: &mut Terms,
    analyses: &Analyses,
    dominator: BlockId,
    predecessor: BlockId,
    join: BlockId,
    mut edge_condition: impl FnMut(&mut Terms, BlockId, BlockId) -> Option<TermId>,
) -> Option<TermId> {
    let mut condition = edge_condition(terms, predecessor, join)?;
    let mut current = predecessor;
    for _ in 0..MAX_PATH {
        if current == dominator {
            return Some(condition);
        }
        if analyses.loops.innermost(current) != analyses.loops.innermost(dominator) {
            return None;
        }
        let mut before = analyses.cfg.predecessors(current);
        current = match (before.next(), before.next()) {
            (Some(single), None) => {
                let edge = edge_condition(terms, single, current)?;
                condition = terms.and(condition, edge);
                single
            }
            // A join on the path that closes all that was opened after its own dominator adds no condition.
            _ => {
                let above = analyses.dominators.immediate(current)?;
                if !analyses.post_dominators.dominates(current, above) {
                    return None;
                }
                above
            }
        };
    }
    None
}

/// What the distances between the values that meet at a join depend on.
struct Distances {
    /// How equal their symbols are, in lockstep.
    level: Level,
    /// Loops that must be left in lockstep.
    loops: Vec<LoopId>,
    /// A loop must be.
    stepped: bool,
    parts: usize,
}

impl Walk<'_> {
    /// The value of a join as one of those that meet there, plus a symbol: how far the value is from that one. In threads
    /// that took the same path, by as many iterations of the loops on it, it is as far, if all distances are made of what
    /// such threads have in common.
    pub(super) fn apart(
        &mut self,
        block: BlockId,
        index: usize,
        arms: &[(BlockId, TermId)],
    ) -> Option<TermId> {
        let analyses = self.analyses;
        let value = *self.function.block(block).params.get(index)?;
        if analyses.divergence.value(value) != Level::Divergent {
            return None;
        }
        // The oldest: what was there in front of the loops.
        let base = arms.iter().map(|&(_, term)| term).min()?;
        let mut distances = Distances {
            level: Level::Uniform,
            loops: Vec::new(),
            stepped: false,
            parts: MAX_PARTS,
        };
        let mut holds_address = false;
        for &(_, term) in arms.iter().filter(|&&(_, term)| term != base) {
            let distance = self.terms.sub(term, base);
            self.common(block, distance, &mut distances)?;
            holds_address |= self.may_hold_address(distance);
        }
        let (name, width) = (format!("distance.{value}"), self.terms.width(base));
        let joined = analyses.divergence.joined(block);
        let distance = match joined < Level::Divergent && !distances.stepped {
            true => {
                let level = joined.max(distances.level);
                self.opaque_of_level(name, width, level, block)
            }
            false => {
                let distance = self.opaque(name, width, Variance::Of(Level::Divergent), block);
                let mut from: Vec<BlockId> = arms.iter().map(|&(from, _)| from).collect();
                from.dedup();
                self.lockstep_variance
                    .insert(distance, Variance::Of(distances.level));
                self.join_paths.insert(
                    distance,
                    JoinPaths {
                        join: block,
                        from,
                        loops: distances.loops,
                    },
                );
                distance
            }
        };
        self.may_be_address.insert(distance, holds_address);
        Some(self.terms.add(base, distance))
    }

    /// Notes what a distance depends on; none if that is not the same in threads that took the same path.
    fn common(&self, block: BlockId, distance: TermId, distances: &mut Distances) -> Option<()> {
        let loops = &self.analyses.loops;
        let mut work = vec![distance];
        while let Some(part) = work.pop() {
            distances.parts = distances.parts.checked_sub(1)?;
            let node = self.terms.node(part);
            let &Node::Symbol(id) = node else {
                if let Node::Uninterpreted { .. } = node {
                    return None;
                }
                node.for_each_operand(|operand| work.push(operand));
                continue;
            };
            let variance = match self.terms.symbol_data(id).variance {
                Variance::Of(Level::Divergent) => {
                    // What varies with the path to another join is not taken apart once more.
                    let lockstep = self.lockstep_variance.get(&part).copied();
                    let defined_in = self
                        .defining_blocks
                        .get(&part)
                        .filter(|_| !self.join_paths.contains_key(&part));
                    let around = loops.around(*defined_in?);
                    let left = around.filter(|&id| !loops.contains(id, block));
                    distances.loops.extend(left);
                    distances.stepped = true;
                    lockstep?
                }
                variance => variance,
            };
            let Variance::Of(level @ (Level::Uniform | Level::Row)) = variance else {
                return None;
            };
            distances.level = distances.level.max(level);
        }
        Some(())
    }
}
