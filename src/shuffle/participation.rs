//! C4, participation: a mask can be had whose lanes all execute the shuffle.

use super::convergence::Obstacle;
use super::pair::Pair;
use super::refusal::{ConditionName, Refusal};
use super::search::Run;
use crate::ir::function::BlockId;
use crate::mutation::{Mutation, active};

impl Run<'_> {
    /// C4: a mask can be had, and no lane of it can be gone. Returns how.
    pub(super) fn check_participation(&self, pair: &Pair) -> Result<&'static str, Refusal> {
        let (from, to) = (
            self.parts.of(pair.source.block),
            self.parts.of(pair.destination.block),
        );
        if from.is_some() && from != to {
            return Err(Refusal::new(
                ConditionName::C4,
                "the source is in a part of the kernel in which lanes may part",
            )
            .at(pair.source.origin, "source"));
        }
        if let Some(number) = to {
            return self.check_copy(pair, number);
        }
        let head = self.convergence.head(pair.destination.block);
        let refuse = |reason: &'static str| {
            Refusal::new(ConditionName::C4, reason).at(pair.source.origin, "source")
        };
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
            None => Ok("`activemask` at a place from which all its lanes get here together"),
        }
    }

    /// C4 for a destination in a part of which whole warps run a copy, or in which masks are tracked.
    fn check_copy(&self, pair: &Pair, number: u32) -> Result<&'static str, Refusal> {
        let tracks = self.tracks();
        if tracks && pair.lanes.shift().is_none() {
            return Err(Refusal::new(
                ConditionName::Limit,
                "lanes may part here, and tracked masks are for shifts only",
            )
            .at(pair.source.origin, "source"));
        }
        if tracks && pair.source.carried.is_some() {
            return Err(Refusal::new(
                ConditionName::Limit,
                "lanes may part here, and tracked masks are not for what a loop carries",
            )
            .at(pair.source.origin, "loaded here"));
        }
        let part = self.parts.get(number);
        if let Some(refusal) = &part.refusal {
            return Err(refusal.clone());
        }
        if tracks && self.masks.of(pair.destination.block).is_none() {
            return Err(Refusal::new(
                ConditionName::C4,
                "lanes may part here in a way that ballots are not placed for",
            )
            .at(
                self.function.block(part.above).origin,
                "lanes part from here on",
            )
            .lift("loops with one way in and one way back, and branches by conditions"));
        }
        // In front of a copy the mask is tested where it is read, or lanes could be gone by then.
        let in_loop = self.analyses.loops.innermost(part.above).is_some();
        let head = self.convergence.head(part.above).block;
        let gone = self.may_exit.iter().find(|event| {
            (in_loop || tracks) && self.analyses.dominators.dominates(head, event.block)
        });
        match gone {
            Some(event) => Err(Refusal::new(
                ConditionName::C4,
                "a call may end some lanes of the mask",
            )
            .at(event.origin, "may end the thread")),
            None if tracks => Ok(
                "`activemask` in front of where lanes part, and a ballot of the lanes there at each branch that parts them",
            ),
            None => Ok(
                "a copy for whole warps: tested in front of it, and left by a vote of all lanes wherever they part",
            ),
        }
    }
}
