//! The memory pass on the files of `llvm-tests/memory`: what it decides, that results stay, and that the executor sees it when the
//! pass is broken.
//!
//! The pass goes as far as proofs do, and to the end where a file says `; loads: always`. A file with `; ptxasw: opt` shows the whole new module as well, which the program `golden` compares.

#[path = "../../../../tests/sass/attributed.rs"]
mod attributed;
mod debug_lines;
mod decided;
#[cfg(debug_assertions)]
mod mutated;
mod promises;

use crate::annotated::{Files, Passed};
use ptxasw::passes::memory::{Loads, Memory};

static FILES: Files = Files {
    folder: "memory",
    pass: &Memory,
    level: |text| match text.contains("\n; loads: always\n") {
        true => Loads::Always,
        false => Loads::Proofs,
    },
};

fn text_of(name: &str) -> String {
    FILES.text_of(name)
}

/// What the pass makes of a module: as far as proofs do, or as its header says.
fn passed(text: &str) -> Passed {
    FILES.passed(text)
}
