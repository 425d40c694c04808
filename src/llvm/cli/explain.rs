//! `ptxasw explain` of LLVM IR: a remark on every load.

use super::input;
use crate::analyze::{Module, Statements};
use crate::passes;
use crate::view::View;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::files;
use ptxasw::cli::ir::PassArguments;
use ptxasw::cli::options::SynthesisArguments;
use ptxasw::ptx::emit::Variant;
use ptxasw::report::explain::{ASSUMPTION, explain_kernel};
use ptxasw::report::lines::LineIndex;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    #[command(flatten)]
    passes: PassArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.synthesis.options(Variant::Normal, false)?;
    let context = Context::create();
    let (path, arch) = (&arguments.input, arguments.synthesis.arch());
    let module = input::device(&context, path, arch, false)?;
    input::check_kernels(&module, path, &options.kernels)?;
    passes::run(&module, &arguments.passes, None)?;
    let module = Module::new(View::new(&module));
    let text = module.text.text.as_bytes();
    let (path, lines) = (files::display(&arguments.input), LineIndex::new(text));
    let mut out = String::new();
    for one in module.analyze(&options) {
        let places = Statements::new(&module, &one.kernel, &one.lowered);
        explain_kernel(&path, text, &lines, &places, &one.kernel, &mut out);
    }
    let _ = writeln!(out, "{ASSUMPTION}");
    files::write(Path::new("-"), out.as_bytes())
}
