//! Modules that commands read.

use crate::read;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::cli::{Diagnostic, files};
use std::path::Path;

/// Reads a module, or says with LLVM's words why not.
pub fn read<'ctx>(context: &'ctx Context, path: &Path) -> anyhow::Result<Module<'ctx>> {
    let bytes = files::read(path)?;
    let module = read::read(context, &bytes, &files::display(path));
    Ok(module.map_err(|error| Diagnostic(error.to_string()))?)
}
