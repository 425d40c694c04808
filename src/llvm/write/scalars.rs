//! Scalars of vectors, arrays and structs.

use super::builder::{Builder, NAMELESS};
use crate::mutation::{Mutation, active};
use crate::short_floats;
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

/// Bits as a type of that size.
fn typed(b: &Builder, bits: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
    short_floats::as_pair(b.raw, bits, ty).unwrap_or_else(|| b.typed(bits, ty))
}
