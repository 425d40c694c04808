//! What became of each load and store of the input: the only source of the summary line, `explain`, JSON, SARIF, the page and
//! statistics.

use super::positions::SourcePosition;
use crate::pipeline::ssa::{Remark, Report};
use crate::pipeline::{Decisions, Descent, InputFunction};
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::plan::Shuffle;
use ptxasw_passes::shuffle::refusal::{Language, Refusal};
use ptxasw_passes::shuffle::synthesis::{LoadReport, Outcome};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// What became of a function.
pub struct FunctionReport<'a> {
    /// Its mangled name.
    pub name: &'a str,
    /// It is a kernel, not a device function.
    pub entry: bool,
    /// Its first position in the source.
    pub source: Option<&'a SourcePosition>,
    /// No pass has read it: its loads and stores are unknown.
    is_unread: bool,
    /// Its loads and stores in the order of the input.
    pub accesses: Vec<AccessReport<'a>>,
    /// Decisions of passes about statements that are no accesses.
    pub others: Vec<(&'a Report, &'a Remark)>,
    /// What each pass did, in the order of the passes; passes that have nothing to report are left out.
    pub passes: Vec<&'a Report>,
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
pub struct Decision<'a> {
    /// Of the pass that made it.
    pub report: &'a Report,
    /// What it says.
    pub remark: &'a Remark,
}

/// Of an access about which no pass has anything to say.
pub const NOTHING: &str = "no pass found anything to do with it";

/// What became of all functions of a module, in the order of its text.
pub fn of_module(decisions: Decisions<'_>) -> Vec<FunctionReport<'_>> {
    let functions = decisions.by_function();
    functions
        .map(|(input, passes)| FunctionReport::new(input, passes))
        .collect()
}

impl<'a> FunctionReport<'a> {
    fn new(input: &'a InputFunction, passes: Vec<&'a Report>) -> Self {
        let accesses = input.accesses.iter().map(|access| AccessReport {
            at: access.at,
            is_store: access.is_store,
            decisions: Vec::new(),
        });
        let mut function = FunctionReport {
            name: &input.name,
            entry: input.entry,
            source: input.source.as_ref(),
            is_unread: !input.is_read,
            accesses: accesses.collect(),
            others: Vec::new(),
            passes,
        };
        for report in function.passes.clone() {
            let decisions = report.remarks.iter();
            let decisions = decisions.map(|remark| Decision { report, remark });
            match report.search {
                Some(_) => function.add_loads(decisions),
                None => function.add(decisions),
            }
        }
        function
    }

    fn add(&mut self, decisions: impl Iterator<Item = Decision<'a>>) {
        for decision in decisions {
            let place = decision.remark.place;
            match self.access(place.at).filter(|_| place.line > 0) {
                Some(access) => access.decisions.push(decision),
                None => self.others.push((decision.report, decision.remark)),
            }
        }
    }

    /// Adds what was found for shuffles: in the copy of a load, if it has one. Loads that passes made are none of the input.
    fn add_loads(&mut self, decisions: impl Iterator<Item = Decision<'a>>) {
        let placed = decisions.filter(|one| one.remark.place.line > 0);
        let is_copied = |one: &Decision| one.remark.descent == Descent::Copied;
        let (copied, others): (Vec<_>, Vec<_>) = placed.partition(is_copied);
        let at = |one: &Decision| one.remark.place.at;
        let has_copy: FxHashSet<u32> = copied.iter().map(at).collect();
        let others = others.into_iter();
        let others = others.filter(|one| !has_copy.contains(&at(one)));
        for decision in copied.into_iter().chain(others) {
            if let Some(access) = self.access(at(&decision)).filter(|one| !one.is_store) {
                access.decisions.push(decision);
            }
        }
    }

    fn access(&mut self, at: u32) -> Option<&mut AccessReport<'a>> {
        let found = self.accesses.binary_search_by_key(&at, |access| access.at);
        self.accesses.get_mut(found.ok()?)
    }

    /// Whether no pass analyzed it, and it has loads or stores or may have some.
    pub fn is_skipped(&self) -> bool {
        let mut accesses = self.accesses.iter();
        self.skipped().is_some()
            && self.is_busy()
            && self.others.is_empty()
            && accesses.all(|one| one.decisions.is_empty())
    }

    /// No pass has read it.
    pub fn is_unread(&self) -> bool {
        self.is_unread
    }

    /// It has loads or stores, or may have some.
    pub fn is_busy(&self) -> bool {
        self.is_unread || !self.accesses.is_empty()
    }

    /// What was found for shuffles; none of a device function that has no loads for them.
    pub fn search(&self) -> Option<&'a Search> {
        let mut searches = self.passes.iter().filter_map(|one| one.search.as_deref());
        searches.next()
    }

    /// Why no shuffles were looked for.
    pub fn skipped(&self) -> Option<&'a Refusal> {
        self.search()?.skipped.as_ref()
    }

    /// Whether its text is another one.
    pub fn is_changed(&self) -> bool {
        self.passes.iter().any(|report| report.changed)
    }

    /// Why the original is kept although something was to be changed.
    pub fn reverted(&self) -> Option<&'a str> {
        let mut passes = self.passes.iter().filter_map(|one| one.reverted());
        passes.next().map(|reverted| &*reverted.why)
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
        decisions.any(|one| one.load().is_some_and(|load| load.source))
    }
}

