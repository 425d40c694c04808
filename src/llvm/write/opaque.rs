//! What is no bit-vector arithmetic: floating point, conversions from and to it, addresses of other spaces.
//!
//! LLVM's own arithmetic is used only where it means the same in every setting: the code generator fuses plain sums and
//! products, and flushes subnormal numbers as an attribute of the function says. Everything else is an intrinsic that names
//! its rounding and its flags; what none of them gives exactly is refused.

use super::builder::{Builder, NAMELESS};
use super::{conversions, floats};
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::LLVMRealPredicate::{self, *};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use ptxasw_ir::op::{Comparison, FloatMode, Op, Rounding, TestClass};
use ptxasw_ir::semantics::apply;
use ptxasw_ir::types::{Kind, Space, Type};

/// The result of an operation; none if LLVM has no exact form.
pub(super) fn write(b: &mut Builder, op: &Op, args: &[LLVMValueRef]) -> Option<LLVMValueRef> {
    match *op {
        Op::Float { op, ty, mode } => floats::write(b, op, ty, mode, args),
        Op::Convert {
            from,
            to,
            mode,
            integral,
        } => conversions::write(b, [from, to], mode, integral, args),
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
pub(super) fn llvm_type(b: &Builder, ty: Type) -> Option<LLVMTypeRef> {
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
pub(super) fn suffix(ty: Type) -> Option<&'static str> {
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
pub(super) fn rounding(mode: Rounding) -> Option<&'static str> {
    Some(match mode {
        Rounding::Nearest | Rounding::Contractible => "rn",
        Rounding::Zero => "rz",
        Rounding::Down => "rm",
        Rounding::Up => "rp",
        _ => return None,
    })
}

/// A call of an intrinsic on the bits of operands of one type, named by the words that are not empty.
pub(super) fn call(
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
    let llvm = llvm_type(b, ty)?;
    let mut types = Vec::new();
    if !Builder::has(&name) {
        // Since LLVM 22 some are overloaded: the last word is the type suffix.
        name.truncate(name.rfind('.')?);
        if !Builder::has(&name) || !Builder::is_overloaded(&name) {
            return None;
        }
        types.push(llvm);
    }
    // Before LLVM 17 some take integers in place of short numbers.
    let operands = args.iter().zip(b.parameters(&name, &mut types));
    let mut operands: Vec<_> = operands.map(|(&bits, ty)| b.typed(bits, ty)).collect();
    let result = b.intrinsic(&name, &mut types, &mut operands);
    Some(b.to_bits(result, result_width))
}

pub(super) fn when(is: bool, word: &'static str) -> &'static str {
    if is { word } else { "" }
}

pub(super) fn ftz_word(mode: FloatMode) -> &'static str {
    when(mode.ftz && !active(Mutation::FlushDropped), "ftz")
}

/// Whether plain arithmetic and comparisons of a type flush subnormal numbers just as wanted.
pub(super) fn flushes_alike(b: &Builder, ty: Type, ftz: bool) -> bool {
    match (ty.kind, ty.bits) {
        (Kind::Float, 64) => !ftz,
        // Halves follow the attribute of single precision.
        (Kind::Float | Kind::Float16x2, _) => b.ftz == ftz,
        _ => false,
    }
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
    const NAME: &str = "llvm.is.fpclass";
    if !matches!(ty, Type::F32 | Type::F64) || !Builder::has(NAME) {
        return None;
    }
    let llvm = llvm_type(b, ty)?;
    let (value, mask) = (b.typed(bits, llvm), b.number(32, mask));
    Some(b.intrinsic(NAME, &mut [llvm], &mut [value, mask]))
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
