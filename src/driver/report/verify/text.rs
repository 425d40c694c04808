//! The report for people.

use super::values::{bits, memory, value};
use super::{Subject, word};
use crate::report::execution;
use crate::report::fates::counted;
use ptxasw_base::lines::LineIndex;
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_base::table::{Table, row};
use ptxasw_executor::{AccessKind, Counters, ExecutionError, Fault, Race};
use ptxasw_ptx::ast::Span;
use ptxasw_verify::{
    Difference, KernelReport, LaunchReport, Memory, NewFault, Reason, ReplacedLoad, Tally,
    Tolerated, Verdict,
};
use std::fmt::Write as _;
use std::mem::discriminant;

/// What a race is.
const RACE: &str = "a data race of the original: nothing orders these two accesses";

/// A paragraph for each kernel.
pub fn text(subject: &Subject, reports: &[KernelReport]) -> String {
    let printer = Printer {
        subject,
        lines: subject.lines(),
    };
    let paragraphs: Vec<String> = reports
        .iter()
        .map(|report| printer.kernel(report))
        .collect();
    let mut out = paragraphs.join("\n");
    if !reports.is_empty() {
        let _ = writeln!(out, "\n{}", summary(reports));
    }
    out
}

/// The verdict in words.
fn verdict(report: &KernelReport) -> &'static str {
    match report.verdict {
        Verdict::CouldNotRun(Reason::Unreached) => "no launch reaches all that was changed",
        _ => word(report),
    }
}

/// One line for all kernels: `verified: 3 of 4 kernels equal; 1 could not be run`.
fn summary(reports: &[KernelReport]) -> String {
    let mut others: Vec<(&str, usize)> = Vec::new();
    let is_equal =
        |one: &&KernelReport| one.verdict == Verdict::Equal && Tally::of(one).is_enough();
    for report in reports.iter().filter(|one| !is_equal(one)) {
        let word = match report.verdict {
            Verdict::Equal => "equal in too few launches",
            _ => verdict(report),
        };
        match others.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => others.push((word, 1)),
        }
    }
    let equal = reports.iter().filter(is_equal).count();
    let others: Vec<String> = others
        .iter()
        .map(|(word, n)| format!("; {n} {word}"))
        .collect();
    let kernels = counted(reports.len() as u64, "kernel");
    format!("verified: {equal} of {kernels} equal{}", others.concat())
}

pub(super) struct Printer<'a> {
    subject: &'a Subject<'a>,
    /// Of the original and the rewritten text.
    pub(super) lines: [LineIndex<'a>; 2],
}

