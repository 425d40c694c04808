//! Loads and stores of one function that share what became of them, or the reasons for which they stay; then what changes rest on.

use super::schemes::scheme_of;
use super::{Placed, Places, Subject};
use crate::pipeline::ssa::{Remark, Report};
use crate::report::function::{self, AccessReport, Decision, FunctionReport};
use crate::report::positions::SourcePosition;
use indexmap::IndexMap;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::plan::{Region, Shuffle};
use ptxasw_passes::shuffle::refusal::{Language, Refusal};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Where a list of lines is broken.
const WIDTH: usize = 96;
/// Of the text below a group's head.
const INDENT: &str = "      ";

/// Appends a function's groups.
pub fn write(subject: &Subject, placed: &Placed, out: &mut String) {
    let function = &placed.function;
    if function.is_skipped()
        && let Some(refusal) = function.skipped()
    {
        let (code, text) = (refusal.reason.code, refusal.text());
        let _ = writeln!(out, "\n{}\n  left as it is, {code}: {text}", head(function));
        lift(subject, refusal, out);
        return;
    }
    let mut passes = function.passes.iter();
    if function.accesses.is_empty() && passes.all(|report| report.is_empty()) {
        return;
    }
    let _ = writeln!(out, "\n{}", head(function));
    if let Some(refusal) = function.skipped() {
        let (code, text) = (refusal.reason.code, refusal.text());
        let _ = writeln!(out, "  no shuffles, {code}: {text}");
        lift(subject, refusal, out);
    }
    for report in &function.passes {
        if let Some(why) = &report.refused {
            let _ = writeln!(
                out,
                "  {} changes {}: {why}",
                report.pass,
                report.unchanged()
            );
        }
    }
    Writer {
        subject,
        places: placed.places,
    }
    .groups(function, out);
    claims(&function.passes, out);
}

fn lift(subject: &Subject, refusal: &Refusal, out: &mut String) {
    if let Some(lift) = refusal.lift(subject.language) {
        let _ = writeln!(out, "{INDENT}lifted by: {lift}");
    }
}

/// The code of some reason that the report names, for its last line: one that can be lifted, if there is any.
pub fn example_code<'f, 'a: 'f>(
    functions: impl Iterator<Item = &'f FunctionReport<'a>>,
) -> Option<&'static str> {
    let accesses = functions.flat_map(|function| &function.accesses);
    let kept = accesses.filter(|access| !access.fate().is_done());
    let reasons = kept.flat_map(|access| &access.decisions);
    let reasons = reasons.filter_map(|one| Some(one.refusal()?.reason));
    let first = reasons.max_by_key(|reason| reason.lift(Language::Cuda).is_some());
    first.map(|reason| reason.code)
}

fn head(function: &FunctionReport) -> String {
    match function.entry {
        true => format!("kernel `{}`", function.name),
        false => format!("function `{}`", function.name),
    }
}

/// What all places of a group have in common.
#[derive(PartialEq, Eq, Hash)]
struct Shared {
    fate: Fate,
    /// What follows the number of places.
    title: String,
    /// Reasons, if there are several.
    reasons: Vec<String>,
    checks: Vec<String>,
    lifts: Vec<String>,
}

/// Places of a group: what lists say of each, and the statements of loads.
#[derive(Default)]
struct Members {
    items: Vec<Item>,
    statements: Vec<u32>,
}

/// What a list says of a place.
enum Item {
    Line(u32),
    With(String),
}

struct Writer<'a> {
    subject: &'a Subject<'a>,
    places: Option<&'a dyn Places>,
}

