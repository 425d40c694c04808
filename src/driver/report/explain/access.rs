//! One load or store with its source line: what each pass decided about it, how each condition of a shuffle was met, or why it stays.

use super::groups::lane;
use super::schemes::scheme_of;
use super::{Placed, Places, Subject};
use crate::pipeline::ssa::{Remark, Report};
use crate::report::function::Decision;
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_ir::lanes::LaneMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::Search;
use ptxasw_passes::shuffle::plan::{Part, Shuffle, Source};
use ptxasw_passes::shuffle::refusal::{ConditionName, Refusal};
use ptxasw_passes::shuffle::synthesis::{LoadReport, Outcome};
use ptxasw_ptx::ast::Span;
use std::fmt::Write as _;

/// Appends the loads and stores of a function, or those of some lines alone, and what else passes decided there.
pub fn write(subject: &Subject, placed: &Placed, lines: Option<&[u32]>, out: &mut String) {
    let is_wanted = |line: u32| lines.is_none_or(|lines| lines.contains(&line));
    let function = &placed.function;
    let mut snippets: Vec<(u32, Snippet)> = Vec::new();
    for access in &function.accesses {
        if !is_wanted(subject.lines.line(access.at)) {
            continue;
        }
        let decisions = access.decisions.iter();
        let own = decisions.filter_map(|decision| {
            let Decision { report, remark } = decision;
            match (decision.load(), &report.search) {
                (Some(load), Some(search)) => Writer {
                    subject,
                    places: placed.places?,
                    search,
                }
                .load(load),
                _ => Some(passed(subject, report, remark)),
            }
        });
        snippets.extend(own.map(|snippet| (access.at, snippet)));
    }
    for (report, remark) in &function.others {
        if is_wanted(remark.place.line) {
            snippets.push((remark.place.at, passed(subject, report, remark)));
        }
    }
    snippets.sort_by_key(|(at, _)| *at);
    for (_, snippet) in snippets {
        let _ = writeln!(out, "{}\n", snippet.render_with(subject.lines));
    }
}

/// What a pass decided about a statement, and what that rests on.
fn passed<'a>(subject: &Subject<'a>, report: &Report, remark: &Remark) -> Snippet<'a> {
    let kept = if remark.fate.is_done() { "" } else { "kept: " };
    let label = |at: u32, text: &str, primary| Label {
        span: subject.statement(at),
        text: text.to_owned(),
        primary,
    };
    let with = remark.with.as_ref().filter(|place| place.line > 0);
    let with = with.map(|place| label(place.at, "the other statement", false));
    let lift = remark.lift.map(|lift| format!("lifted by: {lift}"));
    let claims = report.claims.iter();
    let claims =
        claims.filter(|one| one.site.place.line > 0 && one.site.place.at == remark.place.at);
    let claims = claims.map(|one| format!("rests on: {}", one.evidence));
    Snippet {
        level: Level::Note,
        title: format!("{}: {kept}{}", report.pass, remark.what),
        path: subject.path.to_string(),
        text: subject.text,
        labels: [Some(label(remark.place.at, remark.fate.word(), true)), with]
            .into_iter()
            .flatten()
            .collect(),
        notes: lift.into_iter().chain(claims).collect(),
    }
}

struct Writer<'a, 's> {
    subject: &'s Subject<'a>,
    places: &'s dyn Places,
    search: &'s Search,
}

