//! What an event may do to the bytes that a load reads, in one thread.

use super::term::{TermId, Terms};
use super::trace::{Event, EventKind, Provenance};
use crate::mutation::{Mutation, active};

/// Why `event` may change what `load` reads, if it may.
pub fn kill(terms: &mut Terms, event: &Event, load: &Event) -> Option<&'static str> {
    if is_ignored(&event.kind) {
        return None;
    }
    match &event.kind {
        EventKind::Load(access) if access.order.is_weak() => None,
        EventKind::Load(_) => Some("a volatile or ordering load"),
        EventKind::Store(access) => {
            if access.order.is_weak() && !may_touch(terms, event, load) {
                return None;
            }
            Some("a store that may write the same bytes")
        }
        EventKind::Atomic => Some("an atomic operation"),
        EventKind::Barrier { .. } => Some("a barrier"),
        EventKind::Fence => Some("a fence"),
        EventKind::Opaque(effects) if effects.writes => Some("a call or unknown instruction"),
        EventKind::Opaque(_) => None,
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

/// Whether two accesses of one thread may share a byte.
pub fn may_touch(terms: &mut Terms, a: &Event, b: &Event) -> bool {
    if !a.space.may_overlap(b.space) {
        return false;
    }
    if let (Provenance::Variable(x), Provenance::Variable(y)) = (a.provenance, b.provenance)
        && x != y
    {
        return false;
    }
    match (a.address, b.address) {
        (Some(x), Some(y)) => !disjoint(terms, x, a.bytes, y, b.bytes),
        _ => true,
    }
}

/// `[a, a+a_bytes)` and `[b, b+b_bytes)` provably share no byte: their distance is a constant.
fn disjoint(terms: &mut Terms, a: TermId, a_bytes: u32, b: TermId, b_bytes: u32) -> bool {
    let Some(distance) = terms.difference(a, b) else {
        return false;
    };
    let (forward, backward) = (distance, distance.wrapping_neg());
    forward >= u64::from(a_bytes) && backward >= u64::from(b_bytes)
}