impl<'a> Decision<'a> {
    /// Whether the two are one.
    pub fn is(&self, other: &Decision) -> bool {
        std::ptr::eq(self.remark, other.remark)
    }

    /// The name of the pass that made it.
    pub fn pass(&self) -> &'static str {
        self.report.pass
    }

    /// What becomes of the access by it.
    pub fn fate(&self) -> Fate {
        self.remark.fate
    }

    /// The verdict of the shuffles on a load.
    pub fn load(&self) -> Option<&'a LoadReport> {
        let loads = &self.report.search.as_ref()?.loads;
        loads.get(self.remark.load? as usize)
    }

    /// The shuffle that a load becomes, and what was found besides.
    pub fn shuffle(&self) -> Option<(&'a Search, &'a Shuffle)> {
        let search = self.report.search.as_deref()?;
        Some((search, search.shuffle(self.load()?)?))
    }

    /// Why shuffles leave a load, also one that others take values of.
    pub fn kept(&self) -> Option<&'a Refusal> {
        match &self.load()?.outcome {
            Outcome::Kept(refusal) => Some(refusal),
            Outcome::Covered(_) => None,
        }
    }

    /// Why shuffles leave a load of which no others take values.
    pub fn refusal(&self) -> Option<&'a Refusal> {
        let refusal = self.kept();
        refusal.filter(|_| self.load().is_some_and(|load| !load.source))
    }

    /// In one clause, without the line of another statement.
    pub fn words(&self) -> &'a str {
        &self.remark.what
    }

    /// Why an access stays, in words without figures, so that accesses can be counted by it.
    pub fn reason(&self) -> String {
        let reverted = self.report.reverted();
        let reverted = reverted.filter(|why| why.why == self.remark.what);
        match (reverted, self.refusal()) {
            (Some(why), _) => format!("reverted: {}", why.reason),
            (None, Some(refusal)) => format!("{}: {}", refusal.condition().name(), refusal.text()),
            (None, None) => format!("{}: {}", self.pass(), self.words()),
        }
    }

    /// What the user can do to lift a refusal, in the words of a language.
    pub fn lift(&self, language: Language) -> Option<Cow<'a, str>> {
        let of_pass = || self.remark.lift.map(Cow::Borrowed);
        let lift = self.refusal().and_then(|one| one.lift(language));
        lift.map(Cow::Owned).or_else(of_pass)
    }
}
