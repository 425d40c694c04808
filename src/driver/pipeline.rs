//! The whole pipeline of a module: text in, text out, with a verdict for every load.

mod accesses;
mod decisions;
mod eligibility;
mod front_end;
mod kept;
pub mod limit;
pub mod mark;
mod module;
mod options;
mod origins;
mod output;
mod ptx;
pub mod record;
pub mod settings;
pub mod ssa;
pub mod tuned;

pub use accesses::{InputAccess, InputFunction};
pub use decisions::Decisions;
pub use front_end::{FrontEnd, ReadFunction};
pub use kept::Kept;
pub use mark::{Mark, Marks};
pub use module::{Module, Reading};
pub use options::Options;
pub use origins::{Descent, Origins, Stretch};
pub use output::Output;
pub use ptx::read_all;

use ptxasw_ptx::decode::DecodeErrors;
use ptxasw_ptx::error::{SyntaxError, Unreadable};
use ptxasw_ptx::text::edit::{self, Edit};
use ptxasw_ptx::write::{self, Written};

/// Why a module can't be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A body does not make sense.
    #[error(transparent)]
    Decode(#[from] DecodeErrors),
    /// The edits do not fit the text: an internal error.
    #[error("internal error: {0}")]
    Edit(#[from] edit::EditError),
}

impl From<Unreadable> for Error {
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Syntax(error) => error.into(),
            Unreadable::Decode(errors) => errors.into(),
        }
    }
}

/// Rewrites a module: all its passes, without anything that goes back.
///
/// # Errors
/// If the text is not PTX, or a body uses what it does not declare.
pub fn optimize(text: &[u8], options: &Options) -> Result<Output, Error> {
    let module = Module::read(text, options.jobs)?;
    let options = &limit::settled(&module, options)?;
    let mut passed = ssa::run_in(module, options)?;
    passed.run_across_lanes(options)?;
    Ok(Output::of(passed, options)?.1)
}

/// The edits that carry out what is pending in a module, in the order of the text, with those that its header needs for them.
pub fn edits(module: &Module, pending: &[(usize, Written)]) -> Vec<Edit> {
    write::together(module.tree(), pending.iter().map(|(_, written)| written))
}
