//! The report for programs.

use super::Subject;
use super::verdict::{Counts, module_line};
use crate::pipeline::Kernel;
use crate::report::remarks;
use crate::shuffle::synthesis::Outcome;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Goes up when a field changes its meaning or goes away.
const FORMAT: u32 = 1;

/// The verdict, counts of each kernel, and a remark for every load.
pub fn report(subject: &Subject) -> Value {
    let kernels = || subject.kernels.iter().map(|(kernel, _)| *kernel);
    let remarks = subject.kernels.iter().flat_map(|(kernel, places)| {
        remarks::Subject {
            name: subject.path,
            language: subject.form,
            lines: subject.lines,
            places: *places,
            origin: subject.language,
            kernel,
        }
        .remarks()
    });
    json!({
        "format": FORMAT,
        "module": subject.path,
        "verdict": module_line(subject.path, kernels()),
        "kernels": kernels().map(counts).collect::<Vec<_>>(),
        "remarks": remarks.collect::<Vec<_>>(),
        "assumed": super::ASSUMPTION,
    })
}

fn counts(kernel: &Kernel) -> Value {
    let counts = Counts::of(kernel);
    let mut kept: BTreeMap<&str, u64> = BTreeMap::new();
    for load in &kernel.loads {
        if let Outcome::Kept(refusal) = &load.outcome {
            *kept.entry(refusal.reason.code).or_default() += 1;
        }
    }
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
        "left_alone": kernel.skipped.as_ref().map(|refusal| refusal.reason.code),
        "reverted": kernel.reverted,
    })
}
