//! The program `ptxasw-llvm`, to which `ptxasw` hands LLVM IR: those of its commands that take some.

mod dump;
mod explain;
mod input;
mod opt;
mod stage;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The part of ptxasw that reads LLVM IR.
#[derive(Parser)]
#[command(name = "ptxasw-llvm", version, about, disable_help_flag = true)]
struct Cli {
    #[command(flatten)]
    help: ptxasw_tools::cli::HelpArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Rewrites a module: loads that a neighbouring lane has made become warp shuffles.
    Opt(Box<ptxasw_tools::cli::opt::Arguments>),
    /// Lists every load: covered and how, or kept and why.
    Explain(Box<explain::Arguments>),
    /// Prints the SSA IR of a module's functions.
    Dump(dump::DumpArguments),
    /// Rewrites a compiler's module, with the settings of the environment.
    #[command(hide = true)]
    Stage(stage::Arguments),
    /// Prints the memory trace of a module's kernels, with symbolic addresses.
    Trace(dump::TraceArguments),
}

fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Opt(arguments) => opt::run(&arguments),
        Command::Stage(arguments) => stage::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Dump(arguments) => dump::dump(&arguments),
        Command::Trace(arguments) => dump::trace(&arguments),
    }
}

fn main() -> ExitCode {
    ptxasw_base::malloc::prepare();
    match ptxasw_tools::cli::parse().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ptxasw_tools::cli::failed(&error),
    }
}
