//! Figures of a build: what every call of the drop-in assembler saw and did, and their sum.

use crate::guard::REVERTED;
use crate::pipeline::Kernel;
use crate::pipeline::ssa::Report;
use crate::report::passes::Counts;
use crate::shuffle::model::proof_method::ProofCounts;
use crate::shuffle::refusal::ConditionName;
use crate::shuffle::synthesis::Outcome;
use crate::solver::Account;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts over kernels; they add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Modules.
    pub modules: u64,
    /// Modules that were left alone by a fault of ours or of their own.
    pub failed: u64,
    /// Kernels and device functions with loads.
    pub kernels: u64,
    /// Those that have shuffles.
    pub rewritten: u64,
    /// Kernels that went back to their original, because they lost registers or results differed.
    pub reverted: u64,
    /// Kernels that went back to their original, by reason.
    #[serde(default)]
    pub reverted_by: BTreeMap<String, u64>,
    /// Loads that could be covered by their kind.
    pub loads: u64,
    /// Loads that became shuffles, or moves within a thread.
    pub covered: u64,
    /// Loads that others take values of.
    pub sources: u64,
    /// Loads that stay, by condition and reason.
    pub kept: BTreeMap<String, u64>,
    /// What the passes over the SSA IR did to single places, by pass and kind.
    #[serde(default)]
    pub passes: Counts,
    /// Pairs of loads by what their shuffle was proved.
    #[serde(default)]
    pub means: BTreeMap<String, u64>,
    /// Questions that came to the solver.
    pub queries: u64,
    /// What became of them, and of those that a few values refuted before.
    #[serde(default)]
    pub answers: BTreeMap<String, u64>,
    /// Time of the solver.
    #[serde(default)]
    pub solver_milliseconds: f64,
    /// Runs of the assembler whose output was in the cache.
    #[serde(default)]
    pub cached: u64,
    /// Those whose output was not.
    #[serde(default)]
    pub assembled: u64,
    /// Time of our own work.
    pub milliseconds: f64,
}

/// The row of kernels that went back.
const BACK: &str = "  gone back to their original";
/// Loads that are proved and stay.
const DECLINED: &str = "declined: proved, but not known to pay";

