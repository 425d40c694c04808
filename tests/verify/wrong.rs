//! Wrong rewritings of loads and stores, each of which the judge must see: `ptx-tests/loads/wrong/*.ptx`.
//!
//! A file holds the original, and in comment lines how it is rewritten: `//-` drops the line after it, `//+ TEXT` puts a
//! line there.

use ptxasw::verify::{Module, Options, Verdict, verify};
use std::fs;
use std::path::{Path, PathBuf};

/// What the judge can't see, and why.
const ESCAPES: [(&str, &str); 7] = [
    (
        "volatile-twice",
        "the executor has no other writer than the grid: both loads bring one value",
    ),
    (
        "host-doorbell-store",
        "only the host sees the order of two stores",
    ),
    (
        "host-relaxed-merged",
        "only the host writes between two loads",
    ),
    (
        "host-mailbox-offset",
        "two pointers are as far apart as a scalar says that is added to neither",
    ),
    (
        "acquire-last-block",
        "one schedule in some hundred lets the blocks meet so",
    ),
    (
        "stride-32bit-product",
        "the product wraps only where the original leaves its buffers",
    ),
    ("end-null-pointer", "no pointer is null"),
];

/// The rewritten text of a file.
fn rewritten(text: &str) -> String {
    let mut out = String::new();
    let mut dropped = false;
    for line in text.lines() {
        let word = line.trim_start();
        if let Some(added) = word.strip_prefix("//+ ") {
            out += added;
            out.push('\n');
        } else if word == "//-" {
            dropped = true;
        } else if dropped {
            dropped = false;
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// The files of a folder of `ptx-tests`.
pub(super) fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests");
    let folder = root.join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The verdict about the only kernel of two texts.
pub(super) fn judge(original: &str, other: &str) -> Verdict {
    let original = Module::read(original.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{original}"));
    let other = Module::read(other.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{other}"));
    let reports = verify(&original, &other, &Options::default()).unwrap();
    assert_eq!(reports.len(), 1);
    reports.into_iter().next().unwrap().verdict
}

/// Only what parts the two texts counts: each original equals itself.
#[test]
fn wrong_rewritings_are_seen() {
    let mut unseen = Vec::new();
    let files = files("loads/wrong");
    assert!(files.len() >= 30, "there are only {}", files.len());
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let same = judge(&text, &text);
        assert_eq!(same, Verdict::Equal, "{name} against itself");
        let verdict = judge(&text, &rewritten(&text));
        let seen = matches!(
            verdict,
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
        );
        if !seen {
            unseen.push((name.to_owned(), format!("{verdict:?}")));
        }
    }
    let names: Vec<&str> = unseen.iter().map(|(name, _)| name.as_str()).collect();
    let mut known: Vec<&str> = ESCAPES.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known, "{unseen:#?}");
}
