//! `ptxasw dump` and `ptxasw trace` of LLVM IR: what the stages see.

use super::input;
use clap::Args;
use inkwell::context::Context;
use ptxasw_driver::pipeline::settings::value::Assumption;
use ptxasw_emulator::domains::alias::Assumptions;
use ptxasw_emulator::trace;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::verify;
use ptxasw_llvm::kernels;
use ptxasw_llvm::lower::{self, Lowered};
use ptxasw_llvm::view::View;
use ptxasw_tools::cli::files;
use ptxasw_tools::cli::options::by_name;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct DumpArguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
    /// The SSA IR of all functions (the default and only form).
    #[arg(long)]
    ir: bool,
}

#[derive(Args)]
pub struct TraceArguments {
    /// The module, text or bitcode; `-` for standard input.
    input: PathBuf,
    /// Takes for granted what could not be proved; may be given several times.
    #[arg(long, value_parser = by_name::<Assumption>(), value_delimiter = ',')]
    assume: Vec<Assumption>,
}

/// Prints the IR, and what the verifier finds wrong with it.
pub fn dump(arguments: &DumpArguments) -> anyhow::Result<()> {
    let _ = arguments.ir;
    each_function(&arguments.input, false, |lowered, out| {
        let _ = write!(out, "{}", lowered.function);
        for violation in verify::verify(&lowered.function) {
            let _ = writeln!(out, "violation: {violation}");
        }
    })
}

/// Prints the memory trace of each kernel.
pub fn trace(arguments: &TraceArguments) -> anyhow::Result<()> {
    let assumed = Assumptions {
        no_alias: arguments.assume.contains(&Assumption::NoAlias),
    };
    each_function(&arguments.input, true, |lowered, out| {
        let function = &lowered.function;
        let mut emulation = ptxasw_emulator::emulate(function, &Analyses::new(function));
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
    mut print: impl FnMut(&Lowered<'_>, &mut String),
) -> anyhow::Result<()> {
    let context = Context::create();
    let module = input::device(&context, path, None, false)?;
    let view = View::new(&module);
    let mut out = String::new();
    for entry in kernels::functions(view) {
        if entry.kernel || !kernels_only {
            print(&lower::lower(view, &entry), &mut out);
        }
    }
    files::write(Path::new("-"), out.as_bytes())
}
