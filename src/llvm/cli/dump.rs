//! `ptxasw dump` of LLVM IR.

use crate::kernels;
use crate::read;
use crate::view::View;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::{Diagnostic, files};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = files::read(&arguments.input)?;
    let context = Context::create();
    let module = read::read(&context, &bytes, &files::display(&arguments.input))
        .map_err(|error| Diagnostic(error.to_string()))?;
    let mut out = String::new();
    for entry in kernels::functions(View::new(&module)) {
        let what = if entry.kernel { "kernel" } else { "function" };
        let _ = writeln!(out, "{what} {}", entry.name);
    }
    files::write(Path::new("-"), out.as_bytes())
}