impl Printer<'_> {
    fn kernel(&self, report: &KernelReport) -> String {
        let tally = Tally::of(report);
        let mut out = match report.verdict {
            Verdict::Equal => format!("kernel `{}`: equal in {tally}\n", report.kernel),
            _ => format!("kernel `{}`: {}\n", report.kernel, verdict(report)),
        };
        if report.verdict == Verdict::Equal && !tally.is_enough() {
            out.push_str(
                "  fewer than half of the launches were compared: too few to call it equal\n",
            );
        }
        tolerated(&mut out, report.tolerated);
        self.runs(&mut out, report);
        if report.counts.iter().all(|counts| counts.warps > 0) {
            table(&mut out, report.counts);
        }
        match &report.verdict {
            Verdict::Equal => {}
            Verdict::Different(difference) => self.difference(&mut out, difference),
            Verdict::UndefinedBehaviour(fault) => self.fault(&mut out, fault),
            Verdict::CouldNotRun(reason) => self.reason(&mut out, reason),
        }
        if report.verdict == Verdict::Equal {
            self.unreached(&mut out, report);
        }
        if matches!(
            report.verdict,
            Verdict::Equal | Verdict::CouldNotRun(Reason::Unreached)
        ) {
            self.reach(&mut out, &report.reach);
        }
        for warning in &report.warnings {
            let (path, text) = self.subject.rewritten;
            let snippet = execution::warning(warning, path, text);
            let _ = writeln!(out, "{}", snippet.render_with(&self.lines[1]));
        }
        out
    }

    /// Shuffles of which equality says nothing.
    fn unreached(&self, out: &mut String, report: &KernelReport) {
        let [first, ..] = report.unreached[..] else {
            return;
        };
        let title = format!(
            "in no run lanes met at {} of the shuffles: nothing is known of them",
            report.unreached.len()
        );
        let labels = [(first, "the first of them")];
        self.snippet(out, Level::Warning, &title, 1, &labels, Vec::new());
    }

    /// Which launches were run, and what became of them.
    fn runs(&self, out: &mut String, report: &KernelReport) {
        let tried = report.launches.len();
        let ran = report
            .launches
            .iter()
            .filter(|l| l.skipped.is_empty())
            .count();
        let schedules: Vec<String> = self
            .subject
            .schedules
            .iter()
            .map(ToString::to_string)
            .collect();
        let _ = writeln!(
            out,
            "  equal pairs of runs: {}; launches: {tried}; schedules: {}",
            report.compared(),
            schedules.join(", ")
        );
        blocks(out, report);
        if report.left_out > 0 {
            let _ = writeln!(
                out,
                "  {} more launches are beyond `--steps`",
                report.left_out
            );
        }
        if ran < tried {
            skipped(out, report, self.subject.all_launches);
        }
        self.racy(out, report);
        if self.subject.all_launches {
            for launch in &report.launches {
                let text = launch.launch.trim_end().replace('\n', "\n    ");
                let _ = writeln!(out, "  launch: {text}");
            }
        }
    }

    /// Launches in which the original is its own enemy.
    fn racy(&self, out: &mut String, report: &KernelReport) {
        let all = self.subject.all_launches;
        let unstable =
            |l: &&LaunchReport| (all || !l.adversarial) && (!l.racy.is_empty() || l.race.is_some());
        let launches: Vec<&LaunchReport> = report.launches.iter().filter(unstable).collect();
        let Some(first) = launches.first() else {
            return;
        };
        let mut places: Vec<&Memory> = Vec::new();
        for memory in launches.iter().flat_map(|launch| &launch.racy) {
            if !places.contains(&memory) {
                places.push(memory);
            }
        }
        let _ = writeln!(
            out,
            "  the original itself depends on the schedule (data race?) in {} of the launches{}, first in {}",
            launches.len(),
            names(places.into_iter()),
            indented(&first.launch)
        );
        if matches!(report.verdict, Verdict::CouldNotRun(Reason::Race { .. })) {
            return;
        }
        if let Some(race) = launches.iter().find_map(|launch| launch.race.as_ref()) {
            self.race(out, race, Level::Note, RACE);
        }
    }

    fn race(&self, out: &mut String, race: &Race, level: Level, title: &str) {
        let kind = |kind: AccessKind| match kind {
            AccessKind::Load => "loads",
            AccessKind::Store => "stores",
            AccessKind::Atomic => "does so at once",
        };
        let notes = [race.first, race.second]
            .map(|access| format!("{} {}", access.thread, kind(access.kind)));
        let mut labels = vec![(race.second.span, "this")];
        if race.first.span != race.second.span {
            labels.push((race.first.span, "and this"));
        }
        self.snippet(out, level, title, 0, &labels, notes.to_vec());
    }

    fn difference(&self, out: &mut String, found: &Difference) {
        let _ = writeln!(out, "  launch:    {}", indented(&found.launch));
        let _ = writeln!(out, "  schedule:  {}", found.schedule);
        let parameters: Vec<String> = found.parameters.iter().map(|p| format!("`{p}`")).collect();
        let place = match (&found.memory, parameters.is_empty()) {
            (Memory::Buffer(_), false) => format!(" (of {})", parameters.join(", ")),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "  place:     {}{place}, element {} of {} bytes",
            memory(&found.memory),
            found.element,
            found.size
        );
        let show = |v| value(found.ty, found.size, v);
        let _ = writeln!(out, "  original:  {}", show(found.original));
        let _ = writeln!(out, "  rewritten: {}", show(found.rewritten));
        match &found.store {
            Some(store) => {
                let title = match store.rewritten {
                    true => "the element that differs was stored here",
                    false => {
                        "the rewritten kernel does not store this element; the original does so here"
                    }
                };
                let side = usize::from(store.rewritten);
                let note = format!("by {}", store.thread);
                self.snippet(
                    out,
                    Level::Error,
                    title,
                    side,
                    &[(store.span, "")],
                    vec![note],
                );
            }
            None => {
                out.push_str("  neither kernel stores this element by a statement of its own\n")
            }
        }
        match &found.load {
            Some(load) => self.rewritten_load(out, load),
            None => {
                out.push_str("note: no load of this thread was rewritten that has to do with it\n")
            }
        }
        if let Some(race) = &found.race {
            let title = format!("it may come of {RACE}");
            self.race(out, race, Level::Note, &title);
        }
    }

    fn rewritten_load(&self, out: &mut String, load: &ReplacedLoad) {
        let title = match load.values {
            Some(_) => "the first rewritten load that gives another value",
            None => "the last rewritten load that the stored value depends on",
        };
        let mut notes = Vec::new();
        if let Some([before, after]) = load.values {
            notes.push(format!("the original loads {}", bits(load.ty, before)));
            notes.push(format!("this gives {}", bits(load.ty, after)));
        }
        if load.execution > 1 {
            notes.push(format!("in execution {} by this thread", load.execution));
        }
        self.snippet(out, Level::Note, title, 1, &[(load.rewritten, "")], notes);
        let title = "the load in the original";
        self.snippet(
            out,
            Level::Note,
            title,
            0,
            &[(load.original, "")],
            Vec::new(),
        );
    }

    fn fault(&self, out: &mut String, fault: &NewFault) {
        let _ = writeln!(out, "  launch:    {}", indented(&fault.launch));
        let _ = writeln!(out, "  schedule:  {}", fault.schedule);
        self.execution_error(out, &fault.error, 1);
    }

    fn reason(&self, out: &mut String, reason: &Reason) {
        match reason {
            Reason::NotSupported(error) => self.execution_error(out, error, 1),
            Reason::Original(error) => {
                out.push_str("  the original fails in every launch; in the first:\n");
                self.execution_error(out, error, 0);
            }
            Reason::GivenLaunch { launch, error } => {
                let launch = indented(launch);
                let _ = writeln!(
                    out,
                    "  the original fails in a launch that was given: {launch}"
                );
                self.execution_error(out, error, 0);
            }
            Reason::MayNotEnd {
                launch,
                schedule,
                error,
            } => {
                let launch = indented(launch);
                let _ = writeln!(
                    out,
                    "  the rewritten kernel does not end, and the original does not under {schedule}, in {launch}"
                );
                self.execution_error(out, error, 0);
            }
            Reason::Missing => out.push_str("  the rewritten module has no such kernel\n"),
            Reason::Unreadable(error) => {
                let _ = writeln!(out, "  the rewritten text is not a module: {error}");
            }
            Reason::NoLaunch => out.push_str("  no launch is given for this kernel\n"),
            Reason::Unreached => {}
            Reason::NothingStored => {
                out.push_str("  no launch stores anything: there is nothing to compare\n");
            }
            Reason::Race { race, .. } => {
                out.push_str("  nothing is left to compare\n");
                if let Some(race) = race {
                    self.race(out, race, Level::Error, RACE);
                }
            }
        }
    }

    fn execution_error(&self, out: &mut String, error: &ExecutionError, side: usize) {
        let (path, text) = self.side(side);
        let snippet = execution::error(error, path, text);
        let _ = writeln!(out, "{}", snippet.render_with(&self.lines[side]));
    }

    fn side(&self, side: usize) -> (&str, &[u8]) {
        match side {
            0 => self.subject.original,
            _ => self.subject.rewritten,
        }
    }

    pub(super) fn snippet(
        &self,
        out: &mut String,
        level: Level,
        title: &str,
        side: usize,
        labels: &[(Span, &str)],
        notes: Vec<String>,
    ) {
        let (path, text) = self.side(side);
        let labels = labels.iter().map(|&(span, label)| Label {
            span,
            text: label.to_owned(),
            primary: true,
        });
        let snippet = Snippet {
            level,
            title: title.to_owned(),
            path: path.to_owned(),
            text,
            labels: labels.collect(),
            notes,
        };
        let _ = writeln!(out, "{}", snippet.render_with(&self.lines[side]));
    }
}

