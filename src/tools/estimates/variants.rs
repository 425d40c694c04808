//! Kernels as other options would make them: what went back or was declined, and what the user could promise.

use ptxasw_driver::pipeline::{self, Module, Options};
use ptxasw_driver::report::function::FunctionReport;
use ptxasw_driver::report::verdict::{FunctionVerdict, Way};
use ptxasw_driver::{NOT_EQUAL, Wanted};
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::profit::Profit;
use ptxasw_ptx::text::edit;
use std::cmp::Reverse;

/// Kernels for which a way is tried: those with most accesses.
const MOST: usize = 4;

/// A module in which some kernels were rewritten under other options.
pub struct Rewritten {
    /// The option that differs.
    pub way: Way,
    /// The PTX after all passes.
    pub text: Vec<u8>,
    /// The mangled names of the kernels that it is for.
    pub kernels: Vec<String>,
}

/// The module under other options, as far as kernels have something to gain; `wanted` examines what the memory pass may do then.
pub fn all(
    text: &[u8],
    functions: &[FunctionReport],
    options: &Options,
    wanted: &Wanted,
) -> Vec<Rewritten> {
    let ways = Way::ALL.into_iter();
    let rewritten = ways.filter_map(|way| {
        let kernels = kernels(way, functions, (options, wanted));
        let mut options = options.clone();
        options.raise_version = true;
        let others = functions.iter().map(|one| one.name);
        let others = others.filter(|name| !kernels.iter().any(|one| one == name));
        others.for_each(|name| options.kernels.leave_out(name));
        let Wanted {
            registers,
            comparison,
        } = wanted;
        let wanted = match way {
            Way::Restrict => {
                options.synthesis.assume_no_alias = true;
                options.memory.assumed.no_alias = true;
                // Made-up launches in which pointers overlap would contradict the promise.
                Wanted {
                    registers: registers.clone(),
                    comparison: None,
                }
            }
            Way::Registers => Wanted {
                registers: None,
                comparison: *comparison,
            },
            Way::Shuffles => {
                options.synthesis.profit = Profit::Always;
                Wanted::default()
            }
        };
        let text = (!kernels.is_empty())
            .then(|| rewritten(text, &options, &wanted))
            .flatten()?;
        Some(Rewritten { way, text, kernels })
    });
    rewritten.collect()
}

/// The kernels for which a way may have an effect: not those for which a tuned choice decides.
fn kernels(
    way: Way,
    functions: &[FunctionReport],
    (options, wanted): (&Options, &Wanted),
) -> Vec<String> {
    let is_free = |one: &&FunctionReport| !options.tuned.has_choice(one.name);
    let entries = functions.iter().filter(|one| one.entry).filter(is_free);
    let mut of_way: Vec<(FunctionVerdict, u64)> = Vec::new();
    for function in entries {
        let verdict = FunctionVerdict::of(function);
        let is_open = match way {
            Way::Restrict => {
                let is_kept = verdict.fates.count(Fate::Kept) > 0 && verdict.fates.all_stores() > 0;
                !options.memory.assumed.no_alias && (verdict.tested.disjoint || is_kept)
            }
            Way::Registers => {
                let mut tried = function.passes.iter().map(|report| &report.tried);
                let reverted = function.reverted().is_some_and(|why| why != NOT_EQUAL);
                wanted.registers.is_some() && (reverted || tried.any(|tried| !tried.is_empty()))
            }
            Way::Shuffles => {
                let may_gain = options.synthesis.profit != Profit::Always;
                may_gain && verdict.fates.count(Fate::Declined) > 0
            }
        };
        if is_open {
            let accesses = verdict.fates.all_loads() + verdict.fates.all_stores();
            of_way.push((verdict, accesses));
        }
    }
    of_way.sort_by_key(|(_, accesses)| Reverse(*accesses));
    let names = of_way.into_iter().take(MOST);
    names.map(|(verdict, _)| verdict.name).collect()
}

/// The text under other options; none where they cannot be had.
fn rewritten(text: &[u8], options: &Options, wanted: &Wanted) -> Option<Vec<u8>> {
    let module = Module::read(text, options.jobs).ok()?;
    let options = ptxasw_driver::settled(&module, options, (None, "ptx")).ok()?;
    let (passed, _) = ptxasw_driver::run(module, &options, wanted).ok()?;
    let edits = pipeline::edits(&passed.module, &passed.pending);
    let after = edit::apply(passed.module.text(), &edits).ok()?;
    (after != text).then_some(after)
}
