//! Why a load stays a load.
//!
//! Every reason has a code, such as `C3-store`, and one entry in a table: the files of this folder, one for each condition.
//! Remarks, the groups of `explain`, `explain CODE` and the statistics take their words from there.

pub mod c1;
pub mod c2;
pub mod c3;
pub mod c4;
pub mod c5;
pub mod c6;
pub mod limit;
pub mod profit;
mod reason;

pub use reason::{Language, Reason, all, by_code};

use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The conditions of soundness, in the order in which they are tried and named, and two reasons that are none.
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
    /// Active source.
    C6,
    /// Not a condition of soundness but a limit of this version or a choice of the user.
    Limit,
    /// Proved, but not known to pay.
    Profit,
}

impl ConditionName {
    /// All of them, in their order.
    pub const ALL: [ConditionName; 8] = [
        ConditionName::C1,
        ConditionName::C2,
        ConditionName::C3,
        ConditionName::C4,
        ConditionName::C5,
        ConditionName::C6,
        ConditionName::Limit,
        ConditionName::Profit,
    ];

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

/// A refused load: the first condition that failed, and what would lift it.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// The entry of the table.
    #[serde(serialize_with = "code")]
    pub reason: &'static Reason,
    /// What replaces `{}` in the words of the entry.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub detail: Cow<'static, str>,
    /// The statement that prevents it (source, store, branch), with a label.
    pub related: Option<(u32, &'static str)>,
}

impl Refusal {
    /// A refusal without a place.
    pub fn new(reason: &'static Reason) -> Self {
        Refusal {
            reason,
            detail: Cow::Borrowed(""),
            related: None,
        }
    }

    /// What the reason leaves open: `{}` in its words.
    pub fn with(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = detail.into();
        self
    }

    /// The statement that prevents it.
    pub fn at(mut self, origin: u32, label: &'static str) -> Self {
        self.related = Some((origin, label));
        self
    }

    /// The condition that failed.
    pub fn condition(&self) -> ConditionName {
        self.reason.condition
    }

    /// What failed, as a sentence without a full stop.
    pub fn text(&self) -> Cow<'static, str> {
        self.filled(self.reason.text)
    }

    /// What would lift it, in the words of a language; none if nothing would.
    pub fn lift(&self, language: Language) -> Option<String> {
        let lift = self.reason.lift(language)?;
        Some(self.filled_in(lift))
    }

    /// Refusals of one key are one group in reports: they read alike, or their details are figures of each load.
    pub fn key(&self) -> (&'static str, &str) {
        let detail = match self.condition() {
            ConditionName::Profit => "",
            _ => &self.detail,
        };
        (self.reason.code, detail)
    }

    fn filled(&self, text: &'static str) -> Cow<'static, str> {
        match text.contains("{}") {
            true => text.replace("{}", &self.detail).into(),
            false => text.into(),
        }
    }

    fn filled_in(&self, text: String) -> String {
        text.replace("{}", &self.detail)
    }
}

fn code<S: Serializer>(reason: &&'static Reason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reason.code)
}
