//! Rounds of the pass: it goes on until nothing changes, at most so many times.

use super::{Loads, Memory, MemoryOptions, passed, taken};
use ptxasw::passes::Fate;
use ptxasw::pipeline::Options;
use ptxasw::pipeline::ssa::{self, MAX_ROUNDS};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A kernel that follows a chain of so many pointers in local memory: each is stored in the word to which the one before leads.
fn chain(pointers: usize) -> String {
    let mut out = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n.param .u64 k_0)\n{\n\
         .local .align 8 .b8 own[1024];\n.reg .b64 %SP;\n.reg .b64 %rd<100>;\n\
         mov.u64 %SP, own;\ncvta.local.u64 %SP, %SP;\nld.param.u64 %rd99, [k_0];\n",
    );
    for pointer in 0..pointers {
        let _ = writeln!(out, "add.s64 %rd0, %SP, {};", 8 * (pointer + 1));
        let _ = writeln!(out, "st.u64 [%SP+{}], %rd0;", 8 * pointer);
    }
    let _ = writeln!(out, "mov.u64 %rd0, %SP;");
    for pointer in 0..pointers {
        let _ = writeln!(out, "ld.u64 %rd{}, [%rd{pointer}];", pointer + 1);
    }
    let _ = writeln!(out, "st.global.u64 [%rd99], %rd{pointers};\nret;\n}}");
    out
}

/// How many loads of the chain are forwarded.
fn forwarded(pointers: usize) -> usize {
    let text = chain(pointers);
    let passed = passed(&text, MemoryOptions::default());
    taken("chain", &passed.reports);
    let [report] = &passed.reports[..] else {
        panic!("one report for each function: {:?}", passed.reports);
    };
    let remarks = report.remarks.iter();
    remarks.filter(|one| one.fate == Fate::Forwarded).count()
}

/// Each round forwards one more.
#[test]
fn rounds_go_on_and_are_bounded() {
    assert_eq!(forwarded(1), 1);
    assert_eq!(forwarded(MAX_ROUNDS), MAX_ROUNDS);
    assert_eq!(forwarded(MAX_ROUNDS + 3), MAX_ROUNDS);
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|end| end == "ptx") => found.push(path),
            false => {}
        }
    }
}

/// What the pass leaves by proofs alone, it leaves as it is. Texts that are no modules are left out.
#[test]
fn its_own_output_is_a_fixpoint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests");
    let (mut paths, mut changed, mut open) = (Vec::new(), 0, Vec::new());
    files(&root, &mut paths);
    paths.sort();
    let memory = MemoryOptions {
        loads: Loads::Proofs,
        ..MemoryOptions::default()
    };
    let options = Options {
        memory,
        ..Options::of_passes(&[&Memory])
    };
    for path in paths {
        let text = std::fs::read(&path).expect("the file is there");
        let Ok(once) = ssa::run(&text, &options) else {
            continue;
        };
        if once.changed().next().is_none() {
            continue;
        }
        changed += 1;
        let again = ssa::run(once.text(), &options).expect("it is PTX");
        if again.changed().next().is_some() {
            open.push(path);
        }
    }
    assert!(changed > 50, "{changed} files are changed");
    assert!(open.is_empty(), "{open:#?}");
}
