//! The links of the README and of the manual: each leads to a file, and to a heading of it where it names one. What is not in the
//! table of contents cannot be found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All pages of a folder and of those below.
fn pages_of(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder of pages");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            pages_of(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// The README and the like, and the manual.
pub fn pages() -> Vec<PathBuf> {
    let top = [
        "README.md",
        "CONTRIBUTING.md",
        "benches/README.md",
        "benches/gpu/README.md",
        "ptx-tests/README.md",
    ];
    let mut pages: Vec<PathBuf> = top.iter().map(|name| root().join(name)).collect();
    pages_of(&root().join("docs"), &mut pages);
    pages.sort();
    pages
}

/// The lines of a page that are not printed as code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    let lines = text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced && !line.starts_with("    ")
    });
    lines.map(|(index, line)| (index + 1, line))
}

/// The targets of links, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // What is between backquotes is code.
        for piece in line.split('`').step_by(2) {
            let targets = piece.split("](").skip(1);
            found.extend(targets.filter_map(|rest| Some((number, rest.split_once(')')?.0))));
        }
    }
    found
}

/// The headings of a page as a browser finds them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter_map(|(_, line)| line.strip_prefix('#'));
    let anchors = headings.map(|heading| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    });
    anchors.collect()
}

/// Where a link of a page leads, if that is no place.
fn broken(page: &Path, text: &str, target: &str) -> bool {
    if target.contains("://") {
        return false;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let (path, text) = match file {
        "" => (page.to_owned(), text.to_owned()),
        _ => {
            let path = page.with_file_name(file);
            let text = fs::read_to_string(&path).unwrap_or_default();
            (path, text)
        }
    };
    !path.exists() || !anchor.is_empty() && !anchors(&text).contains(anchor)
}

#[test]
fn links_lead_somewhere() {
    let mut all = Vec::new();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page");
        for (line, target) in links(&text) {
            count += 1;
            if broken(&page, &text, target) {
                all.push(format!("{}:{line}: {target}", page.display()));
            }
        }
    }
    assert!(
        all.is_empty(),
        "links that lead nowhere:\n{}",
        all.join("\n")
    );
    assert!(count > 60, "only {count} links were found");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = root().join("README.md");
    let text = "# A page\n\n[a](docs/glossary.md#no-such-heading), [b](docs/no-such-page.md), [c](#a-page), `[d](x)`\n";
    let found = links(text);
    let broken: Vec<bool> = found
        .iter()
        .map(|(_, target)| broken(&page, text, target))
        .collect();
    assert_eq!(broken, [true, true, false]);
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = root().join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).expect("a table of contents");
    let listed: BTreeSet<PathBuf> = links(&contents)
        .iter()
        .map(|(_, target)| docs.join(target))
        .collect();
    let mut all = Vec::new();
    pages_of(&docs, &mut all);
    all.retain(|page| !page.ends_with("SUMMARY.md") && !listed.contains(page));
    assert!(all.is_empty(), "not in docs/SUMMARY.md: {all:?}");
}

#[test]
fn the_first_page_is_short() {
    let text = fs::read_to_string(root().join("README.md")).expect("the first page");
    let lines = text.lines().count();
    assert!(
        lines <= 150,
        "README.md has {lines} lines; details belong into docs/"
    );
}
