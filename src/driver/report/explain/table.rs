//! The table of all functions.

use crate::report::fates::{Fates, WORDS};
use crate::report::function::FunctionReport;
use crate::report::verdict::shown;
use ptxasw_passes::Fate;
use std::fmt::Write as _;

/// A table with a line for each function with loads or stores, and one for their sum if there are several. Its columns are the
/// fates that occur.
pub fn table<'f, 'a: 'f>(
    functions: impl Iterator<Item = &'f FunctionReport<'a>>,
    out: &mut String,
) {
    let busy = functions.filter(|function| !function.accesses.is_empty());
    let mut rows: Vec<(String, Fates)> =
        busy.map(|one| (shown(one.name), Fates::of(one))).collect();
    if rows.is_empty() {
        return;
    }
    let mut sum = Fates::default();
    rows.iter().for_each(|(_, fates)| sum.add(fates));
    if rows.len() > 1 {
        rows.push(("all".to_owned(), sum.clone()));
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
