//! Batches on the files of `ptx-tests/loops/shapes`: which loops get them, that results stay, and that the executor sees it when the pass is
//! broken.

mod files;
mod machine;
#[cfg(debug_assertions)]
mod mutated;
mod real;

use crate::passes::annotated::Files;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::MemoryOptions;

static FILES: Files = Files {
    root: "ptx-tests/loops",
    folders: &["shapes"],
    pass: &Batches,
    memory: |_| MemoryOptions::default(),
};
