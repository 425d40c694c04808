//! What is no bit-vector arithmetic: floating point, conversions from and to it, addresses of other spaces.
//!
//! LLVM's own arithmetic stands only where it means the same in every setting: the code generator fuses plain sums and
//! products, and flushes subnormal numbers as an attribute of the function says. Everything else is an intrinsic that names
//! its rounding and its flags; what none of them gives exactly is refused.

use super::builder::{Builder, NAMELESS};
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::LLVMRealPredicate::{self, *};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use ptxasw::ir::op::{Comparison, FloatMode, FloatOp, Op, Rounding, TestClass};
use ptxasw::ir::semantics::apply;
use ptxasw::ir::types::{Kind, Space, Type};

const HALF: Type = Type::new(Kind::Float, 16);
const BFLOAT: Type = Type::new(Kind::BFloat, 16);

/// The result of an operation; none if LLVM has no exact form.
pub(super) fn write(b: &mut Builder, op: &Op, args: &[LLVMValueRef]) -> Option<LLVMValueRef> {
    match *op {
        Op::Float { op, ty, mode } => arithmetic(b, op, ty, mode, args),
        Op::Convert {
            from,
            to,
            mode,
            integral,
        } => convert(b, [from, to], mode, integral, args),
        Op::Compare {
            comparison,
            ty,
            ftz,
            ..
        } => compare(b, comparison, ty, ftz, args),
        Op::Test { class, ty } => test(b, class, ty, args[0]),
        Op::Fns => Some(b.intrinsic("llvm.nvvm.fns", &mut [], &mut [args[0], args[1], args[2]])),
        Op::Bfe { .. } => Some(field(b, op, args, 1)),
        Op::Bfi { .. } => Some(field(b, op, args, 2)),
        Op::ToGeneric { space, width } => {
            let (from, to) = (own_space(space)?, 0);
            Some(recast(b, args[0], width, from, to))
        }
        Op::FromGeneric { space, width } => {
            let (from, to) = (0, own_space(space)?);
            Some(recast(b, args[0], width, from, to))
        }
        Op::IsSpace { space } => is_space(b, space, args[0]),
        _ => None,
    }
}

/// The type of scalars, or of the two in a word; none for what LLVM does not compute with.
fn llvm_type(b: &Builder, ty: Type) -> Option<LLVMTypeRef> {
    unsafe {
        Some(match (ty.kind, ty.bits) {
            (Kind::Float, 16) => LLVMHalfTypeInContext(b.context),
            (Kind::Float, 32) => LLVMFloatTypeInContext(b.context),
            (Kind::Float, 64) => LLVMDoubleTypeInContext(b.context),
            (Kind::BFloat, 16) => LLVMBFloatTypeInContext(b.context),
            (Kind::Float16x2, 32) => LLVMVectorType(LLVMHalfTypeInContext(b.context), 2),
            (Kind::BFloat16x2, 32) => LLVMVectorType(LLVMBFloatTypeInContext(b.context), 2),
            _ => return None,
        })
    }
}

/// How intrinsics name a type.
fn suffix(ty: Type) -> Option<&'static str> {
    Some(match (ty.kind, ty.bits) {
        (Kind::Float, 16) => "f16",
        (Kind::Float, 32) => "f",
        (Kind::Float, 64) => "d",
        (Kind::BFloat, 16) => "bf16",
        (Kind::Float16x2, 32) => "f16x2",
        (Kind::BFloat16x2, 32) => "bf16x2",
        _ => return None,
    })
}

/// An IEEE rounding; one that is not given is to nearest.
fn rounding(mode: Rounding) -> Option<&'static str> {
    Some(match mode {
        Rounding::Nearest | Rounding::Contractible => "rn",
        Rounding::Zero => "rz",
        Rounding::Down => "rm",
        Rounding::Up => "rp",
        _ => return None,
    })
}

/// A call of an intrinsic on the bits of operands of one type, named by the words that are not empty.
fn call(
    b: &mut Builder,
    words: &[&str],
    ty: Type,
    args: &[LLVMValueRef],
    result_width: u8,
) -> Option<LLVMValueRef> {
    let mut name = String::from("llvm.nvvm");
    for word in words.iter().filter(|word| !word.is_empty()) {
        name.push('.');
        name.push_str(word);
    }
    if !Builder::has(&name) {
        return None;
    }
    let llvm = llvm_type(b, ty)?;
    let mut operands: Vec<LLVMValueRef> = args.iter().map(|&bits| b.typed(bits, llvm)).collect();
    let result = b.intrinsic(&name, &mut [], &mut operands);
    Some(b.to_bits(result, result_width))
}

fn when(is: bool, word: &'static str) -> &'static str {
    if is { word } else { "" }
}

fn ftz_word(mode: FloatMode) -> &'static str {
    when(mode.ftz && !active(Mutation::FlushDropped), "ftz")
}

