//! What becomes of each access, and that results stay.

use crate::memory::{
    Passed, compared, folder, is_twin, lines, names, passed, passed_at, text_of, versions,
};
use ptxasw::passes::memory::Loads;
use ptxasw::verify::Verdict;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const MARK: &str = " ; memory: ";
/// After this line a file has what a command prints.
const EXPECT: &str = "; expect:";

/// Remarks by line of the file; a line of the report is `kernel: line 12: memory: what @9`.
fn remarks(text: &str, passed: &Passed) -> BTreeMap<u32, String> {
    let [printed, _] = &passed.texts;
    let in_file = lines::in_file(printed, text).expect("the same lines");
    let place = |number: &str| {
        let number = number.parse().expect("a number");
        in_file(number).expect("an instruction")
    };
    let mut found = BTreeMap::new();
    for line in passed.reports.iter().flat_map(|report| report.lines()) {
        let (_, rest) = line.split_once(": line ").expect("it has a line");
        let (number, what) = rest.split_once(": memory: ").expect("it has a pass");
        let what = match what.split_once(" @") {
            None => what.to_owned(),
            Some((what, rest)) => {
                let (number, rest) = rest.split_at(rest.find(';').unwrap_or(rest.len()));
                format!("{what} @{}{rest}", place(number))
            }
        };
        let all: &mut String = found.entry(place(number)).or_default();
        if !all.is_empty() {
            *all += ", and ";
        }
        *all += &what;
    }
    found
}

/// A text with its remarks, in place of those that it has.
fn annotated(text: &str) -> String {
    let module = text.find(EXPECT).map_or(text, |end| &text[..end]);
    let remarks = remarks(module, &passed(module));
    let mut out = String::new();
    for (number, line) in (1..).zip(module.lines()) {
        out += line.split_once(MARK).map_or(line, |(code, _)| code);
        if let Some(what) = remarks.get(&number) {
            let _ = write!(out, "{MARK}{what}");
        }
        out.push('\n');
    }
    out + &text[module.len()..]
}

#[test]
fn every_access_is_decided_as_its_line_says() {
    let bless = std::env::var_os("PTXASW_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names() {
        let text = text_of(&name);
        let found = annotated(&text);
        if bless {
            let path = folder().join(&name).with_extension("ll");
            std::fs::write(path, &found).expect("the file is written");
            continue;
        }
        let lines = text.lines().zip(found.lines());
        let lines = lines.filter(|(one, other)| one != other);
        wrong.extend(lines.map(|(one, other)| format!("{name}\n- {one}\n+ {other}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn twins_stay_as_they_are() {
    for name in names() {
        let text = text_of(&name);
        let passed = passed(&text);
        let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
        let done = remarks.filter(|remark| remark.fate.is_done()).count();
        assert_eq!(done > 0, !is_twin(&name), "{name}");
        assert_eq!(passed.ptx.is_some(), !is_twin(&name), "{name}");
    }
    assert!(names().len() > 30);
}

/// As far as a file says, and to the end.
#[test]
fn results_stay() {
    for name in names() {
        let text = text_of(&name);
        for (passed, all) in [
            (passed(&text), !is_twin(&name)),
            (passed_at(&text, Loads::Always), false),
        ] {
            let Some(ptx) = passed.ptx else {
                assert!(!all || !versions::reads_all(), "{name}");
                continue;
            };
            if versions::is_miscompiled(&format!("memory/{name}")) {
                continue;
            }
            let report = compared(&text, &ptx);
            assert_eq!(report.verdict, Verdict::Equal, "{name}");
            assert!(report.compared() > 0, "{name}: nothing was compared");
        }
    }
}
