//! `--profit auto` keeps its word: what it emits for the operators of KernelGen adds at most a quarter to the machine
//! instructions on the hot path, as the real assembler makes them.

use std::fs;
use std::path::Path;

use ptxasw::shuffle::profit::Profit;
use ptxasw::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::{Options, Output, optimize};

fn rewritten(text: &[u8], profit: Profit) -> Output {
    let options = Options {
        synthesis: synthesis::Options {
            profit,
            ..Default::default()
        },
        jobs: 1,
        ..Default::default()
    };
    optimize(text, &options).unwrap()
}

/// Machine instructions on the hot path of the only kernel.
fn hot(assembler: &Assembler, text: &[u8], arch: Arch) -> u32 {
    let assembled = assembler.assemble(text, arch).unwrap();
    assembler.count_sass(&assembled).unwrap()[0]
        .hot
        .instructions
}

/// The operators as three compilers wrote them: names and texts.
fn operators() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
    let files = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "ptx"))
        .collect();
    files.sort();
    assert!(files.len() >= 57);
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files
        .iter()
        .map(|path| (name(path), fs::read(path).unwrap()))
        .collect()
}

#[test]
fn what_is_proved_is_emitted_or_declined() {
    let (mut emitted, mut declined) = (0, 0);
    for (name, text) in operators() {
        let (all, some) = (
            rewritten(&text, Profit::Always),
            rewritten(&text, Profit::Auto),
        );
        let rest: usize = some.kernels.iter().map(|kernel| kernel.declined()).sum();
        assert_eq!(some.shuffles() + rest, all.shuffles(), "{name}");
        assert!(
            all.kernels.iter().all(|kernel| kernel.declined() == 0),
            "{name}"
        );
        emitted += some.shuffles();
        declined += rest;
    }
    assert!(
        emitted > declined && declined > 0,
        "{emitted} emitted, {declined} declined"
    );
}

#[test]
fn the_hot_path_grows_by_a_quarter_at_most() {
    let mut more = Vec::new();
    for (name, text) in operators() {
        let output = rewritten(&text, Profit::Auto);
        if output.shuffles() == 0 {
            assert!(output.text == text, "{name} is changed without a shuffle");
            continue;
        }
        let arch = Arch::of_module(&String::from_utf8_lossy(&text)).unwrap();
        let assembler = match Assembler::find(arch) {
            Ok(assembler) => assembler,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "{error}");
                eprintln!("skipped: no ptxas");
                return;
            }
        };
        let [before, after] = [&text, &output.text].map(|text| hot(&assembler, text, arch));
        if after * 4 > before * 5 {
            more.push(format!("{name}: {before} -> {after}"));
        }
    }
    assert!(more.is_empty(), "{more:#?}");
}
