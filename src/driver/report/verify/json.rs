//! The report for programs.

use super::values::{bits, value};
use super::{Subject, word};
use ptxasw_base::lines::LineIndex;
use ptxasw_executor::{ExecutionError, Race, Thread};
use ptxasw_ptx::ast::Span;
use ptxasw_verify::{
    Difference, KernelReport, LaunchReport, NewFault, Reach, Reason, ReplacedLoad, Tally, Verdict,
};
use serde_json::{Value, json};

/// An object with the schedules and one entry for each kernel.
pub fn json(subject: &Subject, reports: &[KernelReport]) -> Value {
    let lines = subject.lines();
    let schedules: Vec<String> = subject.schedules.iter().map(ToString::to_string).collect();
    let kernels: Vec<Value> = reports.iter().map(|r| kernel(r, &lines)).collect();
    json!({
        "original": subject.original.0,
        "rewritten": subject.rewritten.0,
        "schedules": schedules,
        "kernels": kernels,
    })
}

fn kernel(report: &KernelReport, lines: &[LineIndex; 2]) -> Value {
    let launches: Vec<Value> = report
        .launches
        .iter()
        .map(|l| launch(l, &lines[0]))
        .collect();
    let warnings = report.warnings.iter().map(|warning| {
        json!({
            "message": warning.kind.to_string(),
            "at": place(warning.span, &lines[1]),
            "thread": thread(&warning.thread),
        })
    });
    let tally = Tally::of(report);
    let reasons = tally.left_out.iter();
    let reasons = reasons.map(|(reason, count)| (reason.to_string(), json!(count)));
    let reasons: serde_json::Map<String, Value> = reasons.collect();
    let mut value = json!({
        "kernel": report.kernel,
        "verdict": word(report),
        "compared": report.compared(),
        "equal_launches": tally.equal,
        "of_launches": tally.launches,
        "enough": tally.is_enough(),
        "reasons_left_out": reasons,
        "launches": launches,
        "left_out": report.left_out,
        "ulps": report.tolerated.ulps,
        "errors": report.tolerated.errors.map(|[original, rewritten]| {
            json!({ "original": original, "rewritten": rewritten })
        }),
        "counts": { "original": report.counts[0], "rewritten": report.counts[1] },
        "warnings": warnings.collect::<Vec<_>>(),
        "unreached": report.unreached.iter().map(|&span| place(span, &lines[1])).collect::<Vec<_>>(),
        "reach": reach(&report.reach, lines),
    });
    let (key, details) = match &report.verdict {
        Verdict::Equal => return value,
        Verdict::Different(found) => ("difference", difference(found, lines)),
        Verdict::UndefinedBehaviour(found) => ("fault", fault(found, &lines[1])),
        Verdict::CouldNotRun(why) => ("reason", reason(why, lines)),
    };
    value[key] = details;
    value
}

fn reach(reach: &Reach, lines: &[LineIndex; 2]) -> Value {
    let places = |spans: &[Span], side: usize| -> Vec<Value> {
        let places = spans.iter().map(|&span| place(span, &lines[side]));
        places.collect()
    };
    let loops = reach.loops.iter().map(|one| {
        json!({
            "at": place(one.span, &lines[0]),
            "never_skipped": one.never_skipped,
            "never_once": one.never_once,
            "never_many": one.never_many,
            "rewritten": one.rewritten,
        })
    });
    json!({
        "blocks": reach.blocks,
        "unreached": places(&reach.unreached, 0),
        "rewritten": places(&reach.rewritten, 0),
        "loops": loops.collect::<Vec<_>>(),
        "changed": places(&reach.changed, 1),
    })
}

fn launch(report: &LaunchReport, lines: &LineIndex) -> Value {
    let skipped = report.skipped.iter().map(|(schedule, found)| {
        json!({ "schedule": schedule.to_string(), "error": error(found, lines) })
    });
    json!({
        "launch": report.launch,
        "equal": report.equal,
        "racy": report.racy,
        "race": report.race.as_ref().map(|found| race(found, lines)),
        "skipped": skipped.collect::<Vec<_>>(),
        "may_not_end": report.may_not_end,
    })
}

