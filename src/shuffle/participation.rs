//! C4, participation: a mask can be had whose lanes all execute the shuffle.

use super::convergence::Obstacle;
use super::pair::Pair;
use super::refusal::{ConditionName, Refusal};
use super::synthesis::Run;
use crate::ir::function::BlockId;
use crate::mutation::{Mutation, active};

impl Run<'_> {
    /// C4: a mask can be had, and no lane of it can be gone.
    pub(super) fn check_participation(&self, pair: &Pair) -> Result<(), Refusal> {
        let head = self.convergence.head(pair.destination.block);
        let refuse =
            |reason: &str| Refusal::new(ConditionName::C4, reason).at(pair.source.origin, "source");
        let branch = |block: BlockId| self.function.block(block).origin;
        match head.obstacle {
            None => {}
            Some(Obstacle::DivergentLoop) => {
                return Err(refuse("the lanes may be in different iterations of a loop, or on different ways in it")
                    .lift("a loop whose trip count is the same in all lanes"));
            }
            Some(Obstacle::DivergentIf(_)) if active(Mutation::FullMask) => {}
            Some(Obstacle::DivergentIf(at)) => {
                return Err(Refusal::new(
                    ConditionName::C4,
                    "the load is in a divergent `if` that joins again",
                )
                .at(branch(at), "lanes part here")
                .lift("`if (...) return;` in place of the `if`"));
            }
            Some(Obstacle::Irreducible) => {
                return Err(refuse("the control flow is irreducible here"));
            }
        }
        let may_end = self
            .may_exit
            .iter()
            .find(|event| self.analyses.dominators.dominates(head.block, event.block));
        match may_end.filter(|_| !active(Mutation::ExitingCallsIgnored)) {
            Some(event) => Err(Refusal::new(
                ConditionName::C4,
                "a call may end some lanes of the mask",
            )
            .at(event.origin, "may end the thread")),
            None => Ok(()),
        }
    }
}
