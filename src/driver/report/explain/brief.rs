//! A function in a dozen lines: what was done, why that pays, what it rests on, what was left, and what would lift that.

use super::{Placed, Subject};
use crate::report::fates::counted;
use crate::report::function::{self, AccessReport, Decision};
use crate::report::positions::SourceLines;
use crate::report::verdict::{FunctionVerdict, Variant, Way};
use indexmap::IndexMap;
use ptxasw_base::named::Named;
use ptxasw_base::names::shown;
use ptxasw_passes::Fate;
use std::cmp::Reverse;

/// Lines of a function below its head.
const MOST: usize = 11;
/// Of these, kinds of what was done, reasons to stay, and ways to lift them: by other options, and by other sources.
const DONE: usize = 5;
const LEFT: usize = 3;
const MORE: usize = 2;
/// Lines of a text that are named.
const NAMED: usize = 3;
/// The width of a label: `done`.
const LABEL: usize = 6;

/// Accesses with the same fate or reason.
#[derive(Default)]
struct Group {
    loads: u64,
    stores: u64,
    /// What was done, each wording once.
    words: Vec<String>,
    /// Lines of the input.
    lines: Vec<u32>,
}

/// The lines on a function, without blank ones.
pub fn lines(
    subject: &Subject,
    placed: &Placed,
    verdict: &FunctionVerdict,
    sources: &SourceLines,
) -> Vec<String> {
    let function = &placed.function;
    let kind = if function.entry { "kernel" } else { "function" };
    let mut out = vec![format!("{kind} {}", shown(function.name))];
    let Groups { done, left, lifts } = Groups::of(subject, &function.accesses, verdict);
    let groups = done.values().take(DONE);
    let groups = groups.map(|group| group.line(&group.title(), sources));
    labelled("done", groups.collect(), &mut out);
    let why = verdict.estimate.iter().map(|one| one.reason());
    let none = verdict.no_estimate.iter();
    let none = none.map(|why| format!("no estimate: {why}"));
    let tried = function.passes.iter().flat_map(|report| &report.tried);
    let tried = tried.map(|one| {
        let (level, why) = (one.loads.name(), &one.why.why);
        format!("`--loads {level}` was taken back: {why}")
    });
    labelled("why", why.chain(none).chain(tried).collect(), &mut out);
    let condition = verdict.tested.condition();
    let condition = condition.map(|one| {
        let one = one.trim_start_matches("if ");
        format!("{one}; this is tested at run time, and where it fails the original statements run")
    });
    labelled("if", condition.into_iter().collect(), &mut out);
    let groups = left.iter().take(LEFT);
    let groups = groups.map(|(reason, group)| group.line(&format!("kept: {reason}"), sources));
    labelled("left", groups.collect(), &mut out);
    let groups = lifts.iter();
    let groups = groups.map(|(lift, group)| format!("{}: {lift}", group.counted()));
    let better = verdict.better().into_iter().map(worth);
    let more = better.take(MORE).chain(groups.take(MORE));
    labelled("more", more.collect(), &mut out);
    out.truncate(MOST + 1);
    out
}

/// What another option would be worth: `est. 1.80x on sm_90: all shuffles`.
fn worth(variant: &Variant) -> String {
    let Variant { way, arch, ratio } = variant;
    format!("est. {:.2}x on {arch}: {}", ratio[0], way.words())
}

/// The groups of a function, in the order in which they are shown.
#[derive(Default)]
struct Groups {
    done: IndexMap<Fate, Group>,
    left: IndexMap<String, Group>,
    lifts: IndexMap<String, Group>,
}

