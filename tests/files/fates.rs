//! Each load and store of the input has exactly one fate, and every output adds up to the same numbers.

use crate::files::rewrite::Subject;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::types::Space;
use ptxasw::page::{self, Stage, Wanted};
use ptxasw::passes::Fate;
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::{Decisions, Module, Origins, edits, ssa};
use ptxasw::ptx::decode::form::{self, Action, Instruction};
use ptxasw::ptx::text::edit::{self, Edit};
use ptxasw::ptx::{self, decode};
use ptxasw::report::explain::{Detail, Subject as Explained, with_subject};
use ptxasw::report::fates::Fates;
use ptxasw::report::function::{self, FunctionReport};
use ptxasw::report::stats::Figures;
use ptxasw::report::verdict::{self, FunctionVerdict};
use ptxasw::verify::Given;
use ptxasw::{Options, passes::shuffle::synthesis::Options as Synthesis};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Accesses by `load` or `store` and the name of their fate.
type Counts = BTreeMap<(String, String), u64>;

/// Summary line, `explain`, JSON, SARIF, page and statistics of a module.
pub fn agree(subject: &Subject) -> Result<(), String> {
    let everything = Options {
        memory: MemoryOptions {
            loads: Loads::Always,
            ..MemoryOptions::default()
        },
        synthesis: synthesis::Options {
            profit: Profit::Always,
            ..Synthesis::default()
        },
        ..Options::default()
    };
    let text = subject.case.text.as_bytes();
    of_options(text, &Options::default()).map_err(|why| format!("by default: {why}"))?;
    of_options(text, &everything).map_err(|why| format!("everything: {why}"))
}

fn of_options(text: &[u8], options: &Options) -> Result<(), String> {
    let in_words = |error: &dyn ToString| error.to_string();
    let module = Module::read(text, 1).map_err(|error| in_words(&error))?;
    let options = &*options.of_module(module.tree());
    let mut passed = ssa::run_in(module, options).map_err(|error| in_words(&error))?;
    let last = passed.run_across_lanes(options);
    last.map_err(|error| in_words(&error))?;
    let module = &passed.module;
    let decisions = Decisions {
        input: &passed.accesses(options),
        passes: &passed.reports,
    };
    let functions = function::of_module(decisions);
    all_are_there(text, &functions)?;
    let figures: BTreeMap<String, Figures> = Figures::by_function(decisions).into_iter().collect();
    for function in &functions {
        let fates = Fates::of(function);
        let own = figures.get(function.name).ok_or("no figures")?;
        if own.fates != fates {
            return Err(format!("{}: statistics: {:?}", function.name, own.fates));
        }
        let reasons: u64 = own.kept.values().sum();
        let stay = fates.count(Fate::Kept) + fates.count(Fate::Declined);
        if !function.is_skipped() && reasons != stay {
            return Err(format!("{}: {reasons} reasons for {stay}", function.name));
        }
        let line = FunctionVerdict::of(function).line();
        if function.is_changed() && !line.contains(&fates.line()) {
            return Err(format!("{line}: {}", fates.line()));
        }
    }
    with_subject("k.ptx", module, decisions, |subject| explained(subject))?;
    page(text, module, &functions, &edits(module, &passed.pending))
}

/// The loads and stores of the functions that were read are those of the text.
fn all_are_there(text: &[u8], functions: &[FunctionReport]) -> Result<(), String> {
    let tree = ptx::parse(text).map_err(|error| error.to_string())?;
    let form = decode::decode(&tree).map_err(|error| error.to_string())?;
    for function in functions.iter().filter(|one| !one.accesses.is_empty()) {
        let mut all = form.functions.iter();
        let own = all.find(|one| one.defined && *one.name == *function.name);
        let own: &form::Function = own.ok_or("no such function")?;
        let expected: Vec<(u32, bool)> = own.instructions.iter().filter_map(access).collect();
        let found = function.accesses.iter();
        let found: Vec<(u32, bool)> = found.map(|one| (one.at, one.is_store)).collect();
        if found != expected {
            return Err(format!("{}: {found:?}, not {expected:?}", function.name));
        }
    }
    Ok(())
}

fn access(instruction: &Instruction) -> Option<(u32, bool)> {
    let Action::Do(opcode) = &instruction.action else {
        return None;
    };
    let (access, is_store) = match opcode {
        Opcode::Load(access) => (access, false),
        Opcode::Store(access) => (access, true),
        _ => return None,
    };
    let is_parameter = matches!(access.space, Space::ParamEntry | Space::ParamFunc);
    (!is_parameter).then_some((instruction.span.start, is_store))
}

