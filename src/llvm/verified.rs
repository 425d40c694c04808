//! Rewritten kernels beside their originals: both as `llc` makes PTX of them, run by the warp executor.

use crate::outputs::{self, Kind};
use crate::stage;
use inkwell::module::Module;
use ptxasw::pipeline::{self, Kernel};
use ptxasw::ptx::decode::form;
use ptxasw::ptx::emit::Variant;
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
    let boxed = |error: Error| Box::new(error);
    let copy = stage::carried_out(module, kernels, Variant::Normal);
    let copy = copy.map_err(|error| boxed(error.into()))?;
    let ptx = |module: &Module| outputs::write(module, Kind::Ptx, how.arch);
    let before = ptx(module).map_err(|error| boxed(error.into()))?;
    let after = ptx(&copy).map_err(|error| boxed(error.into()))?;
    let read = |text| verify::Module::read(text).map_err(|error| Box::new(Error::Read(error)));
    let (before, after) = (read(&before)?, read(&after)?);
    let options = (how.options)(&before.form).map_err(|error| boxed(Error::Launches(error)))?;

    let functions = before.form.functions.iter();
    let defined = functions.filter(|function| function.defined);
    let items: FxHashMap<&str, u32> = defined.map(|one| (&*one.name, one.item)).collect();
    let changed = kernels
        .iter()
        .filter(|kernel| !kernel.plan.shuffles.is_empty());
    let changed: FxHashSet<u32> = changed
        .filter_map(|kernel| items.get(&*kernel.name).copied())
        .collect();
    let (judged, dropped) = verify::judge(&before, &after, &changed, &options, how.strict);
    for kernel in kernels {
        let item = items.get(&*kernel.name);
        if item.is_none_or(|item| dropped.contains(item)) {
            kernel.drop_plan(NOT_EQUAL);
        }
    }
    Ok(judged)
}
