//! The passes over the SSA IR on a module of LLVM's, one after the other: each reads what the one before has left.
//!
//! Lines are those of the module as LLVM prints it when the first pass reads it.

use crate::analyze;
use crate::kernels;
use crate::lower;
use crate::mark;
use crate::origins::{self, StatementOrigins};
use crate::target;
use crate::text::{Text, printed_name};
use crate::view::View;
use crate::write::{self, WriteError, stored};
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::emulator::Results;
use ptxasw::ir::patch::{Patch, PatchError, Target, Verified, verify};
use ptxasw::passes::{Pass, Session};
use ptxasw::pipeline::ssa::{Refused, Report, Rounds, limits, memory, run_on, settled_options};
use ptxasw::pipeline::{InputFunction, Kept, Mark, Origins, accesses_of, limit};
use ptxasw::support::lines::LineIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the passes did to a module.
#[derive(Default)]
pub struct Passed {
    /// What each pass did to each function about which it has something to say.
    pub reports: Vec<Report>,
    /// The IR of the chosen functions after the pass of [`Options::print_after`].
    pub printed: String,
    /// What was computed of functions that no pass changed, by their places among those with a body.
    pub results: Kept<Results>,
    /// The loads and stores of the functions that were read, as they came, by their places among those with a body.
    pub accesses: BTreeMap<u32, InputFunction>,
    /// The module as it came, and the places of the module as it is now as places of that; none if no pass changed it.
    pub input: Option<(String, Origins)>,
}

