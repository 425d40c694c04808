//! The report for programs.

use super::verdict::{Counts, module_line};
use super::{Placed, Subject};
use crate::pipeline::ssa::Report;
use crate::report::{passes, remarks};
use crate::shuffle::synthesis::Outcome;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Goes up when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// The verdict, counts of each kernel and pass, and a remark for every load and every place that a pass decided about.
pub fn report(subject: &Subject) -> Value {
    let kernels = || subject.kernels.iter().map(|(kernel, _)| *kernel);
    json!({
        "format": FORMAT,
        "module": subject.path,
        "verdict": module_line(subject.path, kernels(), subject.passes),
        "kernels": subject.kernels.iter().map(|one| counts(subject, one)).collect::<Vec<_>>(),
        "passes": subject.passes.iter().map(pass).collect::<Vec<_>>(),
        "remarks": remarks::all(subject),
        "assumed": super::ASSUMPTION,
    })
}

/// What a pass did to a function. Its remarks are among the others.
fn pass(report: &Report) -> Value {
    let counts = passes::Counts::of([report]);
    let claims = report.claims.iter().map(|(site, evidence)| {
        json!({
            "line": site.line,
            "statement": site.text,
            "evidence": evidence,
        })
    });
    json!({
        "pass": report.pass,
        "function": report.function,
        "changed": report.changed,
        "refused": report.refused.as_ref().map(ToString::to_string),
        "counts": counts.named().remove(report.pass).unwrap_or_default(),
        "claims": claims.collect::<Vec<_>>(),
    })
}

fn counts(subject: &Subject, (kernel, places): &Placed) -> Value {
    let counts = Counts::of(kernel);
    let mut kept: BTreeMap<&str, u64> = BTreeMap::new();
    for load in &kernel.loads {
        if let Outcome::Kept(refusal) = &load.outcome {
            *kept.entry(refusal.reason.code).or_default() += 1;
        }
    }
    let line = |statement| {
        let span = places.and_then(|places| places.span(statement))?;
        Some(subject.lines.line(span.start))
    };
    let regions = kernel.plan.regions.iter().map(|region| {
        let checks = region.checks.iter().map(|check| check.meaning.as_str());
        json!({
            "line": line(region.before),
            "scheme": region.wrapping.name(),
            "clone": region.copy.is_some(),
            "checks": checks.collect::<Vec<_>>(),
        })
    });
    let Counts {
        loads,
        proved,
        rewritten,
        declined,
        ..
    } = counts;
    json!({
        "name": kernel.name,
        "entry": kernel.entry,
        "loads": loads,
        "proved": proved,
        "rewritten": rewritten,
        "declined": declined,
        "kept": kept,
        "regions": regions.collect::<Vec<_>>(),
        "left_alone": kernel.skipped.as_ref().map(|refusal| refusal.reason.code),
        "reverted": kernel.reverted,
    })
}
