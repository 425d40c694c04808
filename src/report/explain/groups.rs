//! Loads of one kernel that share a scheme or a reason.

use super::schemes::scheme_of;
use super::{Placed, Places, Subject};
use crate::ir::lanes::LaneMap;
use crate::pipeline::Kernel;
use crate::report::positions::SourcePosition;
use crate::shuffle::plan::{Region, Shuffle};
use crate::shuffle::refusal::{ConditionName, Language, Refusal};
use crate::shuffle::synthesis::{LoadReport, Outcome};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where a list of lines is broken.
const WIDTH: usize = 96;
/// Of the text below a group's head.
const INDENT: &str = "      ";

/// Appends a kernel's groups.
pub fn write(subject: &Subject, (kernel, places): &Placed, out: &mut String) {
    if let Some(refusal) = &kernel.skipped {
        let _ = writeln!(
            out,
            "\n{}\n  left as it is, {}: {}",
            head(kernel),
            refusal.reason.code,
            refusal.text()
        );
        lift(subject, refusal, out);
        return;
    }
    let Some(places) = places else { return };
    if kernel.loads.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", head(kernel));
    if let Some(why) = kernel.reverted {
        let _ = writeln!(out, "  the original is kept: {why}");
    }
    let writer = Writer {
        subject,
        kernel,
        places: *places,
    };
    writer.covered(out);
    writer.kept(out);
}

/// The code of some reason that the report names, for its last line: one that can be lifted, if there is any.
pub fn example_code<'a>(kernels: impl Iterator<Item = &'a Kernel>) -> Option<&'static str> {
    let loads = kernels.flat_map(|kernel| &kernel.loads);
    let reasons = loads.filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) => Some(refusal.reason),
        Outcome::Covered(_) => None,
    });
    let first = reasons.max_by_key(|reason| reason.lift(Language::Cuda).is_some());
    first.map(|reason| reason.code)
}

fn head(kernel: &Kernel) -> String {
    match kernel.entry {
        true => format!("kernel `{}`", kernel.name),
        false => format!("function `{}`", kernel.name),
    }
}

fn lift(subject: &Subject, refusal: &Refusal, out: &mut String) {
    if let Some(lift) = refusal.lift(subject.language) {
        let _ = writeln!(out, "{INDENT}lifted by: {lift}");
    }
}

struct Writer<'a> {
    subject: &'a Subject<'a>,
    kernel: &'a Kernel,
    places: &'a dyn Places,
}

