//! Remarks on every load: covered and how, or kept and why.

use super::lines::LineIndex;
use super::positions::{Locations, Place, SourceFiles};
use super::snippet::{Label, Level, Snippet};
use crate::emulator::term::LaneMap;
use crate::pipeline::Kernel;
use crate::ptx::ast::{Body, Item, Module, Span};
use crate::shuffle::plan::{Part, Region, Shuffle, Source, Wrapping};
use crate::shuffle::refusal::{ConditionName, Refusal, UNKNOWN_ORIGIN};
use crate::shuffle::synthesis::{LoadReport, Outcome};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// What every report says: soundness rests on it.
pub const ASSUMPTION: &str = "assumed: the kernel is free of data races, as CUDA C++ demands";

/// Where the statements of a function stand.
pub trait Places {
    /// A statement in the text that is shown.
    fn span(&self, statement: u32) -> Option<Span>;
    /// The position in the source that it came from, if the text says so.
    fn source(&self, statement: u32) -> Option<Place>;
}

/// Explains all kernels of a module.
pub fn explain(path: &str, module: &Module, kernels: &[Kernel]) -> String {
    let lines = LineIndex::new(module.text);
    let files = SourceFiles::of(module);
    let mut out = String::new();
    for kernel in kernels {
        if let Some(places) = Statements::of(module, &files, kernel) {
            explain_kernel(path, module.text, &lines, &places, kernel, &mut out);
        }
    }
    let _ = writeln!(out, "{ASSUMPTION}");
    out
}

/// Explains one kernel, whose statements stand in a text.
pub fn explain_kernel(
    path: &str,
    text: &[u8],
    lines: &LineIndex,
    places: &dyn Places,
    kernel: &Kernel,
    out: &mut String,
) {
    Writer {
        path,
        text,
        lines,
        places,
        kernel,
        shared: shared(kernel),
    }
    .kernel(out);
}

/// The statements of a PTX function.
pub(super) struct Statements<'a, 't> {
    body: &'a Body,
    files: &'a SourceFiles<'t>,
    locations: Locations,
}

impl<'a, 't> Statements<'a, 't> {
    /// Those of a kernel with a body.
    pub(super) fn of(
        module: &'a Module<'t>,
        files: &'a SourceFiles<'t>,
        kernel: &Kernel,
    ) -> Option<Self> {
        let Some(Item::Function(function)) = module.items.get(kernel.item as usize) else {
            return None;
        };
        let body = function.body.as_ref()?;
        Some(Statements {
            body,
            files,
            locations: Locations::of(body),
        })
    }
}

impl Places for Statements<'_, '_> {
    fn span(&self, statement: u32) -> Option<Span> {
        self.body
            .statements
            .get(statement as usize)
            .map(|statement| statement.span)
    }

    /// The `.loc` in force at the statement.
    fn source(&self, statement: u32) -> Option<Place> {
        let location = self.locations.at(statement)?;
        Some(Place {
            file: self.files.name(location).to_string(),
            line: location.line,
            column: location.column,
        })
    }
}

/// One line for a kernel: loads, shuffles, what stays.
pub fn summary(kernel: &Kernel) -> String {
    let name = match kernel.entry {
        true => format!("kernel `{}`", kernel.name),
        false => format!("function `{}`", kernel.name),
    };
    if let Some(refusal) = &kernel.skipped {
        let lift = refusal.lift.as_ref();
        let lift = lift.map_or_else(String::new, |lift| format!("; would be lifted by: {lift}"));
        return format!("{name}: left as it is: {}{lift}", refusal.reason);
    }
    let shuffles = &kernel.plan.shuffles;
    let distance: u32 = shuffles
        .iter()
        .map(|shuffle| shuffle.lanes.distance())
        .sum();
    let mut line = format!(
        "{name}: {} of {} loads become shuffles",
        shuffles.len(),
        kernel.loads.len()
    );
    if !shuffles.is_empty() {
        let _ = write!(
            line,
            ", mean |N| {:.2}",
            f64::from(distance) / shuffles.len() as f64
        );
    }
    if kernel.declined() > 0 {
        let _ = write!(line, ", {} more are proved and declined", kernel.declined());
    }
    let queries = kernel.questions.solver.queries - kernel.questions.solver.too_large;
    if queries > 0 {
        let _ = write!(line, ", {queries} solver queries");
    }
    line
}

/// From this many loads on, a reason that they share is named once, at the head of their kernel.
const SHARED: usize = 4;

/// The reasons for which many loads of a kernel stay, and how many; in the order of the text.
fn shared(kernel: &Kernel) -> Vec<(&Refusal, usize)> {
    let mut counts: Vec<(&Refusal, usize)> = Vec::new();
    let mut known: FxHashMap<(ConditionName, &str, Option<&str>), usize> = FxHashMap::default();
    for load in &kernel.loads {
        let Outcome::Kept(refusal) = &load.outcome else {
            continue;
        };
        // What is short already gains nothing, and what is declined has a price of its own.
        if refusal.lift.is_none() || refusal.condition == ConditionName::Profit {
            continue;
        }
        let place = *known.entry(key(refusal)).or_insert_with(|| {
            counts.push((refusal, 0));
            counts.len() - 1
        });
        counts[place].1 += 1;
    }
    counts.retain(|(_, count)| *count >= SHARED);
    counts
}

