//! Joins: the parameters of a block with several predecessors as `ite` over the conditions that led to each.

use super::term::{TermId, Terms};
use crate::ir::analyses::Analyses;
use crate::ir::function::BlockId;

/// Blocks on the way from a join's dominator to one of its predecessors.
const MAX_WAY: usize = 32;

/// The exact condition, given that `dominator` was executed, under which control comes to a join over the edge that ends
/// `way`: the conjunction of the edge conditions. None where the way itself joins or loops and is not exact.
///
/// `edge_condition(from, to)` is the term of the branch condition of an edge (true for a jump), or none if `from` can reach
/// `to` over several edges or by a switch.
pub(super) fn condition_of_way(
    terms: &mut Terms,
    analyses: &Analyses,
    dominator: BlockId,
    predecessor: BlockId,
    join: BlockId,
    mut edge_condition: impl FnMut(&mut Terms, BlockId, BlockId) -> Option<TermId>,
) -> Option<TermId> {
    let mut condition = edge_condition(terms, predecessor, join)?;
    let mut current = predecessor;
    for _ in 0..MAX_WAY {
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
            // A join on the way that closes all that was opened behind its own dominator adds no condition.
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
