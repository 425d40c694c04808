//! What becomes of each load and store, as comments on their lines; `PTXASW_BLESS=1` writes them anew.
//!
//! ```text
//! ld.global.u32 %r13, [%rd8];   // memory: removed, same as the load @32
//! ld.global.u32 %r12, [%rd6];   // memory: kept: a store between may write these bytes @31
//! ```

use super::{FOLDERS, compared, memory_of, passed, path_of, taken, text_of};
use ptxasw::verify::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const MARK: &str = " // memory: ";

/// Remarks by line; a line of the report is `kernel: line 12: memory: what`.
fn remarks(name: &str, text: &str) -> BTreeMap<u32, (bool, String)> {
    let passed = passed(text, memory_of(name));
    taken(name, &passed.reports);
    let mut lines = BTreeMap::new();
    for report in &passed.reports {
        for line in report.lines() {
            let (_, rest) = line.split_once(": line ").expect("it has a line");
            let (number, what) = rest.split_once(": memory: ").expect("it has a pass");
            let number = number.parse().expect("a number");
            lines.insert(number, (!what.starts_with("kept: "), what.to_owned()));
        }
    }
    lines
}

/// A text with its remarks, in place of those that it has.
fn annotated(name: &str, text: &str) -> String {
    let remarks = remarks(name, text);
    let mut out = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (code, rest) = line.split_once(MARK).unwrap_or((line, ""));
        let (code, rest_of_line) = match rest.split_once(" // ") {
            Some((_, rest_of_line)) => (code, Some(rest_of_line)),
            // What other tests expect of the line follows.
            None => match code.split_once(" // ") {
                Some((code, rest_of_line)) if code.ends_with(';') => (code, Some(rest_of_line)),
                _ => (code, None),
            },
        };
        out.push_str(code);
        if let Some((_, what)) = remarks.get(&number) {
            let _ = write!(out, "{MARK}{what}");
        }
        if let Some(rest_of_line) = rest_of_line {
            let _ = write!(out, " // {rest_of_line}");
        }
        out.push('\n');
    }
    out
}

/// All files, by folder and name.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for (folder, _) in FOLDERS {
        let path = path_of(folder).with_extension("");
        let entries = std::fs::read_dir(path).expect("the folder is there");
        let files = entries.map(|entry| entry.expect("an entry").file_name());
        let files = files.filter_map(|name| name.to_str()?.strip_suffix(".ptx").map(str::to_owned));
        names.extend(files.map(|file| format!("{folder}/{file}")));
    }
    names.sort();
    names
}

#[test]
fn every_access_is_decided_as_its_line_says() {
    let bless = std::env::var_os("PTXASW_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names() {
        let text = text_of(&name);
        let found = annotated(&name, &text);
        if bless {
            std::fs::write(path_of(&name), &found).expect("the file is written");
        } else {
            let lines = text
                .lines()
                .zip(found.lines())
                .filter(|(one, other)| one != other);
            wrong.extend(lines.map(|(one, other)| format!("{name}\n- {one}\n+ {other}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A twin is a file in which nothing may be done.
#[test]
fn twins_stay_as_they_are() {
    for name in names() {
        let done = remarks(&name, &text_of(&name))
            .values()
            .any(|(done, _)| *done);
        assert_eq!(done, !name.contains("/not-"), "{name}");
    }
    assert!(names().len() > 65);
}

/// The twins that comments name, and the files of the table of traps.
#[test]
fn what_is_named_is_there() {
    let names = names();
    let is_there = |name: &str| {
        let name = name.replace("w/", "wide/").replace("t/", "tested/");
        let mut all = names.iter();
        all.any(|own| *own == name || own.split_once('/').is_some_and(|(_, file)| file == name))
    };
    for name in &names {
        let text = text_of(name);
        let twin = text.split("(twin: ").nth(1);
        let twin = twin.and_then(|rest| rest.split(')').next());
        assert!(twin.is_none_or(is_there), "{name}: {twin:?}");
    }
    let readme = path_of("README").with_extension("md");
    let readme = std::fs::read_to_string(readme).expect("the table is there");
    let (_, table) = readme.split_once("| trap |").expect("a table");
    for row in table.lines().filter(|line| line.starts_with("| ")) {
        let files = row.splitn(3, '|').nth(2).expect("three columns");
        for file in files.split('`').skip(1).step_by(2) {
            assert!(is_there(file), "{row}: {file}");
        }
    }
}

#[test]
fn results_stay() {
    for name in names() {
        let text = text_of(&name);
        let passed = passed(&text, memory_of(&name));
        let report = compared(&text, passed.text());
        assert_eq!(report.verdict, Verdict::Equal, "{name}");
        assert!(report.compared() > 0, "{name}: nothing was compared");
    }
}

/// What is assumed by choice of the user is named among the claims.
#[test]
fn an_assumption_is_a_claim() {
    let text = text_of("proofs/not-again");
    let mut memory = memory_of("proofs/not-again");
    memory.assumed.no_alias = true;
    let passed = passed(&text, memory);
    let claims: Vec<&str> = passed.reports[0]
        .claims
        .iter()
        .map(|claim| claim.evidence.as_str())
        .collect();
    assert!(
        claims
            .iter()
            .any(|claim| claim.contains("by choice of the user")),
        "{claims:?}"
    );
}