impl Groups {
    fn of(subject: &Subject, accesses: &[AccessReport], verdict: &FunctionVerdict) -> Self {
        // What is known of all shuffles decides whether they are proposed.
        let estimated = verdict.variants.iter().any(|one| one.way == Way::Shuffles);
        let mut groups = Groups::default();
        for access in accesses {
            let line = subject.lines.line(access.at);
            let Some(decision) = access.headline() else {
                let nothing = groups.left.entry(function::NOTHING.to_owned());
                nothing.or_default().add(access, line, "");
                continue;
            };
            let fate = decision.fate();
            if fate.is_done() {
                let group = groups.done.entry(fate).or_default();
                group.add(access, line, decision.words());
                continue;
            }
            let reason = reason(&decision);
            groups.left.entry(reason).or_default().add(access, line, "");
            let is_open = fate != Fate::Declined || !estimated;
            if let Some(lift) = decision.lift(subject.language).filter(|_| is_open) {
                let group = groups.lifts.entry(lift.into_owned()).or_default();
                group.add(access, line, "");
            }
        }
        groups.done.sort_keys();
        let most = |_: &String, group: &Group| Reverse(group.loads + group.stores);
        groups.left.sort_by_cached_key(most);
        groups.lifts.sort_by_cached_key(most);
        groups
    }
}

/// Why an access stays, with the code that `ptxasw explain` takes.
fn reason(decision: &Decision) -> String {
    let words = decision.words();
    match decision.refusal() {
        Some(refusal) => format!("{}: {words}", refusal.reason.code),
        None => words.to_owned(),
    }
}

impl Group {
    fn add(&mut self, access: &AccessReport, line: u32, words: &str) {
        match access.is_store {
            true => self.stores += 1,
            false => self.loads += 1,
        }
        if !words.is_empty() && !self.words.iter().any(|one| one == words) {
            self.words.push(words.to_owned());
        }
        self.lines.push(line);
    }

    /// `36 loads and 2 stores`
    fn counted(&self) -> String {
        let counts = [(self.loads, "load"), (self.stores, "store")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, noun)| counted(count, noun)).collect();
        counts.join(" and ")
    }

    /// What was done: in the pass's words where it was the same everywhere, else what these begin with.
    fn title(&self) -> String {
        let first: Vec<&str> = self
            .words
            .first()
            .map_or("", String::as_str)
            .split(' ')
            .collect();
        let common = self.words.iter().fold(first.len(), |end, one| {
            let same = first.iter().zip(one.split(' '));
            end.min(same.take_while(|(a, b)| *a == b).count())
        });
        // A word that waits for another goes, too.
        let mut words = &first[..common];
        while let [rest @ .., "with" | "over" | "by" | "of"] = words {
            words = rest;
        }
        words.join(" ").trim_end_matches([',', ':']).to_owned()
    }

    /// `36 loads removed, same as the load; k.cu:7, 9 (58, 62, 66 and 33 more)`
    fn line(&self, title: &str, sources: &SourceLines) -> String {
        let mut lines: Vec<u32> = self.lines.clone();
        lines.sort_unstable();
        lines.dedup();
        let ptx = named(&lines);
        let places = match sources.named(&lines, named) {
            Some(source) => format!("{source} ({ptx})"),
            None if lines.len() == 1 => format!("line {ptx}"),
            None => format!("lines {ptx}"),
        };
        format!("{} {title}; {places}", self.counted())
    }
}

/// `58, 62, 66 and 33 more`
fn named(lines: &[u32]) -> String {
    let first: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
    match lines.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Appends lines of which the first has a label.
fn labelled(label: &str, lines: Vec<String>, out: &mut Vec<String>) {
    for (number, line) in lines.into_iter().enumerate() {
        let label = if number == 0 { label } else { "" };
        out.push(format!("  {label:LABEL$}{line}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_what_all_wordings_begin_with() {
        let group = |words: &[&str]| Group {
            words: words.iter().map(|&one| one.to_owned()).collect(),
            ..Group::default()
        };
        assert_eq!(group(&["removed, same as"]).title(), "removed, same as");
        let over = ["moved up over 1 store", "moved up over 12 stores"];
        assert_eq!(group(&over).title(), "moved up");
        assert_eq!(group(&["widened: 2 of 8, with"]).title(), "widened: 2 of 8");
        assert_eq!(group(&[]).title(), "");
        assert_eq!(named(&[1, 2, 3, 4, 5]), "1, 2, 3 and 2 more");
    }
}
