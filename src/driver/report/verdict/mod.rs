//! The verdict on a function: what was done to it and under which condition, or why nothing was. One line, the same in every command.
//!
//! | file | what |
//! | --- | --- |
//! | `estimate` | how much faster it is, by its machine code |
//! | `variant` | what other options would make of it |
//! | `why` | why it stays as it was |
//! | `module` | the verdicts on a module, as lines |

mod estimate;
mod module;
#[cfg(test)]
mod tests;
mod variant;
mod why;

pub use estimate::{Estimate, Estimates, Version};
pub use module::{lines, module_line, named_counts, reasons, sum, totals};
pub use variant::{Variant, Way};

use super::fates::{Fates, counted};
use super::function::FunctionReport;
use super::positions::SourcePosition;
use ptxasw_base::names::shown;
use ptxasw_passes::{Fate, Tested};
use serde::{Deserialize, Serialize};
use std::path::Path;
use why::{first_reason, why};

/// Ratios from here on are called faster.
const FASTER: f64 = 1.03;
/// A verdict without accesses.
const NO_ACCESSES: &str = "no loads and no stores";

/// The verdict in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Changed, and by the estimate faster by 3 % or more.
    Faster,
    /// Changed, and not faster by 3 % by the estimate, or there is none.
    Changed,
    /// Looked at, and as it was.
    Unchanged,
    /// Not looked at.
    Declined,
}

impl Word {
    /// All of them, the best first.
    pub const ALL: [Word; 4] = [Word::Faster, Word::Changed, Word::Unchanged, Word::Declined];

    /// Of a changed function, by the original's time by its own, where that is known.
    pub fn of_changed(ratio: Option<f64>) -> Word {
        match ratio.is_some_and(|ratio| ratio >= FASTER) {
            true => Word::Faster,
            false => Word::Changed,
        }
    }

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
    /// What other options would make of it, where that was asked for.
    pub variants: Vec<Variant>,
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
            variants: Vec::new(),
        }
    }

    /// It went back to its original after all passes.
    pub fn revert(&mut self, why: Option<String>) {
        if self.word > Word::Changed {
            return;
        }
        self.undone = Some(self.fates.done()).filter(Fates::is_done);
        self.fates.revert();
        (self.word, self.why) = (Word::Unchanged, why);
        (self.tested, self.estimate, self.no_estimate) = (Tested::default(), None, None);
        self.variants.clear();
    }

    /// With the estimate of its kernel, which decides whether it is faster.
    pub fn estimated(mut self, estimates: &Estimates) -> Self {
        self.variants = estimates
            .variants
            .get(&self.name)
            .cloned()
            .unwrap_or_default();
        match estimates.kernels.get(&self.name) {
            Some(Ok(estimate)) => {
                if self.word == Word::Changed {
                    self.word = Word::of_changed(Some(estimate.ratio[0]));
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
                let worth = self.worth(Way::Shuffles);
                let why = why.map_or_else(String::new, |why| format!(" ({why}{worth})"));
                format!("{}{why}", self.done())
            }
            Word::Declined => why.unwrap_or("it is left as it is").to_owned(),
            Word::Unchanged => match (&self.undone, why) {
                (Some(undone), Some(why)) => {
                    let worth = self.worth(Way::Registers);
                    format!("{}, taken back: {why}{worth}", undone.line())
                }
                (Some(undone), None) => format!("{}, taken back", undone.line()),
                (None, why) => self.left(why) + &self.worth(Way::Shuffles),
            },
        };
        format!("{clause}; {details}")
    }

    /// How much faster it would be, if that is known: ` (est. 0.82x)`.
    fn worth(&self, way: Way) -> String {
        let variant = self.variants.iter().find(|one| one.way == way);
        variant.map_or_else(String::new, |one| format!(" (est. {:.2}x)", one.ratio[0]))
    }

    /// What would make it faster than it is now, the best first.
    pub fn better(&self) -> Vec<&Variant> {
        let now = match (&self.estimate, self.is_changed()) {
            (Some(estimate), _) => estimate.ratio[0],
            (None, false) => 1.0,
            // What it gains now is not known.
            (None, true) => return Vec::new(),
        };
        let mut better: Vec<&Variant> = self.variants.iter().collect();
        better.retain(|one| one.ratio[0] >= now * FASTER);
        better.sort_by(|a, b| b.ratio[0].total_cmp(&a.ratio[0]));
        better
    }

    /// What was done, and under which condition: `36 of 54 loads removed, if pointers do not overlap`.
    pub fn done(&self) -> String {
        let condition = self.tested.condition();
        let condition = condition.map_or_else(String::new, |one| format!(", {one}"));
        format!("{}{condition}", self.fates.line())
    }

    /// It was changed, whatever the estimate.
    pub fn is_changed(&self) -> bool {
        matches!(self.word, Word::Faster | Word::Changed)
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
