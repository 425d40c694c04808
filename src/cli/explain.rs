//! `ptxasw explain`: a remark on every load.

use super::files;
use super::options::SynthesisArguments;
use clap::Args;
use ptxasw::ptx::emit::Variant;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    #[command(flatten)]
    synthesis: SynthesisArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.synthesis.options(Variant::Normal, false)?;
    let path = &arguments.input;
    let text = files::read(path)?;
    let module =
        ptxasw::ptx::parse(&text).map_err(|error| files::syntax_error(&error, path, &text))?;
    let kernels = ptxasw::pipeline::analyze(&module, &options)
        .map_err(|errors| files::decode_errors(&errors, path, &text))?;
    let report = ptxasw::report::explain::explain(&files::display(path), &module, &kernels);
    files::write(Path::new("-"), report.as_bytes())
}
