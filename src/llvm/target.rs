//! What a function is compiled for, as clang notes it: `target-cpu` and `target-features`.

use crate::version::MAJOR;
use crate::view::{Block, Ty, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use ptxasw_passes::shuffle::refusal::{Refusal, limit};

/// `activemask` needs PTX 6.2.
const LEAST_PTX: u32 = 62;
/// The first target with warp shuffles.
const LEAST_TARGET: u32 = 30;
/// LLVM writes the oldest PTX that a target needs, unless a later one is requested: 6.0 for `sm_70`, 6.3 for `sm_75`.
const LATER_BY_DEFAULT: u32 = 75;

/// Why the target of one of a module's functions rules out shuffles: all are compiled for one. `arch` is the target in
/// place of their own.
pub fn unsupported<'m>(
    functions: impl IntoIterator<Item = Val<'m>>,
    arch: Option<u32>,
) -> Option<Refusal> {
    let mut functions = functions.into_iter();
    functions.find_map(|function| target_of(function, arch))
}

/// The number of the target that a module's functions are compiled for, as far as they say.
pub fn compiled_for<'m>(functions: impl IntoIterator<Item = Val<'m>>) -> Option<u32> {
    functions.into_iter().find_map(cpu)
}

fn cpu(function: Val<'_>) -> Option<u32> {
    let name = function.text_attribute("target-cpu")?;
    number(name.strip_prefix("sm_")?)
}

fn target_of(function: Val<'_>, arch: Option<u32>) -> Option<Refusal> {
    let cpu = cpu(function);
    let features = function
        .text_attribute("target-features")
        .unwrap_or_default();
    let version = features
        .split(',')
        .rev()
        .find_map(|feature| number(feature.strip_prefix("+ptx")?));
    let refuse = |reason, detail: u32| Refusal::new(reason).with(detail.to_string());
    match (arch.or(cpu), version) {
        (Some(target), _) if target < LEAST_TARGET => Some(refuse(&limit::TARGET, target)),
        // A later target brings its own.
        (target, Some(version))
            if version < LEAST_PTX && target.is_none_or(|target| target < LATER_BY_DEFAULT) =>
        {
            Some(refuse(&limit::IR_VERSION, version))
        }
        // Whoever makes PTX of it lets LLVM choose its version, which `opt` does not.
        (Some(target), None) if target < LATER_BY_DEFAULT && arch.is_none() => {
            Some(refuse(&limit::IR_NO_VERSION, target))
        }
        _ => None,
    }
}

/// Why nothing in a function may be rewritten.
pub fn untouchable(function: Val<'_>) -> Option<Refusal> {
    // LLVM forbids calls without tokens where others have them.
    let tokens = holds_tokens(function).then(|| Refusal::new(&limit::TOKENS));
    let bfloat = || Refusal::new(&limit::BFLOAT).with(env!("BUILT_FOR_LLVM").to_owned());
    tokens.or_else(|| (MAJOR < 18 && holds_bfloats(function)).then(bfloat))
}

fn holds_bfloats(function: Val<'_>) -> bool {
    let mut instructions = function.blocks().into_iter().flat_map(Block::instructions);
    instructions.any(|one| {
        let mut values = one.operands().into_iter().chain([one]);
        values.any(|value| is_bfloat(value.ty()))
    })
}

fn is_bfloat(ty: Ty<'_>) -> bool {
    match ty.kind() {
        LLVMTypeKind::LLVMBFloatTypeKind => true,
        LLVMTypeKind::LLVMVectorTypeKind => is_bfloat(ty.element()),
        _ => false,
    }
}

fn holds_tokens(function: Val<'_>) -> bool {
    let instructions = function.blocks().into_iter().flat_map(Block::instructions);
    let calls = instructions.filter(|one| one.opcode() == LLVMOpcode::LLVMCall);
    calls
        .filter_map(Val::callee)
        .any(|callee| callee.name().starts_with("llvm.experimental.convergence."))
}

/// The number of `90a`.
fn number(text: &str) -> Option<u32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}