fn arithmetic(
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
        // Double precision has the name and no instruction.
        (Ex2, Rounding::Approximate) if ty != Type::F64 => {
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

/// Whether plain arithmetic and comparisons of a type flush subnormal numbers just as wanted.
fn flushes_alike(b: &Builder, ty: Type, ftz: bool) -> bool {
    match (ty.kind, ty.bits) {
        (Kind::Float, 64) => !ftz,
        // Halves follow the attribute of single precision.
        (Kind::Float | Kind::Float16x2, _) => b.ftz == ftz,
        _ => false,
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

fn compare(
    b: &mut Builder,
    comparison: Comparison,
    ty: Type,
    ftz: bool,
    args: &[LLVMValueRef],
) -> Option<LLVMValueRef> {
    let predicate: LLVMRealPredicate = match comparison {
        Comparison::Eq => LLVMRealOEQ,
        Comparison::Ne => LLVMRealONE,
        Comparison::Lt => LLVMRealOLT,
        Comparison::Le => LLVMRealOLE,
        Comparison::Gt => LLVMRealOGT,
        Comparison::Ge => LLVMRealOGE,
        Comparison::EqU => LLVMRealUEQ,
        Comparison::NeU => LLVMRealUNE,
        Comparison::LtU if active(Mutation::UnorderedDropped) => LLVMRealOLT,
        Comparison::LtU => LLVMRealULT,
        Comparison::LeU => LLVMRealULE,
        Comparison::GtU => LLVMRealUGT,
        Comparison::GeU => LLVMRealUGE,
        Comparison::Num => LLVMRealORD,
        Comparison::Nan => LLVMRealUNO,
    };
    let mut operands = [args[0], args[1]];
    if ty == Type::F32 && ftz && !b.ftz {
        operands = operands.map(|bits| flushed(b, bits));
    } else if !flushes_alike(b, ty, ftz) || ty.kind != Kind::Float {
        return None;
    }
    let llvm = llvm_type(b, ty)?;
    let [left, right] = operands.map(|bits| b.typed(bits, llvm));
    Some(unsafe { LLVMBuildFCmp(b.raw, predicate, left, right, NAMELESS) })
}

/// Single precision with subnormal numbers as zeros of their sign.
fn flushed(b: &mut Builder, bits: LLVMValueRef) -> LLVMValueRef {
    let exponent = b.number(32, 0x7f80_0000);
    let sign = b.number(32, 0x8000_0000);
    unsafe {
        let magnitude = LLVMBuildAnd(b.raw, bits, exponent, NAMELESS);
        let equal = inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
        let small = b.compared(equal, magnitude, b.number(32, 0));
        let zero = LLVMBuildAnd(b.raw, bits, sign, NAMELESS);
        b.chosen(small, zero, bits)
    }
}

/// `testp`, by LLVM's test of classes.
fn test(b: &mut Builder, class: TestClass, ty: Type, bits: LLVMValueRef) -> Option<LLVMValueRef> {
    let mask = match class {
        TestClass::NotANumber => 0x003,
        TestClass::Number => 0x3fc,
        TestClass::Infinite => 0x204,
        TestClass::Finite => 0x1f8,
        // Zeros are normal numbers to PTX.
        TestClass::Normal => 0x168,
        TestClass::Subnormal => 0x090,
    };
    if !matches!(ty, Type::F32 | Type::F64) {
        return None;
    }
    let llvm = llvm_type(b, ty)?;
    let (value, mask) = (b.typed(bits, llvm), b.number(32, mask));
    Some(b.intrinsic("llvm.is.fpclass", &mut [llvm], &mut [value, mask]))
}

fn is_integer(ty: Type) -> bool {
    matches!(ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed)
}

/// `cvt` from or to a floating-point type.
fn convert(
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
        return convert(b, [Type::F32, to], mode, integral, &[wide]);
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

/// A number of half the bits in single precision, which has all of them, on the way to something else.
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

/// Fields of 64 bits: beyond the value there is nothing, wherever the position and the length lead.
fn field(b: &mut Builder, op: &Op, args: &[LLVMValueRef], place: usize) -> LLVMValueRef {
    let mut args = args.to_vec();
    for value in &mut args[place..place + 2] {
        let most = b.number(32, 255);
        let more = b.compared(
            inkwell::llvm_sys::LLVMIntPredicate::LLVMIntUGT,
            *value,
            most,
        );
        *value = b.chosen(more, most, *value);
        b.bytes.push(*value);
    }
    apply(b, op, &args)[0]
}

/// The number of a space whose addresses are not its generic ones.
fn own_space(space: Space) -> Option<u32> {
    match space {
        Space::Shared => Some(3),
        Space::Local => Some(5),
        _ => None,
    }
}

/// An address of one space as one of another.
fn recast(b: &Builder, address: LLVMValueRef, width: u8, from: u32, to: u32) -> LLVMValueRef {
    let pointer = b.typed(address, b.pointer_type(from));
    let cast = b.space_cast(pointer, to);
    b.to_bits(cast, width)
}

fn is_space(b: &Builder, space: Space, address: LLVMValueRef) -> Option<LLVMValueRef> {
    let name = match space {
        Space::Global => "llvm.nvvm.isspacep.global",
        Space::Const => "llvm.nvvm.isspacep.const",
        Space::Shared => "llvm.nvvm.isspacep.shared",
        Space::Local => "llvm.nvvm.isspacep.local",
        _ => return None,
    };
    let pointer = b.typed(address, b.pointer_type(0));
    Some(b.intrinsic(name, &mut [], &mut [pointer]))
}
