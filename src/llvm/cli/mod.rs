//! The command line of `ptxasw-llvm`: the commands of `ptxasw` that take LLVM IR.

mod dump;

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
    /// Lists a module's kernels.
    Dump(dump::Arguments),
}

/// Runs the command.
///
/// # Errors
/// What went wrong, as it is to be shown.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Dump(arguments) => dump::run(&arguments),
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
