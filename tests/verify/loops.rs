//! Wrong rewritings of loops, each of which the judge must see by the launches that it makes up, and their right twins, which are equal:
//! `ptx-tests/loops/wrong/*.ptx`, whose README says how a file holds all three.

use super::wrong::{files, judge};
use ptxasw::verify::Verdict;
use std::fs;

/// The text of a file; `chosen` is the word of the lines that are in one rewriting alone, and none for the original.
fn variant(text: &str, chosen: Option<&str>) -> String {
    let mut out = String::new();
    let mut dropped = false;
    for line in text.lines() {
        let marked = line
            .strip_prefix("//")
            .and_then(|rest| rest.split_once(' '));
        let added = match marked {
            Some(("+", added)) => chosen.map(|_| added),
            Some((word @ ("wrong" | "right"), added)) => {
                chosen.filter(|&chosen| chosen == word).map(|_| added)
            }
            _ if line == "//-" => {
                dropped = chosen.is_some();
                None
            }
            _ if std::mem::take(&mut dropped) => None,
            _ => Some(line),
        };
        if let Some(line) = added {
            out += line;
            out.push('\n');
        }
    }
    out
}

#[test]
fn wrong_loops_are_seen_and_right_ones_are_equal() {
    let files = files("loops/wrong");
    assert!(files.len() >= 50, "there are only {}", files.len());
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let original = variant(&text, None);
        let right = judge(&original, &variant(&text, Some("right")));
        assert_eq!(right, Verdict::Equal, "{name}: the right one");
        let wrong = judge(&original, &variant(&text, Some("wrong")));
        let seen = matches!(
            wrong,
            Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
        );
        assert!(seen, "{name}: the wrong one is {wrong:?}");
    }
}
