//! Counts of loads, and the line that sums them up.

use crate::pipeline::Kernel;
use crate::pipeline::ssa::Report;
use crate::report::passes;
use crate::shuffle::refusal::{ConditionName, Language, Refusal};
use crate::shuffle::synthesis::Outcome;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What became of the loads of a kernel, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Loads that were looked at.
    pub loads: usize,
    /// Loads whose value is proved to be at hand already.
    pub proved: usize,
    /// Of these, those that the output has no load for, except for corner lanes.
    pub rewritten: usize,
    /// Of these, those that are not known to pay.
    pub declined: usize,
    /// Loads that stay, by condition.
    pub kept: BTreeMap<ConditionName, usize>,
}

impl Counts {
    /// Those of one kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut counts = Counts {
            loads: kernel.loads.len(),
            ..Counts::default()
        };
        for load in &kernel.loads {
            match &load.outcome {
                Outcome::Covered(_) => {
                    counts.proved += 1;
                    counts.rewritten += usize::from(kernel.reverted.is_none());
                }
                Outcome::Kept(refusal) if refusal.condition() == ConditionName::Profit => {
                    counts.proved += 1;
                    counts.declined += 1;
                }
                Outcome::Kept(refusal) => {
                    *counts.kept.entry(refusal.condition()).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Those of all kernels together.
    pub fn sum<'a>(kernels: impl Iterator<Item = &'a Kernel>) -> Self {
        kernels.fold(Counts::default(), |mut sum, kernel| {
            let one = Counts::of(kernel);
            sum.loads += one.loads;
            sum.proved += one.proved;
            sum.rewritten += one.rewritten;
            sum.declined += one.declined;
            for (condition, count) in one.kept {
                *sum.kept.entry(condition).or_default() += count;
            }
            sum
        })
    }

    fn line(&self) -> String {
        let Counts {
            loads,
            proved,
            rewritten,
            ..
        } = self;
        match loads {
            0 => "no loads of global or constant memory".to_string(),
            1 => format!("{proved} of 1 load proved, {rewritten} rewritten"),
            _ => format!("{proved} of {loads} loads proved, {rewritten} rewritten"),
        }
    }
}

/// One line for a kernel: `jacobi: 6 of 9 loads proved, 0 rewritten (sm_80: ...; `--profit always`)`, followed by what passes
/// over the SSA IR did to it: `; memory: 3 loads removed`.
pub fn kernel_line(kernel: &Kernel, passes: &[Report]) -> String {
    let own = passes.iter().filter(|one| one.function == kernel.name);
    let line = line(&kernel.name, std::iter::once(kernel));
    with_passes(line, own)
}

/// One line for a module: that of its only kernel with loads, or the sum of all under the module's name.
pub fn module_line<'a>(
    path: &str,
    kernels: impl Iterator<Item = &'a Kernel> + Clone,
    passes: &[Report],
) -> String {
    let mut busy = kernels
        .clone()
        .filter(|kernel| !kernel.loads.is_empty() || kernel.skipped.is_some());
    let line = match (busy.next(), busy.count()) {
        (Some(kernel), 0) => line(&kernel.name, std::iter::once(kernel)),
        (_, more) => {
            let name = match more {
                0 => path.to_string(),
                _ => format!("{path}: {} kernels", more + 1),
            };
            line(&name, kernels)
        }
    };
    with_passes(line, passes)
}

fn with_passes<'a>(line: String, passes: impl IntoIterator<Item = &'a Report>) -> String {
    match passes::Counts::of(passes).clause() {
        Some(clause) => format!("{line}; {clause}"),
        None => line,
    }
}

fn line<'a>(name: &str, kernels: impl Iterator<Item = &'a Kernel> + Clone) -> String {
    let counts = Counts::sum(kernels.clone());
    // The loads of kernels at which nobody looked are not counted.
    let is_skipped = counts.loads == 0 && kernels.clone().any(|kernel| kernel.skipped.is_some());
    let counted = match is_skipped {
        true => "left as it is".to_owned(),
        false => counts.line(),
    };
    let mut line = format!("{name}: {counted}");
    if let Some(why) = why(&counts, kernels) {
        let _ = write!(line, " ({why})");
    }
    line
}

/// Why not all loads that are proved are rewritten, or why none is proved: the most frequent reason, and what lifts it.
fn why<'a>(counts: &Counts, kernels: impl Iterator<Item = &'a Kernel> + Clone) -> Option<String> {
    if let Some(refusal) = kernels.clone().find_map(|kernel| kernel.skipped.as_ref())
        && counts.loads == 0
    {
        return Some(lifted(refusal));
    }
    let mut reverted = kernels.clone().filter_map(|kernel| kernel.reverted);
    if counts.rewritten + counts.declined < counts.proved {
        return reverted
            .next()
            .map(|why| format!("the original is kept: {why}"));
    }
    let wants_profit = counts.rewritten < counts.proved;
    if !wants_profit && counts.proved > 0 {
        return None;
    }
    let loads = kernels.flat_map(|kernel| &kernel.loads);
    let refusals = loads.filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) => Some(&**refusal),
        Outcome::Covered(_) => None,
    });
    let wanted = refusals.filter(|refusal| {
        let is_profit = refusal.condition() == ConditionName::Profit;
        is_profit == wants_profit && refusal.lift(Language::Cuda).is_some()
    });
    most_frequent(wanted).map(lifted)
}

fn most_frequent<'a>(refusals: impl Iterator<Item = &'a Refusal>) -> Option<&'a Refusal> {
    let mut counts: Vec<(&Refusal, usize)> = Vec::new();
    let mut known = FxHashMap::default();
    for refusal in refusals {
        let place = *known.entry(refusal.key()).or_insert_with(|| {
            counts.push((refusal, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    // Of equally frequent ones the first.
    let most = counts.iter().map(|(_, count)| *count).max()?;
    let found = counts.iter().find(|(_, count)| *count == most);
    found.map(|(refusal, _)| *refusal)
}

/// A reason with the option that lifts it, if there is one.
fn lifted(refusal: &Refusal) -> String {
    match refusal.reason.option {
        "" => refusal.text().into_owned(),
        option => format!("{}; {}", refusal.text(), option.trim_matches('`')),
    }
}

/// A table with a line for each kernel with loads, and one for their sum if there are several.
pub fn table<'a>(kernels: impl Iterator<Item = &'a Kernel> + Clone, out: &mut String) {
    let busy = kernels.clone().filter(|kernel| !kernel.loads.is_empty());
    let mut rows: Vec<(&str, Counts)> = busy
        .map(|kernel| (&*kernel.name, Counts::of(kernel)))
        .collect();
    if rows.is_empty() {
        return;
    }
    if rows.len() > 1 {
        rows.push(("all", Counts::sum(kernels)));
    }
    let names = rows.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0).max("kernel".len());
    let _ = writeln!(
        out,
        "{:width$}  loads  proved  rewritten  declined  kept by condition",
        "kernel"
    );
    for (name, counts) in rows {
        let kept = counts.kept.iter();
        let kept = kept.map(|(condition, count)| format!("{}: {count}", condition.name()));
        let kept = kept.collect::<Vec<_>>().join(", ");
        let Counts {
            loads,
            proved,
            rewritten,
            declined,
            ..
        } = counts;
        let row =
            format!("{name:width$}  {loads:5}  {proved:6}  {rewritten:9}  {declined:8}  {kept}");
        let _ = writeln!(out, "{}", row.trim_end());
    }
}
