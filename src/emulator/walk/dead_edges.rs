//! Leaving a block: edges that are never taken.

use super::Walk;
use crate::Pruned;
use crate::domains::intervals;
use crate::term::TermId;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Terminator};

impl Walk<'_> {
    /// Marks the edges that are never taken: all of a block that is never entered, else what bounds decide. No
    /// solver is asked: compilers leave no branch whose outcome only a solver would find, and each refutation costs it
    /// 10 to 100 ms.
    pub(super) fn mark_dead_edges(&mut self, block: BlockId) {
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
        let known = intervals::decide(&mut self.terms, condition, &facts);
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

    /// Every edge that enters the block is dead. Back edges don't count: they come from blocks after it.
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
}
