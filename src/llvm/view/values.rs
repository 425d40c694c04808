//! Values and types.

use super::{Ty, Val};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use std::marker::PhantomData;

impl<'m> Val<'m> {
    /// Its type.
    pub fn ty(self) -> Ty<'m> {
        Ty(unsafe { LLVMTypeOf(self.0) }, PhantomData)
    }

    /// What kind of value it is.
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// Undefined or poison, all of it.
    pub fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }

    /// Zero in all bits.
    pub fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// A constant integer of up to 64 bits, zero-extended.
    pub fn integer(self) -> Option<u64> {
        unsafe {
            if LLVMIsAConstantInt(self.0).is_null() || LLVMGetIntTypeWidth(self.ty().0) > 64 {
                return None;
            }
            Some(LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// A constant integer of up to 64 bits, sign-extended.
    pub fn signed_integer(self) -> Option<i64> {
        self.integer()
            .map(|_| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// The bits of a constant floating-point number of up to 64 bits.
    pub fn float_bits(self) -> Option<u64> {
        let bits = match self.ty().kind() {
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
            LLVMTypeKind::LLVMFloatTypeKind => 32,
            LLVMTypeKind::LLVMDoubleTypeKind => 64,
            _ => return None,
        };
        unsafe {
            if LLVMIsAConstantFP(self.0).is_null() {
                return None;
            }
            // A constant of another type, which LLVM folds: the module stays as it is.
            let integer = LLVMIntTypeInContext(LLVMGetTypeContext(self.ty().0), bits);
            Val(LLVMConstBitCast(self.0, integer), PhantomData).integer()
        }
    }

    /// An element of a constant struct, array or vector.
    pub fn element(self, index: u32) -> Option<Val<'m>> {
        unsafe { Val::from_raw(LLVMGetAggregateElement(self.0, index)) }
    }

    /// Operands of an instruction or a constant expression.
    pub fn operands(self) -> Vec<Val<'m>> {
        (0..self.operand_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// How many operands there are.
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) }.max(0) as u32
    }

    /// One operand.
    pub fn operand(self, index: u32) -> Option<Val<'m>> {
        if index >= self.operand_count() {
            return None;
        }
        unsafe { Val::from_raw(LLVMGetOperand(self.0, index)) }
    }

    /// What a constant expression computes.
    pub fn expression(self) -> Option<LLVMOpcode> {
        (self.kind() == LLVMValueKind::LLVMConstantExprValueKind)
            .then(|| unsafe { LLVMGetConstOpcode(self.0) })
    }

    /// Of a global variable: only declared, or with another module's value.
    pub fn is_external(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Of a global variable: `constant`, with a value that is known here.
    pub fn is_constant_variable(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 && LLVMIsExternallyInitialized(self.0) == 0 }
    }

    /// Of a global variable or function: the type of what it is.
    pub fn value_type(self) -> Ty<'m> {
        Ty(unsafe { LLVMGlobalGetValueType(self.0) }, PhantomData)
    }
}

impl<'m> Ty<'m> {
    /// What kind of type it is.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Has a size.
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Of an integer: its bits.
    pub fn integer_bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Of a pointer: its address space.
    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// Of a vector or array: the type of its elements.
    pub fn element(self) -> Ty<'m> {
        Ty(unsafe { LLVMGetElementType(self.0) }, PhantomData)
    }

    /// Of a vector of fixed length, an array or a struct: how many elements.
    pub fn count(self) -> u64 {
        match self.kind() {
            LLVMTypeKind::LLVMVectorTypeKind => u64::from(unsafe { LLVMGetVectorSize(self.0) }),
            LLVMTypeKind::LLVMArrayTypeKind => self.array_length(),
            LLVMTypeKind::LLVMStructTypeKind => {
                u64::from(unsafe { LLVMCountStructElementTypes(self.0) })
            }
            _ => 0,
        }
    }

    /// Of a struct: the type of a field below [`Ty::count`].
    pub fn field(self, index: u32) -> Ty<'m> {
        Ty(
            unsafe { LLVMStructGetTypeAtIndex(self.0, index) },
            PhantomData,
        )
    }
}
