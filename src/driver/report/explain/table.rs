//! The table of all functions.

use crate::report::fates::{Fates, WORDS};
use crate::report::function::FunctionReport;
use ptxasw_base::names::shown;
use ptxasw_base::table::{Table, row};
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
    let words = columns.iter().map(|(word, _)| *word);
    let words: Vec<&str> = ["kernel  loads  stores"].into_iter().chain(words).collect();
    let sides = "<>>".to_owned() + &">".repeat(columns.len());
    let mut table = Table::headed(&sides, &words.join("  "));
    for (name, fates) in rows {
        let mut row = row!(name, fates.all_loads(), fates.all_stores());
        for (_, of) in &columns {
            row.add_cell(count(&fates, of));
        }
        table.row(row);
    }
    let _ = write!(out, "{table}");
}