impl Figures {
    /// Those of one kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut figures = Figures {
            kernels: 1,
            rewritten: u64::from(!kernel.plan.shuffles.is_empty()),
            means: means(kernel.proofs),
            queries: kernel.questions.solver.queries,
            answers: answers(&kernel.questions),
            solver_milliseconds: kernel.questions.time.as_secs_f64() * 1e3,
            ..Figures::default()
        };
        if let Some(refusal) = &kernel.skipped {
            figures.keep(format!("module: {}", refusal.text()), 1);
        }
        if let Some(why) = kernel.reverted {
            figures.went_back(why);
        }
        for load in &kernel.loads {
            figures.loads += 1;
            figures.sources += u64::from(load.source);
            match &load.outcome {
                Outcome::Covered(_) => match kernel.reverted {
                    Some(why) => figures.keep(reverted(why), 1),
                    None => figures.covered += 1,
                },
                // A source is kept because others live on it: no reason to report.
                Outcome::Kept(_) if load.source => {}
                Outcome::Kept(refusal) => {
                    let reason = match refusal.condition() {
                        // Its words have numbers in them.
                        ConditionName::Profit => DECLINED.to_string(),
                        other => format!("{}: {}", other.name(), refusal.text()),
                    };
                    figures.keep(reason, 1);
                }
            }
        }
        figures
    }

    /// Adds those of all functions: the last ones where what was done is kept, else the first ones as gone back.
    pub fn add_kept<'f>(
        &mut self,
        first: &[(String, Figures)],
        last: impl Iterator<Item = &'f (String, Figures)>,
        is_kept: impl Fn(&str) -> bool,
    ) {
        let last: FxHashMap<&str, &Figures> = last.map(|(name, one)| (&**name, one)).collect();
        for (name, figures) in first {
            match last.get(&**name).filter(|_| is_kept(name)) {
                Some(last) => self.add(last),
                None => {
                    let mut figures = figures.clone();
                    figures.revert();
                    self.add(&figures);
                }
            }
        }
    }

    /// Figures of all functions by name, with what the passes over the SSA IR did to each.
    pub fn by_function(kernels: &[Kernel], passes: &[Report]) -> Vec<(String, Figures)> {
        let kernels = kernels.iter();
        let mut all: Vec<(String, Figures)> = kernels
            .map(|kernel| (kernel.name.to_string(), Figures::of(kernel)))
            .collect();
        let places = all.iter().enumerate();
        let mut places: FxHashMap<String, usize> = places
            .map(|(place, (name, _))| (name.clone(), place))
            .collect();
        let is_figure = |one: &&Report| !one.remarks.is_empty() || one.reverted().is_some();
        for report in passes.iter().filter(is_figure) {
            let name = report.function.to_string();
            // A function without loads that could be shared is no kernel of these.
            let place = *places.entry(name.clone()).or_insert_with(|| {
                all.push((name, Figures::default()));
                all.len() - 1
            });
            let figures = &mut all[place].1;
            figures.passes.add(&Counts::of([report]));
            if let Some(why) = report.reverted() {
                figures.went_back(why.reason);
            }
        }
        all
    }

    /// The kernel is as it was: several passes may be the reason, and their shuffles as well.
    fn went_back(&mut self, why: &str) {
        self.reverted = 1;
        self.reverted_by.entry(why.to_owned()).or_insert(1);
    }

    fn keep(&mut self, reason: String, loads: u64) {
        if loads > 0 {
            let kept = self.kept.entry(reason).or_default();
            *kept = kept.saturating_add(loads);
        }
    }

    /// Turns a rewritten kernel's figures into those of one that went back to its original.
    pub fn revert(&mut self) {
        if self.rewritten > 0 || self.passes.is_done() {
            self.went_back(REVERTED);
        }
        self.passes.revert();
        let covered = std::mem::take(&mut self.covered);
        self.rewritten = 0;
        self.keep(reverted(REVERTED), covered);
    }

    /// Adds those of other modules.
    pub fn add(&mut self, other: &Figures) {
        // Figures are read from files, which can say anything.
        for (own, others) in [
            (&mut self.modules, other.modules),
            (&mut self.failed, other.failed),
            (&mut self.kernels, other.kernels),
            (&mut self.rewritten, other.rewritten),
            (&mut self.reverted, other.reverted),
            (&mut self.loads, other.loads),
            (&mut self.covered, other.covered),
            (&mut self.sources, other.sources),
            (&mut self.queries, other.queries),
            (&mut self.cached, other.cached),
            (&mut self.assembled, other.assembled),
        ] {
            *own = own.saturating_add(others);
        }
        self.passes.add(&other.passes);
        self.solver_milliseconds += other.solver_milliseconds;
        for (own, others) in [
            (&mut self.means, &other.means),
            (&mut self.answers, &other.answers),
            (&mut self.reverted_by, &other.reverted_by),
        ] {
            for (name, count) in others {
                let own = own.entry(name.clone()).or_default();
                *own = own.saturating_add(*count);
            }
        }
        self.milliseconds += other.milliseconds;
        for (reason, count) in &other.kept {
            self.keep(reason.clone(), *count);
        }
    }

    /// In one line.
    pub fn line(&self) -> String {
        let declined = self.kept.get(DECLINED).copied().unwrap_or(0);
        let count = |count: u64, word: &str| match count {
            1 => format!("1 {word}"),
            _ => format!("{count} {word}s"),
        };
        let passes = self.passes.clause();
        let passes = passes.map_or_else(String::new, |clause| format!("; {clause}"));
        format!(
            "{}, {}: {} of {} proved, {} rewritten{passes}",
            count(self.modules, "module"),
            count(self.kernels, "kernel"),
            self.covered + declined,
            count(self.loads, "load"),
            self.covered
        )
    }

    /// As a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for (name, count) in self.headlines() {
            let _ = writeln!(out, "{name:<32} {count:>10}");
            if name == BACK {
                for (reason, count) in &self.reverted_by {
                    let _ = writeln!(out, "    {count:>8}  {reason}");
                }
            }
        }
        let mut reasons: Vec<(&String, &u64)> = self.kept.iter().collect();
        reasons.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
        for (reason, count) in reasons {
            let _ = writeln!(out, "    {count:>8}  {reason}");
        }
        for (pass, kinds) in self.passes.passes() {
            let _ = writeln!(out, "pass {pass}");
            for (count, what) in kinds.iter().filter_map(|one| one.split_once(' ')) {
                let _ = writeln!(out, "    {count:>8}  {what}");
            }
        }
        let pairs = total(&self.means);
        let _ = writeln!(out, "{:<32} {pairs:>10}", "pairs proved");
        for (name, count) in &self.means {
            let share = 100.0 * *count as f64 / pairs as f64;
            let _ = writeln!(out, "    {count:>8}  {name} ({share:.1} %)");
        }
        let _ = writeln!(out, "{:<32} {:>10}", "solver queries", self.queries);
        for (name, count) in &self.answers {
            let _ = writeln!(out, "    {count:>8}  {name}");
        }
        let milliseconds = self.solver_milliseconds;
        let _ = writeln!(out, "{:<32} {milliseconds:>10.1}", "  milliseconds");
        let runs = self.cached.saturating_add(self.assembled);
        if runs > 0 {
            let _ = writeln!(out, "{:<32} {runs:>10}", "assemblies");
            let _ = writeln!(out, "{:<32} {:>10}", "  from the cache", self.cached);
        }
        let _ = writeln!(out, "{:<32} {:>10.1}", "milliseconds", self.milliseconds);
        out
    }
}

impl Figures {
    /// The most important counts; what is part of the one before is indented.
    pub fn headlines(&self) -> [(&'static str, u64); 9] {
        [
            ("modules", self.modules),
            ("  left alone by a fault", self.failed),
            ("kernels", self.kernels),
            ("  with shuffles", self.rewritten),
            (BACK, self.reverted),
            ("loads", self.loads),
            ("  covered", self.covered),
            ("  sources", self.sources),
            ("  kept", total(&self.kept)),
        ]
    }
}

/// The sum of counts.
fn total(counts: &BTreeMap<String, u64>) -> u64 {
    counts
        .values()
        .fold(0, |sum, count| sum.saturating_add(*count))
}

/// Counts by name, without those that are zero.
fn named(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    let some = counts.iter().filter(|(_, count)| *count > 0);
    some.map(|&(name, count)| (name.to_owned(), count))
        .collect()
}

/// The reason of loads that were covered, in a kernel that went back.
fn reverted(why: &str) -> String {
    format!("reverted: {why}")
}

fn means(means: ProofCounts) -> BTreeMap<String, u64> {
    named(&[
        ("by algebra alone", means.algebra),
        ("by known bits, ranges and guards", means.ranges),
        ("by the solver", means.solver),
        ("with a check at run time", means.checks),
    ])
}

fn answers(questions: &Account) -> BTreeMap<String, u64> {
    let solver = &questions.solver;
    named(&[
        ("proved", solver.proved),
        ("refuted", solver.refuted),
        (
            "refuted by a few values, without the solver",
            questions.by_values,
        ),
        ("too large", solver.too_large),
        ("without its library", solver.no_library),
        (
            "undecided",
            solver.unknown - solver.too_large - solver.no_library,
        ),
    ])
}
