//! What becomes of a module and of its kernels.

use super::accesses::InputFunction;
use super::mark::Mark;
use super::origins::{Descent, Origins};
use super::ssa::Report;
use crate::ptx::decode::form;
use crate::ptx::text::edit::{self, Edit, EditError};
use crate::ptx::write::Written;
use crate::shuffle::model::proof_method::ProofCounts;
use crate::shuffle::plan::Plan;
use crate::shuffle::refusal::Refusal;
use crate::shuffle::synthesis::{LoadReport, Outcome};
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

/// What is done to a module, before there is a new text.
#[derive(Debug)]
pub struct Edited {
    /// The edits of its text, in order.
    pub edits: Vec<Edit>,
    /// Its kernels, in order.
    pub kernels: Vec<Kernel>,
}

impl Edited {
    /// The new text, as pieces of the old one and of the edits.
    ///
    /// # Errors
    /// The edits do not fit the text: an internal error.
    pub fn pieces<'t>(&'t self, text: &'t [u8]) -> Result<Vec<&'t [u8]>, EditError> {
        edit::pieces(text, &self.edits)
    }

    /// With the new text as a whole.
    ///
    /// # Errors
    /// The edits do not fit the text: an internal error.
    pub fn finish(self, text: &[u8]) -> Result<Output, EditError> {
        let text = edit::apply(text, &self.edits)?;
        Ok(Output {
            text,
            kernels: self.kernels,
            passes: Vec::new(),
            accesses: Vec::new(),
            origins: None,
        })
    }
}

/// A rewritten module.
#[derive(Debug)]
pub struct Output {
    /// The text.
    pub text: Vec<u8>,
    /// Its kernels, in order.
    pub kernels: Vec<Kernel>,
    /// What the passes over the SSA IR did, with lines of the input. The lines of loads are those of the text that these left.
    pub passes: Vec<Report>,
    /// The loads and stores of the input.
    pub accesses: Vec<InputFunction>,
    /// Places of the text that these left as places of the input; none if they changed nothing.
    pub origins: Option<Origins>,
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

impl Output {
    /// Shuffles in all kernels.
    pub fn shuffles(&self) -> usize {
        self.kernels
            .iter()
            .map(|kernel| kernel.plan.shuffles.len())
            .sum()
    }
}

/// Covered and kept loads of a kernel.
impl Kernel {
    /// One to which nothing is done.
    pub(super) fn untouched(header: &form::Function, skipped: Option<Refusal>) -> Self {
        Kernel {
            skipped,
            ..Kernel::new(&header.name, header.entry, header.item)
        }
    }

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