impl Writer<'_> {
    fn line(&self, statement: u32) -> u32 {
        let span = self.places.and_then(|places| places.span(statement));
        span.map_or(0, |span| self.subject.lines.line(span.start))
    }

    /// All groups in the order of fates; of those that stay first what can be lifted, then the most frequent.
    fn groups(&self, function: &FunctionReport, out: &mut String) {
        let mut groups: IndexMap<Shared, Members> = IndexMap::new();
        for access in &function.accesses {
            let (shared, item) = self.described(access);
            let members = groups.entry(shared).or_default();
            members.items.push(item);
            let loads = access.decisions.iter().filter_map(|one| one.load());
            members.statements.extend(loads.map(|load| load.origin));
        }
        for (report, remark) in &function.others {
            let shared = Shared {
                fate: remark.fate,
                title: title(report, remark),
                reasons: Vec::new(),
                checks: Vec::new(),
                lifts: remark.lift.map(str::to_owned).into_iter().collect(),
            };
            groups
                .entry(shared)
                .or_default()
                .items
                .push(item(remark.place.line, remark));
        }
        let mut groups: Vec<(Shared, Members)> = groups.into_iter().collect();
        groups.sort_by_key(|(shared, members)| {
            let lifts = shared.lifts.is_empty();
            let frequent = std::cmp::Reverse(members.items.len());
            let stays = (!shared.fate.is_done()).then_some((lifts, frequent));
            (shared.fate, stays)
        });
        for (shared, members) in groups {
            self.group(&shared, &members, out);
        }
    }

    fn group(&self, shared: &Shared, members: &Members, out: &mut String) {
        let _ = writeln!(out, "  {} {}", members.items.len(), shared.title);
        for reason in &shared.reasons {
            let _ = writeln!(out, "{INDENT}{reason}");
        }
        for check in &shared.checks {
            let text = format!("{INDENT}checked at run time: {check}");
            let _ = writeln!(out, "{}", cut(&text));
        }
        let items = items(&members.items).into_iter();
        wrapped(lines(members.items.len()), items, out);
        self.sources(&members.statements, out);
        for lift in &shared.lifts {
            let _ = writeln!(out, "{INDENT}lifted by: {lift}");
        }
    }

    /// What a group says of an access, and what its list does.
    fn described(&self, access: &AccessReport) -> (Shared, Item) {
        let line = self.subject.lines.line(access.at);
        let fate = access.fate();
        let plain = |title: String| Shared {
            fate,
            title,
            reasons: Vec::new(),
            checks: Vec::new(),
            lifts: Vec::new(),
        };
        let Some(decision) = access.headline() else {
            let title = format!("kept: {}", function::NOTHING);
            return (plain(title), Item::Line(line));
        };
        let Decision { report, remark } = decision;
        match decision.shuffle() {
            _ if !fate.is_done() => (self.stays(access, fate), item(line, remark)),
            Some((search, shuffle)) => self
                .covered(search, shuffle, line)
                .unwrap_or_else(|| (plain(String::new()), Item::Line(line))),
            None => (plain(title(report, remark)), item(line, remark)),
        }
    }

    /// A load that another one serves: the region that its mask and clamp belong to.
    fn covered(&self, search: &Search, shuffle: &Shuffle, line: u32) -> Option<(Shared, Item)> {
        let plan = &search.plan;
        let source = plan.sources.get(shuffle.parts.first()?.source as usize)?;
        let region = plan.regions.get(source.region as usize);
        let region = region.filter(|_| !shuffle.lanes.is_own());
        let from = self.line(source.statement);
        let (fate, title, item) = match region {
            Some(region) => (
                Fate::Shuffled,
                format!("shuffled, {}", self.region(region)),
                format!("{line} from {from} ({})", lane(shuffle.lanes)),
            ),
            None => (
                Fate::Removed,
                "removed: the thread has loaded the value before (shuffle)".to_owned(),
                format!("{line} from {from}"),
            ),
        };
        let checks = region.iter().flat_map(|region| &region.checks);
        let shared = Shared {
            fate,
            title,
            reasons: Vec::new(),
            checks: checks.map(|check| check.meaning.clone()).collect(),
            lifts: Vec::new(),
        };
        Some((shared, Item::With(item)))
    }

    fn region(&self, region: &Region) -> String {
        let (scheme, line) = (scheme_of(region), self.line(region.before));
        format!("scheme {scheme}, mask and clamp at line {line}")
    }

    /// An access that stays, with the reason of each pass that looked at it.
    fn stays(&self, access: &AccessReport, fate: Fate) -> Shared {
        let mut reasons: Vec<String> = Vec::new();
        for decision in access.decisions.iter().filter(|one| one.fate() == fate) {
            let reason = self.reason(decision);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let mut lifts: Vec<String> = Vec::new();
        for decision in &access.decisions {
            let lift = decision.lift(self.subject.language);
            if let Some(lift) = lift.filter(|lift| !lifts.iter().any(|one| one == lift)) {
                lifts.push(lift.into_owned());
            }
        }
        let word = fate.word();
        let title = match &reasons[..] {
            [one] => format!("{word}, {one}"),
            _ => word.to_owned(),
        };
        Shared {
            fate,
            title,
            reasons: if reasons.len() > 1 {
                reasons
            } else {
                Vec::new()
            },
            checks: Vec::new(),
            lifts,
        }
    }

    fn reason(&self, decision: &Decision) -> String {
        let words = decision.words();
        match decision.refusal() {
            Some(refusal) => format!("{}: {words}", refusal.reason.code),
            None => format!("{}: {words}", decision.pass()),
        }
    }

    /// The lines of the compiler's source, where the text names them.
    fn sources(&self, statements: &[u32], out: &mut String) {
        let mut files: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let sources = statements
            .iter()
            .filter_map(|&one| self.places?.source(one));
        for SourcePosition { file, line, .. } in sources {
            files.entry(file).or_default().push(line);
        }
        for (file, mut lines) in files {
            lines.sort_unstable();
            lines.dedup();
            let lines: Vec<Item> = lines.into_iter().map(Item::Line).collect();
            wrapped(&format!("source {file}:"), items(&lines).into_iter(), out);
        }
    }
}