/// ` (buffer 0, variable `x`)`
fn names<'a>(places: impl Iterator<Item = &'a Memory>) -> String {
    let names: Vec<String> = places.map(memory).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    }
}

/// A launch of several lines is put below its heading.
fn indented(launch: &str) -> String {
    let launch = launch.trim_end();
    match launch.contains('\n') {
        true => format!("\n    {}", launch.replace('\n', "\n    ")),
        false => launch.to_owned(),
    }
}

/// `blocks of 128 (9), 16x8 (9)`
fn blocks(out: &mut String, report: &KernelReport) {
    let mut shapes: Vec<([u32; 3], usize)> = Vec::new();
    for launch in &report.launches {
        match shapes.iter_mut().find(|(block, _)| *block == launch.block) {
            Some((_, count)) => *count += 1,
            None => shapes.push((launch.block, 1)),
        }
    }
    let shapes: Vec<String> = shapes
        .iter()
        .map(|&([x, y, z], count)| {
            let shape = match (y, z) {
                (1, 1) => format!("{x}"),
                (_, 1) => format!("{x}x{y}"),
                _ => format!("{x}x{y}x{z}"),
            };
            format!("{shape} ({count})")
        })
        .collect();
    if !shapes.is_empty() {
        let _ = writeln!(out, "  blocks of {}", shapes.join(", "));
    }
}

