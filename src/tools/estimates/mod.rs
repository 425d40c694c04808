//! How much faster the rewritten kernels of a module are, by their machine code: the clock's ratio in a launch that fills the GPU.
//!
//! `variants` has the kernels as other options would make them.

pub mod variants;

use crate::cli::targets;
use ptxasw_driver::report::verdict::{
    Estimate, Estimates, FunctionVerdict, Variant, Version, Word,
};
use ptxasw_machine::cost::estimate::Kernel;
use ptxasw_machine::cost::sass::KernelCode;
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::cost::trace::Work;
use ptxasw_machine::toolchain::Arch;
use ptxasw_ptx::decode;
use ptxasw_verify::{Given, Size};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use variants::Rewritten;

/// Kernels of a module that are estimated.
const MOST: usize = 8;
/// Statements of one that is.
const MOST_STATEMENTS: usize = 1 << 13;
/// Warp instructions that a made-up launch of one is executed for.
const STEPS: u64 = 1 << 17;
/// And one that is written down in the module.
const GIVEN_STEPS: u64 = 1 << 22;

/// The PTX of a module as it came, and of what it was rewritten to; or why there is none.
pub type Texts<'t> = Result<[Cow<'t, [u8]>; 2], String>;

/// Of the changed kernels of which most loads and stores are gone; of others that there are too many. With what `variants` would be worth.
/// `arch` in place of the module's own; launches in place of those that the module has.
pub fn of(
    texts: Texts,
    verdicts: &[FunctionVerdict],
    variants: &[Rewritten],
    (arch, launches): (Option<Arch>, Option<&Given>),
) -> Estimates {
    let changed = verdicts
        .iter()
        .filter(|one| one.entry && one.word == Word::Changed);
    let mut changed: Vec<&FunctionVerdict> = changed.collect();
    changed.sort_by_key(|one| std::cmp::Reverse(one.fates.all_gone()));
    let names: Vec<&str> = changed.iter().map(|one| &*one.name).collect();
    let (first, rest) = names.split_at(names.len().min(MOST));
    let none = |names: &[&str], why: &str| -> Vec<(String, Result<Estimate, String>)> {
        let none = names.iter();
        none.map(|name| ((*name).to_owned(), Err(why.to_owned())))
            .collect()
    };
    let mut estimates = match first.is_empty() && variants.is_empty() {
        true => Estimates::default(),
        false => texts
            .and_then(|texts| all(&texts, first, variants, (arch, launches)))
            .unwrap_or_else(|why| Estimates {
                kernels: none(first, &why).into_iter().collect(),
                ..Estimates::default()
            }),
    };
    let many = format!("only {MOST} kernels of a module are estimated");
    estimates.kernels.extend(none(rest, &many));
    estimates
}

fn all(
    [before, after]: &[Cow<[u8]>; 2],
    kernels: &[&str],
    variants: &[Rewritten],
    (arch, launches): (Option<Arch>, Option<&Given>),
) -> Result<Estimates, String> {
    let own = || Arch::of_module(&String::from_utf8_lossy(before));
    let arch = arch.or_else(own).unwrap_or(targets::ESTIMATED[0]);
    let arch = targets::nearest(arch);
    let text = |text| targets::as_code_for(arch, text);
    let before = text(before);
    let mut original = Original {
        launches: launches
            .cloned()
            .unwrap_or_else(|| Given::of_module(&before)),
        code: Code::read(&before, arch)?,
        known: FxHashMap::default(),
    };
    let mut estimates = Estimates::default();
    if !kernels.is_empty() {
        let after = text(after);
        let rewritten = Code::read(&after, arch)?;
        for &name in kernels {
            let estimate = original.estimate(name, &rewritten, arch);
            estimates.kernels.insert(name.to_owned(), estimate);
        }
    }
    for variant in variants {
        let after = text(&variant.text);
        // What is only a proposal must not lose the estimates of what was done.
        let Ok(rewritten) = Code::read(&after, arch) else {
            continue;
        };
        for name in &variant.kernels {
            if let Ok(Estimate { arch, ratio, .. }) = original.estimate(name, &rewritten, arch) {
                let way = variant.way;
                let of_kernel = estimates.variants.entry(name.clone()).or_default();
                of_kernel.push(Variant { way, arch, ratio });
            }
        }
    }
    Ok(estimates)
}

/// The module as it came.
struct Original<'t> {
    code: Code<'t>,
    launches: Given,
    /// Kernels that were executed.
    known: FxHashMap<String, Result<Rc<Launched>, String>>,
}

/// A kernel of it in a launch.
struct Launched {
    work: Work,
    /// How many warp instructions it may take.
    steps: u64,
    kernel: Kernel,
}

impl Original<'_> {
    fn estimate(&mut self, name: &str, other: &Code, arch: Arch) -> Result<Estimate, String> {
        let known = match self.known.get(name) {
            Some(known) => known.clone(),
            None => {
                let launched = self.launched(name).map(Rc::new);
                self.known.insert(name.to_owned(), launched.clone());
                launched
            }
        };
        let launched = known?;
        let rewritten = other.predicted(name, &launched.work, launched.steps)?;
        let before = self.code.version(name, &launched.kernel)?;
        Ok(Estimate {
            arch: arch.to_string(),
            ratio: launched.kernel.ratio_at_extremes(&rewritten),
            versions: [before, other.version(name, &rewritten)?],
        })
    }

    fn launched(&self, name: &str) -> Result<Launched, String> {
        let module = &self.code.module;
        let function = module.kernel(name).ok_or("the module has no such kernel")?;
        if function.instructions.len() > MOST_STATEMENTS {
            return Err(format!("it has more than {MOST_STATEMENTS} statements"));
        }
        let kernel = ptxasw_verify::Kernel {
            text: module.text,
            module: &module.form,
            function,
        };
        let (spec, made_up) = self.launches.launch(kernel, STEPS, Size::Full)?;
        let work = Work::of_spec(&spec).map_err(|error| error.to_string())?;
        let steps = if made_up { STEPS } else { GIVEN_STEPS };
        let kernel = self.code.predicted(name, &work, steps)?;
        Ok(Launched {
            work,
            steps,
            kernel,
        })
    }
}

/// A text with its machine code.
struct Code<'t> {
    module: PredictedModule<'t>,
    kernels: Vec<KernelCode>,
}

impl<'t> Code<'t> {
    fn read(text: &'t [u8], arch: Arch) -> Result<Self, String> {
        let tree = ptxasw_ptx::parse(text).map_err(|error| error.to_string())?;
        let form = decode::decode(&tree).map_err(|error| error.to_string())?;
        let module = PredictedModule::new(text, form);
        let kernels = module.codes(arch)?;
        Ok(Code { module, kernels })
    }

    fn kernel(&self, name: &str) -> Result<&KernelCode, String> {
        let code = self.kernels.iter().find(|one| one.name == name);
        code.ok_or_else(|| "no machine code of it".to_owned())
    }

    fn predicted(&self, name: &str, work: &Work, steps: u64) -> Result<Kernel, String> {
        self.module.prediction(self.kernel(name)?, work, steps)
    }

    fn version(&self, name: &str, kernel: &Kernel) -> Result<Version, String> {
        let code = self.kernel(name)?;
        Ok(Version {
            waits: kernel.executed().and_then(|executed| executed.rounds),
            registers: code.registers,
            warps: code.resident_warps(),
            bound: kernel.estimate().limiter.name().to_owned(),
        })
    }
}
