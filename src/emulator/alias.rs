//! What an event may do to the bytes that a load reads, in one thread.

use super::term::{TermId, Terms};
use super::trace::{Event, EventKind, Provenance};
use crate::mutation::{Mutation, active};

/// Why an event leaves the bytes of a load alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harmless {
    /// It writes no memory.
    NoWrite,
    /// The two access different state spaces.
    Spaces,
    /// The two access different variables.
    Variables,
    /// Their addresses are a constant distance apart: a claim about terms, which a certificate states.
    Distance,
}

/// Why `event` may change what `load` reads, or why it does not. `one_time`: both addresses speak of the same iteration of
/// every loop; else their distance says nothing.
pub fn effect(
    terms: &mut Terms,
    event: &Event,
    load: &Event,
    one_time: bool,
) -> Result<Harmless, &'static str> {
    if is_ignored(&event.kind) {
        return Ok(Harmless::NoWrite);
    }
    match &event.kind {
        EventKind::Load(access) if access.order.is_weak() => Ok(Harmless::NoWrite),
        EventKind::Load(_) => Err("a volatile or ordering load"),
        EventKind::Store(access) => apart(terms, event, load)
            .filter(|&how| access.order.is_weak() && (one_time || how != Harmless::Distance))
            .ok_or("a store that may write the same bytes"),
        EventKind::Atomic => Err("an atomic operation"),
        EventKind::Barrier { .. } => Err("a barrier"),
        EventKind::Fence => Err("a fence"),
        EventKind::Opaque(effects) if effects.writes => Err("a call or unknown instruction"),
        EventKind::Opaque(_) => Ok(Harmless::NoWrite),
    }
}

/// Whether a mutation makes such events kill nothing.
fn is_ignored(kind: &EventKind) -> bool {
    match kind {
        EventKind::Load(_) | EventKind::Fence => active(Mutation::OrderingIgnored),
        EventKind::Store(_) => active(Mutation::StoresIgnored),
        EventKind::Atomic => active(Mutation::AtomicsIgnored) || active(Mutation::OrderingIgnored),
        EventKind::Barrier { .. } => active(Mutation::BarriersIgnored),
        EventKind::Opaque(_) => active(Mutation::CallsIgnored),
    }
}

/// Why two accesses of one thread share no byte; none if they may.
pub fn apart(terms: &mut Terms, a: &Event, b: &Event) -> Option<Harmless> {
    if !a.space.may_overlap(b.space) {
        return Some(Harmless::Spaces);
    }
    if let (Provenance::Variable(x), Provenance::Variable(y)) = (a.provenance, b.provenance)
        && x != y
    {
        return Some(Harmless::Variables);
    }
    let (x, y) = (a.address?, b.address?);
    disjoint(terms, x, a.bytes, y, b.bytes).then_some(Harmless::Distance)
}

/// `[a, a+a_bytes)` and `[b, b+b_bytes)` provably share no byte: their distance is a constant.
fn disjoint(terms: &mut Terms, a: TermId, a_bytes: u32, b: TermId, b_bytes: u32) -> bool {
    let Some(distance) = terms.difference(a, b) else {
        return false;
    };
    let (forward, backward) = (distance, distance.wrapping_neg());
    forward >= u64::from(a_bytes) && backward >= u64::from(b_bytes)
}
