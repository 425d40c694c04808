//! `ptxasw explain CODE`: what a condition, a scheme or a reason means, from the tables that remarks use.

use super::{conditions, schemes};
use ptxasw_base::named::Named;
use ptxasw_base::table::{Table, row};
use ptxasw_passes::shuffle::plan::Wrapping;
use ptxasw_passes::shuffle::refusal::{self, ConditionName, Language, Reason};
use std::fmt::Write as _;
use strsim::jaro_winkler;

/// Words that are no closer than this are not taken for a misspelling.
const CLOSE: f64 = 0.9;

/// The page of a code in any case of letters; none if there is no such code.
pub fn page(code: &str) -> Option<String> {
    let condition = ConditionName::ALL
        .into_iter()
        .find(|one| one.name().eq_ignore_ascii_case(code));
    if let Some(condition) = condition {
        return Some(of_condition(condition));
    }
    if let Some(scheme) = Wrapping::named(code) {
        return Some(of_scheme(scheme));
    }
    refusal::by_code(code).map(of_reason)
}

/// Codes of one condition that a word may be meant for.
const RELATED: usize = 3;

/// The codes that a word without a page may be meant for: the nearest one; else those nearest of the same condition, or those
/// that have another number.
pub fn similar(word: &str) -> Vec<&'static str> {
    let word = word.to_lowercase();
    let closeness = |code: &str| jaro_winkler(&code.to_lowercase(), &word);
    let letters = |text: &str| {
        text.trim_end_matches(|c: char| c.is_ascii_digit())
            .to_lowercase()
    };
    if letters(&word) != word {
        let alike = |code: &&str| letters(code) == letters(&word);
        return codes().filter(alike).collect();
    }
    let mut all: Vec<&str> = codes().collect();
    all.sort_by(|a, b| closeness(b).total_cmp(&closeness(a)));
    if all.first().is_some_and(|code| closeness(code) >= CLOSE) {
        all.truncate(1);
        return all;
    }
    if let Some((condition, _)) = word.split_once('-') {
        let is_of = |code: &&str| {
            let own = code.split_once('-').map(|(own, _)| own);
            own.is_some_and(|own| own.eq_ignore_ascii_case(condition))
        };
        return all.into_iter().filter(is_of).take(RELATED).collect();
    }
    Vec::new()
}

/// All codes: conditions, schemes, reasons.
pub fn codes() -> impl Iterator<Item = &'static str> {
    let conditions = ConditionName::ALL.into_iter().map(ConditionName::name);
    let schemes = Wrapping::ALL.into_iter().map(Wrapping::name);
    let reasons = refusal::all().map(|reason| reason.code);
    conditions.chain(schemes).chain(reasons)
}

fn of_condition(condition: ConditionName) -> String {
    let (title, about) = conditions::page(condition);
    let mut out = format!("{}: {title}\n\n", condition.name());
    paragraph(about, "", &mut out);
    let _ = writeln!(out, "\nReasons:");
    let reasons = refusal::all().filter(|reason| reason.condition == condition);
    let mut table = Table::new("  <<");
    for reason in reasons {
        table.row(row!(reason.code, open(reason.text)));
    }
    out + &table.to_string()
}

fn of_scheme(scheme: Wrapping) -> String {
    let (title, about, example) = schemes::page(scheme);
    let mut out = format!("scheme {}: {title}\n\n", scheme.name());
    paragraph(about, "", &mut out);
    block("PTX", example, &mut out);
    let _ = writeln!(out, "\nAsk for it by name: `--scheme {}`", scheme.name());
    out
}

fn of_reason(reason: &Reason) -> String {
    let (condition, _) = conditions::page(reason.condition);
    let mut out = format!("{}: {}\n", reason.code, open(reason.text));
    let _ = writeln!(out, "condition {}: {condition}\n", reason.condition.name());
    paragraph(reason.about, "", &mut out);
    block("Example", reason.example, &mut out);
    let lifts = [
        ("CUDA C++", reason.cuda, Language::Cuda),
        ("OpenACC, OpenMP", reason.openacc, Language::OpenAcc),
        ("Triton", reason.triton, Language::Triton),
    ];
    let own = lifts.iter().filter(|(_, text, _)| !text.is_empty());
    let mut lines: Vec<(&str, String)> = own.map(|(name, text, _)| (*name, open(text))).collect();
    if !reason.option.is_empty() {
        lines.push(("option", open(reason.option)));
    }
    match lines.is_empty() {
        true => out.push_str("\nNothing lifts it.\n"),
        false => out.push_str("\nLifted by:\n"),
    }
    for (name, text) in lines {
        paragraph(&format!("{name}: {text}"), "  ", &mut out);
    }
    out
}

/// The words of an entry with what it leaves open.
fn open(text: &str) -> String {
    text.replace("{}", "...")
}

fn block(title: &str, text: &str, out: &mut String) {
    let _ = writeln!(out, "\n{title}:");
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
}

/// Text in lines of at most 100 characters.
fn paragraph(text: &str, indent: &str, out: &mut String) {
    let mut line = indent.to_string();
    for word in text.split_whitespace() {
        if line.chars().count() + word.chars().count() >= 100 {
            let _ = writeln!(out, "{}", line.trim_end());
            line = format!("{indent}{indent}");
        }
        line.push_str(word);
        line.push(' ');
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_has_one_page() {
        let mut seen = BTreeSet::new();
        for code in codes() {
            let page = page(code).unwrap();
            assert!(page.contains(code) && page.lines().count() > 4, "{page}");
            assert!(seen.insert(code.to_lowercase()), "{code} twice");
        }
        assert_eq!(page("C7"), None);
    }

    #[test]
    fn misspelled_codes_are_known() {
        assert_eq!(similar("C3-stores"), ["C3-store"]);
        assert_eq!(similar("C9"), ["C1", "C2", "C3", "C4", "C5", "C6"]);
        assert_eq!(similar("f7"), ["F", "F31"]);
        assert_eq!(similar("limit-xyzzy").len(), RELATED);
        for other in ["k.ptx", "k-1.ptx", "kernel", "9"] {
            assert!(similar(other).is_empty(), "{other}");
        }
    }
}
