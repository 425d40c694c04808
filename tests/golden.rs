//! Tests that are files or tables: the cases of `ptx-tests/` and of `tests/ir/`, and the operations of the executor. Each is a
//! trial; `cargo test --test golden WORD` runs those whose names contain a word.

mod answers;
mod files;
mod ir;
mod operations;
mod times;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = [
        files::trials(&arguments),
        ir::trials(),
        operations::trials(),
    ];
    let conclusion = libtest_mimic::run(&arguments, trials.into_iter().flatten().collect());
    times::write();
    match operations::covered() {
        true => conclusion.exit_code(),
        false => ExitCode::from(101),
    }
}
