//! What the passes over the SSA IR did to each function: places that share what was done, or why not, in groups.

use super::Subject;
use super::groups::wrapped;
use crate::passes::Kind;
use crate::pipeline::ssa::{Remark, Report};
use crate::report::passes::Counts;
use std::fmt::Write as _;

/// Of the text below a group's head.
const INDENT: &str = "      ";

/// Appends what each pass did to each function.
pub fn write(subject: &Subject, out: &mut String) {
    for report in subject.passes {
        let counts = Counts::of([report]);
        let counted: Vec<String> = counts.passes().flat_map(|(_, counted)| counted).collect();
        let head = format!("pass `{}` on `{}`", report.pass, report.function);
        let _ = match counted.is_empty() {
            true => writeln!(out, "\n{head}"),
            false => writeln!(out, "\n{head}: {}", counted.join(", ")),
        };
        if let Some(why) = &report.refused {
            let _ = writeln!(out, "  {} is changed: {why}", report.unchanged());
        }
        groups(report, out);
        claims(report, out);
    }
}

/// Whether a pass remarks on a line.
pub fn has_line(reports: &[Report], line: u32) -> bool {
    let mut remarks = reports.iter().flat_map(|report| &report.remarks);
    remarks.any(|remark| remark.site.line == line)
}

/// Appends the remarks and claims at some lines alone.
pub fn write_lines(subject: &Subject, lines: &[u32], out: &mut String) {
    for report in subject.passes {
        let place = |line: u32| format!("{}:{line}: {}", subject.path, report.pass);
        let remarks = report.remarks.iter();
        for remark in remarks.filter(|one| lines.contains(&one.site.line)) {
            let (what, clause) = (kept(remark), remark.clause());
            let _ = writeln!(out, "{}: {what}{clause}", place(remark.site.line));
            if let Some(lift) = remark.lift {
                let _ = writeln!(out, "{INDENT}lifted by: {lift}");
            }
        }
        let claims = report.claims.iter();
        for (site, evidence) in claims.filter(|(site, _)| lines.contains(&site.line)) {
            let _ = writeln!(out, "{}: rests on: {evidence}", place(site.line));
        }
    }
}

fn kept(remark: &Remark) -> &'static str {
    match remark.kind {
        Kind::Kept => "kept: ",
        _ => "",
    }
}

/// Remarks of one kind with the same words, in the order of the first of each; what stays comes last.
fn groups(report: &Report, out: &mut String) {
    let mut groups: Vec<Vec<&Remark>> = Vec::new();
    for remark in &report.remarks {
        let same = |group: &&mut Vec<&Remark>| {
            let first = group[0];
            (first.kind, &first.what, first.lift) == (remark.kind, &remark.what, remark.lift)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(remark),
            None => groups.push(vec![remark]),
        }
    }
    groups.sort_by_key(|group| !group[0].kind.is_done());
    for group in groups {
        let first = group[0];
        let _ = writeln!(out, "  {} {}{}", group.len(), kept(first), first.what);
        let items = group.iter().map(|one| match one.other_line() {
            Some(other) => format!("{} @{other}", one.site.line),
            None => one.site.line.to_string(),
        });
        wrapped(super::groups::lines(group.len()), items, out);
        if let Some(lift) = first.lift {
            let _ = writeln!(out, "{INDENT}lifted by: {lift}");
        }
    }
}

/// What the rewriting rests on.
fn claims(report: &Report, out: &mut String) {
    let mut groups: Vec<(&str, Vec<u32>)> = Vec::new();
    for (site, evidence) in &report.claims {
        match groups.iter_mut().find(|(one, _)| one == evidence) {
            Some((_, lines)) => lines.push(site.line),
            None => groups.push((evidence, vec![site.line])),
        }
    }
    for (evidence, lines) in groups {
        let _ = writeln!(out, "  rests on: {evidence}");
        let items = lines.iter().map(u32::to_string);
        wrapped(super::groups::lines(lines.len()), items, out);
    }
}
