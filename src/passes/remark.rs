//! Decisions of a pass about single places, for people and for counts.

use ptxasw_ir::function::InstId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What became of a place. Of an access to which several things happened the first of them in this order counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Fate {
    /// A load is gone: a register holds what an earlier load read.
    Removed,
    /// A load is gone: a register holds what a store wrote.
    Forwarded,
    /// A store is gone: another one overwrites its bytes before anybody reads them.
    DeadStore,
    /// A load is gone: another lane has the value, and a shuffle takes it from there.
    Shuffled,
    /// An access is part of a wider one.
    Widened,
    /// A load is executed together with those of other iterations of its loop.
    Batched,
    /// A load is executed earlier.
    Moved,
    /// A generic access names its state space.
    Space,
    /// A load goes through the non-coherent path.
    NonCoherent,
    /// A statement computes its result in another form.
    Rewritten,
    /// Another lane has the value of a load, but a shuffle is not known to pay.
    Declined,
    /// The place stays as it is.
    Kept,
}

impl Fate {
    /// All fates, in their order.
    pub const ALL: [Fate; 12] = [
        Fate::Removed,
        Fate::Forwarded,
        Fate::DeadStore,
        Fate::Shuffled,
        Fate::Widened,
        Fate::Batched,
        Fate::Moved,
        Fate::Space,
        Fate::NonCoherent,
        Fate::Rewritten,
        Fate::Declined,
        Fate::Kept,
    ];

    /// Whether the place is changed.
    pub fn is_done(self) -> bool {
        !matches!(self, Fate::Declined | Fate::Kept)
    }

    /// Whether the access is executed no more.
    pub fn is_gone(self) -> bool {
        matches!(self, Fate::Removed | Fate::Forwarded | Fate::DeadStore)
    }

    /// The name of remarks of this fate, in LLVM's style.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Removed => "LoadRemoved",
            Fate::Forwarded => "StoreForwarded",
            Fate::DeadStore => "StoreRemoved",
            Fate::Shuffled => "LoadBecomesShuffle",
            Fate::Widened => "AccessWidened",
            Fate::Batched => "LoadBatched",
            Fate::Moved => "LoadMoved",
            Fate::Space => "SpaceResolved",
            Fate::NonCoherent => "LoadNonCoherent",
            Fate::Rewritten => "StatementRewritten",
            Fate::Declined => "ShuffleDeclined",
            Fate::Kept => "AccessKept",
        }
    }

    /// In a word or two, after a number of loads or stores: `removed`.
    pub fn word(self) -> &'static str {
        match self {
            Fate::Removed | Fate::DeadStore => "removed",
            Fate::Forwarded => "forwarded",
            Fate::Shuffled => "shuffled",
            Fate::Widened => "widened",
            Fate::Batched => "batched",
            Fate::Moved => "moved",
            Fate::Space => "of a known space",
            Fate::NonCoherent => "non-coherent",
            Fate::Rewritten => "rewritten",
            Fate::Declined => "declined",
            Fate::Kept => "kept",
        }
    }
}

/// A decision of a pass about one place. One remark is about one access, however many statements replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// An instruction of the statement that was decided about.
    pub at: InstId,
    /// What became of it.
    pub fate: Fate,
    /// One clause: what was done, or why not. The line of [`Remark::with`] follows it.
    pub what: Cow<'static, str>,
    /// The other statement that the clause is about, if there is one: what serves a load, or what is in its way.
    pub with: Option<InstId>,
    /// What the user can do to lift a refusal, in the words of the language that the kernel is written in.
    pub lift: Option<&'static str>,
    /// The load of [`Rewrite::search`](super::Rewrite::search) that it is about.
    pub load: Option<u32>,
}

impl Remark {
    /// One that is about no other statement.
    pub fn new(at: InstId, fate: Fate, what: impl Into<Cow<'static, str>>) -> Self {
        Remark {
            at,
            fate,
            what: what.into(),
            with: None,
            lift: None,
            load: None,
        }
    }
}
