//! How much faster the rewritten kernels of a module are, by their machine code: the clock's ratio in a launch that fills the GPU.

use crate::cli::targets;
use ptxasw_driver::report::verdict::{Estimate, Estimates, FunctionVerdict, Version, Word};
use ptxasw_machine::cost::estimate::Kernel;
use ptxasw_machine::cost::sass::KernelCode;
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::cost::trace::Work;
use ptxasw_machine::toolchain::Arch;
use ptxasw_ptx::decode;
use ptxasw_verify::{Given, Size};

/// Kernels of a module that are estimated.
const MOST: usize = 8;
/// Statements of one that is.
const MOST_STATEMENTS: usize = 1 << 13;
/// Warp instructions that a made-up launch of one is executed for.
const STEPS: u64 = 1 << 17;
/// And one that is written down in the module.
const GIVEN_STEPS: u64 = 1 << 22;

/// Of the changed kernels of which most loads and stores are gone; of others that there are too many.
pub fn of(texts: [&[u8]; 2], verdicts: &[FunctionVerdict], given: Option<Arch>) -> Estimates {
    let changed = verdicts
        .iter()
        .filter(|one| one.entry && one.word == Word::Changed);
    let mut changed: Vec<&FunctionVerdict> = changed.collect();
    changed.sort_by_key(|one| std::cmp::Reverse(one.fates.all_gone()));
    let names: Vec<&str> = changed.iter().map(|one| &*one.name).collect();
    let (first, rest) = names.split_at(names.len().min(MOST));
    let none = |names: &[&str], why: &str| -> Estimates {
        let none = names.iter();
        none.map(|name| ((*name).to_owned(), Err(why.to_owned())))
            .collect()
    };
    let mut estimates = all(texts, first, given).unwrap_or_else(|why| none(first, &why));
    let many = format!("only {MOST} kernels of a module are estimated");
    estimates.extend(none(rest, &many));
    estimates
}

fn all(
    [before, after]: [&[u8]; 2],
    kernels: &[&str],
    given: Option<Arch>,
) -> Result<Estimates, String> {
    if kernels.is_empty() {
        return Ok(Estimates::default());
    }
    let given: Vec<Arch> = given.into_iter().collect();
    let (archs, before) = targets::estimated(&given, before);
    let (_, after) = targets::estimated(&given, after);
    let arch = archs.first().copied().ok_or("no GPU is known")?;
    let (before, after) = (read(&before)?, read(&after)?);
    let codes = [before.codes(arch)?, after.codes(arch)?];
    let launches = Given::of_module(before.text);
    let estimate = |name: &str| {
        let [one, other] = codes.each_ref().map(|codes| code(codes, name));
        let (one, other) = (one?, other?);
        let (work, steps) = launched(&before, &launches, name)?;
        let kernel = before.prediction(one, &work, steps)?;
        let rewritten = after.prediction(other, &work, steps)?;
        Ok(Estimate {
            arch: arch.to_string(),
            ratio: kernel.ratio_at_extremes(&rewritten),
            versions: [version(one, &kernel), version(other, &rewritten)],
        })
    };
    Ok(kernels
        .iter()
        .map(|name| ((*name).to_owned(), estimate(name)))
        .collect())
}

fn read(text: &[u8]) -> Result<PredictedModule<'_>, String> {
    let tree = ptxasw_ptx::parse(text).map_err(|error| error.to_string())?;
    let form = decode::decode(&tree).map_err(|error| error.to_string())?;
    Ok(PredictedModule::new(text, form))
}

fn code<'c>(codes: &'c [KernelCode], name: &str) -> Result<&'c KernelCode, String> {
    let code = codes.iter().find(|one| one.name == name);
    code.ok_or_else(|| "no machine code of it".to_owned())
}

/// The launch of a kernel, and how many warp instructions it may take.
fn launched(module: &PredictedModule, given: &Given, name: &str) -> Result<(Work, u64), String> {
    let function = module.kernel(name).ok_or("the module has no such kernel")?;
    if function.instructions.len() > MOST_STATEMENTS {
        return Err(format!("it has more than {MOST_STATEMENTS} statements"));
    }
    let kernel = ptxasw_verify::Kernel {
        text: module.text,
        module: &module.form,
        function,
    };
    let (spec, made_up) = given.launch(kernel, STEPS, Size::Full)?;
    let work = Work::of_spec(&spec).map_err(|error| error.to_string())?;
    Ok((work, if made_up { STEPS } else { GIVEN_STEPS }))
}

fn version(code: &KernelCode, kernel: &Kernel) -> Version {
    Version {
        waits: kernel.executed().and_then(|executed| executed.rounds),
        registers: code.registers,
        warps: code.resident_warps(),
        bound: kernel.estimate().limiter.name().to_owned(),
    }
}
