//! The printed table: `cargo bench --bench table` (part of `make bench`). What it prints is committed as
//! `benches/README.md`. With an argument, `operators`, `scaling` or `memory`, only that part.

#[path = "../stages/mod.rs"]
mod stages;

mod memory;
mod operators;
mod paper;
mod process;
mod scaling;
mod synthetic;

const INTRODUCTION: &str = "# Figures

Printed by `cargo bench --bench table`. Times are medians of runs that alternate with those of `ptxas -O3` on the same file,
from the start of the process to its end, in a release build. S/L: shuffles and loads. Each load is covered by a shuffle, a
source of one, alone (no other load reads its bytes within 31 lanes), or refused for the reason that is given.
";

const SCALING: &str = "## Large kernels

Milliseconds for each stage of one run; the last column says how much longer the whole takes for how much more input.
";

const MEMORY: &str = "## Large modules

`ptxasw opt` as a process.
";

fn main() {
    let part = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    println!("{INTRODUCTION}");
    if wanted("operators") {
        println!("## Operators\n\n{}", operators::tables());
    }
    if wanted("scaling") {
        println!("{SCALING}\n{}", scaling::table());
    }
    if wanted("memory") {
        println!("{MEMORY}\n{}", memory::table());
    }
}
