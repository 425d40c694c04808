//! What goes back of a module of LLVM's, by what `llc` makes of it as PTX: run by the warp executor, assembled by `ptxas`.

use crate::outputs::{self, Kind};
use crate::ssa::{self, Passed};
use crate::stage;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::driver::{Comparison, Examinable, Planned};
use ptxasw::guard::registers::Independent;
use ptxasw::guard::{self, RevertedKernel, Revertible};
use ptxasw::pipeline::ssa::{
    Reverted, merged, revert, revert_arithmetic, settled_options, step_back,
};
use ptxasw::pipeline::{self, Kernel};
use ptxasw::shuffle::lower::Variant;
use ptxasw::verify::{self, Judged, NOT_EQUAL};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// A module as it came, and a copy of it after its passes.
pub struct Copied<'a, 'c> {
    /// The module, which no pass has touched.
    pub module: &'a Module<'c>,
    /// The module with what the passes changed.
    pub copy: Module<'c>,
    /// What the passes did to the copy.
    pub passed: Passed,
    /// Those that the passes ran under.
    pub options: &'a Options,
    /// The target in place of the module's own: `sm_80`.
    pub arch: Option<&'a str>,
}

impl Copied<'_, '_> {
    /// The copy anew, with each function as far as the reports say.
    fn again(&mut self) -> Result<Passed, ssa::Error> {
        self.copy = self.module.clone();
        ssa::run(
            &self.copy,
            &settled_options(&self.passed.reports, self.options),
        )
    }
}

impl Revertible for Copied<'_, '_> {
    fn changed(&self) -> Vec<(String, bool)> {
        guard::changed(&self.passed.reports)
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        in_words(ptx(&self.copy, self.arch))
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        in_words(ptx(self.module, self.arch))
    }

    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        let mut options = settled_options(&self.passed.reports, self.options);
        options.memory.tests_hold = true;
        let copy = self.module.clone();
        let fast = ssa::run(&copy, &options).map_err(|error| error.to_string());
        Some(fast.and_then(|_| in_words(ptx(&copy, self.arch))))
    }

    fn arithmetic(&self) -> Vec<(String, bool)> {
        guard::arithmetic::changed(&self.passed.reports)
    }

    fn without_arithmetic(&self) -> Result<Vec<u8>, String> {
        let options = settled_options(&self.passed.reports, self.options).without_arithmetic();
        let copy = self.module.clone();
        let run = ssa::run(&copy, &options).map_err(|error| error.to_string());
        run.and_then(|_| in_words(ptx(&copy, self.arch)))
    }

    fn drop_arithmetic(&mut self, back: &[RevertedKernel]) -> Result<(), String> {
        revert_arithmetic(&mut self.passed.reports, &guard::reverted(back));
        self.again().map_err(|error| error.to_string())?;
        Ok(())
    }

    fn independent(&self) -> Independent {
        guard::independent(&self.passed.reports)
    }

    fn send_back(&mut self, back: &[RevertedKernel]) -> Result<(), String> {
        let back = guard::reverted(back);
        let stepped = step_back(&mut self.passed.reports, &back);
        let again = self.again().map_err(|error| error.to_string())?;
        let before = std::mem::take(&mut self.passed.reports);
        self.passed.reports = merged(before, again.reports, &stepped);
        Ok(())
    }
}

impl Examinable for Copied<'_, '_> {
    type Error = stage::Error;

    fn compare(&mut self, how: &Comparison) -> Result<Vec<Judged>, stage::Error> {
        let reports = self.passed.reports.iter();
        let names = reports.filter(|report| report.changed);
        let names: FxHashSet<&str> = names.map(|report| &*report.function).collect();
        let (judged, dropped) = compared((self.module, &self.copy), &names, how, self.arch)?;
        if !dropped.is_empty() {
            let back = dropped.into_iter();
            let back = back.map(|name| (name, Reverted::new(NOT_EQUAL)));
            revert(&mut self.passed.reports, &back.collect::<Vec<_>>());
            self.again()?;
        }
        Ok(judged)
    }
}

/// A module after its passes, in which shuffles were found.
pub struct PlannedModule<'a, 'c> {
    /// The module after its passes, without shuffles.
    pub module: &'a Module<'c>,
    /// The target in place of the module's own: `sm_80`.
    pub arch: Option<&'a str>,
}

impl Planned for PlannedModule<'_, '_> {
    type Error = stage::Error;

    fn written(&self, kernels: &[Kernel]) -> Result<Vec<u8>, stage::Error> {
        let copy = stage::carried_out(self.module, kernels, Variant::Normal)?;
        Ok(ptx(&copy, self.arch)?)
    }

    /// What `llc` gives another name is not found, and goes back, too.
    fn compare(
        &self,
        kernels: &mut [Kernel],
        how: &Comparison,
    ) -> Result<Vec<Judged>, stage::Error> {
        let copy = stage::carried_out(self.module, kernels, Variant::Normal)?;
        let changed = kernels.iter().filter(|kernel| kernel.is_rewritten());
        let changed: FxHashSet<&str> = changed.map(|kernel| &*kernel.name).collect();
        let (judged, dropped) = compared((self.module, &copy), &changed, how, self.arch)?;
        let dropped: FxHashSet<&str> = dropped.iter().map(String::as_str).collect();
        let back = kernels.iter_mut();
        back.filter(|kernel| dropped.contains(&*kernel.name))
            .for_each(|kernel| kernel.drop_plan(NOT_EQUAL));
        Ok(judged)
    }
}

fn ptx(module: &Module, arch: Option<&str>) -> Result<Vec<u8>, outputs::Error> {
    outputs::write(module, Kind::Ptx, arch)
}

fn in_words(ptx: Result<Vec<u8>, outputs::Error>) -> Result<Vec<u8>, String> {
    ptx.map_err(|error| error.to_string())
}

/// Compares a module before and after, of which the functions of these names differ. The result names those of them that go back.
fn compared(
    (before, after): (&Module, &Module),
    names: &FxHashSet<&str>,
    how: &Comparison,
    arch: Option<&str>,
) -> Result<(Vec<Judged>, Vec<String>), Box<Error>> {
    let boxed = |error: Error| Box::new(error);
    let before = ptx(before, arch).map_err(|error| boxed(error.into()))?;
    let after = ptx(after, arch).map_err(|error| boxed(error.into()))?;
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
