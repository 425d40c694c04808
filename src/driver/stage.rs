//! Both halves of the stage.

use super::examine::{Comparison, Examination, Wanted};
use crate::guard;
use crate::judged::{self, Judged, NOT_EQUAL};
use crate::pipeline::limit;
use crate::pipeline::record;
use crate::pipeline::ssa::{self, Passed, Reverted};
use crate::pipeline::{self, FrontEnd, Options};
use ptxasw_ptx::error::Unreadable;
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
    Unreadable(Unreadable),
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

/// The whole stage: the per-thread passes, then the cross-lane pass on their result. After each, functions that differ from their
/// originals or lose occupancy are reverted; the reports say why.
///
/// # Errors
/// A body does not make sense, or nothing could be compared.
pub fn run<M: FrontEnd>(
    module: M,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Passed<M>, Examination), Error<M::Error>> {
    let (mut passed, mut found) = within_lanes(module, options, wanted)?;
    passed.run_across_lanes(options)?;
    let changed: FxHashSet<&str> = passed.pending().map(|(name, _)| name).collect();
    if let Some(how) = wanted.comparison.filter(|_| !changed.is_empty()) {
        let module = &passed.module;
        let ptx = (module.as_ptx(&[]), module.as_ptx(&passed.pending));
        let (judged, dropped) = compared(ptx, changed.into_iter(), &how)?;
        found.judged.extend(judged);
        let back = not_equal(dropped);
        passed.drop_pending(&back);
    }
    if let Some(arch) = &wanted.registers {
        let later = guard::examine_pending(&mut passed, arch.clone());
        found.checked.add(later);
    }
    Ok((passed, found))
}

/// The first half.
fn within_lanes<M: FrontEnd>(
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
        let back = not_equal(dropped);
        if !back.is_empty() {
            passed = passed.reverted(&back, options)?;
        }
    }
    if let Some(arch) = &wanted.registers {
        found.checked = guard::examine_passes(&mut passed, options, arch.clone());
    }
    Ok((passed, found))
}

/// Functions that do not compare equal, as they go back.
fn not_equal(dropped: Vec<&str>) -> Vec<(String, Reverted)> {
    let back = dropped.into_iter();
    back.map(|name| (name.to_owned(), Reverted::new(NOT_EQUAL)))
        .collect()
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
    let original = ptxasw_verify::Module::read(&before).map_err(Error::Unreadable)?;
    let options = (how.options)(&original.form).map_err(Error::Launches)?;
    Ok(judged::compare(
        &original, &after, changed, &options, how.strict,
    ))
}
