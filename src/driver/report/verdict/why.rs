//! Why a function stays as it was, or loads of it do.

use crate::report::fates::Fates;
use crate::report::function::{Decision, FunctionReport};
use indexmap::IndexMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::refusal::{Language, Refusal};

/// Why a function went back: by the first level of the memory pass that was tried, if several were.
pub(super) fn first_reason<'a>(function: &FunctionReport<'a>) -> Option<&'a str> {
    let mut tried = function.passes.iter().flat_map(|report| &report.tried);
    let first = tried.next().map(|one| &*one.why.why);
    first.or(function.reverted())
}

/// Why what is proved is not done, or why nothing is: the most frequent reason, and what lifts it.
pub(super) fn why(fates: &Fates, function: &FunctionReport) -> Option<String> {
    let declined = fates.count(Fate::Declined) > 0;
    if fates.is_done() && !declined {
        return None;
    }
    if !fates.is_done()
        && let Some(why) = function.reverted()
    {
        return Some(why.to_owned());
    }
    let wanted = match declined {
        true => Fate::Declined,
        false => Fate::Kept,
    };
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    let headlines = function.accesses.iter();
    let headlines = headlines.filter_map(|access| access.headline());
    for decision in headlines.filter(|one| one.fate() == wanted) {
        if let Some(reason) = reason(&decision) {
            *counts.entry(reason).or_default() += 1;
        }
    }
    // Of equally frequent ones the first.
    let most = counts.values().copied().max();
    let found = counts.into_iter().find(|(_, count)| Some(*count) == most);
    let skipped = function.skipped().filter(|_| !fates.is_done());
    found
        .map(|(reason, _)| reason)
        .or_else(|| skipped.map(lifted))
}

/// A reason that a user can do something about.
fn reason(decision: &Decision) -> Option<String> {
    let lift = decision.lift(Language::Cuda)?;
    Some(match decision.refusal() {
        Some(refusal) => lifted(refusal),
        None => format!("{}; {lift}", decision.words()),
    })
}

/// A reason with the option that lifts it, if there is one.
fn lifted(refusal: &Refusal) -> String {
    match refusal.reason.option {
        "" => refusal.text().into_owned(),
        option => format!("{}; {}", refusal.text(), option.trim_matches('`')),
    }
}
