//! The pass on the files of `ptx-tests/loads/proofs`, `wide` and `tested`, and of `ptx-tests/loops/hulls`: what it decides, that results stay, and that the executor sees it when the
//! pass is broken.

mod files;
mod levels;
mod loops;
#[cfg(debug_assertions)]
mod mutated;
mod rounds;
mod sizes;

use crate::launches::of_header;
use ptxasw::executor::Schedule;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::pipeline::ssa::{self, Passed, Report};
use ptxasw::pipeline::{self, Options};
use ptxasw::verify::{self, KernelReport, Module, Verdict, verify_kernel};
use std::path::{Path, PathBuf};

/// The folders, and how far the pass goes there.
const FOLDERS: [(&str, Loads); 4] = [
    ("proofs", Loads::Proofs),
    ("wide", Loads::Checked),
    ("tested", Loads::Always),
    ("hulls", Loads::Always),
];

fn path_of(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests");
    let of = match name.starts_with("hulls") {
        true => "loops",
        false => "loads",
    };
    root.join(of).join(name).with_extension("ptx")
}

/// The text of a file such as `wide/record`.
fn text_of(name: &str) -> String {
    std::fs::read_to_string(path_of(name)).expect("the file is there")
}

/// How far the pass goes in the folder of a file.
fn memory_of(name: &str) -> MemoryOptions {
    let folder = name.split('/').next();
    let known = FOLDERS.iter().find(|(own, _)| Some(*own) == folder);
    MemoryOptions {
        loads: known.expect("a folder").1,
        ..MemoryOptions::default()
    }
}

/// What the pass makes of a text.
fn passed(text: &str, memory: MemoryOptions) -> Passed<pipeline::Module<'_>> {
    let options = Options {
        memory,
        // The switch of mutations counts on one thread only.
        jobs: 1,
        ..Options::of_passes(&[&Memory])
    };
    ssa::run(text.as_bytes(), &options).expect("the text is PTX")
}

/// That no patch was refused.
fn taken(name: &str, reports: &[Report]) {
    for report in reports {
        assert_eq!(report.refusal(), None, "{name}");
    }
}

/// Lockstep, some adversaries, and the launches of a file's header.
fn options(text: &str) -> verify::Options {
    let independent = (1..=4).map(|seed| Schedule::Independent { seed });
    verify::Options {
        launches: of_header(text),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..verify::Options::default()
    }
}

/// Compares the kernels of two texts: the report of the first that is not equal, else of the last.
fn compared(original: &str, other: &[u8]) -> KernelReport {
    let (a, b) = (Module::read(original.as_bytes()), Module::read(other));
    let (a, b) = (a.expect("the original"), b.expect("the rewritten module"));
    let options = options(original);
    let mut last = None;
    for (a, b) in a.kernels().zip(b.kernels()) {
        let report = verify_kernel(a, b, &options);
        if report.verdict != Verdict::Equal {
            return report;
        }
        last = Some(report);
    }
    last.expect("a kernel")
}
