//! What becomes of a module of PTX.

use super::accesses::InputFunction;
use super::decisions::Decisions;
use super::module::Module;
use super::origins::Origins;
use super::ssa::{Passed, Report};
use super::{Options, edits};
use ptxasw_passes::shuffle::Search;
use ptxasw_ptx::text::edit::{self, EditError};

/// A rewritten module.
#[derive(Debug)]
pub struct Output {
    /// The text.
    pub text: Vec<u8>,
    /// What the passes did, with places of the input.
    pub passes: Vec<Report>,
    /// The loads and stores of the input.
    pub accesses: Vec<InputFunction>,
    /// Places of the text that the passes within lanes left as places of the input; none if they changed nothing.
    pub origins: Option<Origins>,
}

impl Output {
    /// The module that the passes within lanes left, and all that becomes of it under these options.
    ///
    /// # Errors
    /// The edits do not fit the text: an internal error.
    pub fn of<'t>(
        passed: Passed<Module<'t>>,
        options: &Options,
    ) -> Result<(Module<'t>, Self), EditError> {
        let accesses = passed.accesses(options);
        let Passed {
            module,
            reports: passes,
            pending,
            ..
        } = passed;
        let output = Output {
            text: edit::apply(module.text(), &edits(&module, &pending))?,
            passes,
            accesses,
            origins: module.origins().cloned(),
        };
        Ok((module, output))
    }

    /// All decisions about it.
    pub fn decisions(&self) -> Decisions<'_> {
        Decisions {
            input: &self.accesses,
            passes: &self.passes,
        }
    }

    /// What was found for shuffles, by functions in the order of the text.
    pub fn searches(&self) -> impl Iterator<Item = &Search> {
        self.decisions().searches().map(|(_, search)| search)
    }

    /// Shuffles in all kernels.
    pub fn shuffles(&self) -> usize {
        let searches = self.searches();
        searches.map(|search| search.plan.shuffles.len()).sum()
    }
}