/// What a pass did, after a number.
fn title(report: &Report, remark: &Remark) -> String {
    match remark.fate.is_done() {
        true => format!("{} ({})", remark.what, report.pass),
        false => format!("kept, {}: {}", report.pass, remark.what),
    }
}

fn item(line: u32, remark: &Remark) -> Item {
    match remark.other_line() {
        Some(other) => Item::With(format!("{line} @{other}")),
        None => Item::Line(line),
    }
}

/// What the rewriting rests on; that conditions of a contract were met goes without saying here.
fn claims(reports: &[&Report], out: &mut String) {
    let mut groups: IndexMap<&str, Vec<u32>> = IndexMap::new();
    let claims = reports.iter().flat_map(|report| &report.claims);
    for claim in claims.filter(|claim| claim.condition.is_none()) {
        let sites = groups.entry(&claim.evidence).or_default();
        sites.push(claim.site.place.line);
    }
    for (evidence, sites) in groups {
        let _ = writeln!(out, "  rests on: {evidence}");
        wrapped(lines(sites.len()), sites.iter().map(u32::to_string), out);
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
fn lines(count: usize) -> &'static str {
    match count {
        1 => "line ",
        _ => "lines ",
    }
}

/// Items as text, three or more neighbouring lines as a range.
fn items(items: &[Item]) -> Vec<String> {
    let next = |one: &Item, other: &Item| matches!((one, other), (Item::Line(a), Item::Line(b)) if *b == a + 1);
    let runs = items.chunk_by(next);
    runs.flat_map(|run| match run {
        [Item::Line(first), _, .., Item::Line(last)] => vec![format!("{first}-{last}")],
        _ => run.iter().map(Item::text).collect(),
    })
    .collect()
}

impl Item {
    fn text(&self) -> String {
        match self {
            Item::Line(line) => line.to_string(),
            Item::With(text) => text.clone(),
        }
    }
}

/// A text of one line, without what is too much for it: `--full` shows all.
fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text.to_string(),
    }
}

/// A word and the list that follows it, in lines of a readable width.
fn wrapped(word: &str, items: impl Iterator<Item = String>, out: &mut String) {
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
        let lines: Vec<Item> = [1, 2, 4, 5, 6, 9].into_iter().map(Item::Line).collect();
        assert_eq!(items(&lines), ["1", "2", "4-6", "9"]);
        let with = [Item::Line(1), Item::With("2 @1".to_owned()), Item::Line(3)];
        assert_eq!(items(&with), ["1", "2 @1", "3"]);
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
