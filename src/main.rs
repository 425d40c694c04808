//! The command `ptxasw`.

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            // A diagnostic already looks like one; anything else is one line.
            match error.downcast_ref::<cli::Diagnostic>() {
                Some(diagnostic) => eprintln!("{diagnostic}"),
                None => eprintln!("ptxasw: {error:#}"),
            }
            ExitCode::FAILURE
        }
    }
}
