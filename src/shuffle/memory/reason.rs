//! Why an event between two loads, or before both, is passed.

use crate::emulator::alias::Harmless;
use crate::emulator::term::TermId;
use crate::solver::Reading;

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
    /// It leaves the bytes of this load alone, as structure tells.
    Harmless(Side, Harmless),
    /// Its bytes are not those of this load: a claim about terms.
    Apart(Side, Apart),
    /// A store before the source, by another pointer: racing lanes apart, the source sees the bytes as the destination does.
    OtherPointer,
    /// Before the source all lanes order memory alike.
    OrderedByAll,
}

/// A proof that a store and a load share no byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apart {
    /// The store's address, with the symbols of other iterations renamed.
    pub address: TermId,
    /// How the claim is to be read.
    pub reading: Reading,
    /// Under which path conditions it holds.
    pub under: Under,
}

/// Path conditions, of the thread itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Under {
    /// None.
    Nothing,
    /// Those of the destination.
    Destination,
    /// Those of the destination and of the store, in one iteration.
    Both,
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
