//! The command `ptxasw`.

use ptxasw::cli;
use ptxasw::dropin::{self, bundle::Bundle, called, tool::Tool};
use ptxasw::support::malloc;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    malloc::prepare();
    // An assembler's options are not clap's: `-arch=sm_80`. A bundle is `ptxas` under every name.
    let mut words = std::env::args_os();
    let program = words.next().unwrap_or_default();
    let words: Vec<OsString> = words.collect();
    match Bundle::of_this_process() {
        Ok(None) => {}
        Ok(Some(bundle)) => return dropin::run_bundle(bundle, words),
        Err(error) => {
            ptxasw::say!("ptxasw: error: `{}`: {error}", program.display());
            return ExitCode::from(Tool::Ptxas.failure());
        }
    }
    if let Some(tool) = called::tool(&program, &words, cli::is_command) {
        return dropin::run(tool, &program, words);
    }
    match cli::parse().and_then(cli::run) {
        Ok(code) => code,
        Err(error) => cli::failed(&error),
    }
}
