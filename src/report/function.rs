//! What became of each load and store of the input: the only source of the summary line, `explain`, JSON, SARIF, the page and
//! statistics.

use crate::passes::Fate;
use crate::passes::shuffle::refusal::{ConditionName, Language, Refusal};
use crate::passes::shuffle::synthesis::{LoadReport, Outcome};
use crate::pipeline::ssa::{Remark, Report};
use crate::pipeline::{Descent, InputFunction, Kernel, Output};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// What became of a function.
pub struct FunctionReport<'a> {
    /// Its mangled name.
    pub name: &'a str,
    /// It is a kernel, not a device function.
    pub entry: bool,
    /// Its loads and stores in the order of the input.
    pub accesses: Vec<AccessReport<'a>>,
    /// Decisions of passes about statements that are no accesses.
    pub others: Vec<(&'a Report, &'a Remark)>,
    /// What each pass over the SSA IR did, in the order of the passes; passes that have nothing to report are left out.
    pub passes: Vec<&'a Report>,
    /// What was found for shuffles; none of a function that has no loads for them.
    pub shuffles: Option<&'a Kernel>,
}

/// What became of a load or store of the input.
///
/// Where tests at run time choose between two copies of it, this is what became of the copy that runs where the tests hold.
pub struct AccessReport<'a> {
    /// Where its statement is in the input, in bytes.
    pub at: u32,
    /// It is a store; else it is a load.
    pub is_store: bool,
    /// What was decided about it, in the order of the passes.
    pub decisions: Vec<Decision<'a>>,
}

/// A decision about an access.
#[derive(Clone, Copy)]
pub enum Decision<'a> {
    /// Of a pass over the SSA IR.
    Pass(&'a Report, &'a Remark),
    /// Of the shuffles.
    Shuffle(&'a Kernel, &'a LoadReport),
}

/// Of an access about which no pass has anything to say.
pub const NOTHING: &str = "no pass found anything to do with it";

/// All decisions about a module.
#[derive(Clone, Copy)]
pub struct Decisions<'a> {
    /// The loads and stores of the input.
    pub input: &'a [InputFunction],
    /// Those of the passes over the SSA IR.
    pub passes: &'a [Report],
    /// Those of the shuffles.
    pub kernels: &'a [Kernel],
}

impl<'a> From<&'a Output> for Decisions<'a> {
    fn from(output: &'a Output) -> Self {
        Decisions {
            input: &output.accesses,
            passes: &output.passes,
            kernels: &output.kernels,
        }
    }
}

impl<'a> Decisions<'a> {
    /// What became of all functions of the module, in the order of its text.
    pub fn functions(self) -> Vec<FunctionReport<'a>> {
        let kernels = self.kernels.iter().map(|one| (&*one.name, one));
        let kernels: FxHashMap<&str, &Kernel> = kernels.collect();
        let mut reports: FxHashMap<&str, Vec<&Report>> = FxHashMap::default();
        for report in self.passes {
            reports.entry(&report.function).or_default().push(report);
        }
        let one = |input: &'a InputFunction| {
            let passes = reports.remove(&*input.name).unwrap_or_default();
            FunctionReport::new(input, passes, kernels.get(&*input.name).copied())
        };
        self.input.iter().map(one).collect()
    }
}

impl<'a> FunctionReport<'a> {
    fn new(
        input: &'a InputFunction,
        passes: Vec<&'a Report>,
        shuffles: Option<&'a Kernel>,
    ) -> Self {
        let accesses = input.accesses.iter().map(|access| AccessReport {
            at: access.at,
            is_store: access.is_store,
            decisions: Vec::new(),
        });
        let mut function = FunctionReport {
            name: &input.name,
            entry: input.entry,
            accesses: accesses.collect(),
            others: Vec::new(),
            passes,
            shuffles,
        };
        for report in function.passes.clone() {
            for remark in &report.remarks {
                match function
                    .access(remark.site.at)
                    .filter(|_| remark.site.line > 0)
                {
                    Some(access) => access.decisions.push(Decision::Pass(report, remark)),
                    None => function.others.push((report, remark)),
                }
            }
        }
        if let Some(kernel) = shuffles {
            function.add_shuffles(kernel);
        }
        function
    }

    /// Adds what was found for shuffles. Loads that passes made are none of the input.
    fn add_shuffles(&mut self, kernel: &'a Kernel) {
        let places = kernel.loads.iter().zip(&kernel.places);
        let placed = places.filter_map(|(load, place)| Some((load, (*place)?)));
        let is_copied =
            |(_, (_, descent)): &(&LoadReport, (u32, Descent))| *descent == Descent::Copied;
        let (copied, others): (Vec<_>, Vec<_>) = placed.partition(is_copied);
        let has_copy: FxHashSet<u32> = copied.iter().map(|(_, (at, _))| *at).collect();
        let others = others.into_iter();
        let others = others.filter(|(_, (at, _))| !has_copy.contains(at));
        for (load, (at, _)) in copied.into_iter().chain(others) {
            if let Some(access) = self.access(at).filter(|access| !access.is_store) {
                access.decisions.push(Decision::Shuffle(kernel, load));
            }
        }
    }

