//! The register guard on a module of LLVM's: what `llc` and `ptxas` make of what was changed.

use crate::outputs::{self, Kind};
use crate::ssa::{self, Passed};
use crate::stage::{self, Extras};
use crate::verified;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::guard::registers::Independent;
use ptxasw::guard::{self, Back, Changed, Checked};
use ptxasw::pipeline::Kernel;
use ptxasw::pipeline::ssa::{behind, merged, step_back};
use ptxasw::shuffle::lower::Variant;
use ptxasw::verify::Judged;

/// A module, and a copy of it behind its passes.
struct Behind<'a, 'c> {
    module: &'a Module<'c>,
    copy: Module<'c>,
    passed: &'a mut Passed,
    options: &'a Options,
    arch: Option<&'a str>,
}

impl Changed for Behind<'_, '_> {
    fn changed(&self) -> Vec<(String, bool)> {
        guard::changed(&self.passed.reports)
    }

    fn rewritten(&self) -> Result<Vec<u8>, String> {
        ptx(&self.copy, self.arch)
    }

    fn original(&self) -> Result<Vec<u8>, String> {
        ptx(self.module, self.arch)
    }

    fn fast(&self) -> Option<Result<Vec<u8>, String>> {
        let mut options = behind(&self.passed.reports, self.options);
        options.memory.tests_hold = true;
        let copy = self.module.clone();
        let fast = ssa::run(&copy, &options).map_err(|error| error.to_string());
        Some(fast.and_then(|_| ptx(&copy, self.arch)))
    }

    fn independent(&self) -> Independent {
        guard::independent(&self.passed.reports)
    }

    fn send_back(&mut self, back: &[Back]) -> Result<(), String> {
        let reports = &mut self.passed.reports;
        let stepped = step_back(reports, &guard::reverted(back), self.options);
        self.copy = self.module.clone();
        let again = ssa::run(&self.copy, &behind(reports, self.options));
        let again = again.map_err(|error| error.to_string())?;
        *reports = merged(std::mem::take(reports), again.reports, &stepped);
        Ok(())
    }
}

fn ptx(module: &Module, arch: Option<&str>) -> Result<Vec<u8>, String> {
    outputs::write(module, Kind::Ptx, arch).map_err(|error| error.to_string())
}

/// Runs the passes over the SSA IR. What they changed goes back where it is not equal, if that is to be compared, and where it
/// loses by its registers, or spills, if that is to be checked: then they run on a copy of the module first.
pub fn run_passes(
    module: &Module,
    options: &Options,
    extras: &Extras,
) -> Result<(Passed, Vec<Judged>, Checked), stage::Error> {
    let run = |module: &Module| match &extras.verify {
        Some(verification) => verified::keep_passed(module, options, verification),
        None => Ok((ssa::run(module, options)?, Vec::new())),
    };
    let Some(arch) = extras.guard.filter(|_| !options.passes.ssa.is_empty()) else {
        let (passed, judged) = run(module)?;
        return Ok((passed, judged, Checked::default()));
    };
    let copy = module.clone();
    let (mut passed, judged) = run(&copy)?;
    if guard::changed(&passed.reports).is_empty() {
        return Ok((passed, judged, Checked::default()));
    }
    let target = outputs::target(module, arch).map_err(|error| error.to_string());
    let mut behind = Behind {
        module,
        copy,
        passed: &mut passed,
        options,
        arch,
    };
    let checked = guard::examine_passes(&mut behind, target);
    Ok((ssa::again(module, passed, options)?, judged, checked))
}

/// Drops the plans of kernels that lose by their registers, or spill.
pub fn check_plans(module: &Module, kernels: &mut [Kernel], arch: Option<&str>) -> Checked {
    let target = outputs::target(module, arch).map_err(|error| error.to_string());
    guard::check(kernels, target, |kernels| {
        let copy = stage::carried_out(module, kernels, Variant::Normal);
        ptx(&copy.map_err(|error| error.to_string())?, arch)
    })
}
