//! Tests that are files: the cases of `llvm-tests/`, and the passes over all files of both back ends. Each is a trial;
//! `cargo test --test llvm-golden WORD` runs those whose names contain a word.

#[path = "../../../tests/answers/mod.rs"]
mod answers;
mod files;
mod passes;
#[path = "../../../tests/times.rs"]
mod times;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [files::trials(), passes::trials()];
    let conclusion = libtest_mimic::run(&arguments, trials.into_iter().flatten().collect());
    times::write();
    conclusion.exit_code()
}
