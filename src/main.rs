//! The command `ptxasw`.

use clap::Parser;
use ptxasw::cli;
use ptxasw::dropin::{self, tool::Tool};
use ptxasw::heap;
use std::process::ExitCode;

fn main() -> ExitCode {
    heap::prepare();
    // An assembler's options are not clap's: `-arch=sm_80`. The name tells which program we stand in for.
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    if let Some(tool) = Tool::named(&program) {
        return dropin::run(tool, &program, words.collect());
    }
    match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            // A diagnostic already looks like one; anything else is one line.
            match error.downcast_ref::<cli::Diagnostic>() {
                Some(diagnostic) => ptxasw::say!("{diagnostic}"),
                None => ptxasw::say!("ptxasw: {error:#}"),
            }
            ExitCode::FAILURE
        }
    }
}
