//! C4, participation: a mask can be had whose lanes all execute the shuffle.

use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Refusal, c4, limit};
use crate::shuffle::region::choice;
use crate::shuffle::region::convergence::Obstacle;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::BlockId;

impl Run<'_> {
    /// C4: a mask can be had, and no lane of it can be gone. Returns how.
    pub(in crate::shuffle) fn check_participation(
        &self,
        pair: &Pair,
    ) -> Result<&'static str, Refusal> {
        let threads = choice::threads(self.function);
        if let Some(threads) = threads.filter(|&threads| threads < choice::WARP) {
            return Err(Refusal::new(&c4::NARROW_BLOCK).with(threads.to_string()));
        }
        let (from, to) = (
            self.parts.of(pair.source.block),
            self.parts.of(pair.destination.block),
        );
        if from.is_some() && from != to {
            return Err(Refusal::new(&c4::SOURCE_DIVERGENT).at(pair.source.origin, "source"));
        }
        if let Some(number) = to {
            return self.check_copy(pair, number);
        }
        let head = self.convergence.head(pair.destination.block);
        let refuse = |reason| Err(Refusal::new(reason).at(pair.source.origin, "source"));
        let branch = |block: BlockId| self.function.block(block).origin;
        match head.obstacle {
            None => {}
            Some(Obstacle::DivergentLoop) => {
                return refuse(&c4::LOOP);
            }
            Some(Obstacle::DivergentIf(_)) if active(Mutation::FullMask) => {}
            Some(Obstacle::DivergentIf(at)) => {
                return Err(Refusal::new(&c4::DIVERGENT_IF).at(branch(at), "lanes diverge here"));
            }
            Some(Obstacle::Irreducible) => {
                return refuse(&c4::IRREDUCIBLE);
            }
        }
        let may_end = self
            .may_exit
            .iter()
            .find(|event| self.analyses.dominators.dominates(head.block, event.block));
        match may_end.filter(|_| !active(Mutation::ExitingCallsIgnored)) {
            Some(event) => Err(Refusal::new(&c4::EXIT).at(event.origin, "may end the thread")),
            None => {
                Ok("`activemask`, read at a point from which all its lanes arrive here together")
            }
        }
    }

    /// C4 for a destination in a part of which whole warps run a copy, or in which masks are tracked.
    fn check_copy(&self, pair: &Pair, number: u32) -> Result<&'static str, Refusal> {
        let tracks = self.tracks();
        if tracks && pair.lanes.shift().is_none() {
            return Err(Refusal::new(&limit::MASKS_SHIFT).at(pair.source.origin, "source"));
        }
        if tracks && pair.source.carried.is_some() {
            return Err(Refusal::new(&limit::MASKS_CARRIED).at(pair.source.origin, "loaded here"));
        }
        let part = self.parts.get(number);
        if let Some(refusal) = &part.refusal {
            return Err(refusal.clone());
        }
        if tracks && self.masks.of(pair.destination.block).is_none() {
            let branch = self.function.block(part.above).origin;
            return Err(Refusal::new(&c4::NO_BALLOT).at(branch, "lanes diverge from here on"));
        }
        // In front of a copy the mask is tested where it is read, or lanes could be gone by then.
        let in_loop = self.analyses.loops.innermost(part.above).is_some();
        let head = self.convergence.head(part.above).block;
        let gone = self.may_exit.iter().find(|event| {
            (in_loop || tracks) && self.analyses.dominators.dominates(head, event.block)
        });
        match gone {
            Some(event) => Err(Refusal::new(&c4::EXIT).at(event.origin, "may end the thread")),
            None if tracks => Ok(
                "`activemask` in front of where lanes diverge, and a ballot at each branch at which they do",
            ),
            None => Ok(
                "a copy for whole warps: tested in front of it, and left by a vote of all lanes wherever they diverge",
            ),
        }
    }
}
