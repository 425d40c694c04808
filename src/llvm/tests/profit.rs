//! `--profit auto` keeps its word for LLVM IR, too: what it emits for the operators of KernelGen, and in copies for whole
//! warps, adds at most a quarter to the machine instructions on the hot path, as the real code generator and assembler make
//! them.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::shuffle::profit::Profit;
use ptxasw::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::fs;
use std::path::{Path, PathBuf};

/// What all are compiled for.
const ARCH: &str = "sm_80";

/// Device IR as clang wrote it: the operators, and kernels in which lanes part.
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

/// The PTX of a module before and after, with the shuffles that it got.
fn both(path: &Path, profit: Profit) -> (Vec<u8>, Vec<u8>, usize) {
    let bytes = fs::read(path).unwrap();
    let context = Context::create();
    let module = read::read(&context, &bytes, "operator.ll").unwrap();
    let before = outputs::write(&module, Kind::Ptx, Some(ARCH)).unwrap();
    let options = Options {
        synthesis: synthesis::Options {
            profit,
            ..Default::default()
        },
        jobs: 1,
        ..Default::default()
    };
    let kernels = stage::rewrite(&module, &options).unwrap();
    let after = outputs::write(&module, Kind::Ptx, Some(ARCH)).unwrap();
    let shuffles = kernels.iter().map(|kernel| kernel.plan.shuffles.len());
    (before, after, shuffles.sum())
}

#[test]
fn the_hot_path_grows_by_a_quarter_at_most() {
    let (mut more, mut copied) = (Vec::new(), 0);
    for path in modules() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (before, after, shuffles) = both(&path, Profit::Auto);
        if shuffles == 0 {
            assert!(before == after, "{name} is changed without a shuffle");
            continue;
        }
        copied += usize::from(
            path.parent()
                .is_some_and(|folder| folder.ends_with("copies")),
        );
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
            assembler.count_sass(&assembled).unwrap()[0]
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
    assert!(copied >= 2, "no copy is worth its cost");
}
