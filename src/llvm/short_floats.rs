//! Bits of a `half` as a `bfloat`, or the other way round.
//!
//! LLVM's code generator folds the conversions from one of them to the other into one, also if an integer lies between, and has
//! no instruction for that one (`Cannot select: bf16 = bitcast f16`). Elements of pairs are not folded: what was one of them
//! becomes anything else in a pair.

use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::llvm_sys::LLVMTypeKind::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

/// Bits as a type of 16 bits, through a pair; none if they are not known to be those of a `half` or `bfloat` of another type.
pub(crate) fn as_pair(
    builder: LLVMBuilderRef,
    bits: LLVMValueRef,
    ty: LLVMTypeRef,
) -> Option<LLVMValueRef> {
    let number = origin(bits).filter(|&number| has_16_bits(ty) && type_of(number) != ty)?;
    unsafe {
        let word = LLVMInt32TypeInContext(LLVMGetTypeContext(ty));
        let (first, name) = (LLVMConstInt(word, 0, 0), c"".as_ptr());
        let nothing = LLVMGetPoison(LLVMVectorType(type_of(number), 2));
        let pair = LLVMBuildInsertElement(builder, nothing, number, first, name);
        let pair = LLVMBuildBitCast(builder, pair, LLVMVectorType(ty, 2), name);
        Some(LLVMBuildExtractElement(builder, pair, first, name))
    }
}

/// The `half` or `bfloat` whose bits an integer of 16 bits is, perhaps through wider ones.
fn origin(bits: LLVMValueRef) -> Option<LLVMValueRef> {
    let mut value = bits;
    loop {
        if unsafe { LLVMIsACastInst(value).is_null() } {
            return None;
        }
        let (opcode, inner) =
            unsafe { (LLVMGetInstructionOpcode(value), LLVMGetOperand(value, 0)) };
        let ty = type_of(inner);
        match (opcode, unsafe { LLVMGetTypeKind(ty) }) {
            (LLVMBitCast, LLVMHalfTypeKind | LLVMBFloatTypeKind) => return Some(inner),
            (LLVMZExt | LLVMSExt | LLVMTrunc, LLVMIntegerTypeKind)
                if unsafe { LLVMGetIntTypeWidth(ty) } >= 16 =>
            {
                value = inner;
            }
            _ => return None,
        }
    }
}

fn type_of(value: LLVMValueRef) -> LLVMTypeRef {
    unsafe { LLVMTypeOf(value) }
}

fn has_16_bits(ty: LLVMTypeRef) -> bool {
    match unsafe { LLVMGetTypeKind(ty) } {
        LLVMHalfTypeKind | LLVMBFloatTypeKind => true,
        LLVMIntegerTypeKind => unsafe { LLVMGetIntTypeWidth(ty) == 16 },
        _ => false,
    }
}