    fn access(&mut self, at: u32) -> Option<&mut AccessReport<'a>> {
        let found = self.accesses.binary_search_by_key(&at, |access| access.at);
        self.accesses.get_mut(found.ok()?)
    }

    /// Whether nobody looked at it.
    pub fn is_skipped(&self) -> bool {
        let mut accesses = self.accesses.iter();
        self.skipped().is_some()
            && self.others.is_empty()
            && accesses.all(|one| one.decisions.is_empty())
    }

    /// Why no shuffles were looked for.
    pub fn skipped(&self) -> Option<&'a Refusal> {
        self.shuffles?.skipped.as_ref()
    }

    /// Whether its text is another one.
    pub fn is_changed(&self) -> bool {
        self.passes.iter().any(|report| report.changed)
            || self.shuffles.is_some_and(Kernel::is_rewritten)
    }

    /// Why the original is kept although something was to be changed.
    pub fn reverted(&self) -> Option<&'a str> {
        let mut passes = self.passes.iter().filter_map(|one| one.reverted());
        let passes = passes.next().map(|reverted| &*reverted.why);
        passes.or_else(|| self.shuffles?.reverted)
    }
}

impl<'a> AccessReport<'a> {
    /// The decision that counts: the first fate in their order; of several reasons to stay one that a user can do something about.
    pub fn headline(&self) -> Option<Decision<'a>> {
        let rank = |one: &&Decision| (one.fate(), one.lift(Language::Cuda).is_none());
        self.decisions.iter().min_by_key(rank).copied()
    }

    /// What became of it. What nobody looked at is kept.
    pub fn fate(&self) -> Fate {
        self.headline().map_or(Fate::Kept, |one| one.fate())
    }

    /// Shuffles take the value that it loads.
    pub fn is_source(&self) -> bool {
        let mut decisions = self.decisions.iter();
        decisions.any(|one| matches!(one, Decision::Shuffle(_, load) if load.source))
    }
}

impl<'a> Decision<'a> {
    /// Whether the two are one.
    pub fn is(&self, other: &Decision) -> bool {
        match (self, other) {
            (Decision::Pass(_, one), Decision::Pass(_, other)) => std::ptr::eq(*one, *other),
            (Decision::Shuffle(_, one), Decision::Shuffle(_, other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }

    /// The name of the pass that made it.
    pub fn pass(&self) -> &'static str {
        match self {
            Decision::Pass(report, _) => report.pass,
            Decision::Shuffle(..) => crate::passes::Entry::Shuffle.name(),
        }
    }

    /// What becomes of the access by it.
    pub fn fate(&self) -> Fate {
        let (kernel, load) = match self {
            Decision::Pass(_, remark) => return remark.fate,
            Decision::Shuffle(kernel, load) => (kernel, load),
        };
        match &load.outcome {
            Outcome::Covered(_) if kernel.reverted.is_some() => Fate::Kept,
            Outcome::Covered(number) => {
                let shuffle = kernel.plan.shuffles.get(*number as usize);
                match shuffle.is_some_and(|shuffle| shuffle.lanes.is_own()) {
                    true => Fate::Removed,
                    false => Fate::Shuffled,
                }
            }
            Outcome::Kept(refusal) if refusal.condition() == ConditionName::Profit => {
                Fate::Declined
            }
            Outcome::Kept(_) => Fate::Kept,
        }
    }

    /// The reason of the shuffles for which it stays.
    pub fn refusal(&self) -> Option<&'a Refusal> {
        match self {
            Decision::Shuffle(_, load) => match &load.outcome {
                Outcome::Kept(refusal) if !load.source => Some(refusal),
                _ => None,
            },
            Decision::Pass(..) => None,
        }
    }

    /// The code of the refusal of the shuffles, also of a load that others take values of.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Decision::Shuffle(_, load) => match &load.outcome {
                Outcome::Kept(refusal) => Some(refusal.reason.code),
                Outcome::Covered(_) => None,
            },
            Decision::Pass(..) => None,
        }
    }

    /// In one clause, without the line of another statement.
    pub fn words(&self) -> Cow<'a, str> {
        let (kernel, load) = match self {
            Decision::Pass(_, remark) => return Cow::Borrowed(&remark.what),
            Decision::Shuffle(kernel, load) => (kernel, load),
        };
        match (&load.outcome, kernel.reverted) {
            (Outcome::Covered(_), Some(why)) => {
                Cow::Owned(format!("covered, and the original is kept: {why}"))
            }
            (Outcome::Covered(_), None) if self.fate() == Fate::Removed => {
                Cow::Borrowed("the thread has loaded this value before")
            }
            (Outcome::Covered(_), None) => Cow::Borrowed("another lane has loaded this value"),
            (Outcome::Kept(_), _) if load.source => Cow::Borrowed("other loads take its value"),
            (Outcome::Kept(refusal), _) => refusal.text(),
        }
    }

    /// Why an access stays, in words without figures, so that accesses can be counted by it.
    pub fn reason(&self) -> String {
        let reverted = match self {
            Decision::Pass(report, remark) => {
                let why = report.reverted().filter(|why| why.why == remark.what);
                why.map(|why| why.reason)
            }
            Decision::Shuffle(kernel, load) => {
                let covered = matches!(load.outcome, Outcome::Covered(_));
                kernel.reverted.filter(|_| covered)
            }
        };
        match (reverted, self.refusal()) {
            (Some(why), _) => format!("reverted: {why}"),
            (None, Some(refusal)) => format!("{}: {}", refusal.condition().name(), refusal.text()),
            (None, None) => format!("{}: {}", self.pass(), self.words()),
        }
    }

    /// What the user can do to lift a refusal, in the words of a language.
    pub fn lift(&self, language: Language) -> Option<Cow<'a, str>> {
        match self {
            Decision::Pass(_, remark) => remark.lift.map(Cow::Borrowed),
            Decision::Shuffle(..) => self.refusal()?.lift(language).map(Cow::Owned),
        }
    }
}
