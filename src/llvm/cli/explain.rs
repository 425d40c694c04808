//! `ptxasw explain` of LLVM IR: what became of the loads of a module.

use super::input;
use clap::Args;
use inkwell::context::Context;
use ptxasw_driver::Wanted;
use ptxasw_driver::report::verdict::Estimates;
use ptxasw_llvm::stage::{self, Extras};
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_tools::cli::explain::{DetailArguments, verdicts};
use ptxasw_tools::cli::files;
use ptxasw_tools::cli::ir::PassArguments;
use ptxasw_tools::cli::options::SynthesisArguments;
use ptxasw_tools::cli::registers::{RegisterArguments, say};
use ptxasw_tools::estimates;
use std::borrow::Cow;
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
    let input = module;
    let (module, done) = stage::decided(&input, &options, &extras)?;
    say(&done.found.checked, path, arguments.detail.quiet);
    let path = files::display(&arguments.input);
    let estimates = match arguments.detail.has_estimates() {
        false => Estimates::default(),
        true => {
            let texts = stage::both_as_ptx(&input, (&module, &done), arch);
            let texts = texts.map(|texts| texts.map(Cow::Owned));
            let texts = texts.map_err(|error| error.to_string());
            let given = arch.and_then(|arch| arch.parse().ok());
            estimates::of(texts, &verdicts(done.decisions()), &[], (given, None))
        }
    };
    let report = stage::explained(&module, &path, done.decisions(), |subject| {
        subject.estimates = estimates;
        arguments.detail.render(subject)
    })?;
    files::print(&report)
}
