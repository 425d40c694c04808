//! Values of settings, and what is wrong with them.

use super::names::{PREFIX, VARIABLE};
use crate::shuffle::plan::Wrapping;

/// A choice that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSetting {
    /// No such name.
    #[error("unknown option `{name}`{}", suggestion(.similar))]
    Unknown {
        /// As it was given.
        name: String,
        /// The nearest name, if one is near.
        similar: Option<String>,
    },
    /// A settings file that is wrong.
    #[error("{0}")]
    File(String),
    /// A value that does not fit.
    #[error("`{name}`: {reason}")]
    Value {
        /// As it was given.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

pub(super) fn suggestion(similar: &Option<String>) -> String {
    similar
        .as_ref()
        .map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

/// The scheme of a name; none for `auto`.
pub(super) fn scheme(given: &str, text: &str) -> Result<Option<Wrapping>, BadSetting> {
    const AUTO: &str = "auto";
    if text.eq_ignore_ascii_case(AUTO) {
        return Ok(None);
    }
    let named = |wrapping: &&Wrapping| wrapping.name().eq_ignore_ascii_case(text);
    let found = Wrapping::ALL.iter().find(named).copied();
    found.map(Some).ok_or_else(|| {
        let mut names = vec![AUTO];
        names.extend(Wrapping::ALL.map(Wrapping::name));
        choice(given, text, &names)
    })
}

pub(super) fn switch(given: &str, value: Option<&str>) -> Result<bool, BadSetting> {
    match value {
        None | Some("1" | "on" | "true" | "yes") => Ok(true),
        Some("0" | "off" | "false" | "no") => Ok(false),
        Some(other) => Err(choice(given, other, &["0", "1"])),
    }
}

pub(super) fn number(given: &str, text: &str, most: usize) -> Result<usize, BadSetting> {
    let parsed: Option<usize> = text.parse().ok();
    parsed.filter(|&number| number <= most).ok_or_else(|| {
        bad(
            given,
            format!("expected a number of at most {most}, not `{text}`"),
        )
    })
}

pub(super) fn bad(given: &str, reason: String) -> BadSetting {
    BadSetting::Value {
        name: given.to_string(),
        reason,
    }
}

pub(super) fn choice(given: &str, text: &str, all: &[&str]) -> BadSetting {
    let similar = nearest(text, all.iter().map(|name| (*name).to_string()));
    let all = all.join(", ");
    bad(
        given,
        format!(
            "expected one of {all}, not `{text}`{}",
            suggestion(&similar)
        ),
    )
}

pub(super) fn unknown(given: &str, all: impl IntoIterator<Item = String>) -> BadSetting {
    BadSetting::Unknown {
        name: given.to_string(),
        similar: nearest(given, all),
    }
}

/// The most similar name, if it is similar.
pub(super) fn nearest(given: &str, all: impl IntoIterator<Item = String>) -> Option<String> {
    // A prefix that all have in common makes all of them similar.
    let own = |name: &str| -> String {
        let name = name
            .strip_prefix(PREFIX)
            .or_else(|| name.strip_prefix(VARIABLE));
        name.unwrap_or_default().to_string()
    };
    let ours = given.starts_with(PREFIX) || given.starts_with(VARIABLE);
    let similarity = |name: &str| match ours {
        true => strsim::jaro_winkler(&own(given), &own(name)),
        false => strsim::jaro_winkler(given, name),
    };
    let near = all
        .into_iter()
        .map(|name| (similarity(&name), name))
        .filter(|(similarity, _)| *similarity > 0.85);
    near.max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}
