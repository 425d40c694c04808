//! Figures of a build: what every call of the drop-in assembler saw and did, and their sum.

use crate::guard::REVERTED;
use crate::pipeline::Decisions;
use crate::report::fates::{Fates, counted};
use crate::report::function::{self, FunctionReport};
use crate::report::verdict::{self, FunctionVerdict};
use ptxasw_base::table::{Table, row};
use ptxasw_emulator::solver::Account;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::model::proof_method::ProofCounts;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;

/// Counts over kernels; they add up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Modules.
    pub modules: u64,
    /// Modules that were left alone by a fault of ours or of their own.
    pub failed: u64,
    /// Kernels and device functions.
    pub kernels: u64,
    /// Those that were changed.
    pub rewritten: u64,
    /// Kernels that went back to their original, because they lost registers or results differed.
    pub reverted: u64,
    /// Kernels that went back to their original, by reason.
    #[serde(default)]
    pub reverted_by: BTreeMap<String, u64>,
    /// What became of the loads and stores of the input.
    #[serde(default)]
    pub fates: Fates,
    /// The verdict on each function.
    #[serde(default)]
    pub verdicts: Vec<FunctionVerdict>,
    /// Loads and stores that stay, by reason.
    pub kept: BTreeMap<String, u64>,
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
    /// Those of one function.
    pub fn of(function: &FunctionReport) -> Self {
        let mut figures = Figures {
            kernels: 1,
            rewritten: u64::from(function.is_changed()),
            fates: Fates::of(function),
            verdicts: vec![FunctionVerdict::of(function)],
            ..Figures::default()
        };
        if let Some(search) = function.search() {
            figures.means = means(search.proofs);
            figures.queries = search.questions.solver.queries;
            figures.answers = answers(&search.questions);
            figures.solver_milliseconds = search.questions.time.as_secs_f64() * 1e3;
        }
        if let Some(refusal) = function.skipped().filter(|_| function.is_skipped()) {
            figures.keep(format!("module: {}", refusal.text()), 1);
        }
        for why in function
            .passes
            .iter()
            .filter_map(|report| report.reverted())
        {
            figures.went_back(why.reason);
        }
        for access in &function.accesses {
            let reason = match (access.fate(), access.headline()) {
                // Its words have numbers in them.
                (Fate::Declined, _) => DECLINED.to_owned(),
                (fate, _) if fate.is_done() => continue,
                (_, Some(decision)) => decision.reason(),
                (_, None) => function::NOTHING.to_owned(),
            };
            figures.keep(reason, 1);
        }
        figures
    }

    /// Adds those of all functions: the last ones where what was done is kept, else the first ones as gone back, for the reason that
    /// `why` gives.
    pub fn add_kept<'f>(
        &mut self,
        first: &[(String, Figures)],
        last: impl Iterator<Item = &'f (String, Figures)>,
        is_kept: impl Fn(&str) -> bool,
        why: impl Fn(&str) -> Option<String>,
    ) {
        let last: FxHashMap<&str, &Figures> = last.map(|(name, one)| (&**name, one)).collect();
        for (name, figures) in first {
            match last.get(&**name).filter(|_| is_kept(name)) {
                Some(last) => self.add(last),
                None => {
                    let mut figures = figures.clone();
                    figures.revert();
                    let verdicts = figures.verdicts.iter_mut();
                    verdicts.for_each(|one| one.revert(why(name)));
                    self.add(&figures);
                }
            }
        }
    }

    /// Those of all functions, by name.
    pub fn by_function(decisions: Decisions) -> Vec<(String, Figures)> {
        let functions = function::of_module(decisions).into_iter();
        functions
            .map(|function| (function.name.to_owned(), Figures::of(&function)))
            .collect()
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
        let count = |fates: &Fates| -> u64 {
            let done = Fate::ALL.into_iter().filter(|fate| fate.is_done());
            done.map(|fate| fates.count(fate)).sum()
        };
        if self.rewritten > 0 {
            self.went_back(REVERTED);
        }
        self.keep(format!("reverted: {REVERTED}"), count(&self.fates));
        self.fates.revert();
        self.rewritten = 0;
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
            (&mut self.queries, other.queries),
            (&mut self.cached, other.cached),
            (&mut self.assembled, other.assembled),
        ] {
            *own = own.saturating_add(others);
        }
        self.fates.add(&other.fates);
        self.verdicts.extend_from_slice(&other.verdicts);
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
        let modules = counted(self.modules, "module");
        let kernels = counted(self.kernels, "kernel");
        let totals = verdict::totals(&self.verdicts);
        let totals = if totals.is_empty() {
            totals
        } else {
            totals + "; "
        };
        format!("{modules}, {kernels}: {totals}{}", self.fates.line())
    }

    /// As a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new("<><");
        table.lines(verdict::lines("all", &self.verdicts).join("\n"));
        for (name, count) in self.headlines() {
            table.row(row!(&name, count));
            if name == BACK {
                table.lines(parts(&self.reverted_by));
            }
        }
        let mut reasons: Vec<(&String, &u64)> = self.kept.iter().collect();
        reasons.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
        table.lines(parts(reasons));
        let pairs = total(&self.means);
        table.row(row!("pairs proved", pairs));
        table.lines(parts(self.means.iter().map(|(name, count)| {
            let share = 100.0 * *count as f64 / pairs as f64;
            (format!("{name} ({share:.1} %)"), count)
        })));
        table.row(row!("solver queries", self.queries));
        table.lines(parts(&self.answers));
        let in_solver = format!("{:.1}", self.solver_milliseconds);
        table.row(row!("  milliseconds", in_solver));
        let runs = self.cached.saturating_add(self.assembled);
        if runs > 0 {
            table.row(row!("assemblies", runs));
            table.row(row!("  from the cache", self.cached));
        }
        table.row(row!("milliseconds", format!("{:.1}", self.milliseconds)));
        table
    }
}

/// What a count in front consists of.
fn parts<'a>(counts: impl IntoIterator<Item = (impl Display, &'a u64)>) -> Table {
    let mut table = Table::new("    ><");
    for (name, count) in counts {
        table.row(row!(count, name));
    }
    table
}

impl Figures {
    /// The most important counts; what is part of the one before is indented.
    pub fn headlines(&self) -> Vec<(String, u64)> {
        let mut rows = vec![
            ("modules".to_owned(), self.modules),
            ("  left alone by a fault".to_owned(), self.failed),
            ("kernels".to_owned(), self.kernels),
            ("  changed".to_owned(), self.rewritten),
            (BACK.to_owned(), self.reverted),
        ];
        let Fates {
            loads,
            stores,
            statements,
        } = &self.fates;
        for (noun, all, fates) in [
            ("loads", self.fates.all_loads(), loads),
            ("stores", self.fates.all_stores(), stores),
        ] {
            rows.push((noun.to_owned(), all));
            let counts = fates.iter();
            rows.extend(counts.map(|(fate, &count)| (format!("  {}", fate.word()), count)));
        }
        if *statements > 0 {
            rows.push(("statements rewritten".to_owned(), *statements));
        }
        rows
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
