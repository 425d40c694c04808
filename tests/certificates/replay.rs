//! All certificates hold, for Z3 and for a solver that shares no code with it.

use crate::run::{Folder, check, modules, second, text};
use std::path::Path;

/// Whether all is replayed (`make soak`).
fn soak() -> bool {
    std::env::var_os("PTXASW_SOAK").is_some()
}

/// Replays the certificates of those modules of some folders that are wanted, in one process: equal texts are asked about once.
fn replay(folders: &[&str], wanted: impl Fn(&Path) -> bool, least_files: usize) {
    let work = Folder::new();
    let certified: Vec<_> = folders
        .iter()
        .flat_map(|folder| modules(folder))
        .filter(|module| wanted(module))
        .filter_map(|module| work.certify_file(&module, &[]).ok())
        .collect();
    let more = second().map_or_else(Vec::new, |_| vec!["--require-second"]);
    let output = check(&certified, &more);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    let files: usize = said
        .lines()
        .rev()
        .find_map(|line| line.split_once(" files, ")?.0.parse().ok())
        .unwrap_or_else(|| panic!("no count of files in: {said}"));
    assert!(files >= least_files, "only {files} files: {said}");
}

/// The operators of KernelGen as nvcc compiles them for sm_80; in a soak test in all three forms. Far fewer files would mean
/// that claims are missing.
#[test]
fn kernelgen() {
    let form = |module: &Path| module.to_string_lossy().ends_with(".sm_80.ptx");
    match soak() {
        true => replay(&["kernelgen"], |_| true, 2000),
        false => replay(&["kernelgen"], form, 500),
    }
}

/// The conditions of all kinds, but for one module in whose certificate of a volume Z3 spends more than in all others; a soak
/// test has that, too.
#[test]
fn conditions() {
    let quick = |module: &Path| soak() || !module.ends_with("address/volume.ptx");
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
        100,
    );
}
