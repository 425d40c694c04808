//! `ptxasw opt`: rewrite a module.

use super::options::SynthesisArguments;
use super::verify::How;
use super::{files, ir, llvm};
use crate::pipeline::{Kernel, Output};
use crate::ptx::emit::Variant;
use crate::report::explain;
use crate::shuffle::certificate;
use crate::verify::{Judged, Module, Verdict, keep_equal};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    /// Where the rewritten module goes; `-` for standard output. It may be the input.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    synthesis: SynthesisArguments,
    #[command(flatten)]
    passes: ir::PassArguments,
    /// Writes the plan as JSON.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Writes what was proved to a folder, one SMT-LIB 2 file for each claim; `ptxasw check` replays them.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["no_load", "no_corner"])]
    certificates: Option<PathBuf>,
    /// Measuring variant of the paper: covered loads are dropped, no shuffles. The output is wrong on purpose.
    #[arg(long, conflicts_with = "no_corner")]
    no_load: bool,
    /// Measuring variant of the paper: shuffles without corner loads. The output is wrong on purpose.
    #[arg(long)]
    no_corner: bool,
    /// Runs each rewritten kernel and its original on the CPU, as `verify` does, and keeps the original where anything
    /// differs. A kernel that could not be run stays rewritten, with a warning; with `strict` it does not.
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "usual",
        conflicts_with_all = ["no_load", "no_corner"])]
    verify: Option<Strictness>,
    /// What `--verify` runs: a launch file or line. Without one, launches are made up.
    #[arg(long, value_name = "FILE|LINE", requires = "verify")]
    launch: Vec<String>,
    /// Says on standard error what was done to each kernel.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// No warnings.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Strictness {
    /// What could not be run stays rewritten.
    Usual,
    /// Only what was found equal stays rewritten: every shuffle was reached, no result depends on the schedule.
    Strict,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let variant = match (arguments.no_load, arguments.no_corner) {
        (true, _) => Variant::NoLoad,
        (_, true) => Variant::NoCorner,
        _ => Variant::Normal,
    };
    let certificates = arguments.plan.is_some() || arguments.certificates.is_some();
    let options = arguments.synthesis.options(variant, certificates)?;
    let text = files::read(&arguments.input)?;
    llvm::hand_over(&arguments.input, &text)?;
    arguments.passes.refuse_for_ptx()?;
    let mut output = crate::optimize(&text, &options)
        .map_err(|error| files::pipeline_error(error, &arguments.input, &text))?;
    if variant != Variant::Normal && !arguments.quiet {
        eprintln!(
            "ptxasw: warning: the output is wrong on purpose: a measuring variant without its loads"
        );
    }
    if let Some(strictness) = arguments.verify {
        output = verified(arguments, &text, output, strictness)?;
    }
    if arguments.verbose {
        report(&output.kernels);
    }
    if let Some(path) = &arguments.plan {
        let plans: Vec<_> = output.kernels.iter().map(|kernel| &kernel.plan).collect();
        let json = serde_json::to_vec_pretty(&plans).context("cannot write the plan as JSON")?;
        files::write(path, &json)?;
    }
    if let Some(folder) = &arguments.certificates {
        let plans: Vec<_> = output.kernels.iter().map(|kernel| &kernel.plan).collect();
        certificate::write(folder, &plans)?;
    }
    files::write(&arguments.output, &output.text)
}

/// The output with the original of every kernel that does not compare equal.
fn verified(
    arguments: &Arguments,
    text: &[u8],
    output: Output,
    strictness: Strictness,
) -> anyhow::Result<Output> {
    let failed = |error| files::pipeline_error(error, &arguments.input, text);
    let original = Module::read(text).map_err(failed)?;
    let how = How::with_launches(arguments.launch.clone());
    let options = how.options(&original.form, arguments.synthesis.jobs(), |_| true)?;
    let strict = strictness == Strictness::Strict;
    let (output, judged) = keep_equal(text, output, &options, strict).map_err(failed)?;
    for Judged { report, kept } in judged.iter().filter(|_| !arguments.quiet) {
        let what = match (&report.verdict, kept) {
            (Verdict::Equal, true) => continue,
            (Verdict::Equal, false) => "could only be compared in part, the original is kept",
            (Verdict::Different(_), _) => "gives other results, the original is kept",
            (Verdict::UndefinedBehaviour(_), _) => {
                "has undefined behaviour of its own, the original is kept"
            }
            (Verdict::CouldNotRun(_), true) => "could not be compared, it stays rewritten",
            (Verdict::CouldNotRun(_), false) => "could not be compared, the original is kept",
        };
        eprintln!("ptxasw: warning: kernel `{}`: {what}", report.kernel);
    }
    Ok(output)
}

fn report(kernels: &[Kernel]) {
    for kernel in kernels {
        eprintln!("ptxasw: {}", explain::summary(kernel));
    }
    eprintln!("ptxasw: {}", explain::ASSUMPTION);
}
