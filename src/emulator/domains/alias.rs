//! What an event may do to the bytes that a load reads, in one thread.

use super::disjointness::Distances;
use crate::term::{TermId, Terms};
use crate::trace::{Event, EventKind, Provenance};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::types::Space;

/// Why an event leaves the bytes of a load alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harmless {
    /// It writes no memory.
    NoWrite,
    /// The two access different state spaces.
    Spaces,
    /// The two access different variables.
    Variables,
    /// The two access what different pointer parameters point to, or a parameter and a variable: assumed by choice of the
    /// user.
    Parameters,
    /// As [`Harmless::Parameters`], but the kernel declares it of one of the parameters.
    Declared,
    /// Their addresses are far enough apart: a claim about terms, which a certificate states.
    Distance,
}

/// The bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// The first, 64 bits.
    pub address: Option<TermId>,
    /// How many.
    pub count: u32,
    /// Their state space.
    pub space: Space,
    /// The state space whose addresses the first is counted in: one byte has other addresses in other spaces.
    pub counted_in: Space,
    /// The object that they are of.
    pub provenance: Provenance,
}

impl Event {
    /// The state space whose addresses its address is counted in: that which is written, or that of the object. Addresses of global
    /// memory are generic ones.
    pub fn counted_in(&self) -> Space {
        match self.space {
            Space::Generic => Space::Global,
            Space::SharedCluster => Space::Shared,
            space => space,
        }
    }

    /// The bytes that it accesses.
    pub fn bytes(&self) -> Bytes {
        Bytes {
            counted_in: self.counted_in(),
            address: self.address,
            count: self.bytes,
            space: self.space,
            provenance: self.provenance,
        }
    }
}

/// What may be taken for granted of kernel parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Assumptions {
    /// Different pointer parameters point to memory that does not overlap, nor is it that of a variable.
    pub no_alias: bool,
}

/// What may change what a load reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kill {
    /// A weak store whose bytes may overlap.
    Store,
    /// A volatile, relaxed or release store.
    OrderedStore,
    /// A volatile, relaxed or acquire load.
    OrderedLoad,
    /// An atomic operation or a reduction.
    Atomic,
    /// A barrier of any kind.
    Barrier,
    /// A fence.
    Fence,
    /// A call or an instruction whose effect on memory is not known.
    Unknown,
}

/// Why `event` may change what `load` reads, whatever bytes they access; `Ok(None)` if their bytes decide.
pub fn kills_all(event: &Event) -> Result<Option<Harmless>, Kill> {
    if is_ignored(&event.kind) {
        return Ok(Some(Harmless::NoWrite));
    }
    match &event.kind {
        EventKind::Load(access) if access.order.is_weak() => Ok(Some(Harmless::NoWrite)),
        EventKind::Load(_) => Err(Kill::OrderedLoad),
        EventKind::Store(access) if access.order.is_weak() => Ok(None),
        EventKind::Store(_) => Err(Kill::OrderedStore),
        EventKind::Atomic => Err(Kill::Atomic),
        EventKind::Barrier { .. } => Err(Kill::Barrier),
        EventKind::Fence => Err(Kill::Fence),
        EventKind::Opaque(effects) if effects.writes => Err(Kill::Unknown),
        EventKind::Opaque(_) => Ok(Some(Harmless::NoWrite)),
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

/// Why two accesses of one thread share no byte; none if they may. The addresses have to speak of the same iterations, or
/// those that do not of symbols of their own.
pub fn apart(
    terms: &mut Terms,
    distances: &mut Distances,
    a: &Bytes,
    b: &Bytes,
    assumed: Assumptions,
) -> Option<Harmless> {
    if let Some(how) = objects_apart(a, b, assumed) {
        return Some(how);
    }
    let (x, y) = comparable(a, b)?;
    distances
        .apart(terms, (x, a.count), (y, b.count))
        .then_some(Harmless::Distance)
}

/// The addresses of two accesses, where they are counted alike.
pub fn comparable(a: &Bytes, b: &Bytes) -> Option<(TermId, TermId)> {
    (a.counted_in == b.counted_in).then_some((a.address?, b.address?))
}

/// Why the objects of two accesses share no byte.
pub fn objects_apart(a: &Bytes, b: &Bytes, assumed: Assumptions) -> Option<Harmless> {
    use Provenance::{Pointer, Variable};
    if !a.space.may_overlap(b.space) {
        return Some(Harmless::Spaces);
    }
    let by_parameters = |declared: bool| match declared {
        true => Some(Harmless::Declared),
        false => {
            (assumed.no_alias || active(Mutation::AliasIgnored)).then_some(Harmless::Parameters)
        }
    };
    match (a.provenance, b.provenance) {
        (Variable(x), Variable(y)) if x != y => Some(Harmless::Variables),
        (
            Pointer {
                parameter: Some(x),
                no_alias: declared,
                ..
            },
            Pointer {
                parameter: Some(y),
                no_alias: also,
                ..
            },
        ) if x != y => by_parameters(declared || also),
        (
            Pointer {
                parameter: Some(_),
                no_alias,
                ..
            },
            Variable(_),
        )
        | (
            Variable(_),
            Pointer {
                parameter: Some(_),
                no_alias,
                ..
            },
        ) => by_parameters(no_alias),
        _ => None,
    }
}
