//! Remarks on a kernel, and the reasons for which its loads and stores stay.

use super::data::{Remark, WhyNot};
use super::subject::{One, Reader};
use super::target::Machines;
use indexmap::IndexMap;
use ptxasw_base::named::Named;
use ptxasw_driver::pipeline::ssa::{self, Refused, Report};
use ptxasw_driver::report::explain;
use ptxasw_driver::report::function::{AccessReport, Decision};
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::refusal::Language;

/// What was decided about each access and about other statements, in the order of the text.
pub fn remarks(one: &One, reader: &Reader) -> Vec<Remark> {
    let Some(function) = one.function else {
        return Vec::new();
    };
    let mut remarks = Vec::new();
    for report in &function.passes {
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
    let language = language(reader);
    for access in &function.accesses {
        for decision in &access.decisions {
            let line = reader.input_line(access.at);
            remarks.push(on_access(decision, line, language, reader));
        }
    }
    let others = function.others.iter();
    remarks.extend(others.map(|(report, remark)| of_pass(report, remark)));
    remarks.sort_by_key(|remark| remark.line);
    remarks
}

fn language(reader: &Reader) -> Language {
    explain::language(reader.subject.left.text())
}

fn of_pass(report: &Report, remark: &ssa::Remark) -> Remark {
    Remark {
        line: remark.place.line,
        other: remark.other_line(),
        pass: report.pass.to_owned(),
        name: remark.fate.name().to_owned(),
        done: remark.fate.is_done(),
        message: remark.what.to_string(),
        lift: remark.lift.map(str::to_owned),
    }
}

fn on_access(decision: &Decision, line: u32, language: Language, reader: &Reader) -> Remark {
    let Decision { report, remark } = decision;
    let Some(search) = report.search.as_deref() else {
        return of_pass(report, remark);
    };
    let lift = decision.lift(language).map(|lift| lift.into_owned());
    let (mut message, mut related) = (remark.what.to_string(), None);
    if let Some((_, shuffle)) = decision.shuffle() {
        if remark.fate == Fate::Shuffled {
            message = format!("takes what {} loaded", explain::lane(shuffle.lanes));
        }
        related = super::loads::source(search, shuffle).map(|source| source.statement);
    } else if let Some(refusal) = decision.kept() {
        related = refusal.related.map(|(statement, _)| statement);
    }
    Remark {
        line,
        other: related.map(|statement| reader.line(search, statement)),
        message,
        lift,
        ..of_pass(report, remark)
    }
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

/// Reasons with the loads and stores that stay for them, those first that most accesses share; what nothing lifts last. Each access
/// stays for one reason.
pub fn why_not(one: &One, reader: &Reader, machines: &Machines) -> Vec<WhyNot> {
    let language = language(reader);
    let accesses = one.function.iter().flat_map(|function| &function.accesses);
    let mut reasons: IndexMap<String, WhyNot> = IndexMap::new();
    for access in accesses.filter(|access| !access.fate().is_done() && !access.is_source()) {
        let Some(headline) = access.headline() else {
            continue;
        };
        let declined = access.fate() == Fate::Declined;
        let reason = reasons
            .entry(key(access, &headline))
            .or_insert_with(|| WhyNot {
                code: headline
                    .refusal()
                    .map_or("", |one| one.reason.code)
                    .to_owned(),
                text: headline.words().to_owned(),
                declined,
                lines: Vec::new(),
                lift: headline.lift(language).map(|lift| lift.into_owned()),
                worth: declined.then(|| worth(one, reader, machines)).flatten(),
            });
        reason.lines.push(reader.input_line(access.at));
    }
    let mut reasons: Vec<WhyNot> = reasons.into_values().collect();
    for reason in &mut reasons {
        reason.lines.sort_unstable();
        reason.lines.dedup();
    }
    reasons.sort_by_key(|one| (one.lift.is_none(), std::cmp::Reverse(one.lines.len())));
    reasons
}

/// What accesses of one reason have in common.
fn key(access: &AccessReport, headline: &Decision) -> String {
    match headline
        .refusal()
        .filter(|_| access.fate() == Fate::Declined)
    {
        // Its words have figures of each load.
        Some(refusal) => refusal.reason.code.to_owned(),
        None => headline.reason(),
    }
}

/// What all shuffles that are proved would be worth, by the clock.
fn worth(one: &One, reader: &Reader, machines: &Machines) -> Option<String> {
    let ratios = machines.trials(one, reader);
    let words = ratios.into_iter().map(|(arch, [point, least, most])| {
        format!("{arch}: est. {point:.2}x ({least:.2}-{most:.2})")
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join("; "))
}
