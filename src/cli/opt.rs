//! `ptxasw opt`: rewrite a module.

use super::files;
use super::options::SynthesisArguments;
use anyhow::Context;
use clap::Args;
use ptxasw::pipeline::Kernel;
use ptxasw::ptx::emit::Variant;
use ptxasw::report::explain;
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
    /// Writes the plan as JSON.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Measuring variant of the paper: covered loads are dropped, no shuffles. The output is wrong on purpose.
    #[arg(long, conflicts_with = "no_corner")]
    no_load: bool,
    /// Measuring variant of the paper: shuffles without corner loads. The output is wrong on purpose.
    #[arg(long)]
    no_corner: bool,
    /// Says on standard error what was done to each kernel.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// No warnings.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let variant = match (arguments.no_load, arguments.no_corner) {
        (true, _) => Variant::NoLoad,
        (_, true) => Variant::NoCorner,
        _ => Variant::Normal,
    };
    let options = arguments
        .synthesis
        .options(variant, arguments.plan.is_some())?;
    let text = files::read(&arguments.input)?;
    let output = ptxasw::optimize(&text, &options)
        .map_err(|error| files::pipeline_error(error, &arguments.input, &text))?;
    if variant != Variant::Normal && !arguments.quiet {
        eprintln!(
            "ptxasw: warning: the output is wrong on purpose: a measuring variant without its loads"
        );
    }
    if arguments.verbose {
        report(&output.kernels);
    }
    if let Some(path) = &arguments.plan {
        let plans: Vec<_> = output.kernels.iter().map(|kernel| &kernel.plan).collect();
        let json = serde_json::to_vec_pretty(&plans).context("cannot write the plan as JSON")?;
        files::write(path, &json)?;
    }
    files::write(&arguments.output, &output.text)
}

fn report(kernels: &[Kernel]) {
    for kernel in kernels {
        eprintln!("ptxasw: {}", explain::summary(kernel));
    }
    eprintln!("ptxasw: {}", explain::ASSUMPTION);
}
