//! The command line of `ptxasw-llvm`: the commands of `ptxasw` that take LLVM IR.

mod dump;
mod explain;
mod input;

use clap::{Parser, Subcommand};
use ptxasw::cli::Diagnostic;
use std::process::ExitCode;

/// The part of ptxasw that reads LLVM IR.
#[derive(Parser)]
#[command(name = "ptxasw-llvm", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists every load: covered and how, or kept and why.
    Explain(explain::Arguments),
    /// Prints the SSA IR of a module's functions.
    Dump(dump::DumpArguments),
    /// Prints the memory trace of a module's kernels, with symbolic addresses.
    Trace(dump::TraceArguments),
}

/// Runs the command.
///
/// # Errors
/// What went wrong, as it is to be shown.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Dump(arguments) => dump::dump(&arguments),
        Command::Trace(arguments) => dump::trace(&arguments),
    }
}

/// Runs the program: reads the command line, shows an error.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match error.downcast_ref::<Diagnostic>() {
                Some(diagnostic) => eprintln!("{diagnostic}"),
                None => eprintln!("ptxasw: {error:#}"),
            }
            ExitCode::FAILURE
        }
    }
}
