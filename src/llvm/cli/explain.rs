//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use crate::analyze::Module;
use crate::passes;
use crate::stage::{self, Extras};
use crate::view::View;
use clap::Args;
use inkwell::context::Context;
use ptxasw::cli::explain::DetailArguments;
use ptxasw::cli::files;
use ptxasw::cli::ir::PassArguments;
use ptxasw::cli::options::SynthesisArguments;
use ptxasw::cli::registers::{RegisterArguments, say};
use ptxasw::driver::Wanted;
use ptxasw::pipeline::InputFunction;
use ptxasw::report::function::Decisions;
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
    let options = stage::settled(&module, &options)?;
    let (mut passed, mut found) = stage::run_passes(&module, &options, &extras)?;
    let analyzed = Module::new(View::new(&module));
    let (mut kernels, lowered) = analyzed.analyze(&options, &mut passed);
    found.add(stage::examine(&module, &mut kernels, &extras)?);
    say(&found.checked, path, arguments.detail.quiet);
    let path = files::display(&arguments.input);
    let accesses: Vec<InputFunction> = passed.accesses.values().cloned().collect();
    let decisions = Decisions {
        input: &accesses,
        passes: &passed.reports,
        kernels: &kernels,
    };
    let input = passed.input.as_ref();
    let report = stage::explained(&analyzed, input, &path, decisions, &lowered, |subject| {
        arguments.detail.render(subject)
    })?;
    files::print(&report)
}
