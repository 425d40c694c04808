//! `ptxasw explain`: a remark on every load.

use super::options::SynthesisArguments;
use super::{files, ir, llvm, modules};
use crate::ptx::emit::Variant;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    #[command(flatten)]
    passes: ir::PassArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.synthesis.options(Variant::Normal, false)?;
    let path = &arguments.input;
    let text = files::read(path)?;
    llvm::hand_over(path, &text)?;
    arguments.passes.refuse_for_ptx()?;
    let module = modules::read(path, &text, 1, arguments.synthesis.arch(), false)?;
    modules::check_kernels(path, &options.kernels, modules::names(&module))?;
    let kernels = crate::pipeline::analyze(&module, &options)
        .map_err(|errors| files::decode_errors(&errors, path, &text))?;
    let report = crate::report::explain::explain(&files::display(path), &module, &kernels);
    files::write(Path::new("-"), report.as_bytes())
}
