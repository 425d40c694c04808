//! Reports as text.

use super::program::CompiledBy;
use super::run::{LaunchReport, Subject, Verdict};
use ptxasw_base::table::{Row, Table};
use std::fmt::Write;

/// Columns of a table, after the label.
const COLUMNS: [&str; 8] = [
    "median µs",
    "least µs",
    "speedup",
    "quartiles",
    "registers",
    "local",
    "occupancy",
    "result",
];

/// A launch as a table for a terminal.
pub fn table(report: &LaunchReport) -> String {
    let mut table = Table::new("<>>>>>>><");
    table.row(Row::from_cells([""].into_iter().chain(COLUMNS)));
    for subject in subjects(report) {
        table.row(Row::from_cells(row(subject)));
    }
    let mut text = table.to_string();
    notes(report, &mut text);
    text
}

/// Rows of a Markdown table; `name` is in the first column. The header is [`markdown`] of nothing.
pub fn markdown(name: &str, report: Option<&LaunchReport>) -> String {
    let Some(report) = report else {
        let rule = COLUMNS.map(|column| match column {
            "result" | "quartiles" => "---",
            _ => "---:",
        });
        return format!(
            "| kernel | module | {} |\n| --- | --- | {} |\n",
            COLUMNS.join(" | "),
            rule.join(" | ")
        );
    };
    subjects(report)
        .map(|subject| format!("| {name} | {} |\n", row(subject).join(" | ")))
        .collect()
}

fn subjects(report: &LaunchReport) -> impl Iterator<Item = &Subject> {
    [&report.original].into_iter().chain(&report.rewritten)
}

fn row(subject: &Subject) -> Vec<String> {
    let mut cells = vec![subject.label.clone()];
    match &subject.timing {
        Some(timing) => cells.extend([
            format!("{:.1}", timing.median),
            format!("{:.1}", timing.least),
            format!("{:.3}", timing.speedup.median),
            format!("{:.3}-{:.3}", timing.speedup.lower, timing.speedup.upper),
        ]),
        None => cells.extend(["-"; 4].map(str::to_owned)),
    }
    match &subject.resources {
        Some(resources) => cells.extend([
            resources.registers.to_string(),
            resources.local.to_string(),
            format!("{:.0}%", resources.occupancy * 100.0),
        ]),
        None => cells.extend(["-"; 3].map(str::to_owned)),
    }
    cells.push(result(&subject.verdict));
    cells
}

/// A result in words.
pub fn result(verdict: &Verdict) -> String {
    match verdict {
        Verdict::NotCompared => "not compared".to_owned(),
        Verdict::Equal => "equal".to_owned(),
        Verdict::Different(difference) => format!(
            "{}[{}] = {}, not {} ({} differ)",
            difference.buffer,
            difference.element,
            difference.rewritten,
            difference.original,
            difference.count
        ),
        // The compiler's log has lines of its own.
        Verdict::Failed(error) => format!("failed: {}", error.lines().next().unwrap_or("")),
        Verdict::NotRun(why) => format!("not run: {why}"),
    }
}

fn notes(report: &LaunchReport, text: &mut String) {
    for subject in subjects(report) {
        if let Verdict::Failed(error) = &subject.verdict
            && error.contains('\n')
        {
            let _ = writeln!(text, "{}: {error}", subject.label);
        }
    }
    if report.original.compiled_by == Some(CompiledBy::Ptxas) {
        let _ = writeln!(text, "machine code by ptxas");
    }
    if let Some(why) = &report.not_timed {
        let _ = writeln!(text, "not timed: {why}");
    }
    if let Some(executor) = &report.executor {
        let _ = writeln!(text, "original: {executor}");
    }
}
