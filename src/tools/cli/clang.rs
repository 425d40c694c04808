//! `ptxasw clang`: clang's driver with our stage in its device step.

use clap::Args;
use std::ffi::OsString;
use std::process::ExitCode;

#[derive(Args)]
pub struct Arguments {
    /// The compiler and its arguments, and settings of ptxasw among them: `clang++ --ptxasw-scheme=R -c kernel.cu`.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub fn run(arguments: Arguments) -> ExitCode {
    crate::clang::run(arguments.command)
}
