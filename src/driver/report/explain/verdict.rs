//! The line that sums up what became of the loads and stores of a function or of a module, and the table of all functions.

use crate::report::fates::{Fates, WORDS};
use crate::report::function::{Decision, FunctionReport};
use indexmap::IndexMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::refusal::{Language, Refusal};
use std::fmt::Write as _;

/// One line for a function: `matmul3: 36 of 54 loads and 27 of 36 stores removed, 12 loads moved`, with what the user can do in
/// parentheses where something was left.
pub fn function_line(function: &FunctionReport) -> String {
    line(function.name, &[function])
}

/// One line for a module: that of its only function with loads or stores, or the sum of all under the module's name.
pub fn module_line<'f, 'a: 'f>(
    path: &str,
    functions: impl Iterator<Item = &'f FunctionReport<'a>>,
) -> String {
    let all: Vec<&FunctionReport> = functions.collect();
    let busy = all.iter().copied().filter(|one| one.is_busy());
    match busy.collect::<Vec<_>>()[..] {
        [] => line(path, &all),
        [one] => line(one.name, &[one]),
        ref more => line(&format!("{path}: {} kernels", more.len()), &all),
    }
}

fn line(name: &str, functions: &[&FunctionReport]) -> String {
    let fates = Fates::sum(functions.iter().copied());
    let skipped = functions.iter().filter(|one| one.is_skipped());
    let skipped = skipped.filter_map(|one| one.skipped()).next();
    let is_skipped = functions
        .iter()
        .all(|one| one.is_skipped() || one.accesses.is_empty());
    let counted = match skipped {
        Some(_) if is_skipped => "left as it is".to_owned(),
        _ => fates.line(),
    };
    let why = match skipped {
        Some(refusal) if is_skipped => Some(lifted(refusal)),
        _ => why(&fates, functions),
    };
    match why {
        Some(why) => format!("{name}: {counted} ({why})"),
        None => format!("{name}: {counted}"),
    }
}

/// Why what is proved is not done, or why nothing is: the most frequent reason, and what lifts it.
fn why(fates: &Fates, functions: &[&FunctionReport]) -> Option<String> {
    let declined = fates.count(Fate::Declined) > 0;
    if fates.is_done() && !declined {
        return None;
    }
    if !fates.is_done()
        && let Some(why) = functions.iter().find_map(|function| function.reverted())
    {
        return Some(format!("the original is kept: {why}"));
    }
    let wanted = match declined {
        true => Fate::Declined,
        false => Fate::Kept,
    };
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    let accesses = functions.iter().flat_map(|function| &function.accesses);
    let headlines = accesses.filter_map(|access| access.headline());
    for decision in headlines.filter(|one| one.fate() == wanted) {
        if let Some(reason) = reason(&decision) {
            *counts.entry(reason).or_default() += 1;
        }
    }
    // Of equally frequent ones the first.
    let most = counts.values().copied().max();
    let found = counts.into_iter().find(|(_, count)| Some(*count) == most);
    let skipped = functions.iter().find_map(|function| function.skipped());
    let skipped = skipped.filter(|_| !fates.is_done());
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

/// A table with a line for each function with loads or stores, and one for their sum if there are several. Its columns are the
/// fates that occur.
pub fn table<'f, 'a: 'f>(
    functions: impl Iterator<Item = &'f FunctionReport<'a>>,
    out: &mut String,
) {
    let busy = functions.filter(|function| !function.accesses.is_empty());
    let mut rows: Vec<(&str, Fates)> = busy.map(|one| (one.name, Fates::of(one))).collect();
    if rows.is_empty() {
        return;
    }
    let mut sum = Fates::default();
    rows.iter().for_each(|(_, fates)| sum.add(fates));
    if rows.len() > 1 {
        rows.push(("all", sum.clone()));
    }
    let kept: (&str, &[Fate]) = ("kept", &[Fate::Kept]);
    let count = |fates: &Fates, of: &[Fate]| of.iter().map(|&fate| fates.count(fate)).sum::<u64>();
    let columns: Vec<(&str, &[Fate])> = WORDS
        .into_iter()
        .filter(|(_, of)| count(&sum, of) > 0)
        .chain([kept])
        .collect();
    let names = rows.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0).max("kernel".len());
    let _ = write!(out, "{:width$}  loads  stores", "kernel");
    for (word, _) in &columns {
        let _ = write!(out, "  {word}");
    }
    out.push('\n');
    for (name, fates) in rows {
        let _ = write!(
            out,
            "{name:width$}  {:5}  {:6}",
            fates.all_loads(),
            fates.all_stores()
        );
        for (word, of) in &columns {
            let _ = write!(out, "  {:1$}", count(&fates, of), word.len());
        }
        out.push('\n');
    }
}