/// Internal error: a patch was written into a copy of the module, and the module itself refuses it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It does not fit the function.
    #[error("internal error: {0}")]
    Patch(#[from] PatchError),
    /// It can't be written.
    #[error("internal error: {0}")]
    Write(#[from] WriteError),
}

/// Runs the SSA passes of the options. Without one, nothing is read.
///
/// # Errors
/// An internal error: the module may be changed in part.
pub fn run(module: &Module, options: &Options) -> Result<Passed, Error> {
    let options = &*mark::of_input(View::new(module), options);
    let mut passed = Passed {
        results: Kept::new(kernels::functions(View::new(module)).len()),
        ..Passed::default()
    };
    let mut input = None;
    for pass in options.ssa_passes() {
        let mut rounds = Rounds::default();
        loop {
            let mut reports = round(module, pass, options, (&rounds, &mut passed), &mut input)?;
            if let Some((text, origins)) = &passed.input {
                let lines = LineIndex::new(text.as_bytes());
                let sites = reports.iter_mut().flat_map(|(_, one)| one.sites_mut());
                for site in sites.filter(|site| site.line > 0) {
                    site.at = origins.before(site.at);
                    site.line = lines.line(site.at);
                }
            }
            if reports.iter().any(|(_, report)| report.changed)
                && let Some(Input { text, origins }) = &input
            {
                passed.input = Some((text.clone(), origins.of(View::new(module))));
            }
            if !rounds.add(reports) {
                break;
            }
        }
        passed.reports.extend(rounds.finish());
        if options.print_after == Some(pass.name()) {
            passed.printed = print(module, options);
        }
    }
    Ok(passed)
}

/// Runs the passes on a module as before on a copy of it, of which some functions went back: what the reports say of those stays.
///
/// # Errors
/// An internal error: the module may be changed in part.
pub fn again(module: &Module, passed: Passed, options: &Options) -> Result<Passed, Error> {
    let again = run(module, &settled_options(&passed.reports, options))?;
    Ok(Passed {
        input: again.input,
        results: again.results,
        ..passed
    })
}

/// A module as it came.
struct Input {
    text: String,
    origins: StatementOrigins,
}

/// The IR of all functions of a module that the options choose.
pub fn print(module: &Module, options: &Options) -> String {
    let view = View::new(module);
    let mut out = String::new();
    for entry in kernels::functions(view) {
        if options.kernels.has(&entry.name) {
            let _ = write!(out, "{}", lower::lower(view, &entry).function);
        }
    }
    out
}

/// Reports, each with the place of its function among those with a body.
type Reports = Vec<(u32, Report)>;

/// Runs one pass on all functions of a round: on a copy first, which LLVM verifies. What the module was is kept before the first
/// change.
fn round(
    module: &Module,
    pass: &dyn Pass,
    options: &Options,
    (rounds, passed): (&Rounds, &mut Passed),
    input: &mut Option<Input>,
) -> Result<Reports, Error> {
    let copy = module.clone();
    let (mut reports, patches) = on_copy(&copy, pass, options, (rounds, passed));
    if patches.is_empty() {
        return Ok(reports);
    }
    if let Err(message) = copy.verify() {
        let message = message.to_string_lossy();
        let line = message.lines().next().unwrap_or_default();
        let fault = Refused::Fault(format!("the rewritten module is invalid: {line}"));
        let all = reports.iter_mut().map(|(_, report)| report);
        let changed = all.filter(|report| report.changed);
        changed.for_each(|report| report.refuse(fault.clone()));
        return Ok(reports);
    }
    let view = View::new(module);
    let input = input.get_or_insert_with(|| {
        let text = Text::new(view);
        Input {
            origins: StatementOrigins::new(&text),
            text: text.text,
        }
    });
    for (entry, item) in kernels::functions(view).iter().zip(0..) {
        if let Some((patch, mark)) = patches.get(&item) {
            let lowered = lower::lower(view, entry);
            let before = origins::Before::new(lowered.numbering.clone());
            let removed = patch.remove.iter().filter(|one| one.clone.is_none());
            let removed = removed.map(|one| lowered.function.inst(one.inst).origin);
            let removed = removed.collect();
            let copies = write::write(view, &lowered, &verify(&lowered.function, patch)?)?;
            mark::write(entry, mark);
            input.origins.patched(&before, &removed, &copies);
        }
    }
    if patches.values().any(|(patch, _)| stored::cuts(patch)) {
        freeze_others(view, &patches, &mut input.origins);
    }
    Ok(reports)
}

/// Freezes what functions store that are no kernels, and have no patch: a kernel that has one may call them.
fn freeze_others(view: View, patches: &Patches, origins: &mut StatementOrigins) {
    for (entry, item) in kernels::functions(view).iter().zip(0..) {
        if !entry.kernel && !patches.contains_key(&item) {
            let before = origins::Before::new(lower::lower(view, entry).numbering);
            stored::freeze(view, entry.function);
            origins.patched(&before, &FxHashSet::default(), &origins::Copies::default());
        }
    }
}

/// The loads and stores of a function that no pass has changed.
pub fn accesses_as_they_came(
    entry: &kernels::Entry,
    lowered: &lower::Lowered,
    printed: &analyze::Module,
) -> InputFunction {
    let name = printed_name(&entry.name);
    let place = |statement| Some(printed.text.span(&name, statement)?.start);
    InputFunction {
        name: entry.name.as_str().into(),
        entry: entry.kernel,
        accesses: accesses_of(&lowered.function, place),
    }
}

/// Patches with the marks of their functions, by the places of these among those with a body.
type Patches = FxHashMap<u32, (Patch, Mark)>;

/// Runs one pass on all functions of a module and writes its patches. The result has the patches that were written.
fn on_copy(
    module: &Module,
    pass: &dyn Pass,
    options: &Options,
    (rounds, passed): (&Rounds, &mut Passed),
) -> (Reports, Patches) {
    let view = View::new(module);
    let printed = analyze::Module::new(view);
    let target = Target {
        architecture: options.arch.or(target::compiled_for(view.functions())),
        merges_arms: true,
        has_32_bytes: false,
        bypasses_division: true,
        contracts: false,
        optimizes_scalars: true,
    };
    let shuffles = target::unsupported(view.functions(), options.arch).is_none();
    let (mut reports, mut patches) = (Vec::new(), Patches::default());
    for (item, entry) in (0..).zip(kernels::functions(view)) {
        let options = &options.of_function(&entry.name, target.architecture);
        let untouchable = target::untouchable(entry.function).is_some();
        let arithmetic = pass.is_arithmetic() && !options.arithmetic.has(&entry.name);
        let runs = options.passes.has(pass) && options.kernels.has(&entry.name);
        if untouchable || arithmetic || !runs || !rounds.has(item) {
            continue;
        }
        let places = options.places(&entry.name, pass.name());
        if places.as_ref().is_some_and(|places| places.is_empty()) {
            continue;
        }
        let lowered = lower::lower(view, &entry);
        let function = &lowered.function;
        if function.insts.len() > options.synthesis.limits.instructions {
            continue;
        }
        let text = printed.text_of(&lowered);
        let accesses = passed.accesses.entry(item);
        accesses.or_insert_with(|| accesses_as_they_came(&entry, &lowered, &printed));
        let limited_to = places.map(|places| {
            let name = printed_name(&entry.name);
            let at = |statement| Some(printed.text.span(&name, statement)?.start);
            let origin = |statement| {
                let at = at(statement)?;
                let input = passed.input.as_ref();
                Some(input.map_or(at, |(_, origins)| origins.before(at)))
            };
            limit::statements(function, &places, origin)
        });
        let memory = memory(options, &entry.name);
        let results = passed.results.take(item as usize).unwrap_or_default();
        let session = Session::new(function, &results, &text, target, limits(options), memory)
            .certified(options.synthesis.certificates)
            .saturated(options.saturation)
            .with_more_rounds(!rounds.is_last(item))
            .with_limit(limited_to.as_ref());
        let write = |verified: &Verified| {
            write::write(view, &lowered, verified).map(|_| verified.patch().clone())
        };
        let (report, patch) = run_on(pass, &session, options.keep_going, write);
        if patch.is_none() {
            passed.results.keep(item as usize, results.bytes(), results);
        }
        let mut run = options.clone();
        run.to_mut().passes.shuffle &= shuffles;
        let mark = mark::of(entry.function).unwrap_or_default();
        let mark = mark.with_passes(&run, &entry.name);
        patches.extend(patch.map(|patch| (item, (patch, mark))));
        reports.push((item, report));
    }
    (reports, patches)
}
