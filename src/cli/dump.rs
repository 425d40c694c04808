//! `ptxasw dump` and `ptxasw trace`: what the stages see.

use super::options::by_name;
use super::{files, llvm, modules};
use crate::emulator::domains::alias::Assumptions;
use crate::emulator::trace;
use crate::ir::verify;
use crate::pipeline::settings::value::Assumption;
use crate::pipeline::{self, Prepared};
use crate::ptx::decode;
use clap::Args;
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
    each_function(&arguments.input, false, |prepared, out| {
        let function = &prepared.body.lowered.function;
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
    each_function(&arguments.input, true, |prepared, out| {
        let function = &prepared.body.lowered.function;
        let mut emulation = pipeline::emulate(prepared);
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
    mut print: impl FnMut(&Prepared, &mut String),
) -> anyhow::Result<()> {
    let text = files::read(path)?;
    llvm::hand_over(path, &text)?;
    let module = modules::read(path, &text, 1, None, false)?;
    let headers = decode::headers(&module);
    let mut out = String::new();
    let all = pipeline::prepare_all(&module, &headers)
        .map_err(|errors| files::decode_errors(&errors, path, &text))?;
    for prepared in all {
        if prepared.body.form.entry || !kernels_only {
            print(&prepared, &mut out);
        }
    }
    files::write(Path::new("-"), out.as_bytes())
}
