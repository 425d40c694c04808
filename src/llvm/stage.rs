//! Our stage on a module of a compiler's: analysis, then the plans carried out. It is rewritten as a whole or not at all.

use crate::analyze;
use crate::emit;
use crate::kernels;
use crate::numbering::Numbering;
use crate::view::View;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::pipeline::Kernel;
use ptxasw::ptx::emit::Variant;

/// Why a module stays as it is: a fault of ours.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A plan does not fit its function.
    #[error("internal error: {0}")]
    Emit(#[from] emit::Error),
    /// LLVM finds the result invalid.
    #[error("internal error: the rewritten module is invalid: {0}")]
    Invalid(String),
}

/// Analyses a module and rewrites it.
///
/// # Errors
/// The module is as it was.
pub fn rewrite(module: &Module, options: &Options) -> Result<Vec<Kernel>, Error> {
    let analyzed = analyze::Module::new(View::new(module)).analyze(options);
    let kernels: Vec<Kernel> = analyzed.into_iter().map(|one| one.kernel).collect();
    carry_out(module, &kernels, options.variant)?;
    Ok(kernels)
}

/// Carries out the plans of a module's functions: on a copy first, which LLVM verifies.
///
/// # Errors
/// The module is as it was.
pub fn carry_out(module: &Module, kernels: &[Kernel], variant: Variant) -> Result<(), Error> {
    if kernels.iter().all(|kernel| kernel.plan.shuffles.is_empty()) {
        return Ok(());
    }
    let copy = module.clone();
    write(&copy, kernels, variant)?;
    copy.verify().map_err(|message| {
        let message = message.to_string_lossy();
        Error::Invalid(message.lines().next().unwrap_or_default().to_owned())
    })?;
    drop(copy);
    Ok(write(module, kernels, variant)?)
}

fn write(module: &Module, kernels: &[Kernel], variant: Variant) -> Result<(), emit::Error> {
    let functions = kernels::functions(View::new(module));
    let rewritten = kernels
        .iter()
        .filter(|kernel| !kernel.plan.shuffles.is_empty());
    for kernel in rewritten {
        let function = functions.get(kernel.item as usize);
        let function = function
            .ok_or(emit::Error::NoFunction(kernel.item))?
            .function;
        emit::emit(module, &Numbering::new(function), &kernel.plan, variant)?;
    }
    Ok(())
}
