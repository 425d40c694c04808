//! The memory pass on the files of `llvm-tests/memory`: what it decides, that results stay, and that the executor sees it when the
//! pass is broken.
//!
//! What becomes of each load and store is a comment on its line; `PTXASW_BLESS=1` writes them anew.
//!
//! ```text
//!   %c = load i32, ptr addrspace(1) %p ; memory: removed, same as the load @30
//! ```
//!
//! The pass goes as far as proofs do, and to the end where a file says `; loads: always`. A file with `; ptxasw: opt` shows the whole new module as well, which the program `golden` compares.

#[path = "../../../../tests/sass/attributed.rs"]
mod attributed;
mod debug_lines;
mod decided;
#[path = "../files/lines.rs"]
mod lines;
#[cfg(debug_assertions)]
mod mutated;
mod promises;
#[path = "../files/versions.rs"]
mod versions;

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::executor::Schedule;
use ptxasw::executor::launch::parse_line;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::pipeline::ssa::Report;
use ptxasw::verify::{self, KernelReport, Module, NamedLaunch, verify_kernel};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::read::read;
use ptxasw_llvm::stage;
use std::path::{Path, PathBuf};

/// What modules are compiled for.
const ARCH: &str = "sm_80";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests/memory")
}

/// All files, without their extension, sorted.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| name.to_str()?.strip_suffix(".ll").map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Nothing can be done in a file of this name.
fn is_twin(name: &str) -> bool {
    name.starts_with("not-")
}

fn text_of(name: &str) -> String {
    let path = folder().join(name).with_extension("ll");
    versions::reworded(&std::fs::read_to_string(path).expect("the file is there"))
}

/// How far the pass goes in a file: to proofs, or as its header says.
fn level_of(text: &str) -> Loads {
    match text.contains("\n; loads: always\n") {
        true => Loads::Always,
        false => Loads::Proofs,
    }
}

/// What the pass makes of a module.
struct Passed {
    /// The module as LLVM prints it, before and after.
    texts: [String; 2],
    /// PTX of both, if they differ.
    ptx: Option<[Vec<u8>; 2]>,
    reports: Vec<Report>,
}

fn passed(text: &str) -> Passed {
    passed_at(text, level_of(text))
}

/// The pass alone, at a level.
fn options(loads: Loads) -> Options {
    Options {
        memory: MemoryOptions {
            loads,
            ..MemoryOptions::default()
        },
        jobs: 1,
        ..Options::of_passes(&[&Memory])
    }
}

fn passed_at(text: &str, loads: Loads) -> Passed {
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "module").expect("valid");
    let print = || module.print_to_string().to_string();
    let compiled = || outputs::write(&module, Kind::Ptx, Some(ARCH));
    let (before, original) = (print(), compiled());
    let reports = stage::rewrite_with(&module, &options(loads), &stage::Extras::default())
        .expect("no fault")
        .passes;
    for report in &reports {
        assert_eq!(report.refusal(), None);
    }
    let after = print();
    // What LLVM's code generator does not take stays as it is. That of an older version does not take all of the originals.
    let taken = versions::reads_all() || original.is_ok();
    let ptx = (before != after && taken).then(|| {
        let new = compiled().expect("the new module is compiled");
        [original.expect("the module is compiled"), new]
    });
    Passed {
        texts: [before, after],
        ptx,
        reports,
    }
}

/// Compares the only kernel of two texts, in lockstep and under some adversaries, under the launches of a file's header.
fn compared(text: &str, [original, new]: &[Vec<u8>; 2]) -> KernelReport {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("; launch:"));
    let launches = lines.map(|line| NamedLaunch {
        name: line.trim().to_owned(),
        kernel: None,
        launch: parse_line(line.trim())
            .expect("the launch parses")
            .instantiate()
            .expect("the launch is possible"),
    });
    let independent = (1..=4).map(|seed| Schedule::Independent { seed });
    let options = verify::Options {
        launches: launches.collect(),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..verify::Options::default()
    };
    let read = |text| Module::read(text).expect("PTX");
    let (original, new) = (read(original), read(new));
    let (a, b) = (original.kernels().next(), new.kernels().next());
    verify_kernel(a.expect("its kernel"), b.expect("its kernel"), &options)
}
