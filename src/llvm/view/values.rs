//! Values and types.

use super::{Ty, Val};
use inkwell::llvm_sys::core::*;
use std::marker::PhantomData;

impl<'m> Val<'m> {
    /// Its type.
    pub fn ty(self) -> Ty<'m> {
        Ty(unsafe { LLVMTypeOf(self.0) }, PhantomData)
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
}
