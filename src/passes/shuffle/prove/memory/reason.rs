//! Why an event between two loads, or before both, is passed.

use ptxasw_emulator::domains::alias::Harmless;
use ptxasw_emulator::solver::disjoint::Apart;

/// Which load of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The source.
    Source,
    /// The destination.
    Destination,
}

/// Why an event that C3 looked at does no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It leaves the bytes of this load alone, as structure shows.
    Harmless(Side, Harmless),
    /// Its bytes are not those of this load: a claim about terms.
    Apart(Side, Apart),
    /// A store before the source, by another pointer: racing lanes apart, the source sees the bytes as the destination does.
    OtherPointer,
    /// Before the source all lanes order memory alike.
    OrderedByAll,
}

/// An event that C3 looked at and passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Its number in the trace.
    pub event: u32,
    /// It can come before the source, not between source and destination.
    pub before: bool,
    /// Why.
    pub reason: Reason,
}
