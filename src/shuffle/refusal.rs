//! Why a load stays a load.

use serde::Serialize;
use std::borrow::Cow;

/// The conditions of soundness.md, in the order in which they are tried and named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ConditionName {
    /// Same bytes.
    C1,
    /// Same instance.
    C2,
    /// Same memory.
    C3,
    /// Participation.
    C4,
    /// Neighbour.
    C5,
    /// No hole.
    C6,
    /// Not a condition of soundness but a limit of this version or a choice of the user.
    Limit,
    /// Proved, but not known to pay.
    Profit,
}

impl ConditionName {
    /// As reports print it.
    pub fn name(self) -> &'static str {
        match self {
            ConditionName::C1 => "C1",
            ConditionName::C2 => "C2",
            ConditionName::C3 => "C3",
            ConditionName::C4 => "C4",
            ConditionName::C5 => "C5",
            ConditionName::C6 => "C6",
            ConditionName::Limit => "limit",
            ConditionName::Profit => "profit",
        }
    }
}

/// Why loads through a pointer stay that may lead to any state space.
pub const UNKNOWN_ORIGIN: &str = "a generic pointer of unknown origin";

/// A refused load: the first condition that failed, and what would lift it.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// The condition.
    pub condition: ConditionName,
    /// What failed, in words.
    pub reason: Cow<'static, str>,
    /// What would lift it, if anything would.
    pub lift: Option<Cow<'static, str>>,
    /// The statement that stands in the way (source, store, branch), with a label.
    pub related: Option<(u32, Cow<'static, str>)>,
}

impl Refusal {
    /// A refusal without a place and without a cure.
    pub fn new(condition: ConditionName, reason: impl Into<Cow<'static, str>>) -> Self {
        Refusal {
            condition,
            reason: reason.into(),
            lift: None,
            related: None,
        }
    }

    /// What would lift it.
    pub fn lift(mut self, lift: impl Into<Cow<'static, str>>) -> Self {
        self.lift = Some(lift.into());
        self
    }

    /// The statement in the way.
    pub fn at(mut self, origin: u32, label: impl Into<Cow<'static, str>>) -> Self {
        self.related = Some((origin, label.into()));
        self
    }
}
