//! The stage on a module of PTX.

use super::examine::{
    Comparison, Examinable, Examination, Planned, Wanted, examine_passes, examine_plans,
};
use crate::guard::registers::Independent;
use crate::guard::{self, RevertedKernel, Revertible};
use crate::pipeline::ssa::{self, Passed};
use crate::pipeline::{self, Edited, Kernel, Module, Options, record};
use crate::verify::{self, Judged, keep_equal, keep_passed};
use std::path::Path;

/// Why a module stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX, or an internal error.
    #[error(transparent)]
    Pipeline(#[from] pipeline::Error),
    /// The launches of a comparison do not fit.
    #[error("{0:#}")]
    Launches(anyhow::Error),
}

/// Leaves a record of what is done to a module as it came, if nothing goes back, where a folder is named for it: limits count so.
///
/// # Errors
/// A body does not make sense.
pub fn record(
    folder: Option<&Path>,
    module: &Module,
    options: &Options,
) -> Result<(), pipeline::Error> {
    // What goes back is no rewriting of its own.
    match folder.filter(|_| options.counted.is_none()) {
        Some(folder) => module.found(options, |found| {
            record::write(folder, module.input(), "ptx", found);
        }),
        None => Ok(()),
    }
}

/// The first half: the passes over the SSA IR, and what goes back of it.
///
/// # Errors
/// A body does not make sense, or nothing could be compared.
pub fn passed<'t>(
    module: Module<'t>,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Passed<'t>, Examination), Error> {
    let input = module.input();
    let passed = ssa::run_in(module, options)?;
    let mut text = Text {
        input,
        passed,
        options,
    };
    let found = examine_passes(&mut text, wanted)?;
    Ok((text.passed, found))
}

/// The second half, on what the first has left: shuffles, and what goes back of them.
///
/// # Errors
/// A body does not make sense, or nothing could be compared.
pub fn planned(
    module: &Module,
    options: &Options,
    wanted: &Wanted,
) -> Result<(Vec<Kernel>, Examination), Error> {
    let mut kernels = pipeline::analyze(module, options).map_err(pipeline::Error::from)?;
    let found = examine_plans(&After(module), &mut kernels, wanted)?;
    Ok((kernels, found))
}

/// As [`planned`], with the edits of the text.
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

/// A text and what the passes made of it.
struct Text<'t, 'o> {
    input: &'t [u8],
    passed: Passed<'t>,
    options: &'o Options,
}

impl Revertible for Text<'_, '_> {
    fn changed(&self) -> Vec<(String, bool)> {
        guard::changed(&self.passed.reports)
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        Ok(self.passed.text().to_vec())
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        Ok(self.input.to_vec())
    }

    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        let mut options = ssa::settled_options(&self.passed.reports, self.options);
        options.memory.tests_hold = true;
        let fast = ssa::run(self.input, &options);
        let fast = fast.map(|fast| fast.text().to_vec());
        Some(fast.map_err(|error| error.to_string()))
    }

    fn arithmetic(&self) -> Vec<(String, bool)> {
        guard::arithmetic::changed(&self.passed.reports)
    }

    fn without_arithmetic(&self) -> Result<Vec<u8>, String> {
        let options = ssa::settled_options(&self.passed.reports, self.options).without_arithmetic();
        let passed = ssa::run(self.input, &options);
        let text = passed.map(|passed| passed.text().to_vec());
        text.map_err(|error| error.to_string())
    }

    fn drop_arithmetic(&mut self, back: &[RevertedKernel]) -> Result<(), String> {
        let back = guard::reverted(back);
        let passed = self
            .passed
            .without_arithmetic(self.input, &back, self.options);
        self.passed = passed.map_err(|error| error.to_string())?;
        Ok(())
    }

    fn independent(&self) -> Independent {
        guard::independent(&self.passed.reports)
    }

    fn send_back(&mut self, back: &[RevertedKernel]) -> Result<(), String> {
        let back = guard::reverted(back);
        let passed = self.passed.stepped_back(self.input, &back, self.options);
        self.passed = passed.map_err(|error| error.to_string())?;
        Ok(())
    }
}

impl Examinable for Text<'_, '_> {
    type Error = Error;

    fn compare(&mut self, how: &Comparison) -> Result<Vec<Judged>, Error> {
        let original = verify::Module::read(self.input)?;
        let options = (how.options)(&original.form).map_err(Error::Launches)?;
        let kept = keep_passed(
            self.input,
            &original,
            &self.passed,
            self.options,
            &options,
            how.strict,
        )?;
        let (passed, judged) = kept;
        if let Some(passed) = passed {
            self.passed = passed;
        }
        Ok(judged)
    }
}

/// A module after all passes over its SSA IR.
struct After<'m, 't>(&'m Module<'t>);

impl Planned for After<'_, '_> {
    type Error = Error;

    fn written(&self, kernels: &[Kernel]) -> Result<Vec<u8>, Error> {
        Ok(pipeline::write(self.0.tree(), kernels)?)
    }

    fn compare(&self, kernels: &mut [Kernel], how: &Comparison) -> Result<Vec<Judged>, Error> {
        let original = verify::Module::read(self.0.text())?;
        let options = (how.options)(&original.form).map_err(Error::Launches)?;
        Ok(keep_equal(&original, kernels, &options, how.strict)?)
    }
}
