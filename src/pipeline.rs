//! The whole pipeline of a module: text in, text out, with a verdict for every load.

mod accesses;
mod analysis;
mod eligibility;
mod front_end;
mod kept;
mod kernel;
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
pub use analysis::{Analysis, analyze, analyze_function, analyzed, panic_message};
pub use front_end::{FrontEnd, ReadFunction};
pub use kept::Kept;
pub use kernel::Kernel;
pub use mark::{Mark, Marks};
pub use module::{Module, Reading};
pub use options::Options;
pub use origins::{Descent, Origins, Stretch};
pub use output::{Edited, Output};
pub use ptx::{carried_out, read_all};

use crate::ptx::ast;
use crate::ptx::decode::DecodeErrors;
use crate::ptx::error::SyntaxError;
use crate::ptx::text::edit::{self, Edit};
use crate::ptx::write;

/// Why a module can't be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A body does not make sense.
    #[error(transparent)]
    Decode(#[from] DecodeErrors),
    /// A plan can't be carried out in the text: an internal error.
    #[error("internal error: kernel '{0}': {1}")]
    Unwritten(Box<str>, String),
    /// The edits do not fit the text: an internal error.
    #[error("internal error: {0}")]
    Edit(#[from] edit::EditError),
}

/// Rewrites a module: the passes over its SSA IR, then the shuffles in what they left.
///
/// # Errors
/// If the text is not PTX, or a body uses what it does not declare.
pub fn optimize(text: &[u8], options: &Options) -> Result<Output, Error> {
    let module = Module::read(text, options.jobs)?;
    let options = &limit::settled(&module, options)?;
    let passed = ssa::run_in(module, options)?;
    let edited = rewrite(&passed.module, options)?;
    Ok(Output {
        accesses: passed.accesses(options),
        passes: passed.reports,
        origins: passed.module.origins().cloned(),
        ..edited.finish(passed.module.text())?
    })
}

/// Writes shuffles into a module, after all passes over its SSA IR ([`ssa::run`]): analyse each kernel, write.
///
/// # Errors
/// If a body uses what it does not declare.
pub fn rewrite(module: &Module, options: &Options) -> Result<Edited, Error> {
    let kernels = analyze(module, options)?;
    edited(module.tree(), kernels, options)
}

/// What becomes of a module whose kernels were analysed.
///
/// # Errors
/// An internal error: a plan can't be written. With [`Options::keep_going`] its kernel keeps the original instead.
pub fn edited(
    module: &ast::Module,
    kernels: Vec<Kernel>,
    options: &Options,
) -> Result<Edited, Error> {
    let fault = |kernel: &Kernel| Some((kernel.name.clone(), kernel.fault.clone()?));
    if let Some((name, fault)) = kernels
        .iter()
        .find_map(fault)
        .filter(|_| !options.keep_going)
    {
        return Err(Error::Unwritten(name, fault));
    }
    let edits = edits(module, &kernels);
    Ok(Edited { edits, kernels })
}

/// The text of a module with the plans of its kernels carried out.
///
/// # Errors
/// The edits do not fit the text: an internal error.
pub fn write(module: &ast::Module, kernels: &[Kernel]) -> Result<Vec<u8>, Error> {
    Ok(edit::apply(module.text(), &edits(module, kernels))?)
}

/// The edits of a module's kernels, in the order of the text, with those that its header needs for them.
pub fn edits(module: &ast::Module, kernels: &[Kernel]) -> Vec<Edit> {
    write::together(module, kernels.iter().map(|kernel| &kernel.written))
}
