//! Remarks on a kernel, and the reasons for which its loads stay.

use super::data::{Remark, Speed, WhyNot};
use super::subject::{One, Reader};
use super::target::Machines;
use crate::pipeline::ssa::Refused;
use crate::report::explain;
use crate::shuffle::refusal::ConditionName;
use crate::shuffle::synthesis::Outcome;
use crate::support::named::Named;
use std::collections::BTreeMap;

/// Those of the passes, then what was found of each load.
pub fn remarks(one: &One, reader: &Reader) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for report in &one.passes {
        remarks.extend(report.remarks.iter().map(|remark| Remark {
            line: remark.site.line,
            other: remark.other_line(),
            pass: report.pass.to_owned(),
            name: remark.kind.name().to_owned(),
            done: remark.kind.is_done(),
            message: remark.what.clone(),
            lift: remark.lift.map(str::to_owned),
        }));
        remarks.extend(report.tried.iter().map(|tried| {
            let (level, why) = (tried.loads.name(), &tried.why.why);
            let message = format!("the level `{level}` is not taken: {why}");
            whole(report.pass, "LevelReverted", message)
        }));
        let refused = report.refused.iter();
        remarks.extend(refused.map(|why| {
            let name = match why {
                Refused::Reverted(_) => "KernelReverted",
                _ => "PassRefused",
            };
            whole(report.pass, name, why.to_string())
        }));
    }
    if let Some(kernel) = one.now {
        let language = explain::language(reader.subject.left.text());
        for load in &kernel.loads {
            let (name, done, message, lift, related) = match &load.outcome {
                Outcome::Covered(number) => {
                    let shuffle = &kernel.plan.shuffles.get(*number as usize);
                    let lane = shuffle.map(|one| explain::lane(one.lanes));
                    let source = shuffle.and_then(|one| super::loads::source(kernel, one));
                    let message = match lane {
                        Some(lane) => format!("takes what {lane} loaded"),
                        None => "takes what another lane loaded".to_owned(),
                    };
                    let source = source.map(|source| source.statement);
                    let own = shuffle.is_some_and(|one| one.lanes.is_own());
                    match (kernel.reverted, own) {
                        (Some(why), _) => {
                            let message = format!("covered, and the original is kept: {why}");
                            ("KernelReverted", false, message, None, None)
                        }
                        (None, true) => {
                            let message = "the thread has loaded it before".to_owned();
                            ("LoadRemoved", true, message, None, source)
                        }
                        (None, false) => ("LoadBecomesShuffle", true, message, None, source),
                    }
                }
                Outcome::Kept(_) if load.source => {
                    let message = "other loads take its value".to_owned();
                    ("LoadIsSource", false, message, None, None)
                }
                Outcome::Kept(refusal) => {
                    let name = match refusal.condition() {
                        ConditionName::Profit => "ShuffleDeclined",
                        _ => "LoadKept",
                    };
                    let related = refusal.related.map(|(statement, _)| statement);
                    let message = refusal.text().into_owned();
                    (name, false, message, refusal.lift(language), related)
                }
            };
            remarks.push(Remark {
                line: reader.line(kernel, load.origin),
                other: related.map(|statement| reader.line(kernel, statement)),
                pass: "shuffle".to_owned(),
                name: name.to_owned(),
                done,
                message,
                lift,
            });
        }
    }
    remarks.sort_by_key(|remark| remark.line);
    remarks
}

/// A remark on the kernel as a whole.
fn whole(pass: &str, name: &str, message: String) -> Remark {
    Remark {
        line: 0,
        other: None,
        pass: pass.to_owned(),
        name: name.to_owned(),
        done: false,
        message,
        lift: None,
    }
}

/// Reasons with the loads that stay for them, those first that most loads share; what nothing lifts last.
pub fn why_not(one: &One, reader: &Reader, machines: &Machines) -> Vec<WhyNot> {
    let mut reasons: BTreeMap<(String, String), WhyNot> = BTreeMap::new();
    for remark in one.passes.iter().flat_map(|report| &report.remarks) {
        if remark.kind.is_done() {
            continue;
        }
        let key = (String::new(), remark.what.clone());
        let reason = reasons.entry(key).or_insert_with(|| WhyNot {
            code: String::new(),
            text: remark.what.clone(),
            declined: false,
            lines: Vec::new(),
            lift: remark.lift.map(str::to_owned),
            worth: None,
        });
        reason.lines.push(remark.site.line);
    }
    if let Some(kernel) = one.now {
        let language = explain::language(reader.subject.left.text());
        for load in kernel.loads.iter().filter(|load| !load.source) {
            let Outcome::Kept(refusal) = &load.outcome else {
                continue;
            };
            let declined = refusal.condition() == ConditionName::Profit;
            let (code, detail) = refusal.key();
            let reason = reasons
                .entry((code.to_owned(), detail.to_owned()))
                .or_insert_with(|| WhyNot {
                    code: code.to_owned(),
                    text: refusal.text().into_owned(),
                    declined,
                    lines: Vec::new(),
                    lift: refusal.lift(language),
                    worth: declined.then(|| worth(one, reader, machines)).flatten(),
                });
            reason.lines.push(reader.line(kernel, load.origin));
        }
    }
    let mut reasons: Vec<WhyNot> = reasons.into_values().collect();
    for reason in &mut reasons {
        reason.lines.sort_unstable();
        reason.lines.dedup();
    }
    reasons.sort_by_key(|one| (one.lift.is_none(), std::cmp::Reverse(one.lines.len())));
    reasons
}

/// What all shuffles that are proved would be worth, by the clock.
fn worth(one: &One, reader: &Reader, machines: &Machines) -> Option<String> {
    let ratios = machines.trials(one, reader);
    let words = ratios.into_iter().map(|(arch, [point, least, most])| {
        let what = match super::target::speed([point, least, most]) {
            Speed::Faster => "faster",
            Speed::Slower => "slower",
            _ => "about as fast",
        };
        format!("{arch}: {what}, estimated {point:.2} ({least:.2} to {most:.2})")
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}
