//! What becomes of a kernel.

use super::mark::Mark;
use super::origins::Descent;
use crate::passes::shuffle::model::proof_method::ProofCounts;
use crate::passes::shuffle::plan::Plan;
use crate::passes::shuffle::refusal::Refusal;
use crate::passes::shuffle::synthesis::{LoadReport, Outcome};
use crate::ptx::write::Written;
use crate::solver::Account;

/// What became of a kernel or of a device function.
#[derive(Debug)]
pub struct Kernel {
    /// Its mangled name, unique within the module.
    pub name: Box<str>,
    /// A kernel, not a device function.
    pub entry: bool,
    /// Its item in the syntax tree.
    pub item: u32,
    /// What is done to it.
    pub plan: Plan,
    /// What carries the plan out; nothing where the text is LLVM IR.
    pub written: Written,
    /// What it records about the passes that ran, once the plan is carried out; nothing where the text is PTX.
    pub mark: Mark,
    /// A verdict for every load of global or constant memory, in the order of the text.
    pub loads: Vec<LoadReport>,
    /// Where the statement of each of these loads comes from in the input; none where that is not known.
    pub places: Vec<Option<(u32, Descent)>>,
    /// Why nothing was tried, if so.
    pub skipped: Option<Refusal>,
    /// What became of questions to the solver.
    pub questions: Account,
    /// By what its shuffles were proved.
    pub proofs: ProofCounts,
    /// Why its plan was dropped, if it was.
    pub reverted: Option<&'static str>,
    /// What went wrong in the analysis, if anything did: an internal error.
    pub fault: Option<String>,
}

impl Kernel {
    /// Whether it is to be changed.
    pub fn is_rewritten(&self) -> bool {
        !self.plan.shuffles.is_empty()
    }

    /// Drops its plan: it goes back to its original, and what was found covered stays as it is. `why` completes the sentence
    /// "the original is kept, since ...".
    pub fn drop_plan(&mut self, why: &'static str) {
        if self.is_rewritten() {
            self.reverted = Some(why);
        }
        self.plan = Plan {
            item: self.item,
            ..Plan::default()
        };
        self.written = Written::default();
    }
}

/// Covered and kept loads of a kernel.
impl Kernel {
    /// One of which nothing is known yet; `item` is its place in the module.
    pub fn new(name: &str, entry: bool, item: u32) -> Self {
        Kernel {
            name: name.into(),
            entry,
            item,
            plan: Plan::default(),
            written: Written::default(),
            mark: Mark::default(),
            loads: Vec::new(),
            places: Vec::new(),
            skipped: None,
            questions: Account::default(),
            proofs: ProofCounts::default(),
            reverted: None,
            fault: None,
        }
    }

    /// Loads that became shuffles.
    pub fn covered(&self) -> usize {
        self.loads
            .iter()
            .filter(|load| matches!(load.outcome, Outcome::Covered(_)))
            .count()
    }

    /// Loads whose shuffles are proved, but not known to pay.
    pub fn declined(&self) -> usize {
        self.plan.declined.len()
    }
}
