//! C2, same instance: when the destination is executed, the source's value is the one of this very pass.

use crate::shuffle::refusal::{Refusal, c2};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use std::borrow::Cow;

/// The source dominates the destination, and every loop around the source holds the destination. The neighbour's equal
/// iteration is a matter of the mask (C4).
pub fn check(
    analyses: &Analyses,
    source: &Event,
    destination: &Event,
) -> Result<Cow<'static, str>, Refusal> {
    let refuse =
        |reason| Err(Refusal::new(reason).at(source.origin, "this load brings the same bytes"));
    let before = if source.block == destination.block {
        source.position < destination.position
            || source.position > destination.position && active(Mutation::PreviousIteration)
    } else if active(Mutation::SourceNotDominating) {
        true
    } else {
        analyses
            .dominators
            .strictly_dominates(source.block, destination.block)
    };
    if !before {
        return refuse(&c2::PATH);
    }
    let innermost = analyses.loops.innermost(source.block);
    if innermost.is_some_and(|inner| !analyses.loops.contains(inner, destination.block)) {
        return refuse(&c2::OTHER_LOOP);
    }
    Ok("the source dominates the destination in the same iteration".into())
}
