//! Scalars of vectors, arrays and structs.

use super::builder::{Builder, NAMELESS};
use crate::mutation::{Mutation, active};
use crate::view::Ty;
use crate::view::layout::Layout;
use inkwell::llvm_sys::LLVMTypeKind::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};

/// The element of an aggregate that a scalar is in: its number, its type, and the scalar's number in it.
fn element<'m>(layout: Layout<'m>, ty: Ty<'m>, scalar: u32) -> Option<(u32, Ty<'m>, u32)> {
    let mut rest = scalar;
    for index in 0..ty.count() as u32 {
        let inner = match ty.kind() {
            LLVMStructTypeKind => ty.field(index),
            _ => ty.element(),
        };
        let length = layout.leaves(inner).len() as u32;
        if rest < length {
            return Some((index, inner, rest));
        }
        rest -= length;
    }
    None
}

/// One scalar of a value.
pub(super) fn get<'m>(
    b: &Builder,
    layout: Layout<'m>,
    value: LLVMValueRef,
    ty: Ty<'m>,
    scalar: u32,
) -> LLVMValueRef {
    match element(layout, ty, scalar) {
        None => value,
        Some((index, ..)) if ty.kind() == LLVMVectorTypeKind => unsafe {
            let index = b.number(32, index.into());
            LLVMBuildExtractElement(b.raw, value, index, NAMELESS)
        },
        Some((index, inner, rest)) => get(b, layout, b.part(value, index), inner, rest),
    }
}

/// A value with one scalar replaced, which is given as bits.
pub(super) fn with<'m>(
    b: &Builder,
    layout: Layout<'m>,
    value: LLVMValueRef,
    ty: Ty<'m>,
    scalar: u32,
    bits: LLVMValueRef,
) -> LLVMValueRef {
    let Some((mut index, inner, rest)) = element(layout, ty, scalar) else {
        return typed(b, bits, ty.raw());
    };
    if active(Mutation::WrongScalar) {
        index = (index + 1) % ty.count() as u32;
    }
    if ty.kind() == LLVMVectorTypeKind {
        let element = typed(b, bits, inner.raw());
        let index = b.number(32, index.into());
        return unsafe { LLVMBuildInsertElement(b.raw, value, element, index, NAMELESS) };
    }
    let changed = with(b, layout, b.part(value, index), inner, rest, bits);
    unsafe { LLVMBuildInsertValue(b.raw, value, changed, index, NAMELESS) }
}

/// Bits as a type of that size. LLVM's code generator folds the conversions on the way from a `half` to a `bfloat` into one, also if an integer
/// lies between, and has no instruction for that one: what was one of them becomes anything else as an element of a pair.
fn typed(b: &Builder, bits: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
    let Some(number) =
        short_float(bits).filter(|&number| takes_16_bits(ty) && type_of(number) != ty)
    else {
        return b.typed(bits, ty);
    };
    unsafe {
        let (pair, first) = (
            LLVMGetPoison(LLVMVectorType(type_of(number), 2)),
            b.number(32, 0),
        );
        let pair = LLVMBuildInsertElement(b.raw, pair, number, first, NAMELESS);
        let pair = LLVMBuildBitCast(b.raw, pair, LLVMVectorType(ty, 2), NAMELESS);
        LLVMBuildExtractElement(b.raw, pair, first, NAMELESS)
    }
}

/// The `half` or `bfloat` whose bits an integer of 16 bits is, perhaps by way of a wider one.
fn short_float(bits: LLVMValueRef) -> Option<LLVMValueRef> {
    let mut value = bits;
    loop {
        let inner = unsafe {
            if LLVMIsACastInst(value).is_null() {
                return None;
            }
            LLVMGetOperand(value, 0)
        };
        match unsafe { LLVMGetTypeKind(type_of(inner)) } {
            LLVMHalfTypeKind | LLVMBFloatTypeKind => return Some(inner),
            LLVMIntegerTypeKind if unsafe { LLVMGetIntTypeWidth(type_of(inner)) } >= 16 => {
                value = inner;
            }
            _ => return None,
        }
    }
}

fn type_of(value: LLVMValueRef) -> LLVMTypeRef {
    unsafe { LLVMTypeOf(value) }
}

fn takes_16_bits(ty: LLVMTypeRef) -> bool {
    match unsafe { LLVMGetTypeKind(ty) } {
        LLVMHalfTypeKind | LLVMBFloatTypeKind => true,
        LLVMIntegerTypeKind => unsafe { LLVMGetIntTypeWidth(ty) == 16 },
        _ => false,
    }
}