fn difference(found: &Difference, lines: &[LineIndex; 2]) -> Value {
    let show = |v| value(found.ty, found.size, v);
    json!({
        "launch": found.launch,
        "schedule": found.schedule.to_string(),
        "memory": found.memory,
        "parameters": found.parameters,
        "element": found.element,
        "bytes": found.size,
        "original": { "bits": found.original.bits, "undefined": found.original.undefined, "value": show(found.original) },
        "rewritten": { "bits": found.rewritten.bits, "undefined": found.rewritten.undefined, "value": show(found.rewritten) },
        "store": found.store.map(|store| json!({
            "module": if store.rewritten { "rewritten" } else { "original" },
            "at": place(store.span, &lines[usize::from(store.rewritten)]),
            "thread": thread(&store.thread),
        })),
        "race": found.race.as_ref().map(|found| race(found, &lines[0])),
        "load": found.load.as_ref().map(|load| rewritten_load(load, lines)),
    })
}

fn rewritten_load(found: &ReplacedLoad, lines: &[LineIndex; 2]) -> Value {
    let values = found
        .values
        .map(|[a, b]| json!({ "original": bits(found.ty, a), "rewritten": bits(found.ty, b) }));
    json!({
        "original": place(found.original, &lines[0]),
        "rewritten": place(found.rewritten, &lines[1]),
        "execution": found.execution,
        "values": values,
    })
}

fn fault(found: &NewFault, lines: &LineIndex) -> Value {
    json!({
        "launch": found.launch,
        "schedule": found.schedule.to_string(),
        "error": error(&found.error, lines),
    })
}

fn reason(reason: &Reason, lines: &[LineIndex; 2]) -> Value {
    match reason {
        Reason::NotSupported(found) => {
            json!({ "kind": "not supported", "error": error(found, &lines[1]) })
        }
        Reason::Original(found) => {
            json!({ "kind": "the original fails", "error": error(found, &lines[0]) })
        }
        Reason::GivenLaunch {
            launch,
            error: found,
        } => json!({
            "kind": "the original fails in a launch",
            "launch": launch,
            "error": error(found, &lines[0]),
        }),
        Reason::MayNotEnd {
            launch,
            schedule,
            error: found,
        } => json!({
            "kind": "the original may not end",
            "launch": launch,
            "schedule": schedule.to_string(),
            "error": error(found, &lines[0]),
        }),
        Reason::Missing => json!({ "kind": "no such kernel" }),
        Reason::Unreadable(error) => json!({ "kind": "no module", "error": error }),
        Reason::NoLaunch => json!({ "kind": "no launch" }),
        Reason::NothingStored => json!({ "kind": "nothing stored" }),
        Reason::Unreached => json!({ "kind": "not reached" }),
        Reason::Race { memory, race } => json!({
            "kind": "race in the original",
            "memory": memory,
            "race": race.as_ref().map(|found| self::race(found, &lines[0])),
        }),
    }
}

fn race(found: &Race, lines: &LineIndex) -> Value {
    let [first, second] = [found.first, found.second]
        .map(|access| json!({ "at": place(access.span, lines), "thread": thread(&access.thread) }));
    json!({ "first": first, "second": second, "region": found.region, "offset": found.offset })
}

fn error(found: &ExecutionError, lines: &LineIndex) -> Value {
    json!({
        "message": found.fault.to_string(),
        "at": place(found.span, lines),
        "thread": found.thread.as_ref().map(thread),
    })
}

/// Line and column, from 1; null for no statement.
fn place(span: Span, lines: &LineIndex) -> Value {
    if span.start >= span.end {
        return Value::Null;
    }
    let position = lines.position(span.start);
    json!({ "line": position.line, "column": position.column })
}

fn thread(thread: &Thread) -> Value {
    json!({
        "block": thread.block,
        "thread": thread.thread,
        "warp": thread.warp,
        "lane": thread.lane,
    })
}
