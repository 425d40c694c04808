//! All certificates hold, for Z3 and for a solver that shares no code with it.

use crate::run::{Folder, check, modules, second, text};

/// Replays the certificates of all modules of some folders, in one process: equal texts are asked about once.
fn replay(folders: &[&str], least_files: usize) {
    let work = Folder::new();
    let certified: Vec<_> = folders
        .iter()
        .flat_map(|folder| modules(folder))
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

/// The operators of KernelGen in all three forms. Far fewer files would mean that claims are missing.
#[test]
fn kernelgen() {
    replay(&["kernelgen"], 2000);
}

#[test]
fn conditions() {
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
        100,
    );
}
