//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use crate::analyze::{Module, Statements};
use crate::passes;
use crate::ssa;
use crate::view::View;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::explain::DetailArguments;
use ptxasw::cli::files;
use ptxasw::cli::ir::PassArguments;
use ptxasw::cli::options::SynthesisArguments;
use ptxasw::ptx::emit::Variant;
use ptxasw::report::explain::{Places, Subject, language};
use ptxasw::report::lines::LineIndex;
use ptxasw::report::remarks;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
    #[command(flatten)]
    detail: DetailArguments,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    #[command(flatten)]
    passes: PassArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.synthesis.options(Variant::Normal, false)?;
    let context = Context::create();
    let (path, arch) = (&arguments.input, arguments.synthesis.arch());
    let module = input::device(&context, path, arch, arguments.detail.quiet)?;
    input::check_kernels(&module, path, &options.kernels)?;
    passes::run(&module, &arguments.passes, None)?;
    ssa::run(&module, &options)?;
    let module = Module::new(View::new(&module));
    let text = module.text.text.as_bytes();
    let (path, lines) = (files::display(&arguments.input), LineIndex::new(text));
    let analyzed = module.analyze(&options);
    let places: Vec<_> = analyzed
        .iter()
        .map(|one| Statements::new(&module, &one.kernel, &one.lowered))
        .collect();
    let placed = analyzed.iter().zip(&places);
    let subject = Subject {
        path: &path,
        text,
        lines: &lines,
        form: remarks::Language::Ir,
        language: language(text),
        kernels: placed
            .map(|(one, places)| (&one.kernel, Some(places as &dyn Places)))
            .collect(),
    };
    let report = arguments.detail.render(&subject)?;
    files::print(&report)
}
