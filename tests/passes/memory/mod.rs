//! The pass on the files of `ptx-tests/loads/proofs`, `wide` and `tested`, and of `ptx-tests/loops/hulls`: what it decides, that results stay, and that the executor sees it when the
//! pass is broken.

mod files;
mod levels;
mod loops;
#[cfg(debug_assertions)]
mod mutated;
mod rounds;
mod sizes;

use crate::passes::annotated::{Files, compared, passed_by, taken};
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::pipeline;
use ptxasw::pipeline::ssa::Passed;

static FILES: Files = Files {
    root: "ptx-tests/loads",
    folders: &["proofs", "wide", "tested", "../loops/hulls"],
    pass: &Memory,
    memory: memory_of,
};

/// The text of a file such as `wide/record`.
fn text_of(name: &str) -> String {
    FILES.text_of(name)
}

/// How far the pass goes in the folder of a file.
fn memory_of(name: &str) -> MemoryOptions {
    let loads = match name.split('/').next() {
        Some("proofs") => Loads::Proofs,
        Some("wide") => Loads::Checked,
        _ => Loads::Always,
    };
    MemoryOptions {
        loads,
        ..MemoryOptions::default()
    }
}

/// What the pass makes of a text.
fn passed(text: &str, memory: MemoryOptions) -> Passed<pipeline::Module<'_>> {
    passed_by(&[&Memory], text, memory)
}