/// Why runs of the original failed: each kind of fault once, with the first launch that has it.
fn skipped(out: &mut String, report: &KernelReport, all: bool) {
    let mut kinds: Vec<(&Fault, Span, String, usize)> = Vec::new();
    for launch in report.launches.iter().filter(|one| all || !one.adversarial) {
        for (schedule, error) in &launch.skipped {
            let kind = &error.fault;
            let span = match error.fault {
                // Where a run is cut short says nothing.
                Fault::StepLimit(_) => Span::default(),
                _ => error.span,
            };
            match kinds
                .iter_mut()
                .find(|known| (discriminant(known.0), known.1) == (discriminant(kind), span))
            {
                Some(known) => known.3 += 1,
                None => {
                    let launch = indented(&launch.launch);
                    let first = format!("{} under {schedule}, in {launch}", error.fault);
                    kinds.push((kind, span, first, 1));
                }
            }
        }
    }
    for (kind, _, first, count) in kinds {
        let what = match kind {
            Fault::StepLimit(_) => "does not end",
            _ => "fails",
        };
        let _ = writeln!(
            out,
            "  the original {what}, not compared: {count}, the first: {first}"
        );
    }
}

/// In what results differ at most, and what they are off there.
fn tolerated(out: &mut String, largest: Tolerated) {
    if largest.ulps == 0 {
        return;
    }
    let _ = writeln!(
        out,
        "  largest difference that was tolerated: {} units in the last place",
        largest.ulps
    );
    if let Some([original, rewritten]) = largest.errors {
        let _ = writeln!(
            out,
            "  largest error there, against a run in twice the precision: {original} of the original, {rewritten} rewritten"
        );
    }
}

/// Counts by warp, side by side.
fn table(out: &mut String, counts: [Counters; 2]) {
    type Count = fn(&Counters) -> u64;
    let rows: [(&str, Count); 6] = [
        ("instructions", |c| c.instructions),
        ("global loads", |c| c.global_loads),
        ("their lanes", |c| c.global_load_lanes),
        ("their sectors", |c| c.global_load_sectors),
        ("shuffles", |c| c.shuffles),
        ("votes", |c| c.votes),
    ];
    let mut table = Table::headed("  <>>", "per warp  original  rewritten");
    for (name, count) in rows {
        let [a, b] = counts.map(|c| format!("{:.2}", c.per_warp(count(&c))));
        table.row(row!(name, a, b));
    }
    let _ = write!(out, "{table}");
}
