//! The verdict on a function: what was done to it and under which condition, or why nothing was. One line, the same in every command.

use super::fates::{Fates, counted};
use super::function::{Decision, FunctionReport};
use super::positions::SourcePosition;
use indexmap::IndexMap;
use ptxasw_base::names::demangled;
use ptxasw_passes::shuffle::refusal::{Language, Refusal};
use ptxasw_passes::{Fate, Tested};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Letters of a demangled name that are shown.
const MOST_LETTERS: usize = 64;
/// Functions of a module that have a line each.
const MOST_LINES: usize = 8;
/// Functions of a larger module that are named: of those that were changed, and of those that went back.
const NAMED: usize = 3;
/// A verdict without accesses.
const NO_ACCESSES: &str = "no loads and no stores";

/// The verdict in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Changed, and by the estimate faster by 3 % or more.
    Faster,
    /// Changed, and about as fast by the estimate, or there is none.
    Changed,
    /// Looked at, and as it was.
    Unchanged,
    /// Not looked at.
    Declined,
}

impl Word {
    /// All of them, the best first.
    pub const ALL: [Word; 4] = [Word::Faster, Word::Changed, Word::Unchanged, Word::Declined];

    /// As users read it.
    pub fn name(self) -> &'static str {
        match self {
            Word::Faster => "faster",
            Word::Changed => "changed",
            Word::Unchanged => "unchanged",
            Word::Declined => "declined",
        }
    }
}

/// An estimate of the original's time by that of the rewritten kernel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The GPU that it is for: `sm_90`.
    pub arch: String,
    /// The ratio, above 1 where the rewritten kernel is faster, with the least and the largest by uncertain figures of the GPU.
    pub ratio: [f64; 3],
    /// The machine code of the original, and of what it was rewritten to.
    pub versions: [Version; 2],
}

/// Machine code, and what a launch of it waits for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// Times that a warp waits for memory on the path that is executed, every loop taken once; none where that is not known.
    pub waits: Option<u32>,
    /// Registers of a thread.
    pub registers: u32,
    /// Warps that these leave room for.
    pub warps: u32,
    /// What bounds the launch: "latency", "pipes".
    pub bound: String,
}

impl Estimate {
    /// What the machine code shows: `waits 27 -> 12, registers 40 -> 63, warps 48 -> 32; bound by latency`.
    pub fn reason(&self) -> String {
        let [before, after] = &self.versions;
        let change = |what: &str, before: u32, after: u32| match before == after {
            true => format!("{what} {before}"),
            false => format!("{what} {before} -> {after}"),
        };
        let waits = before.waits.zip(after.waits);
        // The count of a path that is not the one that runs would contradict the ratio.
        let waits = waits.filter(|(before, after)| before != after || self.ratio[0] < CLEARLY);
        let waits = waits.map(|(before, after)| change("waits for memory", before, after));
        let changes = [
            waits,
            Some(change("registers", before.registers, after.registers)),
            Some(change("warps", before.warps, after.warps)),
        ];
        let changes: Vec<String> = changes.into_iter().flatten().collect();
        let bound = match before.bound == after.bound {
            true => before.bound.clone(),
            false => format!("{}, then by {}", before.bound, after.bound),
        };
        format!("{}; bound by {bound}", changes.join(", "))
    }
}

/// Estimates by the mangled names of kernels, or why there is none.
pub type Estimates = FxHashMap<String, Result<Estimate, String>>;

/// No kernel gains so much and waits as often for memory.
const CLEARLY: f64 = 1.5;

/// Ratios from here on are called faster.
const FASTER: f64 = 1.03;

/// The verdict on a function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FunctionVerdict {
    /// Its mangled name.
    pub name: String,
    /// It is a kernel, not a device function.
    pub entry: bool,
    /// Its first position in the source, where the text names one.
    pub source: Option<SourcePosition>,
    /// The verdict in one word.
    pub word: Word,
    /// What became of its loads and stores.
    pub fates: Fates,
    /// What would have become of them if the function had not gone back to its original.
    pub undone: Option<Fates>,
    /// What the rewriting tests at run time.
    pub tested: Tested,
    /// Why it is unchanged or declined; why loads that a neighbouring lane holds stay.
    pub why: Option<String>,
    /// How much faster it is by the machine code, where that was asked for.
    pub estimate: Option<Estimate>,
    /// Why there is none although it was asked for.
    pub no_estimate: Option<String>,
}

impl FunctionVerdict {
    /// Of a function.
    pub fn of(function: &FunctionReport) -> Self {
        let fates = Fates::of(function);
        let is_declined = function.is_skipped() || function.is_unread();
        let word = match () {
            () if function.is_changed() => Word::Changed,
            () if is_declined && function.reverted().is_none() => Word::Declined,
            () => Word::Unchanged,
        };
        let went_back = !function.is_changed() && function.reverted().is_some();
        let undone = went_back.then(|| Fates::undone(function));
        let mut tested = Tested::default();
        function
            .passes
            .iter()
            .for_each(|report| tested.add(report.tested));
        FunctionVerdict {
            name: function.name.to_owned(),
            entry: function.entry,
            source: function.source.cloned(),
            word,
            why: match went_back {
                // Of the level whose fates are shown: the first that was tried.
                true => first_reason(function).map(str::to_owned),
                false => why(&fates, function),
            },
            undone: undone.filter(Fates::is_done),
            fates,
            tested,
            estimate: None,
            no_estimate: None,
        }
    }

