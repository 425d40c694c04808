//! What a pass did to a function, with places in the text.

use crate::pipeline::{Descent, Options};
use indexmap::IndexMap;
use ptxasw_base::named::Named;
use ptxasw_emulator::certificate::Obligation;
use ptxasw_ir::patch::{Place, Site};
use ptxasw_passes::memory::Loads;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::{Fate, Pass, Tested};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// What a pass did to a function.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name, as in `--passes`.
    pub pass: &'static str,
    /// The name of the function that it ran on.
    pub function: Box<str>,
    /// It is a kernel, not a device function.
    pub kernel: bool,
    /// The function's patch is part of the new text.
    pub changed: bool,
    /// The pass asks for another round on what it leaves: [`ptxasw_passes::Rewrite::again`].
    pub again: bool,
    /// What was decided about single places.
    pub remarks: Vec<Remark>,
    /// What the rewriting rests on.
    pub claims: Vec<Claim>,
    /// What of it solvers can check, where certificates were asked for.
    pub obligations: Vec<Obligation>,
    /// No block of the kernel waits for another: [`ptxasw_passes::Rewrite::waits_for_none`].
    pub waits_for_none: bool,
    /// What its changes test at run time.
    pub tested: Tested,
    /// The lowest level of the memory pass that is expected to come to the same; none if it is another pass.
    pub least: Option<Loads>,
    /// Why the function is as it was although the pass would change it.
    pub refused: Option<Refused>,
    /// How far the memory pass was allowed to go.
    pub loads: Loads,
    /// Levels of the memory pass that were tried before, and why they were not taken.
    pub tried: Vec<Tried>,
    /// What the pass for shuffles found besides.
    pub search: Option<Box<Search>>,
}

/// A level of the memory pass that was found to cost too much.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The level.
    pub loads: Loads,
    /// Why it was not taken.
    pub why: Reverted,
}

/// A decision about one place: [`ptxasw_passes::Remark`] with statements of the text in place of instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The statement that was decided about.
    pub place: Place,
    /// What became of it.
    pub fate: Fate,
    /// What had become of it before the function went back to its original.
    pub undone: Option<Fate>,
    /// One clause: what was done, or why not.
    pub what: Cow<'static, str>,
    /// The other statement that the clause is about.
    pub with: Option<Place>,
    /// What the user can do to lift a refusal.
    pub lift: Option<&'static str>,
    /// How the text in which it was decided about comes from the input.
    pub descent: Descent,
    /// The load of [`Report::search`] that it is about.
    pub load: Option<u32>,
}

/// What a rewriting rests on: [`ptxasw_passes::Claim`] with a statement of the text in place of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The statement whose rewriting rests on it.
    pub site: Site,
    /// The condition of the pass's contract that was met, if it has such.
    pub condition: Option<&'static str>,
    /// What was proved, and by what.
    pub evidence: String,
}

/// Why a patch changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The text can't express what the pass asks for.
    #[error("{0}")]
    Text(String),
    /// An internal error: a patch that is not well formed, a panic, a text that cannot be read again.
    #[error("internal error: {0}")]
    Fault(String),
    /// The patch was written, and then found to cost too much, or to be wrong.
    #[error("the original is kept: {}", .0.why)]
    Reverted(Reverted),
}

/// Why a function went back to its original after all passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reverted {
    /// Without figures, so that functions can be counted by it: it completes the sentence "the original is kept, since ...".
    pub reason: &'static str,
    /// With the function's own figures, where there are any.
    pub why: String,
}

impl Reverted {
    /// A reason without figures.
    pub fn new(reason: &'static str) -> Self {
        Reverted {
            reason,
            why: reason.to_owned(),
        }
    }
}

impl Remark {
    /// The clause with the line of the other statement: `removed, same as @12`.
    pub fn clause(&self) -> Cow<'_, str> {
        match self.other_line() {
            Some(line) => Cow::Owned(format!("{} @{line}", self.what)),
            None => Cow::Borrowed(&self.what),
        }
    }

    /// The clause, whether the place stays, and what lifts that: `kept: a store between may write these bytes @15; lifted by: ...`.
    pub fn sentence(&self) -> String {
        let kept = if self.fate.is_done() { "" } else { "kept: " };
        let lift = self
            .lift
            .map_or_else(String::new, |lift| format!("; lifted by: {lift}"));
        format!("{kept}{}{lift}", self.clause())
    }

    /// The line of the other statement, if there is one that has a line.
    pub fn other_line(&self) -> Option<u32> {
        self.with.map(|place| place.line).filter(|&line| line > 0)
    }
}

