//! The report for programs: `docs/reference/explain.schema.json` is its schema.

use super::{Placed, Subject};
use crate::pipeline::ssa;
use crate::report::fates::Fates;
use crate::report::remarks::{self, Remark};
use crate::report::verdict::{self, Estimate, FunctionVerdict, Variant, Word};
use ptxasw_passes::{Fate, Tested};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Goes up when a field changes its meaning or goes away.
pub const FORMAT: u32 = 3;

/// What became of a module.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Report<'a> {
    /// The module's path.
    module: &'a str,
    /// The verdict on the module in one line.
    verdict: String,
    /// Its kernels and device functions.
    kernels: Vec<Function<'a>>,
    /// What each pass did to each function. What it decided about single places is among the remarks.
    passes: Vec<Pass<'a>>,
    /// A remark for every load and store, and for every other place that a pass decided about.
    remarks: Vec<Remark>,
    /// What soundness rests on and nobody has proved.
    assumed: &'static str,
}

/// A kernel or a device function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Function<'a> {
    /// Its mangled name.
    name: &'a str,
    /// It is a kernel.
    entry: bool,
    /// Its text was changed.
    changed: bool,
    verdict: Verdict,
    /// The number of its loads.
    loads: u64,
    /// The number of its stores.
    stores: u64,
    fates: Accesses,
    /// Statements that are no accesses, and compute their results in another form.
    statements_rewritten: u64,
    /// Where shuffles were put.
    regions: Vec<Region<'a>>,
    /// The code of the reason for which no shuffle was looked for.
    left_alone: Option<&'static str>,
    /// Why it went back to its original.
    reverted: Option<&'a str>,
}

/// The verdict on a function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Verdict {
    word: Word,
    /// As the text of `explain` has it.
    line: String,
    /// What would have become of its accesses if it had not gone back to its original.
    undone: Option<Accesses>,
    /// What is tested at run time: a flag for each kind.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, bool>"))]
    tested: Tested,
    /// Why it is unchanged or declined; why loads that a neighbouring lane holds stay.
    why: Option<String>,
    estimate: Option<Estimate>,
    /// Why there is no estimate although it was asked for.
    no_estimate: Option<String>,
    /// What other options would make of it.
    variants: Vec<Variant>,
}

/// Numbers of accesses by what became of them, under the names that remarks have.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Accesses {
    loads: BTreeMap<&'static str, u64>,
    stores: BTreeMap<&'static str, u64>,
}

/// A region that has shuffles.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Region<'a> {
    /// The line of the module that it starts at.
    line: Option<u32>,
    /// The scheme, as `--scheme` takes it.
    scheme: &'static str,
    /// Whole warps run a clone of it.
    clone: bool,
    /// What is checked at run time, in words.
    checks: Vec<&'a str>,
}

/// What a pass did to a function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Pass<'a> {
    /// Its name, as `--passes` takes it.
    pass: &'static str,
    /// The function.
    function: &'a str,
    /// Its changes are in the output.
    changed: bool,
    /// Why the function is as it was although the pass would change it.
    refused: Option<String>,
    claims: Vec<Claim<'a>>,
}

/// Something that a change rests on, and what shows that it holds.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Claim<'a> {
    /// The line of the statement that is changed.
    line: u32,
    /// The statement.
    statement: &'a str,
    /// The condition of soundness, as `ptxasw explain CODE` takes it.
    condition: Option<&'static str>,
    /// What was proved, and by what.
    evidence: &'a str,
}

/// All of a module.
pub fn report<'a>(subject: &'a Subject<'a>) -> Report<'a> {
    let reports = subject.reports().flat_map(|function| &function.passes);
    let reports = reports.filter(|report| !report.is_empty());
    let functions = subject.functions.iter();
    Report {
        module: subject.path,
        verdict: verdict::module_line(subject.path, &subject.verdicts()),
        kernels: functions.map(|one| function(subject, one)).collect(),
        passes: reports.map(|report| pass(report)).collect(),
        remarks: remarks::all(subject),
        assumed: super::ASSUMPTION,
    }
}

fn pass(report: &ssa::Report) -> Pass<'_> {
    let claims = report.claims.iter().map(|claim| Claim {
        line: claim.site.place.line,
        statement: &claim.site.text,
        condition: claim.condition,
        evidence: &claim.evidence,
    });
    Pass {
        pass: report.pass,
        function: &report.function,
        changed: report.changed,
        refused: report.refused.as_ref().map(ToString::to_string),
        claims: claims.collect(),
    }
}

fn accesses(fates: &Fates) -> Accesses {
    let named = |fates: &BTreeMap<Fate, u64>| {
        let named = fates.iter().map(|(fate, &count)| (fate.name(), count));
        named.collect()
    };
    Accesses {
        loads: named(&fates.loads),
        stores: named(&fates.stores),
    }
}

fn function<'a>(subject: &'a Subject<'a>, placed: &'a Placed<'a>) -> Function<'a> {
    let Placed { function, places } = placed;
    let fates = Fates::of(function);
    let line = |statement| {
        let span = places.and_then(|places| places.span(statement))?;
        Some(subject.lines.line(span.start))
    };
    let search = function.search();
    let regions = search.iter().flat_map(|search| &search.plan.regions);
    let regions = regions.map(|region| Region {
        line: line(region.before),
        scheme: region.wrapping.name(),
        clone: region.copy.is_some(),
        checks: region.checks.iter().map(|check| &*check.meaning).collect(),
    });
    Function {
        name: function.name,
        entry: function.entry,
        changed: function.is_changed(),
        verdict: verdict(FunctionVerdict::of(function).estimated(&subject.estimates)),
        loads: fates.all_loads(),
        stores: fates.all_stores(),
        fates: accesses(&fates),
        statements_rewritten: fates.statements,
        regions: regions.collect(),
        left_alone: function.skipped().map(|refusal| refusal.reason.code),
        reverted: function.reverted(),
    }
}

fn verdict(verdict: FunctionVerdict) -> Verdict {
    Verdict {
        line: verdict.line(),
        word: verdict.word,
        undone: verdict.undone.as_ref().map(accesses),
        tested: verdict.tested,
        why: verdict.why,
        estimate: verdict.estimate,
        no_estimate: verdict.no_estimate,
        variants: verdict.variants,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// As `--json` prints it.
    #[derive(JsonSchema)]
    #[expect(dead_code)]
    struct Document<'a> {
        /// The version of this structure.
        format: u32,
        /// The version of ptxasw that made the report.
        version: String,
        #[schemars(flatten)]
        report: Report<'a>,
    }

    /// `PTXASW_BLESS=1` writes it anew; where a field goes away or changes its meaning the format's number goes up.
    #[test]
    fn the_schema_is_that_of_the_manual() {
        let settings = schemars::generate::SchemaSettings::default().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<Document>();
        let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/explain.schema.json");
        if std::env::var_os("PTXASW_BLESS").is_some() {
            std::fs::write(&path, schema).unwrap();
            return;
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), schema);
    }
}