    /// It went back to its original after all passes.
    pub fn revert(&mut self, why: Option<String>) {
        if self.word > Word::Changed {
            return;
        }
        self.undone = Some(self.fates.clone());
        self.fates.revert();
        (self.word, self.why) = (Word::Unchanged, why);
        (self.tested, self.estimate, self.no_estimate) = (Tested::default(), None, None);
    }

    /// With the estimate of its kernel, which decides whether it is faster.
    pub fn estimated(mut self, estimates: &Estimates) -> Self {
        match estimates.get(&self.name) {
            Some(Ok(estimate)) => {
                if self.word == Word::Changed && estimate.ratio[0] >= FASTER {
                    self.word = Word::Faster;
                }
                self.estimate = Some(estimate.clone());
            }
            Some(Err(why)) => self.no_estimate = Some(why.clone()),
            None => {}
        }
        self
    }

    /// It has loads or stores, or may have some, or was changed.
    pub fn is_busy(&self) -> bool {
        let accesses = self.fates.all_loads() + self.fates.all_stores();
        accesses > 0 || self.word != Word::Unchanged
    }

    /// In one line: `matmul3 (batched.cu:2): faster, est. 4.5x (3.7-5.6) on sm_90; 36 of 54 loads and 27 of 36 stores removed, if pointers do
    /// not overlap`.
    pub fn line(&self) -> String {
        let source = self.source.as_ref().map_or_else(String::new, |source| {
            let file = Path::new(&source.file).file_name();
            let file = file.map_or(source.file.as_str().into(), |name| name.to_string_lossy());
            format!(" ({file}:{})", source.line)
        });
        format!("{}{source}: {}", shown(&self.name), self.clause())
    }

    /// For programs: the word, the line, and what they are made of.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "word": self.word,
            "line": self.line(),
            "undone": self.undone,
            "tested": self.tested,
            "why": self.why,
            "estimate": self.estimate,
            "no_estimate": self.no_estimate,
        })
    }

    /// The line without the name.
    pub fn clause(&self) -> String {
        let mut clause = self.word.name().to_owned();
        if let Some(Estimate { arch, ratio, .. }) = &self.estimate {
            let [point, least, largest] = ratio;
            clause += &format!(", est. {point:.2}x ({least:.2}-{largest:.2}) on {arch}");
        }
        let why = self.why.as_deref();
        let details = match self.word {
            Word::Faster | Word::Changed => {
                let condition = self.tested.condition();
                let condition = condition.map_or_else(String::new, |one| format!(", {one}"));
                let why = why.map_or_else(String::new, |why| format!(" ({why})"));
                format!("{}{condition}{why}", self.fates.line())
            }
            Word::Declined => why.unwrap_or("it is left as it is").to_owned(),
            Word::Unchanged => match (&self.undone, why) {
                (Some(undone), Some(why)) => format!("{}, taken back: {why}", undone.line()),
                (Some(undone), None) => format!("{}, taken back", undone.line()),
                (None, why) => self.left(why),
            },
        };
        format!("{clause}; {details}")
    }

    /// Why nothing was done.
    fn left(&self, why: Option<&str>) -> String {
        let declined = self.fates.count(Fate::Declined);
        let all = self.fates.all();
        match (declined, why) {
            (0, None) if all == NO_ACCESSES => all,
            (0, None) => format!("{all}: nothing to remove, join or move"),
            (0, Some(why)) => format!("{all}: {why}"),
            (_, why) => {
                let loads = counted(self.fates.all_loads(), "load");
                let verb = if declined == 1 { "is" } else { "are" };
                let why = why.map_or_else(String::new, |why| format!(": {why}"));
                format!("{declined} of {loads} {verb} in a neighbouring lane's register{why}")
            }
        }
    }
}

/// A demangled name, cut where it is long.
pub fn shown(name: &str) -> String {
    let name = demangled(name);
    match name.char_indices().nth(MOST_LETTERS) {
        Some(_) => {
            let end = name.char_indices().nth(MOST_LETTERS - 1);
            format!("{}…", &name[..end.map_or(0, |(at, _)| at)])
        }
        None => name,
    }
}

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
    let counts = Word::ALL.map(|word| {
        let busy = verdicts.iter().filter(|one| one.is_busy());
        (word, busy.filter(|one| one.word == word).count())
    });
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(word, count)| format!("{count} {}", word.name()))
        .collect();
    counts.join(", ")
}

/// Why a function went back: by the first level of the memory pass that was tried, if several were.
fn first_reason<'a>(function: &FunctionReport<'a>) -> Option<&'a str> {
    let mut tried = function.passes.iter().flat_map(|report| &report.tried);
    let first = tried.next().map(|one| &*one.why.why);
    first.or(function.reverted())
}

/// Why what is proved is not done, or why nothing is: the most frequent reason, and what lifts it.
fn why(fates: &Fates, function: &FunctionReport) -> Option<String> {
    let declined = fates.count(Fate::Declined) > 0;
    if fates.is_done() && !declined {
        return None;
    }
    if !fates.is_done()
        && let Some(why) = function.reverted()
    {
        return Some(why.to_owned());
    }
    let wanted = match declined {
        true => Fate::Declined,
        false => Fate::Kept,
    };
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    let headlines = function.accesses.iter();
    let headlines = headlines.filter_map(|access| access.headline());
    for decision in headlines.filter(|one| one.fate() == wanted) {
        if let Some(reason) = reason(&decision) {
            *counts.entry(reason).or_default() += 1;
        }
    }
    // Of equally frequent ones the first.
    let most = counts.values().copied().max();
    let found = counts.into_iter().find(|(_, count)| Some(*count) == most);
    let skipped = function.skipped().filter(|_| !fates.is_done());
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
