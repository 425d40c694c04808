//! Decisions of a pass about single places, for people and for counts.

use crate::ir::function::InstId;
use serde::{Deserialize, Serialize};

/// What became of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// A statement computes its result in another form.
    Rewritten,
    /// A load is gone: a register holds what an earlier load read.
    Removed,
    /// A load is gone: a register holds what a store wrote.
    Forwarded,
    /// A store is gone: another one overwrites its bytes before anybody reads them.
    DeadStore,
    /// An access is part of a wider one.
    Widened,
    /// A load is executed earlier.
    Moved,
    /// A generic access names its state space.
    Space,
    /// A load goes through the non-coherent path.
    NonCoherent,
    /// The place stays as it is.
    Kept,
}

impl Kind {
    /// All kinds, in the order in which reports count them.
    pub const ALL: [Kind; 9] = [
        Kind::Removed,
        Kind::Forwarded,
        Kind::DeadStore,
        Kind::Widened,
        Kind::Moved,
        Kind::Space,
        Kind::NonCoherent,
        Kind::Rewritten,
        Kind::Kept,
    ];

    /// Whether the place is changed.
    pub fn is_done(self) -> bool {
        self != Kind::Kept
    }

    /// The name of remarks of this kind, in LLVM's style.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rewritten => "StatementRewritten",
            Kind::Removed => "LoadRemoved",
            Kind::Forwarded => "StoreForwarded",
            Kind::DeadStore => "StoreRemoved",
            Kind::Widened => "AccessWidened",
            Kind::Moved => "LoadMoved",
            Kind::Space => "SpaceResolved",
            Kind::NonCoherent => "LoadNonCoherent",
            Kind::Kept => "AccessKept",
        }
    }

    /// A number of remarks of this kind, in words: `3 loads removed`.
    pub fn counted(self, count: u64) -> String {
        let (one, many) = match self {
            Kind::Rewritten => ("statement rewritten", "statements rewritten"),
            Kind::Removed => ("load removed", "loads removed"),
            Kind::Forwarded => ("load forwarded", "loads forwarded"),
            Kind::DeadStore => ("store removed", "stores removed"),
            Kind::Widened => ("access widened", "accesses widened"),
            Kind::Moved => ("load moved", "loads moved"),
            Kind::Space => ("state space resolved", "state spaces resolved"),
            Kind::NonCoherent => ("load non-coherent", "loads non-coherent"),
            Kind::Kept => ("kept", "kept"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

/// A decision of a pass about one place. One remark is about one access, however many statements replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// An instruction of the statement that was decided about.
    pub at: InstId,
    /// What became of it.
    pub kind: Kind,
    /// One clause: what was done, or why not. The line of [`Remark::with`] follows it.
    pub what: String,
    /// The other statement that the clause is about, if there is one: what serves a load, or what is in its way.
    pub with: Option<InstId>,
    /// What the user can do to lift a refusal, in the words of the language that the kernel is written in.
    pub lift: Option<&'static str>,
}

impl Remark {
    /// One that is about no other statement.
    pub fn new(at: InstId, kind: Kind, what: impl Into<String>) -> Self {
        Remark {
            at,
            kind,
            what: what.into(),
            with: None,
            lift: None,
        }
    }
}
