//! The command `ptxasw`.

use clap::Parser;
use ptxasw::cli;
use ptxasw::dropin::{self, called};
use ptxasw::heap;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    heap::prepare();
    // An assembler's options are not clap's: `-arch=sm_80`.
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let words: Vec<OsString> = words.collect();
    if let Some(tool) = called::tool(&program, &words, cli::is_command) {
        return dropin::run(tool, &program, words);
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