impl Writer<'_> {
    fn line(&self, statement: u32) -> u32 {
        let span = self.places.span(statement);
        span.map_or(0, |span| self.subject.lines.line(span.start))
    }

    /// Groups of loads that are rewritten: by the region that their mask and clamp belong to.
    fn covered(&self, out: &mut String) {
        let plan = &self.kernel.plan;
        let mut groups: BTreeMap<Option<u32>, Vec<(&LoadReport, &Shuffle)>> = BTreeMap::new();
        for load in &self.kernel.loads {
            let Outcome::Covered(number) = load.outcome else {
                continue;
            };
            let Some(shuffle) = plan.shuffles.get(number as usize) else {
                continue;
            };
            let source = shuffle.parts.first();
            let source = source.and_then(|part| plan.sources.get(part.source as usize));
            let region = source.map(|source| source.region);
            let group = groups.entry(region.filter(|_| !shuffle.lanes.is_own()));
            group.or_default().push((load, shuffle));
        }
        for (region, loads) in groups {
            let region = region.and_then(|region| plan.regions.get(region as usize));
            let what = match region {
                Some(region) => self.region(region),
                None => "the thread has loaded the value before".to_string(),
            };
            let _ = writeln!(out, "  {} rewritten, {what}", loads.len());
            for check in region.iter().flat_map(|region| &region.checks) {
                let text = format!("{INDENT}checked at run time: {}", check.meaning);
                let _ = writeln!(out, "{}", cut(&text));
            }
            let items = loads.iter().map(|(load, shuffle)| {
                let line = self.line(load.origin);
                let source = shuffle.parts.first();
                let source = source.and_then(|part| plan.sources.get(part.source as usize));
                let source = source.map_or(0, |source| self.line(source.statement));
                match shuffle.lanes {
                    LaneMap::OWN => format!("{line} from {source}"),
                    lanes => format!("{line} from {source} ({})", lane(lanes)),
                }
            });
            wrapped(lines(loads.len()), items, out);
            self.sources(loads.iter().map(|(load, _)| load.origin), out);
        }
    }

    fn region(&self, region: &Region) -> String {
        let (scheme, line) = (scheme_of(region), self.line(region.before));
        format!("scheme {scheme}, mask and clamp at line {line}")
    }

    /// Groups of loads that stay, the most frequent reason first; what has nothing to be lifted last.
    fn kept(&self, out: &mut String) {
        let mut groups: Vec<(&Refusal, Vec<&LoadReport>)> = Vec::new();
        let mut known = FxHashMap::default();
        for load in &self.kernel.loads {
            let Outcome::Kept(refusal) = &load.outcome else {
                continue;
            };
            let place = *known.entry(refusal.key()).or_insert_with(|| {
                groups.push((refusal, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(load);
        }
        groups.sort_by_key(|(refusal, loads)| {
            let lifts = refusal.lift(self.subject.language).is_some();
            (!lifts, std::cmp::Reverse(loads.len()))
        });
        for (refusal, loads) in groups {
            let verdict = match refusal.condition() {
                ConditionName::Profit => "declined",
                _ => "kept",
            };
            let code = refusal.reason.code;
            let _ = writeln!(
                out,
                "  {} {verdict}, {code}: {}",
                loads.len(),
                refusal.text()
            );
            let lines: Vec<u32> = loads.iter().map(|load| self.line(load.origin)).collect();
            wrapped(self::lines(lines.len()), ranges(&lines).into_iter(), out);
            self.sources(loads.iter().map(|load| load.origin), out);
            lift(self.subject, refusal, out);
        }
    }

    /// The lines of the compiler's source, where the text names them.
    fn sources(&self, statements: impl Iterator<Item = u32>, out: &mut String) {
        let mut files: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for SourcePosition { file, line, .. } in
            statements.filter_map(|one| self.places.source(one))
        {
            files.entry(file).or_default().push(line);
        }
        for (file, mut lines) in files {
            lines.sort_unstable();
            lines.dedup();
            wrapped(&format!("source {file}:"), ranges(&lines).into_iter(), out);
        }
    }
}

/// How a lane is named from which a value comes.
pub fn lane(lanes: LaneMap) -> String {
    match lanes {
        LaneMap::Shift(delta) => format!("lane i{delta:+}"),
        LaneMap::Xor(mask) => format!("lane i^{mask}"),
        LaneMap::Lane(lane) => format!("lane {lane}"),
    }
}

/// How a list of lines begins.
pub fn lines(count: usize) -> &'static str {
    match count {
        1 => "line ",
        _ => "lines ",
    }
}

/// Numbers as text, three or more neighbours as a range.
fn ranges(numbers: &[u32]) -> Vec<String> {
    let runs = numbers.chunk_by(|a, b| *b == a + 1);
    runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first}-{last}")],
        _ => run.iter().map(u32::to_string).collect(),
    })
    .collect()
}

/// A text of one line, without what is too much for it: `--full` shows all.
fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text.to_string(),
    }
}

/// A word and the list that follows it, in lines of a readable width.
pub fn wrapped(word: &str, items: impl Iterator<Item = String>, out: &mut String) {
    let mut line = format!("{INDENT}{word}");
    let start = line.chars().count();
    for (number, item) in items.enumerate() {
        if number > 0 {
            line.push(',');
            if line.chars().count() + item.chars().count() + " ,".len() > WIDTH {
                let _ = writeln!(out, "{line}");
                line = " ".repeat(start - 1);
            }
            line.push(' ');
        }
        line.push_str(&item);
    }
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_ranges() {
        assert_eq!(ranges(&[1, 2, 4, 5, 6, 9]), ["1", "2", "4-6", "9"]);
        assert_eq!(ranges(&[]), [""; 0]);
    }

    #[test]
    fn long_lists_are_broken() {
        let mut out = String::new();
        wrapped(
            "lines ",
            (1000..1030).map(|line| line.to_string()),
            &mut out,
        );
        assert!(out.lines().count() > 2 && out.lines().all(|line| line.chars().count() <= WIDTH));
    }
}
