//! `--profit auto`: which targets are given shuffles, and the bound for a wrapping that is asked for by name: it adds at most
//! a quarter to the machine instructions on the hot path, as `ptxas` makes them.

use std::fs;
use std::path::Path;

use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::toolchain::{Arch, Assembler};
use ptxasw::{Options, Output, optimize};

fn options(profit: Profit, arch: Option<u32>, wrapping: Option<Wrapping>) -> Options {
    Options {
        synthesis: synthesis::Options {
            profit,
            wrapping,
            ..Default::default()
        },
        arch,
        jobs: 1,
        ..Options::of_shuffles()
    }
}

/// Machine instructions on the hot path of the only kernel.
fn hot(assembler: &Assembler, text: &[u8], arch: Arch) -> u32 {
    let assembled = assembler.assemble(text, arch).unwrap();
    crate::listing::counted(assembler, &assembled).unwrap()[0]
        .hot
        .instructions
}

/// The operators of KernelGen as three compilers wrote them, for sm_80 and sm_90: names and texts.
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

/// Loads that another lane's value covers, in the emitted text.
fn shuffles(output: &Output) -> usize {
    let shuffles = output.searches().flat_map(|one| &one.plan.shuffles);
    shuffles.filter(|one| !one.lanes.is_own()).count()
}

/// Loads that stay although their shuffle is proved.
fn declines(output: &Output) -> usize {
    let searches = output.searches();
    searches.map(|one| one.plan.declined.len()).sum()
}

#[test]
fn since_volta_nothing_is_emitted_and_all_that_is_proved_is_declined() {
    let mut declined = 0;
    for (name, text) in operators() {
        let all = optimize(&text, &options(Profit::Always, None, None)).unwrap();
        let none = optimize(&text, &options(Profit::Auto, None, None)).unwrap();
        assert_eq!(shuffles(&none), 0, "{name}");
        let rest = declines(&none);
        assert_eq!(none.shuffles() + rest, all.shuffles(), "{name}");
        assert_eq!(declines(&all), 0, "{name}");
        if none.shuffles() == 0 {
            assert!(none.text == text, "{name} is changed");
        }
        // What nobody reads is not asked for, and changes no byte.
        let mut only_text = options(Profit::Auto, None, None);
        only_text.synthesis.only_text = true;
        let again = optimize(&text, &only_text).unwrap();
        assert!(again.text == none.text, "{name}");
        assert_eq!(declines(&again), 0, "{name}");
        declined += rest;
    }
    assert!(declined > 0);
}

#[test]
fn the_target_decides() {
    let text = fs::read("ptx-tests/kernelgen/jacobi.sm_80.ptx").unwrap();
    let few = fs::read("ptx-tests/kernelgen/laplacian.sm_80.ptx").unwrap();
    let emitted = |text: &[u8], arch, wrapping| {
        shuffles(&optimize(text, &options(Profit::Auto, arch, wrapping)).unwrap())
    };
    for arch in [30, 37, 50, 52, 53, 70, 72, 75, 80, 86, 89, 90, 100, 120] {
        assert_eq!(emitted(&text, Some(arch), None), 0, "sm_{arch}");
    }
    for arch in [60, 61, 62] {
        assert_eq!(emitted(&text, Some(arch), None), 6, "sm_{arch}");
        assert_eq!(emitted(&few, Some(arch), None), 0, "sm_{arch}");
    }
    // The module's own target counts where no other is given.
    let pascal = String::from_utf8_lossy(&text).replace(".target sm_80", ".target sm_60");
    assert_eq!(emitted(pascal.as_bytes(), None, None), 6);
    assert_eq!(emitted(pascal.as_bytes(), Some(80), None), 0);
    // A wrapping that is asked for by name is emitted on every target.
    let long = fs::read("ptx-tests/kernelgen/gaussblur.sm_80.ptx").unwrap();
    let named = [60, 80].map(|arch| emitted(&long, Some(arch), Some(Wrapping::Row)));
    assert!(named[0] == named[1] && named[0] > 0, "{named:?}");
}

#[test]
fn by_name_the_hot_path_grows_by_a_quarter_at_most() {
    // One of the three forms of each operator, or all.
    let soak = crate::soak();
    let (mut more, mut rewritten) = (Vec::new(), 0);
    for (name, text) in operators() {
        if !soak && !name.ends_with(".sm_80") {
            continue;
        }
        let named = options(Profit::Auto, None, Some(Wrapping::AnyRow));
        let output = optimize(&text, &named).unwrap();
        if output.shuffles() == 0 {
            assert!(output.text == text, "{name} is changed without a shuffle");
            continue;
        }
        rewritten += 1;
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
    assert!(rewritten > 6, "{rewritten} operators have shuffles");
}
