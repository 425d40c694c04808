//! Both halves of the stage.

use super::examine::{Comparison, Examination, Wanted};
use crate::guard;
use crate::pipeline::limit;
use crate::pipeline::record;
use crate::pipeline::ssa::{self, Passed, Reverted};
use crate::pipeline::{self, Edited, FrontEnd, Kernel, Module, Options};
use crate::verify::{self, Judged, NOT_EQUAL};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::path::Path;

/// An error of the stage.
#[derive(Debug, thiserror::Error)]
pub enum Error<E = pipeline::Error> {
    /// The front end can't read, change or write it.
    #[error(transparent)]
    FrontEnd(#[from] E),
    /// For a comparison there is no PTX of it.
    #[error(transparent)]
    NoPtx(E),
    /// The PTX for a comparison is not read.
    #[error("{0}")]
    Unreadable(pipeline::Error),
    /// The launches of a comparison do not fit.
    #[error("{0:#}")]
    Launches(anyhow::Error),
}

/// The options under which a module as it came is rewritten. In a folder, where one is given, it leaves a record of what is done
/// under them before anything goes back: limits count so. `extension` is that of the module's text.
///
/// # Errors
/// A body does not make sense.
pub fn settled<M: FrontEnd>(
    module: &M,
    options: &Options,
    (folder, extension): (Option<&Path>, &str),
) -> Result<Options, M::Error> {
    let options = limit::settled(module, options)?;
    // What goes back is no rewriting of its own.
    if let Some(folder) = folder.filter(|_| options.counted.is_none()) {
        limit::found(module, &options, |found| {
            record::write(folder, module.text(), extension, found);
        })?;
    }
    Ok(options)
}

/// The first half: the passes over the SSA IR, and what goes back of it. The reports of the passes say why.
///
/// # Errors
/// A body does not make sense, or nothing could be compared.
pub fn passed<M: FrontEnd>(
    module: M,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Passed<M>, Examination), Error<M::Error>> {
    let mut passed = ssa::run_in(module, options)?;
    let mut found = Examination::default();
    let changed: FxHashSet<&str> = passed.changed().collect();
    if let Some(how) = wanted.comparison.filter(|_| !changed.is_empty()) {
        let original = passed.module.as_it_came(options.jobs)?;
        let ptx = (original.as_ptx(&[]), passed.module.as_ptx(&[]));
        let (judged, dropped) = compared(ptx, changed.into_iter(), &how)?;
        found.judged = judged;
        let back = dropped.into_iter();
        let back = back.map(|name| (name.to_owned(), Reverted::new(NOT_EQUAL)));
        let back: Vec<(String, Reverted)> = back.collect();
        if !back.is_empty() {
            passed = passed.again(ssa::revert, &back, options)?;
        }
    }
    if let Some(arch) = &wanted.registers {
        found.checked = guard::examine_passes(&mut passed, options, arch.clone());
    }
    Ok((passed, found))
}

/// The second half, on what the first has left: shuffles, and what goes back of them.
///
/// # Errors
/// A body does not make sense, or nothing could be compared.
pub fn planned<M: FrontEnd>(
    module: &M,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Vec<Kernel>, Examination), Error<M::Error>> {
    let mut kernels = pipeline::analyze(module, options)?;
    let mut found = Examination::default();
    let planned = kernels.iter().filter(|kernel| kernel.is_rewritten());
    let planned: FxHashSet<&str> = planned.map(|kernel| &*kernel.name).collect();
    if let Some(how) = wanted.comparison.filter(|_| !planned.is_empty()) {
        let ptx = (module.as_ptx(&[]), module.as_ptx(&kernels));
        let (judged, dropped) = compared(ptx, planned.into_iter(), &how)?;
        found.judged = judged;
        let dropped: FxHashSet<Box<str>> = dropped.into_iter().map(Box::from).collect();
        let back = kernels.iter_mut();
        back.filter(|kernel| dropped.contains(&kernel.name))
            .for_each(|kernel| kernel.drop_plan(NOT_EQUAL));
    }
    if let Some(arch) = &wanted.registers {
        found.checked = guard::examine_plans(module, &mut kernels, arch.clone());
    }
    Ok((kernels, found))
}

/// As [`planned`], of a module of PTX, with the edits of the text.
///
/// # Errors
/// A body does not make sense, nothing could be compared, or a plan can't be written (an internal error).
pub fn shuffled(
    module: &Module,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Edited, Examination), Error> {
    let (kernels, found) = planned(module, options, wanted)?;
    Ok((pipeline::edited(module.tree(), kernels, options)?, found))
}

/// A module as PTX, or why there is none.
type Ptx<'p, E> = Result<Cow<'p, [u8]>, E>;

/// Compares a module before and after, of which these functions differ: what was found, and those of them that go back.
fn compared<'n, E>(
    (before, after): (Ptx<E>, Ptx<E>),
    changed: impl Iterator<Item = &'n str>,
    how: &Comparison,
) -> Result<(Vec<Judged>, Vec<&'n str>), Error<E>> {
    let (before, after) = (before.map_err(Error::NoPtx)?, after.map_err(Error::NoPtx)?);
    let original = verify::Module::read(&before).map_err(Error::Unreadable)?;
    let options = (how.options)(&original.form).map_err(Error::Launches)?;
    Ok(verify::compare(
        &original, &after, changed, &options, how.strict,
    ))
}
