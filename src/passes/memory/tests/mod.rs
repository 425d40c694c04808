//! The pass on the files of `ptx-tests/loads/proofs`: what it decides, that results stay, and that the executor sees it when the
//! pass is broken.

mod files;
mod growth;
mod mutated;

use super::{Memory, MemoryOptions};
use crate::pipeline::Options;
use crate::pipeline::ssa::{self, Passed, Report};
use crate::verify::{self, KernelReport, Module, NamedLaunch, verify_kernel};
use crate::warp::Schedule;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/loads/proofs")
}

fn text_of(name: &str) -> String {
    let path = folder().join(name).with_extension("ptx");
    std::fs::read_to_string(path).expect("the file is there")
}

/// What the pass makes of a text.
fn passed(text: &str, memory: MemoryOptions) -> Passed<'_> {
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
        launches: NamedLaunch::of_header(text),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..verify::Options::default()
    }
}

/// Compares the only kernel of two texts.
fn compared(original: &str, other: &[u8]) -> KernelReport {
    let (a, b) = (Module::read(original.as_bytes()), Module::read(other));
    let (a, b) = (a.expect("the original"), b.expect("the rewritten module"));
    let (a, b) = (a.kernels().next(), b.kernels().next());
    verify_kernel(
        a.expect("its kernel"),
        b.expect("its kernel"),
        &options(original),
    )
}