impl Report {
    pub(super) fn new(pass: &dyn Pass, function: &str, kernel: bool) -> Self {
        Report {
            pass: pass.name(),
            function: function.into(),
            kernel,
            changed: false,
            again: false,
            remarks: Vec::new(),
            claims: Vec::new(),
            obligations: Vec::new(),
            waits_for_none: false,
            tested: Tested::default(),
            least: None,
            refused: None,
            loads: Loads::Off,
            tried: Vec::new(),
            search: None,
        }
    }

    /// Takes back that the pass changed something.
    pub fn refuse(&mut self, why: Refused) {
        self.changed = false;
        self.remarks.retain(|one| !one.fate.is_done());
        if let Some(search) = &mut self.search {
            search.drop_plan();
        }
        self.claims.clear();
        self.obligations.clear();
        self.tested = Tested::default();
        self.refused = Some(why);
    }

    /// Adds what a later round of the pass did. It has decided anew about all places that were left.
    pub(super) fn follow(&mut self, later: Report) {
        self.changed |= later.changed;
        self.again = later.again;
        self.remarks.retain(|one| one.fate.is_done());
        self.remarks.extend(later.remarks);
        self.remarks.sort_by_key(|one| one.place.line);
        self.claims.extend(later.claims);
        self.obligations.extend(later.obligations);
        self.waits_for_none &= later.waits_for_none;
        self.tested.add(later.tested);
        self.least = self.least.max(later.least);
        self.refused = later.refused.or(self.refused.take());
        self.search = later.search.or(self.search.take());
    }

    /// What a refusal leaves as it was, in words: it may be that of a later round.
    pub fn unchanged(&self) -> &'static str {
        match self.changed {
            true => "nothing more",
            false => "nothing",
        }
    }

    /// All places that it names.
    pub fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let remarks = self.remarks.iter_mut();
        let remarks = remarks.flat_map(|one| std::iter::once(&mut one.place).chain(&mut one.with));
        let claims = self.claims.iter_mut();
        remarks.chain(claims.map(|claim| &mut claim.site.place))
    }

    /// One line for each remark, as users read it.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let remarks = self.remarks.iter().map(|one| self.line(one));
        remarks.chain(self.tries())
    }

    /// What was done, what the user can lift, and what went back: what stays for good is no news.
    pub fn news(&self) -> impl Iterator<Item = &Remark> {
        let back = self.reverted();
        let is_back = move |one: &Remark| back.is_some_and(|why| one.what == why.why);
        let remarks = self.remarks.iter();
        remarks.filter(move |one| is_back(one) || one.fate.is_done() || one.lift.is_some())
    }

    /// One line for each level that was tried.
    pub fn tries(&self) -> impl Iterator<Item = String> {
        let (function, pass) = (&self.function, self.pass);
        self.tried.iter().map(move |one| {
            let (level, why) = (one.loads.name(), &one.why.why);
            format!("{function}: {pass}: the level `{level}` is not taken: {why}")
        })
    }

    fn line(&self, one: &Remark) -> String {
        let (function, line, pass) = (&self.function, one.place.line, self.pass);
        format!("{function}: line {line}: {pass}: {}", one.sentence())
    }

    /// Why the function is as it was, as users read it.
    pub fn refusal(&self) -> Option<String> {
        let why = self.refused.as_ref()?;
        Some(format!(
            "{}: {} changes {}: {why}",
            self.function,
            self.pass,
            self.unchanged()
        ))
    }

    /// The internal error, if there was one.
    pub fn fault(&self) -> Option<&str> {
        match &self.refused {
            Some(Refused::Fault(why)) => Some(why),
            _ => None,
        }
    }

    /// Why the function went back to its original after all passes, if it did.
    pub fn reverted(&self) -> Option<&Reverted> {
        match &self.refused {
            Some(Refused::Reverted(why)) => Some(why),
            _ => None,
        }
    }

    /// The pass is the one over memory accesses.
    pub fn is_memory(&self) -> bool {
        self.pass == Pass::name(&ptxasw_passes::memory::Memory)
    }

    /// The pass is one over the arithmetic of a thread.
    pub fn is_arithmetic(&self) -> bool {
        let pass = ptxasw_passes::named(self.pass);
        pass.is_ok_and(Pass::is_arithmetic)
    }

    /// There is nothing to report.
    pub fn is_empty(&self) -> bool {
        !self.changed && self.remarks.is_empty() && self.refused.is_none()
    }
}

/// The functions that go on at another level of the memory pass.
pub type Stepped = FxHashSet<Box<str>>;

/// What is taken back of functions, and why.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Reversions {
    /// Levels of the memory pass that are not taken, the highest first.
    pub levels: IndexMap<String, Vec<Reverted>>,
    /// Functions that keep their arithmetic.
    pub arithmetic: IndexMap<String, Reverted>,
    /// Functions that stay as they came.
    pub out: IndexMap<String, Reverted>,
}

