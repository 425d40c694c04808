//! Conversions from and to floating-point types.

use super::builder::{Builder, NAMELESS};
use super::opaque::{call, ftz_word, llvm_type, rounding, suffix, when};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::op::{FloatMode, Rounding};
use ptxasw_ir::types::{Kind, Type};

const HALF: Type = Type::new(Kind::Float, 16);
const BFLOAT: Type = Type::new(Kind::BFloat, 16);

/// `cvt` from or to a floating-point type.
pub(super) fn write(
    b: &mut Builder,
    [from, to]: [Type; 2],
    mode: FloatMode,
    integral: bool,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    if mode.nan || mode.xorsign_abs {
        return None;
    }
    if args.len() == 2 {
        return pair(b, [from, to], mode, args);
    }
    if let Some(wide) = widened(b, from, to, args[0]) {
        return write(b, [Type::F32, to], mode, integral, &[wide]);
    }
    let result = match (is_integer(from), is_integer(to)) {
        _ if integral && from != to => return None,
        (true, false) => from_integer(b, [from, to], mode, args[0])?,
        (false, true) if !mode.saturate && !mode.relu => to_integer(b, [from, to], mode, args[0])?,
        (false, false) if from == to => same_type(b, from, mode, integral, args[0])?,
        (false, false) => between(b, [from, to], mode, args[0])?,
        _ => return None,
    };
    match (mode.saturate, to) {
        (false, _) => Some(result),
        (true, Type::F32) => call(b, &["saturate", ftz_word(mode), "f"], to, &[result], 32),
        (true, _) => None,
    }
}

/// A number of half the bits in single precision, which has all of them, as a step to another type.
fn widened(b: &mut Builder, from: Type, to: Type, bits: LLVMValueRef) -> Option<LLVMValueRef> {
    let further = to == Type::F64 || is_integer(to);
    match from {
        HALF if further => extended(b, HALF, Type::F32, bits),
        _ => None,
    }
}

/// Two numbers of single precision in one word, the first in the upper half.
fn pair(
    b: &mut Builder,
    [from, to]: [Type; 2],
    mode: FloatMode,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    let name = match to.kind {
        Kind::Float16x2 => "ff2f16x2",
        Kind::BFloat16x2 => "ff2bf16x2",
        _ => return None,
    };
    if from != Type::F32 || mode.ftz || mode.saturate {
        return None;
    }
    let round = match mode.rounding {
        Rounding::Nearest => "rn",
        Rounding::Zero => "rz",
        _ => return None,
    };
    call(b, &[name, round, when(mode.relu, "relu")], from, args, 32)
}

/// Integers are exact in 32 or 64 bits.
fn from_integer(
    b: &mut Builder,
    [from, to]: [Type; 2],
    mode: FloatMode,
    bits: LLVMValueRef,
) -> Option<LLVMValueRef> {
    if !matches!(to, Type::F32 | Type::F64) || mode.relu {
        return None;
    }
    let (wide, signed) = (from.bits.max(32), from.signed());
    let integer = b.resized(bits, wide, signed);
    let name = format!(
        "llvm.nvvm.{}{}2{}.{}",
        when(!signed, "u"),
        if wide == 64 { "ll" } else { "i" },
        suffix(to)?,
        rounding(mode.rounding)?,
    );
    let result = b.intrinsic(&name, &mut [], &mut [integer]);
    Some(b.to_bits(result, to.bits))
}

fn to_integer(
    b: &mut Builder,
    [from, to]: [Type; 2],
    mode: FloatMode,
    bits: LLVMValueRef,
) -> Option<LLVMValueRef> {
    if !matches!(from, Type::F32 | Type::F64) || !matches!(to.bits, 32 | 64) {
        return None;
    }
    let ftz = when(mode.ftz && from == Type::F32, "ftz");
    let name = format!(
        "{}2{}{}",
        suffix(from)?,
        when(!to.signed(), "u"),
        if to.bits == 64 { "ll" } else { "i" },
    );
    call(
        b,
        &[&name, rounding(mode.rounding)?, ftz],
        from,
        &[bits],
        to.bits,
    )
}

/// `cvt` from a type to itself: to an integral number, or for its modifiers alone.
fn same_type(
    b: &mut Builder,
    ty: Type,
    mode: FloatMode,
    integral: bool,
    bits: LLVMValueRef,
) -> Option<LLVMValueRef> {
    if !matches!(ty, Type::F32 | Type::F64) || mode.relu || ty == Type::F64 && mode.ftz {
        return None;
    }
    let name = match (integral, mode.rounding) {
        // `.sat` alone; `.ftz` alone has no intrinsic.
        (false, _) if mode.saturate => return Some(bits),
        (false, _) => return None,
        (true, Rounding::Nearest) => "round",
        (true, Rounding::Zero) => "trunc",
        (true, Rounding::Down) => "floor",
        (true, Rounding::Up) => "ceil",
        (true, _) => return None,
    };
    call(
        b,
        &[name, ftz_word(mode), suffix(ty)?],
        ty,
        &[bits],
        ty.bits,
    )
}

/// Between two floating-point types.
fn between(
    b: &mut Builder,
    [from, to]: [Type; 2],
    mode: FloatMode,
    bits: LLVMValueRef,
) -> Option<LLVMValueRef> {
    let ftz = ftz_word(mode);
    let nearest = mode.rounding == Rounding::Nearest;
    match (from, to) {
        (Type::F64, Type::F32) if !mode.relu => call(
            b,
            &["d2f", rounding(mode.rounding)?, ftz],
            from,
            &[bits],
            32,
        ),
        // The wide type has all numbers of the narrow one.
        (Type::F32, Type::F64) if b.ftz == mode.ftz && !mode.relu => {
            Some(extended(b, from, to, bits)?)
        }
        (HALF, Type::F32) if !mode.relu => Some(extended(b, from, to, bits)?),
        (Type::F32, HALF) if nearest && !mode.relu && !mode.saturate => {
            call(b, &["f2h", "rn", ftz], from, &[bits], 16)
        }
        (Type::F32, BFLOAT) if !mode.ftz && !mode.saturate => {
            let round = match mode.rounding {
                Rounding::Nearest => "rn",
                Rounding::Zero => "rz",
                _ => return None,
            };
            call(
                b,
                &["f2bf16", round, when(mode.relu, "relu")],
                from,
                &[bits],
                16,
            )
        }
        _ => None,
    }
}

fn extended(b: &Builder, from: Type, to: Type, bits: LLVMValueRef) -> Option<LLVMValueRef> {
    let (narrow, wide) = (llvm_type(b, from)?, llvm_type(b, to)?);
    let value = b.typed(bits, narrow);
    let result = unsafe { LLVMBuildFPExt(b.raw, value, wide, NAMELESS) };
    Some(b.to_bits(result, to.bits))
}

fn is_integer(ty: Type) -> bool {
    matches!(ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
}
