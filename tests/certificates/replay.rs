//! All certificates hold, for Z3 and for a solver that shares no code with it.

use crate::answers::{self, Question};
use crate::certificates::run::{Folder, MEMORY, check, index, modules, second, text};
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Of so many modules the certificates of one are replayed, unless it is a soak test.
const SHARE: usize = 8;

/// Replays the certificates of those modules of some folders that are wanted, in one process: equal texts are asked about once.
/// Those that both solvers have confirmed before are left out.
fn replay(folders: &[&str], wanted: impl Fn(&Path) -> bool, more: &[&str], least_files: usize) {
    let work = Folder::new();
    let share = if crate::soak() { 1 } else { SHARE };
    let certified: Vec<_> = folders
        .iter()
        .flat_map(|folder| modules(folder))
        .filter(|module| wanted(module))
        .step_by(share)
        .filter_map(|module| work.certify_file(&module, more).ok())
        .collect();
    let files: usize = certified
        .iter()
        .map(|folder| index(folder).files().count())
        .sum();
    assert!(files * share >= least_files, "only {files} files");
    let solvers = solvers();
    let open = certified.into_iter().filter_map(|folder| {
        let texts = contents(&folder);
        let inputs = texts.iter().map(Vec::as_slice);
        let question = Question::new([&*solvers].into_iter().chain(inputs));
        question.known().is_none().then_some((folder, question))
    });
    let (open, questions): (Vec<_>, Vec<_>) = open.unzip();
    if open.is_empty() {
        return;
    }
    let more = second().map_or_else(Vec::new, |_| vec!["--require-second"]);
    let output = check(&open, &more);
    assert!(output.status.success(), "{}", text(&output));
    questions.iter().for_each(|one| one.keep("they hold"));
}

/// The index and all certificates of a folder, each after its path, in an order that does not change.
fn contents(folder: &Path) -> Vec<Vec<u8>> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let files = entries
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file());
    files
        .flat_map(|file| {
            let place = file.path().strip_prefix(folder).unwrap();
            let place = place.to_string_lossy().into_owned();
            [place.into_bytes(), fs::read(file.path()).unwrap()]
        })
        .collect()
}

/// Which versions of which solvers answer.
fn solvers() -> Vec<u8> {
    let toolchain = std::env::var_os("PTXASW_TOOLCHAIN").unwrap_or_default();
    // Written when the second solver is installed.
    let installed = answers::file(&Path::new(&toolchain).join("solver.txt"));
    let names = format!("{} {:?} ", z3::full_version(), second());
    [names.into_bytes(), installed].concat()
}

/// The operators of KernelGen as nvcc compiles them for sm_80; in a soak test in all three forms, all of them. Far fewer files would mean
/// that claims are missing.
#[test]
fn kernelgen() {
    let form = |module: &Path| module.to_string_lossy().ends_with(".sm_80.ptx");
    match crate::soak() {
        true => replay(&["kernelgen"], |_| true, &[], 2000),
        false => replay(&["kernelgen"], form, &[], 500),
    }
}

/// The conditions of all kinds, but for one module in whose certificate of a volume Z3 spends more than in all others; a soak
/// test has that, too.
#[test]
fn conditions() {
    let quick = |module: &Path| crate::soak() || !module.ends_with("address/volume.ptx");
    replay(
        &[
            "address",
            "wrap",
            "memory",
            "neighbour",
            "soundness",
            "instance",
            "limits",
            "participation",
            "certificates",
        ],
        quick,
        &[],
        100,
    );
}

/// What the memory pass proves, and what its tests at the entry show.
#[test]
fn memory_pass() {
    replay(
        &[
            "loads/proofs",
            "loads/wide",
            "loads/tested",
            "loads/records",
            "loads/openacc",
        ],
        |_| true,
        &MEMORY,
        120,
    );
}