/// What makes two refusals one reason.
fn key(refusal: &Refusal) -> (ConditionName, &str, Option<&str>) {
    (refusal.condition, &refusal.reason, refusal.lift.as_deref())
}

struct Writer<'a, 't> {
    path: &'a str,
    text: &'a [u8],
    lines: &'a LineIndex<'t>,
    places: &'a dyn Places,
    kernel: &'a Kernel,
    /// The head of the kernel names it: remarks on loads do not repeat it.
    shared: Vec<(&'a Refusal, usize)>,
}

impl<'a> Writer<'a, '_> {
    fn kernel(&self, out: &mut String) {
        let _ = writeln!(out, "{}", summary(self.kernel));
        for region in &self.kernel.plan.regions {
            let _ = writeln!(out, "  {}", self.region(region));
        }
        for (refusal, count) in &self.shared {
            let _ = writeln!(out, "  {}", self.reason(refusal, *count));
        }
        let _ = writeln!(out);
        for load in &self.kernel.loads {
            let snippet = match &load.outcome {
                Outcome::Covered(number) => self
                    .kernel
                    .plan
                    .shuffles
                    .get(*number as usize)
                    .map(|shuffle| self.covered(shuffle)),
                Outcome::Kept(refusal) => Some(self.kept(load, refusal)),
            };
            if let Some(snippet) = snippet {
                let _ = writeln!(out, "{}\n", snippet.render_with(self.lines));
            }
        }
    }

    fn region(&self, region: &Region) -> String {
        let line = self
            .span(region.before)
            .map_or(0, |span| self.lines.line(span.start));
        let mut text = format!(
            "mask and clamp at line {line}, wrapping {}",
            wrapping_name(region.wrapping)
        );
        for check in &region.checks {
            let _ = write!(text, "; checked at run time: {}", check.meaning);
        }
        text
    }

    /// A reason that many loads share.
    fn reason(&self, refusal: &Refusal, count: usize) -> String {
        let mut text = format!(
            "{count} of {} loads kept ({}): {}",
            self.kernel.loads.len(),
            refusal.condition.name(),
            refusal.reason
        );
        if let Some(lift) = &refusal.lift {
            let _ = write!(text, "; would be lifted by: {lift}");
        }
        if refusal.reason == UNKNOWN_ORIGIN {
            text.push_str(
                ". GCC's OpenACC and OpenMP load each pointer from memory; kernels of CUDA C++, \
                 and of clang's OpenMP, have them as parameters",
            );
        }
        text
    }

    fn covered(&self, shuffle: &Shuffle) -> Snippet<'a> {
        let plan = &self.kernel.plan;
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
                let other = match lanes {
                    LaneMap::Shift(delta) => format!("i{delta:+}"),
                    LaneMap::Xor(mask) => format!("i^{mask}"),
                    LaneMap::Lane(lane) => lane.to_string(),
                };
                let carried = sources.iter().any(|source| source.carried.is_some());
                let when = if carried {
                    " in the last iteration"
                } else {
                    ""
                };
                format!(
                    "covered: lane i takes what lane {other} loaded{when}, wrapping {}",
                    wrapping_name(region.wrapping)
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
            let source = self.kernel.plan.sources.get(part.source as usize)?;
            Some(self.lines.line(self.span(source.statement)?.start))
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
        let is_shared = |(other, _): &(&Refusal, usize)| key(other) == key(refusal);
        if !self.shared.iter().any(is_shared) {
            notes.extend(
                refusal
                    .lift
                    .iter()
                    .map(|lift| format!("would be lifted by: {lift}")),
            );
        }
        let verdict = match refusal.condition {
            ConditionName::Profit => "declined",
            _ => "kept",
        };
        let title = format!(
            "{verdict} ({}): {}",
            refusal.condition.name(),
            refusal.reason
        );
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
            path: self.path.to_string(),
            text: self.text,
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

/// The name that `--wrapping` takes.
pub fn wrapping_name(wrapping: Wrapping) -> &'static str {
    match wrapping {
        Wrapping::Full => "full",
        Wrapping::Row => "R",
        Wrapping::AnyRow => "F",
        Wrapping::WholeRows => "F31",
        Wrapping::Contiguous => "C",
        Wrapping::Paper => "paper",
        Wrapping::Early => "early",
        Wrapping::Halo => "halo",
        Wrapping::Hoist => "hoist",
        Wrapping::FastLoop => "fastloop",
        Wrapping::Versioned => "versioned",
    }
}
