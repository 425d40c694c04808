//! Races, as they are reported.

use crate::error::Thread;
use ptxasw_ir::types::Space;
use ptxasw_ptx::ast::Span;

/// Most races that are listed; each pair of statements counts once for each kind.
pub const MAX_RACES: usize = 256;

/// What happened first and what then, in the interleaving that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RaceKind {
    /// Two stores.
    WriteWrite,
    /// A store, then a load.
    WriteRead,
    /// A load, then a store.
    ReadWrite,
    /// Two stores, the second of what was there already: whoever wins, the value is the same.
    SameValue,
}

impl RaceKind {
    /// Makes no difference to any value.
    pub fn benign(self) -> bool {
        self == RaceKind::SameValue
    }
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RacingAccess {
    /// The statement.
    pub span: Span,
    /// Who executed it.
    pub thread: Thread,
    /// A load, a store, or both.
    pub kind: AccessKind,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// `ld`
    Load,
    /// `st`
    Store,
    /// `atom`, `red`
    Atomic,
}

/// Two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// Which they are.
    pub kind: RaceKind,
    /// The one that ran first.
    pub first: RacingAccess,
    /// The other.
    pub second: RacingAccess,
    /// Global or shared.
    pub space: Space,
    /// Name of the allocation.
    pub region: String,
    /// First byte of the second access in it.
    pub offset: u64,
    /// Bytes of the second access.
    pub bytes: u32,
    /// How many races of the same two statements were seen.
    pub count: u64,
}

/// The races of one execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Races {
    /// In the order in which they were found: each pair of statements once for each kind.
    pub list: Vec<Race>,
    /// There are no others. Otherwise there are more than [`MAX_RACES`], or the detector had to forget accesses for want
    /// of memory.
    pub complete: bool,
}

impl Races {
    /// Those that make a difference.
    pub fn harmful(&self) -> impl Iterator<Item = &Race> {
        self.list.iter().filter(|race| !race.kind.benign())
    }
}
