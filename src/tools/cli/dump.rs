//! `ptxasw dump` and `ptxasw trace`: what the stages see.

use super::options::by_name;
use super::{files, llvm, modules};
use clap::Args;
use ptxasw_driver::pipeline::settings::value::Assumption;
use ptxasw_driver::pipeline::{self, Module, Reading};
use ptxasw_emulator::domains::alias::Assumptions;
use ptxasw_emulator::trace;
use ptxasw_ir::verify;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct DumpArguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    /// The SSA IR of all functions (the default and only form).
    #[arg(long)]
    ir: bool,
}

#[derive(Args)]
pub struct TraceArguments {
    /// The module; `-` for standard input.
    input: PathBuf,
    /// Takes for granted what could not be proved; may be given several times.
    #[arg(long, value_parser = by_name::<Assumption>(), value_delimiter = ',')]
    assume: Vec<Assumption>,
}

/// Prints the IR, and what the verifier finds wrong with it.
pub fn dump(arguments: &DumpArguments) -> anyhow::Result<()> {
    let _ = arguments.ir;
    each_function(&arguments.input, false, |reading, out| {
        let function = reading.function();
        let _ = write!(out, "{function}");
        for violation in verify::verify(function) {
            let _ = writeln!(out, "violation: {violation}");
        }
    })
}

/// Prints the memory trace of each kernel.
pub fn trace(arguments: &TraceArguments) -> anyhow::Result<()> {
    let assumed = Assumptions {
        no_alias: arguments.assume.contains(&Assumption::NoAlias),
    };
    each_function(&arguments.input, true, |reading, out| {
        let function = reading.function();
        let mut emulation = ptxasw_emulator::emulate(function, reading.analyses());
        let _ = writeln!(out, "kernel `{}`", function.name);
        out.push_str(&trace::print(
            function,
            &mut emulation.terms,
            &emulation.trace,
            &emulation.conditions,
            assumed,
        ));
    })
}

fn each_function(
    path: &Path,
    kernels_only: bool,
    mut print: impl FnMut(&Reading, &mut String),
) -> anyhow::Result<()> {
    let text = files::read(path)?;
    llvm::hand_over(path, &text)?;
    let tree = modules::read(path, &text, 1, None, false)?;
    let mut out = String::new();
    let all = pipeline::read_all(&Module::of_tree(&text, tree))
        .map_err(|error| files::pipeline_error(error, path, &text))?;
    for reading in all {
        if reading.body.form.entry || !kernels_only {
            print(&reading, &mut out);
        }
    }
    files::write(Path::new("-"), out.as_bytes())
}
