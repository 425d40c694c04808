//! The verdicts on the functions of a module, as lines.

use super::{Estimate, FunctionVerdict, NO_ACCESSES, Word};
use crate::report::fates::{Fates, counted};
use ptxasw_base::names::shown;

/// Functions of a module that have a line each.
const MOST_LINES: usize = 8;
/// Functions of a larger module that are named: of those that were changed, and of those that went back.
const NAMED: usize = 3;

/// The lines on a module: one for each function with loads or stores, and their sum; of a large module the sum, with those of which most is
/// gone and those that went back.
pub fn lines(path: &str, verdicts: &[FunctionVerdict]) -> Vec<String> {
    let busy: Vec<&FunctionVerdict> = verdicts.iter().filter(|one| one.is_busy()).collect();
    if let [] | [_] = busy[..] {
        return vec![module_line(path, verdicts)];
    }
    let mut lines: Vec<String> = named(&busy).iter().map(|one| one.line()).collect();
    lines.push(module_line(path, verdicts));
    lines
}

/// What the estimates of the functions that [`lines`] names rest on, or why there is none, a line each.
pub fn reasons(verdicts: &[FunctionVerdict]) -> Vec<String> {
    let busy: Vec<&FunctionVerdict> = verdicts.iter().filter(|one| one.is_busy()).collect();
    let lines = named(&busy).into_iter().filter_map(|one| {
        let estimate = one.estimate.as_ref().map(Estimate::reason);
        let none = one.no_estimate.as_ref();
        let why = estimate.or_else(|| none.map(|why| format!("no estimate: {why}")))?;
        Some(format!("  {}: {why}", shown(&one.name)))
    });
    lines.collect()
}

/// The functions that are named: all but of a large module.
fn named<'v>(busy: &[&'v FunctionVerdict]) -> Vec<&'v FunctionVerdict> {
    if busy.len() <= MOST_LINES {
        return busy.to_vec();
    }
    let ratio = |one: &&FunctionVerdict| one.estimate.as_ref().map_or(1.0, |one| one.ratio[0]);
    let mut changed: Vec<&FunctionVerdict> = busy.to_vec();
    changed.retain(|one| one.word <= Word::Changed);
    changed.sort_by(|a, b| {
        let gone = b.fates.all_gone().cmp(&a.fates.all_gone());
        ratio(b).total_cmp(&ratio(a)).then(gone)
    });
    let mut back: Vec<&FunctionVerdict> = busy.to_vec();
    back.retain(|one| one.undone.is_some());
    back.sort_by_key(|one| std::cmp::Reverse(one.undone.as_ref().map(Fates::all_gone)));
    let named = changed.iter().take(NAMED).chain(back.iter().take(NAMED));
    named.copied().collect()
}

/// One line for a module: that of its only function with loads or stores, or how many have which verdict.
pub fn module_line(path: &str, verdicts: &[FunctionVerdict]) -> String {
    let busy: Vec<&FunctionVerdict> = verdicts.iter().filter(|one| one.is_busy()).collect();
    let (counts, fates) = match busy[..] {
        [] if verdicts.is_empty() => return format!("{path}: declined; nothing is looked at"),
        [] => return format!("{path}: unchanged; {NO_ACCESSES}"),
        [one] => return one.line(),
        _ => (totals(verdicts), sum(verdicts)),
    };
    let kernels = busy.iter().all(|one| one.entry);
    let noun = if kernels { "kernel" } else { "function" };
    format!(
        "{path}: {}: {counts}; {}",
        counted(busy.len() as u64, noun),
        fates.line()
    )
}

/// What became of all loads and stores.
pub fn sum<'v>(verdicts: impl IntoIterator<Item = &'v FunctionVerdict>) -> Fates {
    let mut sum = Fates::default();
    verdicts.into_iter().for_each(|one| sum.add(&one.fates));
    sum
}

/// How many functions with loads or stores have which verdict: `3 changed, 9 unchanged`.
pub fn totals(verdicts: &[FunctionVerdict]) -> String {
    let busy = || verdicts.iter().filter(|one| one.is_busy());
    let words = named_counts(busy().map(|one| one.word));
    // Some of these may be faster.
    match busy().filter(|one| one.no_estimate.is_some()).count() {
        0 => words,
        unknown => format!("{words} ({unknown} not estimated)"),
    }
}

/// How many verdicts have which word: `3 changed, 9 unchanged`.
pub fn named_counts(words: impl Iterator<Item = Word>) -> String {
    let words: Vec<Word> = words.collect();
    let counts = Word::ALL.map(|word| (word, words.iter().filter(|one| **one == word).count()));
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(word, count)| format!("{count} {}", word.name()))
        .collect();
    counts.join(", ")
}
