//! `--profit auto` for LLVM IR: which targets are given shuffles, and the bound for a wrapping that is asked for by name: it
//! adds at most a quarter to the machine instructions on the hot path, as `llc` and `ptxas` make them.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::fs;
use std::path::{Path, PathBuf};

/// What all are compiled for.
const ARCH: &str = "sm_80";
/// Of so many operators one is assembled, unless it is a soak test.
const SHARE: usize = 3;

/// Device IR as clang wrote it: the operators, and kernels in which lanes diverge.
fn modules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests");
    let folders = ["kernelgen", "copies"].map(|name| fs::read_dir(folder.join(name)).unwrap());
    let entries = folders.into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ll"))
        .collect();
    files.sort();
    assert!(files.len() >= 34);
    files
}

fn is_in_copies(path: &Path) -> bool {
    let folder = path.parent();
    folder.is_some_and(|folder| folder.ends_with("copies"))
}

fn options(wrapping: Option<Wrapping>, arch: Option<u32>) -> Options {
    Options {
        synthesis: synthesis::Options {
            profit: Profit::Auto,
            wrapping,
            ..Default::default()
        },
        arch,
        jobs: 1,
        ..Options::of_shuffles()
    }
}

/// Shuffles of a module for a target in place of its own.
fn shuffles(path: &Path, arch: Option<u32>) -> usize {
    let context = Context::create();
    let module = read::read(&context, &fs::read(path).unwrap(), "operator.ll").unwrap();
    let done = stage::rewrite(&module, &options(None, arch)).unwrap();
    let plans = done.searches().flat_map(|one| &one.plan.shuffles);
    plans.filter(|one| !one.lanes.is_own()).count()
}

#[test]
fn the_target_decides() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests/kernelgen");
    let jacobi = folder.join("jacobi.ll");
    // It is compiled for sm_80.
    let targets = [None, Some(52), Some(60), Some(62), Some(70), Some(90)];
    let found = targets.map(|arch| shuffles(&jacobi, arch));
    assert_eq!(found, [0, 0, 6, 6, 0, 0]);
}

/// The PTX of a module before and after, with the shuffles that it got.
fn both(path: &Path, wrapping: Wrapping) -> (Vec<u8>, Vec<u8>, usize) {
    let bytes = fs::read(path).unwrap();
    let context = Context::create();
    let module = read::read(&context, &bytes, "operator.ll").unwrap();
    let before = outputs::write(&module, Kind::Ptx, Some(ARCH)).unwrap();
    let done = stage::rewrite(&module, &options(Some(wrapping), None)).unwrap();
    let after = outputs::write(&module, Kind::Ptx, Some(ARCH)).unwrap();
    let shuffles = done.searches().map(|one| one.plan.shuffles.len());
    (before, after, shuffles.sum())
}

#[test]
fn by_name_the_hot_path_grows_by_a_quarter_at_most() {
    let (mut more, mut copied) = (Vec::new(), 0);
    for (number, path) in modules().into_iter().enumerate() {
        if !is_in_copies(&path) && number % SHARE != 0 && !crate::soak() {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (before, after, shuffles) = both(&path, Wrapping::AnyRow);
        if shuffles == 0 {
            assert!(before == after, "{name} is changed without a shuffle");
            continue;
        }
        copied += usize::from(is_in_copies(&path));
        let arch = Arch::of_module(&String::from_utf8_lossy(&before)).unwrap();
        let assembler = match Assembler::find(arch) {
            Ok(assembler) => assembler,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "{error}");
                eprintln!("skipped: no ptxas");
                return;
            }
        };
        let [before, after] = [before, after].map(|text| {
            let assembled = assembler.assemble(&text, arch).unwrap();
            crate::listing::counted(&assembler, &assembled).unwrap()[0]
                .hot
                .instructions
        });
        if after * 4 > before * 5 {
            more.push(format!(
                "{name}: {before} -> {after} with {shuffles} shuffles"
            ));
        }
    }
    assert!(more.is_empty(), "{more:#?}");
    assert!(copied >= 2, "no tracked mask is worth its cost");
}