impl Reversions {
    /// Nothing is taken back.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.arithmetic.is_empty() && self.out.is_empty()
    }
}

/// Marks what machine code sends back: levels of the memory pass, arithmetic, whole functions. The result names functions that go on at
/// another level.
pub fn take_back(reports: &mut [Report], back: &Reversions) -> Stepped {
    let mut stepped = Stepped::default();
    for report in reports.iter_mut().filter(|report| report.changed) {
        let name = &*report.function;
        let out = back.out.get(name);
        if let Some(tried) = back.levels.get(name)
            && report.is_memory()
        {
            let levels = (0..).map(|steps| report.loads.below(steps));
            let tried = levels.zip(tried.iter().cloned());
            report
                .tried
                .extend(tried.map(|(loads, why)| Tried { loads, why }));
            if out.is_none() {
                stepped.insert(report.function.clone());
            }
        }
        let arithmetic = back.arithmetic.get(name);
        let arithmetic = arithmetic.filter(|_| report.is_arithmetic());
        if let Some(why) = out.or(arithmetic) {
            revert_one(report, why);
        }
    }
    stepped
}

/// Of functions that go on at another level the reports that were made there; all others stay. Where that level changes nothing
/// the function is as it was, for the reason of the last one.
pub(super) fn merged(before: Vec<Report>, again: Vec<Report>, stepped: &Stepped) -> Vec<Report> {
    let mut again: Vec<Option<Report>> = again.into_iter().map(Some).collect();
    let merged = before.into_iter().map(|mut old| {
        if !stepped.contains(&old.function) {
            return old;
        }
        let same = |one: &&mut Option<Report>| {
            let one = one.as_ref();
            one.is_some_and(|one| one.function == old.function && one.pass == old.pass)
        };
        let new = again.iter_mut().find(same).and_then(Option::take);
        match new.filter(|new| new.changed) {
            Some(new) => Report {
                tried: old.tried,
                ..new
            },
            None => {
                if let Some(last) = old.tried.pop() {
                    revert_one(&mut old, &last.why);
                }
                old
            }
        }
    });
    merged.collect()
}

/// The options under which each function is left as its reports say.
pub fn settled_options(reports: &[Report], options: &Options) -> Options {
    let mut options = options.clone();
    for report in reports {
        let name = &*report.function;
        match report.reverted() {
            Some(_) if report.is_arithmetic() => options.arithmetic.leave_out(name),
            Some(_) => options.kernels.leave_out(name),
            None => {}
        }
        if !report.tried.is_empty() {
            let steps = options.kernels.steps_back(name) + report.tried.len();
            options.kernels.step_back(name, steps);
        }
    }
    options
}

/// The kernels of which a pass that changed them has shown that no block waits for another.
pub fn wait_for_none(reports: &[Report]) -> impl Iterator<Item = &str> {
    let shown = reports
        .iter()
        .filter(|one| one.changed && one.waits_for_none);
    shown.map(|one| &*one.function)
}

/// The functions that the memory pass changed, each with the lowest level that is expected to come to the same.
pub fn least(reports: &[Report]) -> impl Iterator<Item = (String, Loads)> {
    let mut least: FxHashMap<&str, Loads> = FxHashMap::default();
    for one in reports.iter().filter(|one| one.changed) {
        if let Some(level) = one.least {
            let known = least.entry(&one.function).or_default();
            *known = level.max(*known);
        }
    }
    least
        .into_iter()
        .map(|(function, level)| (function.to_string(), level))
}

/// Takes back all that passes did to some functions: every place that was changed stays as it is, for the reason that is given.
pub fn revert(reports: &mut [Report], back: &[(String, Reverted)]) {
    for report in reports.iter_mut().filter(|report| report.changed) {
        if let Some((_, why)) = back.iter().find(|(name, _)| **name == *report.function) {
            revert_one(report, why);
        }
    }
}

/// Takes back what the passes across lanes did to some functions.
pub(super) fn revert_search(reports: &mut [Report], back: &[(String, Reverted)]) {
    let reports = reports.iter_mut().filter(|report| report.search.is_some());
    for report in reports.filter(|report| report.changed) {
        if let Some((_, why)) = back.iter().find(|(name, _)| **name == *report.function) {
            revert_one(report, why);
        }
    }
}

fn revert_one(report: &mut Report, why: &Reverted) {
    for remark in report.remarks.iter_mut().filter(|one| one.fate.is_done()) {
        remark.undone = Some(std::mem::replace(&mut remark.fate, Fate::Kept));
        remark.what = Cow::Owned(why.why.clone());
        (remark.with, remark.lift) = (None, None);
    }
    report.refuse(Refused::Reverted(why.clone()));
}
