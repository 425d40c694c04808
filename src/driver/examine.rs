//! What goes back: what does not compare equal with its original, and what loses by its registers.

use crate::guard::{self, Checked, Revertible};
use crate::pipeline::Kernel;
use crate::ptx::decode::form;
use crate::toolchain::Arch;
use crate::verify::{self, Judged};
use std::fmt::Display;

/// What is to be examined.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Rewritten kernels are run beside their originals: what is not equal goes back.
    pub comparison: Option<Comparison<'a>>,
    /// Rewritten kernels are assembled beside their originals: what loses by its registers, or spills, goes back. The target
    /// that machine code is made for, or why it is not known.
    pub registers: Option<Result<Arch, String>>,
}

/// How kernels are compared.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// What can't be compared goes back, too.
    pub strict: bool,
    /// Launches and schedules, for the original as PTX. Fails where launches of the user's do not fit.
    pub options: &'a dyn Fn(&form::Module) -> anyhow::Result<verify::Options>,
}

/// The outcome of the comparison and of the register guard, after one half or both.
#[derive(Default)]
pub struct Examination {
    /// A verdict for each kernel that was executed beside its original.
    pub judged: Vec<Judged>,
    /// Kernels that lose warps or spill, and why nothing is known of them.
    pub checked: Checked,
}

impl Examination {
    /// Adds what was found after a later half of the same module.
    pub fn add(&mut self, later: Examination) {
        self.judged.extend(later.judged);
        self.checked.add(later.checked);
    }
}

/// A module after the passes over its SSA IR; the guard sees it as [`Revertible`].
pub trait Examinable: Revertible {
    /// Why nothing could be compared.
    type Error;

    /// Compares the functions that passes changed with their originals, and takes back what is not equal.
    ///
    /// # Errors
    /// Nothing could be compared.
    fn compare(&mut self, how: &Comparison) -> Result<Vec<Judged>, Self::Error>;
}

/// Takes back what passes did, as far as it is wanted. The reports of the passes say why.
///
/// # Errors
/// Nothing could be compared.
pub fn examine_passes<M: Examinable>(
    module: &mut M,
    wanted: &Wanted,
) -> Result<Examination, M::Error> {
    let mut found = Examination::default();
    if let Some(how) = wanted.comparison.filter(|_| !module.changed().is_empty()) {
        found.judged = module.compare(&how)?;
    }
    if let Some(arch) = &wanted.registers {
        found.checked = guard::examine_passes(module, arch.clone());
    }
    Ok(found)
}

/// A module in which shuffles were found, and are not written yet.
pub trait Planned {
    /// Why nothing could be compared, or written.
    type Error: Display;

    /// The module as PTX, with the plans of some functions carried out; with those of none it is the original.
    ///
    /// # Errors
    /// A plan does not fit (an internal error), or a tool makes no PTX of the module.
    fn written(&self, kernels: &[Kernel]) -> Result<Vec<u8>, Self::Error>;

    /// Compares every kernel that has shuffles, or may call what has, with its original, and drops the plans of what is not
    /// equal.
    ///
    /// # Errors
    /// Nothing could be compared; no plan is dropped.
    fn compare(&self, kernels: &mut [Kernel], how: &Comparison)
    -> Result<Vec<Judged>, Self::Error>;
}

/// Drops plans, as far as it is wanted.
///
/// # Errors
/// Nothing could be compared.
pub fn examine_plans<M: Planned>(
    module: &M,
    kernels: &mut [Kernel],
    wanted: &Wanted,
) -> Result<Examination, M::Error> {
    let rewritten = |kernels: &[Kernel]| kernels.iter().any(Kernel::is_rewritten);
    let mut found = Examination::default();
    if let Some(how) = wanted.comparison.filter(|_| rewritten(kernels)) {
        found.judged = module.compare(kernels, &how)?;
    }
    if let Some(arch) = &wanted.registers {
        found.checked = guard::check(kernels, arch.clone(), |kernels| module.written(kernels));
    }
    Ok(found)
}
