//! Floating-point arithmetic.

use super::builder::{Builder, NAMELESS};
use super::opaque::{call, flushes_alike, ftz_word, llvm_type, rounding, suffix, when};
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::op::{FloatMode, FloatOp, Rounding};
use ptxasw_ir::types::{Kind, Type};

/// The result of an operation; none if LLVM has no exact form.
pub(super) fn write(
    b: &mut Builder,
    op: FloatOp,
    ty: Type,
    mode: FloatMode,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    use FloatOp::*;
    let extreme = matches!(op, Min | Max);
    let brain = matches!(ty.kind, Kind::BFloat | Kind::BFloat16x2);
    let short_fma = op == Fma && !matches!(ty, Type::F32 | Type::F64);
    let long_sat = ty == Type::F32 && matches!(op, Add | Sub | Mul | Fma);
    let saturates = long_sat || short_fma && !brain && !mode.relu;
    if !extreme && (mode.nan || mode.xorsign_abs)
        || mode.ftz && brain
        || mode.relu && !short_fma
        || mode.saturate && !saturates
    {
        return None;
    }
    let result = rounded(b, op, ty, mode, args)?;
    match mode.saturate && long_sat {
        true => call(b, &["saturate", ftz_word(mode), "f"], ty, &[result], 32),
        false => Some(result),
    }
}

/// The operation before `.sat` of single precision, which is one by itself.
fn rounded(
    b: &mut Builder,
    op: FloatOp,
    ty: Type,
    mode: FloatMode,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    use FloatOp::*;
    if let Some(result) = plain(b, op, ty, mode, args) {
        return Some(result);
    }
    let (ftz, ty_word) = (ftz_word(mode), suffix(ty)?);
    let ieee = rounding(mode.rounding);
    let single = matches!(ty, Type::F32 | Type::F64);
    let is_half = matches!((ty.kind, ty.bits), (Kind::Float, 16) | (Kind::Float16x2, _));
    // The instructions of double precision flush nothing.
    if ty == Type::F64 && mode.ftz && mode.rounding != Rounding::Approximate {
        return None;
    }
    let named = |b: &mut Builder, words: &[&str]| call(b, words, ty, args, ty.bits);
    match (op, mode.rounding) {
        (Add, _) if single => named(b, &["add", ieee?, ftz, ty_word]),
        (Mul, _) if single => named(b, &["mul", ieee?, ftz, ty_word]),
        // a - b as b * -1 + a, rounded once. Of double precision it may be another NaN.
        (Sub, _) if ty == Type::F32 => {
            let minus_one = b.number(32, u64::from((-1f32).to_bits()));
            let factors = [args[1], minus_one, args[0]];
            call(b, &["fma", ieee?, ftz, ty_word], ty, &factors, ty.bits)
        }
        (Fma, _) if single => named(b, &["fma", ieee?, ftz, ty_word]),
        (Fma, Rounding::Nearest | Rounding::Contractible) => {
            let (sat, relu) = (when(mode.saturate, "sat"), when(mode.relu, "relu"));
            named(b, &["fma", "rn", ftz, sat, relu, ty_word])
        }
        (Div, Rounding::Approximate) if single => named(b, &["div", "approx", ftz, ty_word]),
        (Div, _) if single => named(b, &["div", ieee?, ftz, ty_word]),
        (Rcp, Rounding::Approximate) if single => named(b, &["rcp", "approx", ftz, ty_word]),
        (Rcp, _) if single => named(b, &["rcp", ieee?, ftz, ty_word]),
        (Sqrt, Rounding::Approximate) if single => named(b, &["sqrt", "approx", ftz, ty_word]),
        (Sqrt, _) if single => named(b, &["sqrt", ieee?, ftz, ty_word]),
        (Rsqrt, Rounding::Approximate) if single => named(b, &["rsqrt", "approx", ftz, ty_word]),
        (Sin | Cos | Lg2, Rounding::Approximate) if ty == Type::F32 => {
            let name = match op {
                Sin => "sin",
                Cos => "cos",
                _ => "lg2",
            };
            named(b, &[name, "approx", ftz, ty_word])
        }
        // Other types have the name and no instruction.
        (Ex2, Rounding::Approximate) if ty == Type::F32 || is_half && !mode.ftz => {
            named(b, &["ex2", "approx", ftz, ty_word])
        }
        (Abs, Rounding::Nearest) if ty == Type::F32 => named(b, &["fabs", ftz, ty_word]),
        (Min | Max, Rounding::Nearest) => {
            let name = match (op == Min) != active(Mutation::ExtremesSwapped) {
                true => "fmin",
                false => "fmax",
            };
            let (nan, xorsign) = (when(mode.nan, "nan"), when(mode.xorsign_abs, "xorsign.abs"));
            named(b, &[name, ftz, nan, xorsign, ty_word])
        }
        _ => None,
    }
}

/// A sum, difference or product that may be fused, as LLVM's own instruction.
fn plain(
    b: &mut Builder,
    op: FloatOp,
    ty: Type,
    mode: FloatMode,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    let build = match op {
        FloatOp::Add => LLVMBuildFAdd,
        FloatOp::Sub => LLVMBuildFSub,
        FloatOp::Mul => LLVMBuildFMul,
        _ => return None,
    };
    // Before `.sat` nothing is fused.
    let fusable = mode.rounding == Rounding::Contractible && !mode.saturate;
    if !fusable || !flushes_alike(b, ty, mode.ftz) {
        return None;
    }
    let llvm = llvm_type(b, ty)?;
    let (left, right) = (b.typed(args[0], llvm), b.typed(args[1], llvm));
    let result = unsafe { build(b.raw, left, right, NAMELESS) };
    Some(b.to_bits(result, ty.bits))
}
