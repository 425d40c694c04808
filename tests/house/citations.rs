//! Comments that cite a contract lead to one of its headings.

use std::collections::BTreeMap;
use std::fs;
use walkdir::WalkDir;

/// The contracts, by the name under which they are cited. A citation reads `CONTRACT.md, "Heading"`, and means the
/// contract of the folder `src/passes/shuffle`.
const CONTRACTS: [(&str, &str); 1] = [("CONTRACT.md", "src/passes/shuffle/CONTRACT.md")];

/// The files of the code, tests apart.
fn sources() -> impl Iterator<Item = String> {
    let files = WalkDir::new("src").sort_by_file_name().into_iter();
    let paths = files.map(|file| file.unwrap().into_path().to_str().unwrap().to_owned());
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    paths.filter(move |path| path.ends_with(".rs") && !is_test(path))
}

/// The headings of a Markdown text.
fn headings(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines
        .map(|line| line.trim_start_matches('#').trim().to_owned())
        .collect()
}

/// The comments of a file, joined: a citation may go over the end of a line.
fn comments(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("//"));
    let words: Vec<&str> = lines
        .map(|line| line.trim_start_matches(['/', '!']).trim())
        .collect();
    words.join(" ")
}

#[test]
fn every_citation_has_its_heading() {
    let headings: BTreeMap<&str, Vec<String>> = CONTRACTS
        .into_iter()
        .map(|(name, path)| (name, headings(path)))
        .collect();
    let mut cited = 0;
    for path in sources() {
        let text = comments(&path);
        for (name, headings) in &headings {
            for (at, _) in text.match_indices(name) {
                let rest = &text[at + name.len()..];
                let Some(rest) = rest.strip_prefix(", \"") else {
                    panic!("{path}: a citation of {name} names no heading");
                };
                let heading = rest.split('"').next().unwrap();
                assert!(
                    headings.iter().any(|one| one == heading),
                    "{path}: {name} has no heading \"{heading}\""
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 10, "only {cited} citations were found");
}

/// Each condition that comments name is in the contract.
#[test]
fn every_condition_has_its_heading() {
    let headings = headings("src/passes/shuffle/CONTRACT.md");
    for path in sources() {
        let text = comments(&path);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        for word in words {
            let digits = word.strip_prefix('C').filter(|rest| rest.len() == 1);
            if digits.is_some_and(|digit| digit.chars().all(|c| c.is_ascii_digit())) {
                let start = format!("{word}: ");
                assert!(
                    headings.iter().any(|one| one.starts_with(&start)),
                    "{path}: {word} is not in the contract"
                );
            }
        }
    }
}
