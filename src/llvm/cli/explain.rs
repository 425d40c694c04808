//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use crate::analyze::Module;
use crate::passes;
use crate::registers;
use crate::stage::{self, Extras};
use crate::view::View;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::explain::DetailArguments;
use ptxasw::cli::files;
use ptxasw::cli::ir::PassArguments;
use ptxasw::cli::options::SynthesisArguments;
use ptxasw::cli::registers::{RegisterArguments, say};
use ptxasw::shuffle::lower::Variant;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
    #[command(flatten)]
    detail: DetailArguments,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    /// Of what passes over the SSA IR change.
    #[command(flatten)]
    registers: RegisterArguments,
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
    let extras = Extras {
        guard: arguments.registers.is_wanted().then_some(arch),
        ..Extras::default()
    };
    let (passed, _, checked) = registers::run_passes(&module, &options, &extras)?;
    say(&checked, arguments.detail.quiet);
    let module = Module::new(View::new(&module));
    let path = files::display(&arguments.input);
    let analyzed = module.analyze(&options);
    let functions = analyzed.iter().map(|one| (&one.kernel, &one.lowered));
    let report = stage::explained(&module, &passed, &path, functions, |subject| {
        arguments.detail.render(subject)
    })?;
    files::print(&report)
}
