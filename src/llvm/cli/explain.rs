//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use crate::passes;
use crate::stage::{self, Extras};
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::explain::DetailArguments;
use ptxasw::cli::files;
use ptxasw::cli::ir::PassArguments;
use ptxasw::cli::options::SynthesisArguments;
use ptxasw::cli::registers::{RegisterArguments, say};
use ptxasw::driver::Wanted;
use ptxasw::passes::shuffle::lower::Variant;
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
    passes::run(&module, &arguments.passes, None)?;
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
