//! What becomes of a module of PTX.

use super::accesses::InputFunction;
use super::kernel::Kernel;
use super::origins::Origins;
use super::ssa::Report;
use crate::ptx::text::edit::{self, Edit, EditError};

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

impl Output {
    /// Shuffles in all kernels.
    pub fn shuffles(&self) -> usize {
        self.kernels
            .iter()
            .map(|kernel| kernel.plan.shuffles.len())
            .sum()
    }
}
