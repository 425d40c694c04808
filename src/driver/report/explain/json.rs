//! The report for programs.

use super::{Placed, Subject};
use crate::pipeline::ssa::Report;
use crate::report::fates::Fates;
use crate::report::remarks;
use crate::report::verdict::{self, FunctionVerdict};
use ptxasw_passes::Fate;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Goes up when a field changes its meaning or goes away.
const FORMAT: u32 = 3;

/// The verdict, what became of the accesses of each function, what each pass did, and a remark for every load and store and every
/// other place that a pass decided about.
pub fn report(subject: &Subject) -> Value {
    let reports = subject.reports().flat_map(|function| &function.passes);
    let reports = reports.filter(|report| !report.is_empty());
    json!({
        "format": FORMAT,
        "module": subject.path,
        "verdict": verdict::module_line(subject.path, &subject.verdicts()),
        "kernels": subject.functions.iter().map(|one| function(subject, one)).collect::<Vec<_>>(),
        "passes": reports.map(|report| pass(report)).collect::<Vec<_>>(),
        "remarks": remarks::all(subject),
        "assumed": super::ASSUMPTION,
    })
}

/// What a pass did to a function. Its decisions are among the remarks.
fn pass(report: &Report) -> Value {
    let claims = report.claims.iter().map(|claim| {
        json!({
            "line": claim.site.place.line,
            "statement": claim.site.text,
            "condition": claim.condition,
            "evidence": claim.evidence,
        })
    });
    json!({
        "pass": report.pass,
        "function": report.function,
        "changed": report.changed,
        "refused": report.refused.as_ref().map(ToString::to_string),
        "claims": claims.collect::<Vec<_>>(),
    })
}

/// Numbers of accesses by the names of their fates, under the names that remarks have.
fn named(fates: &BTreeMap<Fate, u64>) -> BTreeMap<&'static str, u64> {
    fates
        .iter()
        .map(|(fate, &count)| (fate.name(), count))
        .collect()
}

fn function(subject: &Subject, placed: &Placed) -> Value {
    let Placed { function, places } = placed;
    let fates = Fates::of(function);
    let line = |statement| {
        let span = places.and_then(|places| places.span(statement))?;
        Some(subject.lines.line(span.start))
    };
    let search = function.search();
    let regions = search.iter().flat_map(|search| &search.plan.regions);
    let regions = regions.map(|region| {
        let checks = region.checks.iter().map(|check| check.meaning.as_str());
        json!({
            "line": line(region.before),
            "scheme": region.wrapping.name(),
            "clone": region.copy.is_some(),
            "checks": checks.collect::<Vec<_>>(),
        })
    });
    json!({
        "name": function.name,
        "entry": function.entry,
        "changed": function.is_changed(),
        "verdict": FunctionVerdict::of(function).estimated(&subject.estimates).json(),
        "loads": fates.all_loads(),
        "stores": fates.all_stores(),
        "fates": { "loads": named(&fates.loads), "stores": named(&fates.stores) },
        "statements_rewritten": fates.statements,
        "regions": regions.collect::<Vec<_>>(),
        "left_alone": function.skipped().map(|refusal| refusal.reason.code),
        "reverted": function.reverted(),
    })
}
