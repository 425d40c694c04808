//! Batches on the files of `llvm-tests/loops/shapes`: which loops get them, that results stay, and that the executor sees it when the
//! pass is broken.

mod decided;
#[cfg(debug_assertions)]
mod mutated;

use crate::annotated::Files;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::Loads;

static FILES: Files = Files {
    folder: "loops/shapes",
    pass: &Batches,
    level: |_| Loads::Batches,
};
