//! Everything that is tested in functions, one module for each part of the project; `golden` has the tests that are files.

mod answers;
mod certificates;
mod cli;
mod cli_run;
mod command;
mod corpus;
mod cost;
mod doctor;
mod dropin;
mod emulator;
mod gpu;
mod growth;
mod guard;
mod hostile;
mod house;
mod launches;
mod linkage;
#[allow(dead_code, unused_imports)]
mod listing;
mod mutants;
#[cfg(debug_assertions)]
mod mutations;
mod packages;
mod passes;
mod patches;
mod profit;
mod random;
mod recipes;
mod reference;
mod report;
mod sass;
mod shuffle;
mod snippet;
mod spelling;
mod tune;
mod verify;
mod wrappings;
mod writer;

/// Whether everything is tried, which takes many times as long (`make soak`).
fn soak() -> bool {
    std::env::var_os("PTXASW_SOAK").is_some()
}

/// The lines of a table with one blank between cells: widths are those of what is in it, milliseconds among them.
fn cells(table: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    table.lines().map(line).collect()
}
