//! `ptxasw opt` of LLVM IR: rewrite a module.

use super::input;
use crate::outputs::{self, Kind};
use crate::passes;
use crate::stage::{self, Done, Extras};
use crate::verified::Verification;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::cli::files;
use ptxasw::cli::opt::{Arguments, Emit, Strictness};
use ptxasw::dropin::registers;
use ptxasw::ptx::decode::form;
use ptxasw::ptx::emit::Variant;
use std::path::Path;

/// Rounds of leaving out kernels that lose by their registers.
const MAX_ROUNDS: usize = 2;

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let options = arguments.options()?;
    let context = Context::create();
    let module = input::read(&context, &arguments.input)?;
    passes::run(&module, &arguments.passes, arguments.synthesis.arch())?;
    let (done, bytes) = written(arguments, &module, options)?;
    arguments.say_judged(&done.judged);
    arguments.record(&done.kernels)?;
    files::write(&arguments.output, &bytes)
}

/// Rewrites a module and writes it. Machine code has the original of every kernel that would lose warps, or spill.
fn written(
    arguments: &Arguments,
    original: &Module,
    mut options: Options,
) -> anyhow::Result<(Done, Vec<u8>)> {
    let (kind, arch) = (kind(arguments), arguments.synthesis.arch());
    let mut round = 0;
    loop {
        let module = original.clone();
        let done = rewritten(arguments, &module, &options)?;
        let bytes = outputs::write(&module, kind, arch)?;
        let judged = kind == Kind::Cubin && options.variant == Variant::Normal;
        let lost = match judged && done.is_rewritten() {
            true => lost(original, arch, &bytes)?,
            false => Vec::new(),
        };
        if lost.is_empty() {
            return Ok((done, bytes));
        }
        arguments.say_lost(&lost);
        round += 1;
        // A function that is called may be what costs its kernel the registers.
        let is_lost = |name: &str| lost.iter().any(|(one, _)| one == name);
        let mut left = 0;
        for kernel in done
            .kernels
            .iter()
            .filter(|one| !one.plan.shuffles.is_empty())
        {
            if round > MAX_ROUNDS || !kernel.entry || is_lost(&kernel.name) {
                options.kernels.leave_out(&kernel.name);
                left += 1;
            }
        }
        // Nothing of ours is the reason.
        if left == 0 {
            return Ok((done, bytes));
        }
    }
}

fn rewritten(arguments: &Arguments, module: &Module, options: &Options) -> anyhow::Result<Done> {
    let launches = |original: &form::Module| arguments.verification(original);
    let verify = arguments.verify.map(|strictness| Verification {
        arch: arguments.synthesis.arch(),
        strict: strictness == Strictness::Strict,
        options: &launches,
    });
    let extras = Extras {
        verify,
        remarks: None,
    };
    Ok(stage::rewrite_with(module, options, &extras)?)
}

/// Kernels that lose by their registers, and how. The original is assembled only if that may be.
fn lost(
    original: &Module,
    arch: Option<&str>,
    cubin: &[u8],
) -> anyhow::Result<Vec<(String, String)>> {
    let after = registers::of(cubin).filter(|after| !registers::harmless(after));
    let Some(after) = after else {
        return Ok(Vec::new());
    };
    let target = outputs::target(original, arch)?;
    let before = outputs::write(original, Kind::Cubin, arch)?;
    let before = registers::of(&before).unwrap_or_default();
    Ok(registers::lost(target, &before, &after))
}

/// As asked for, else by the extension of the output, else text.
fn kind(arguments: &Arguments) -> Kind {
    match arguments.emit {
        Some(Emit::Ll) => Kind::Ir,
        Some(Emit::Bc) => Kind::Bitcode,
        Some(Emit::Ptx) => Kind::Ptx,
        Some(Emit::Cubin) => Kind::Cubin,
        None => Kind::of(Path::new(&arguments.output)).unwrap_or(Kind::Ir),
    }
}
