//! Leaving a block: edges that are never taken.

use super::Pruned;
use super::bounds;
use super::term::TermId;
use super::walk::Walk;
use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Terminator};
use crate::solver::Query;

/// Branch conditions of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 32;

impl Walk<'_> {
    /// Marks the edges that are never taken: all of a block that is never entered, else what bounds or the solver decide.
    pub(super) fn prune(&mut self, block: BlockId) {
        let function = self.function;
        if self.never_entered(block) {
            self.dead.extend(
                self.analyses
                    .cfg
                    .successors(block)
                    .map(|next| (block, next)),
            );
            return;
        }
        let Terminator::Branch {
            condition,
            then,
            otherwise,
            ..
        } = &function.block(block).terminator
        else {
            return;
        };
        let Some(condition) = self.term(*condition) else {
            return;
        };
        let facts: Vec<TermId> = self.conditions.of_block(block).collect();
        let known = bounds::decide(&mut self.terms, condition, &facts)
            .or_else(|| self.ask(block, condition, &facts));
        if let Some(taken) = known
            && then.block != otherwise.block
        {
            let never = if taken { otherwise } else { then };
            self.dead.insert((block, never.block));
            self.pruned.push(Pruned {
                block,
                condition,
                always: taken,
            });
        }
    }

    /// Every edge that enters the block is dead. Back edges don't count: they come from behind the block.
    fn never_entered(&self, block: BlockId) -> bool {
        let Analyses { cfg, loops, .. } = self.analyses;
        let position = cfg.position(block);
        let mut before = cfg
            .predecessors(block)
            .filter(|&from| cfg.position(from) < position)
            .peekable();
        before.peek().is_some()
            && !loops.irreducible(block)
            && before.all(|from| self.dead.contains(&(from, block)))
    }

    /// Asks the solver about a condition that a fact may decide: a comparison of the same terms, but for constants.
    fn ask(&mut self, block: BlockId, condition: TermId, facts: &[TermId]) -> Option<bool> {
        let about = self.compared(condition)?;
        let related = facts
            .iter()
            .any(|&fact| self.compared(fact).as_ref() == Some(&about));
        if !related || self.queries >= MAX_QUERIES {
            return None;
        }
        self.queries += 1;
        let negated = self.terms.not(condition);
        [(condition, true), (negated, false)]
            .into_iter()
            .find_map(|(goal, taken)| {
                let name = format!("branch of {block} is always {taken}");
                let query = Query {
                    name,
                    hypotheses: facts.to_vec(),
                    goal,
                };
                self.solver
                    .prove(&self.terms, &query)
                    .proved()
                    .then_some(taken)
            })
    }

    /// The atoms that a comparison is about; none if it is no comparison of two non-constants.
    fn compared(&self, condition: TermId) -> Option<Vec<TermId>> {
        let comparison = bounds::comparison(&self.terms, condition)?;
        let mut atoms = Vec::new();
        for side in [comparison.left, comparison.right] {
            let (_, terms) = self.terms.affine(side);
            if terms.is_empty() {
                return None;
            }
            atoms.extend(terms.into_iter().map(|(atom, _)| atom));
        }
        atoms.sort_unstable();
        atoms.dedup();
        Some(atoms)
    }
}
