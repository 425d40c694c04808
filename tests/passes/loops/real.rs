//! Loops of real compilers, in `ptx-tests/loops/batches`: which of them run in batches, and that results stay under the launches of their heads.

use crate::passes::annotated::{compared, passed_by, taken};
use ptxasw::passes::Fate;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::{Memory, MemoryOptions};
use ptxasw::pipeline::ssa::Report;
use ptxasw::verify::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The folder, and the list of what becomes of each kernel in it: `PTXASW_BLESS=1` writes it anew.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/loops/batches")
}

/// All of them, with those that declare their pointers `__restrict__`.
pub fn files() -> Vec<PathBuf> {
    let pattern = folder().join("**/*.ptx");
    let paths = glob::glob(pattern.to_str().expect("UTF-8")).expect("a pattern");
    paths.map(|path| path.expect("readable")).collect()
}

/// A file by its path in the folder.
pub fn name_of(path: &Path) -> String {
    let name = path.strip_prefix(folder()).expect("in the folder");
    name.display().to_string()
}

/// Loads that are batched, by kernel, and why others are not.
fn verdicts(reports: &[Report]) -> BTreeMap<&str, String> {
    let mut all = BTreeMap::new();
    for report in reports.iter().filter(|report| report.pass == "loops") {
        let batched = report
            .remarks
            .iter()
            .filter(|one| one.fate == Fate::Batched);
        let batched = batched.count();
        let mut kept: Vec<&str> = report
            .remarks
            .iter()
            .filter(|one| !one.fate.is_done())
            .map(|one| &*one.what)
            .collect();
        kept.sort_unstable();
        kept.dedup();
        let said = match batched {
            0 => kept.join("; "),
            _ => format!("batched {batched}"),
        };
        all.insert(&*report.function, said);
    }
    all
}

#[test]
fn real_loops_run_in_batches_as_listed_and_results_stay() {
    let (mut list, mut changed) = (String::new(), 0);
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the file is there");
        let name = name_of(&path);
        let passed = passed_by(&[&Batches, &Memory], &text, MemoryOptions::default());
        taken(&name, &passed.reports);
        for (kernel, said) in verdicts(&passed.reports) {
            let _ = writeln!(list, "{name}: {kernel}: {said}");
        }
        let batched = |one: &Report| one.remarks.iter().any(|one| one.fate == Fate::Batched);
        if passed.reports.iter().any(batched) {
            let report = compared(&text, passed.text());
            assert_eq!(report.verdict, Verdict::Equal, "{name}");
            assert!(report.compared() > 0, "{name}: nothing was compared");
            changed += 1;
        }
    }
    assert!(changed > 60, "{changed}");
    let at = folder().join("verdicts.txt");
    if std::env::var_os("PTXASW_BLESS").is_some() {
        std::fs::write(&at, &list).expect("the list is written");
    }
    let known = std::fs::read_to_string(&at).expect("the list is there");
    assert_eq!(list, known, "`PTXASW_BLESS=1` writes it anew");
}