impl<'a> Writer<'a, '_> {
    fn load(&self, load: &LoadReport) -> Option<Snippet<'a>> {
        match &load.outcome {
            Outcome::Covered(_) => self.search.shuffle(load).map(|one| self.covered(one)),
            Outcome::Kept(refusal) => Some(self.kept(load, refusal)),
        }
    }

    fn line(&self, statement: u32) -> u32 {
        let span = self.span(statement);
        span.map_or(0, |span| self.subject.lines.line(span.start))
    }

    fn covered(&self, shuffle: &Shuffle) -> Snippet<'a> {
        let plan = &self.search.plan;
        let part = |part: &Part| plan.sources.get(part.source as usize);
        let sources: Vec<&Source> = shuffle.parts.iter().filter_map(part).collect();
        let region = sources
            .first()
            .and_then(|source| plan.regions.get(source.region as usize));
        let title = match (shuffle.lanes, region) {
            (LaneMap::OWN, _) | (_, None) => {
                "covered: the thread has loaded this value before".to_string()
            }
            (lanes, Some(region)) => {
                let carried = sources.iter().any(|source| source.carried.is_some());
                let when = match carried {
                    true => " in the last iteration",
                    false => "",
                };
                format!(
                    "covered: lane i takes what {} loaded{when}, scheme {}",
                    lane(lanes),
                    scheme_of(region)
                )
            }
        };
        let mut labels = vec![self.label(shuffle.destination, "becomes a shuffle", true)];
        let mut notes = self.location_note(shuffle.destination);
        for source in sources {
            let what = match source.carried {
                Some(_) => "source: the value that the loop carries over from the last iteration",
                None => "source",
            };
            let label = self.label(source.statement, what, false);
            if !labels.contains(&label) {
                labels.push(label);
            }
            notes.extend(
                source
                    .checks
                    .iter()
                    .map(|check| format!("checked at run time: {}", check.meaning)),
            );
        }
        notes.extend(
            shuffle
                .checks
                .iter()
                .map(|check| format!("checked at run time: {}", check.meaning)),
        );
        if shuffle.upward {
            notes.push("corner lanes: what they need is loaded behind the source".into());
        }
        notes.extend(self.parts(shuffle));
        notes.extend(
            shuffle
                .conditions
                .iter()
                .map(|condition| format!("{}: {}", condition.name, condition.proof)),
        );
        self.snippet(title, labels, notes)
    }

    /// Where the bytes of a destination come from, unless one source gives them from its first on.
    fn parts(&self, shuffle: &Shuffle) -> Vec<String> {
        if let [Part { byte: 0, at: 0, .. }] = *shuffle.parts {
            return Vec::new();
        }
        let line = |part: &Part| {
            let source = self.search.plan.sources.get(part.source as usize)?;
            Some(self.line(source.statement))
        };
        let text = |part: &Part| {
            let last = |first| first + part.bytes.max(1) - 1;
            format!(
                "bytes {}-{} are bytes {}-{} of the source at line {}",
                part.at,
                last(part.at),
                part.byte,
                last(part.byte),
                line(part).unwrap_or_default()
            )
        };
        shuffle.parts.iter().map(text).collect()
    }

    fn kept(&self, load: &LoadReport, refusal: &Refusal) -> Snippet<'a> {
        let role = if load.source {
            "source of others"
        } else {
            "stays a load"
        };
        let mut labels = vec![self.label(load.origin, role, true)];
        if let Some((origin, text)) = &refusal.related {
            labels.push(self.label(*origin, text, false));
        }
        let mut notes = self.location_note(load.origin);
        let lift = refusal.lift(self.subject.language);
        notes.extend(lift.map(|lift| format!("lifted by: {lift}")));
        let verdict = match refusal.condition() {
            ConditionName::Profit => Fate::Declined.word(),
            _ => Fate::Kept.word(),
        };
        let title = format!("{verdict} ({}): {}", refusal.reason.code, refusal.text());
        self.snippet(title, labels, notes)
    }

    fn snippet(
        &self,
        title: String,
        labels: Vec<Option<Label>>,
        notes: Vec<String>,
    ) -> Snippet<'a> {
        Snippet {
            level: Level::Note,
            title,
            path: self.subject.path.to_string(),
            text: self.subject.text,
            labels: labels.into_iter().flatten().collect(),
            notes,
        }
    }

    fn span(&self, statement: u32) -> Option<Span> {
        self.places.span(statement)
    }

    fn label(&self, statement: u32, text: &str, primary: bool) -> Option<Label> {
        Some(Label {
            span: self.span(statement)?,
            text: text.to_string(),
            primary,
        })
    }

    fn location_note(&self, statement: u32) -> Vec<String> {
        let source = self.places.source(statement);
        source
            .map(|one| format!("source: {one}"))
            .into_iter()
            .collect()
    }
}
