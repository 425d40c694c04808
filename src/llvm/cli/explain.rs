//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use clap::Args;
use inkwell::context::Context;
use ptxasw_driver::Wanted;
use ptxasw_llvm::stage::{self, Extras};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_tools::cli::explain::DetailArguments;
use ptxasw_tools::cli::files;
use ptxasw_tools::cli::ir::PassArguments;
use ptxasw_tools::cli::options::SynthesisArguments;
use ptxasw_tools::cli::registers::{RegisterArguments, say};
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
    let options = arguments.synthesis.options(Variant::Normal, false);
    let context = Context::create();
    let (path, arch) = (&arguments.input, arguments.synthesis.arch());
    let module = input::device(&context, path, arch, arguments.detail.quiet)?;
    input::check_choices(&module, path, &options, arguments.detail.quiet)?;
    input::run_passes(&module, &arguments.passes, None)?;
    let registers = arguments.registers.is_wanted();
    let extras = Extras {
        wanted: Wanted {
            registers: registers.then(|| stage::arch(&module, arch)),
            ..Wanted::default()
        },
        arch,
        ..Extras::default()
    };
    let (module, done) = stage::decided(&module, &options, &extras)?;
    say(&done.found.checked, path, arguments.detail.quiet);
    let path = files::display(&arguments.input);
    let report = stage::explained(&module, &path, done.decisions(), |subject| {
        arguments.detail.render(subject)
    })?;
    files::print(&report)
}
