//! The printed table: `cargo bench --bench table` (part of `make bench`). What it prints is committed as
//! `benches/README.md`. With an argument, `operators`, `compilers`, `dropin`, `startup`, `jobs`, `corpus`, `scaling` or `memory`, only that part.

#[path = "../stages/mod.rs"]
mod stages;

#[path = "../families/mod.rs"]
mod families;
#[path = "../families/fit.rs"]
mod fit;
#[path = "../../tests/listing/mod.rs"]
#[allow(dead_code, unused_imports)]
mod listing;

mod compilers;
mod corpus;
mod dropin;
mod jobs;
mod memory;
mod operators;
mod paper;
mod process;
mod scaling;
mod startup;

const INTRODUCTION: &str = "# Figures

Printed by `cargo bench --bench table`, on two cores that other work shared: trust ratios of paired runs and processor time
more than wall time, and both only to a tenth. Times are medians of runs that alternate with those of `ptxas -O3` on the same file,
from the start of the process to its end, in a release build. S/L: shuffles and loads. Each load is covered by a shuffle, a
source of one, alone (no other load reads its bytes within 31 lanes), or refused for the reason that is given.
";

const DROP_IN: &str = "## Drop-in

`ptxas -arch=sm_80 K.ptx -o out`, and the same through ptxasw under the name `ptxas`, in turn. The goal is 5 ms at most where there is nothing to cover.
";

const COMPILERS: &str = "### Beside other compilers

Wall time of the whole process in milliseconds: `ptxasw opt` on nvcc's PTX and on clang's LLVM IR (which loads LLVM), and on the same files `opt`, `llc` and `ptxas`. The paper's are seconds.
";

const STARTUP: &str = "### Startup

Each row but the last does more than the one before. The goal is 5 ms at most for a call in which there is nothing to do.
";

const JOBS: &str = "## Threads

Kernels of a module, and files of a tree, on one thread and on two. The goal is 1.8 on two cores that have nothing else to do.
";

const CORPUS: &str = "### Time beside `ptxas`

Whole processes, paired runs. The goals: a median of at most 0.25, and never above 1.0 on files above 10 kB.
";

const SCALING: &str = "## Large kernels

Milliseconds of processor time for each stage, the fastest of nine processes of each size; the exponent is that of the power of the size that fits the
whole times of a round best (least squares of the logarithms), the median of nine rounds. In a round the sizes run one after the other. `tests/growth.rs` bounds the exponents of what is allocated, which is the same in every run.

Instructions that are executed, as callgrind counts them, grow with exponents of 0.99 in one block of stencils, 1.00 for `if`s that join and 0.98 for a
long sum: what the times grow by beyond that is caches and pages that larger kernels miss.
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
    if wanted("compilers") {
        println!("{COMPILERS}\n{}", compilers::table());
    }
    if wanted("dropin") {
        println!("{DROP_IN}\n{}", dropin::table());
    }
    if wanted("startup") {
        println!("{STARTUP}\n{}", startup::table());
    }
    if wanted("jobs") {
        println!("{JOBS}\n{}", jobs::table());
    }
    if wanted("corpus") {
        println!("{CORPUS}\n{}", corpus::table());
    }
    // First, while this process is small: see `process::run`.
    let memory = wanted("memory").then(memory::table);
    if wanted("scaling") {
        println!("{SCALING}\n{}", scaling::table());
    }
    if let Some(memory) = memory {
        println!("{MEMORY}\n{memory}");
    }
}
