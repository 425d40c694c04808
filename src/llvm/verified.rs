//! Rewritten kernels beside their originals: both as `llc` makes PTX of them, run by the warp executor.

use crate::outputs::{self, Kind};
use crate::ssa::{self, Passed};
use crate::stage;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::pipeline::ssa::{Reverted, revert};
use ptxasw::pipeline::{self, Kernel};
use ptxasw::ptx::decode::form;
use ptxasw::shuffle::lower::Variant;
use ptxasw::verify::{self, Judged, NOT_EQUAL};
use rustc_hash::{FxHashMap, FxHashSet};

/// How kernels are compared.
pub struct Verification<'a> {
    /// The target in place of the module's own: `sm_80`.
    pub arch: Option<&'a str>,
    /// What can't be compared goes back, too.
    pub strict: bool,
    /// Launches and schedules, for the original as PTX.
    pub options: &'a dyn Fn(&form::Module) -> anyhow::Result<verify::Options>,
}

/// Why nothing could be compared.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no rewritten module.
    #[error(transparent)]
    Stage(#[from] stage::Error),
    /// No PTX can be made of one of the two.
    #[error(transparent)]
    Output(#[from] outputs::Error),
    /// What `llc` makes is not read.
    #[error("the PTX that llc makes: {0}")]
    Read(#[from] pipeline::Error),
    /// The launches do not fit.
    #[error("{0:#}")]
    Launches(anyhow::Error),
}

/// Runs the passes over the SSA IR, without the functions that are not equal behind them.
///
/// # Errors
/// Nothing could be compared, or a fault of ours.
pub fn keep_passed(
    module: &Module,
    options: &Options,
    how: &Verification,
) -> Result<(Passed, Vec<Judged>), stage::Error> {
    let copy = module.clone();
    let mut passed = ssa::run(&copy, options)?;
    let names = passed.reports.iter().filter(|report| report.changed);
    let names: FxHashSet<&str> = names.map(|report| &*report.function).collect();
    if names.is_empty() {
        return Ok((passed, Vec::new()));
    }
    let (judged, dropped) = compared(module, &copy, &names, how)?;
    let back = dropped
        .into_iter()
        .map(|name| (name, Reverted::new(NOT_EQUAL)));
    revert(&mut passed.reports, &back.collect::<Vec<_>>());
    Ok((ssa::again(module, passed, options)?, judged))
}

/// Compares two modules, of which the functions of these names differ. The result names those of them that go back.
fn compared(
    before: &Module,
    after: &Module,
    names: &FxHashSet<&str>,
    how: &Verification,
) -> Result<(Vec<Judged>, Vec<String>), Box<Error>> {
    let boxed = |error: Error| Box::new(error);
    let ptx = |module: &Module| outputs::write(module, Kind::Ptx, how.arch);
    let before = ptx(before).map_err(|error| boxed(error.into()))?;
    let after = ptx(after).map_err(|error| boxed(error.into()))?;
    let read = |text| verify::Module::read(text).map_err(|error| Box::new(Error::Read(error)));
    let (before, after) = (read(&before)?, read(&after)?);
    let options = (how.options)(&before.form).map_err(|error| boxed(Error::Launches(error)))?;
    let functions = before.form.functions.iter();
    let defined = functions.filter(|function| function.defined);
    let items: FxHashMap<&str, u32> = defined.map(|one| (&*one.name, one.item)).collect();
    let changed = names.iter().filter_map(|name| items.get(name).copied());
    let changed: FxHashSet<u32> = changed.collect();
    let (judged, dropped) = verify::judge(&before, &after, &changed, &options, how.strict);
    let gone = |name: &&str| items.get(name).is_none_or(|item| dropped.contains(item));
    let gone = names.iter().copied().filter(gone);
    Ok((judged, gone.map(str::to_owned).collect()))
}

/// Compares every kernel that has shuffles, or may call what has, with its original, and drops the plans of what is not equal.
/// What `llc` gives another name is not found, and goes back, too.
///
/// # Errors
/// Nothing could be compared; no plan is dropped.
pub fn keep_equal(
    module: &Module,
    kernels: &mut [Kernel],
    how: &Verification,
) -> Result<Vec<Judged>, Box<Error>> {
    if kernels.iter().all(|kernel| kernel.plan.shuffles.is_empty()) {
        return Ok(Vec::new());
    }
    let copy = stage::carried_out(module, kernels, Variant::Normal);
    let copy = copy.map_err(|error| Box::new(error.into()))?;
    let changed = kernels.iter().filter(|kernel| kernel.is_rewritten());
    let changed: FxHashSet<&str> = changed.map(|kernel| &*kernel.name).collect();
    let (judged, dropped) = compared(module, &copy, &changed, how)?;
    let dropped: FxHashSet<&str> = dropped.iter().map(String::as_str).collect();
    for kernel in kernels {
        if dropped.contains(&*kernel.name) {
            kernel.drop_plan(NOT_EQUAL);
        }
    }
    Ok(judged)
}