fn counts(fates: &Fates) -> Counts {
    let loads = fates.loads.iter().map(|one| ("load", one));
    let all = loads.chain(fates.stores.iter().map(|one| ("store", one)));
    all.map(|(access, (fate, &count))| ((access.to_owned(), fate.name().to_owned()), count))
        .collect()
}

fn explained(subject: &Explained) -> Result<(), String> {
    let json = serde_json::to_value(subject.json()).unwrap();
    let sarif = subject.sarif();
    let expected = counts(&verdict::sum(&subject.verdicts()));
    let mut of_kernels = Counts::new();
    for kernel in json["kernels"].as_array().into_iter().flatten() {
        for (access, list) in [("load", "loads"), ("store", "stores")] {
            for (fate, count) in kernel["fates"][list].as_object().into_iter().flatten() {
                let own = of_kernels.entry((access.to_owned(), fate.clone()));
                *own.or_default() += count.as_u64().unwrap_or(0);
            }
        }
    }
    let count = |counts: &mut Counts, access: &Value, fate: &Value| {
        if let (Some(access), Some(fate)) = (access.as_str(), fate.as_str()) {
            *counts
                .entry((access.to_owned(), fate.to_owned()))
                .or_default() += 1;
        }
    };
    let mut of_remarks = Counts::new();
    for remark in json["remarks"].as_array().into_iter().flatten() {
        count(&mut of_remarks, &remark["access"], &remark["name"]);
    }
    let mut of_results = Counts::new();
    for result in sarif["runs"][0]["results"].as_array().into_iter().flatten() {
        let properties = &result["properties"];
        count(&mut of_results, &properties["access"], &properties["fate"]);
    }
    let outputs = [
        ("JSON", of_kernels),
        ("remarks", of_remarks),
        ("SARIF", of_results),
    ];
    for (name, found) in outputs {
        if found != expected {
            return Err(format!("{name}: {found:?}, not {expected:?}"));
        }
    }
    groups(subject)
}

/// The groups of `explain` have each access and each other statement once.
fn groups(subject: &Explained) -> Result<(), String> {
    let text = subject.text(&Detail::Full);
    // Accesses one by one follow.
    let text = text.split("\nnote: ").next().unwrap_or_default();
    let heads = text.lines().filter_map(|line| line.strip_prefix("  "));
    let numbers = heads.filter_map(|line| line.split(' ').next()?.parse::<usize>().ok());
    let found: usize = numbers.sum();
    let busy = subject.reports().filter(|function| !function.is_skipped());
    let expected: usize = busy.map(|one| one.accesses.len() + one.others.len()).sum();
    match found == expected {
        true => Ok(()),
        false => Err(format!("groups of {found} places, not {expected}:\n{text}")),
    }
}

fn page(
    text: &[u8],
    module: &Module,
    functions: &[FunctionReport],
    edits: &[Edit],
) -> Result<(), String> {
    let now = edit::apply(module.text(), edits).map_err(|error| error.to_string())?;
    let origins = Origins::after_edits(edits);
    let subject = page::Subject {
        name: "k.ptx",
        path: Path::new("k.ptx"),
        input: text,
        left: module.tree(),
        origins: module.origins(),
        functions,
        now: Stage {
            text: &now,
            origins: match module.origins() {
                Some(earlier) => origins.of(earlier),
                None => origins,
            },
        },
        trial: None,
        judged: &[],
        variants: &Default::default(),
    };
    let wanted = Wanted {
        archs: &[],
        given: &Given::default(),
        steps: 0,
        jobs: 1,
        sources: false,
    };
    let page = page::module(&subject, &wanted).map_err(|error| error.to_string())?;
    for kernel in &page.kernels {
        let mut functions = functions.iter();
        let Some(function) = functions.find(|one| *one.name == *kernel.name) else {
            continue;
        };
        let fates = Fates::of(function);
        for (shown, expected) in [(kernel.loads, &fates.loads), (kernel.stores, &fates.stores)] {
            let of = |own: &[Fate]| -> u64 { own.iter().filter_map(|one| expected.get(one)).sum() };
            let expected = [
                of(&Fate::ALL),
                of(&[Fate::Removed, Fate::Forwarded, Fate::DeadStore]),
                of(&[Fate::Shuffled]),
                of(&[Fate::Widened]),
                of(&[Fate::Moved]),
                of(&[Fate::Declined]),
                of(&[Fate::Kept]),
            ];
            let found = [
                shown.all,
                shown.removed,
                shown.shuffled,
                shown.widened,
                shown.moved,
                shown.declined,
                shown.kept,
            ];
            let found = found.map(u64::from);
            let rest = found[0] - found[1..].iter().sum::<u64>();
            if found != expected || rest != u64::from(shown.other) {
                return Err(format!(
                    "page, {}: {shown:?}, not {expected:?}",
                    kernel.name
                ));
            }
        }
    }
    Ok(())
}
