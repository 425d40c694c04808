//! C6: the source was executed in every lane that gives.

use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Refusal, c6};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::TermId;
use ptxasw_emulator::trace::Event;
use std::borrow::Cow;

impl Run<'_> {
    /// C6: how it is met, and whether that takes a vote of the mask. That its bytes are defined is part of what a source
    /// has to give at all.
    pub(in crate::shuffle) fn no_hole(
        &mut self,
        pair: &Pair,
    ) -> Result<(Cow<'static, str>, bool), Refusal> {
        if pair.source.carried.is_some() {
            let proof = "every lane that gets into the iteration has the value in its register";
            return Ok((proof.into(), false));
        }
        if !pair.source.guarded {
            let loaded = self.text.loaded(pair.source.origin);
            let proof = match loaded.and_then(|loaded| loaded.used_bytes) {
                None => "the source has no guard of its own and loads all its bytes",
                Some(_) => "the source has no guard of its own and defines these bytes",
            };
            return Ok((proof.into(), false));
        }
        if self.implied(pair) {
            let proof =
                "where the destination is executed, so is the source in the lane that gives";
            return Ok((proof.into(), false));
        }
        if active(Mutation::PredicatedSource) {
            return Ok(("nobody asks".into(), false));
        }
        let refuse = |reason| Err(Refusal::new(reason).at(pair.source.origin, "predicated source"));
        if pair.lanes.is_own() {
            return refuse(&c6::MAY_NOT_RUN);
        }
        // In a copy all lanes are together at every source of it.
        if let Some(part) = self.parts.of(pair.destination.block) {
            if self.tracks() {
                return refuse(&c6::DIVERGENT);
            }
            if self.parts.of(pair.source.block) != Some(part) {
                return refuse(&c6::BEFORE_DIVERGENCE);
            }
            let proof = "a vote of the whole warp behind the source: all lanes execute it";
            return Ok((proof.into(), true));
        }
        let head = self.convergence.head(pair.destination.block).block;
        if !self.analyses.dominators.dominates(head, pair.source.block) {
            return refuse(&c6::BEFORE_MASK);
        }
        let proof = "a vote of the mask behind the source: all its lanes execute it";
        Ok((proof.into(), true))
    }

    /// Whether the source's guard, in the lane that gives, follows from the destination's own guard or from a branch in
    /// front of it, in the lane that takes.
    fn implied(&mut self, pair: &Pair) -> bool {
        let Some(source) = self.guard(pair.source) else {
            return false;
        };
        let source = self.terms.map_lane(source, pair.lanes);
        let own = self.guard(pair.destination);
        let mut facts = self.conditions.of_block(pair.destination.block);
        self.terms.as_const(source) == Some(1)
            || own == Some(source)
            || facts.any(|fact| fact == source)
    }

    /// The condition under which a predicated load is executed.
    fn guard(&mut self, event: &Event) -> Option<TermId> {
        let (value, negated) = self.function.inst(event.inst).guard?;
        let term = self.values[value.index()]?;
        Some(match negated {
            true => self.terms.not(term),
            false => term,
        })
    }
}
