//! New instructions, one after the other.

use crate::short_floats;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMIntPredicate};
use std::ffi::c_uint;

/// LLVM's name for no name.
const NAMELESS: *const std::ffi::c_char = c"".as_ptr();

/// A place in a function, and the instructions that are put there.
pub struct Code {
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    module: LLVMModuleRef,
}

impl Drop for Code {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

impl Code {
    /// Of a module that outlives it.
    pub fn new(module: LLVMModuleRef) -> Self {
        let context = unsafe { LLVMGetModuleContext(module) };
        let builder = unsafe { LLVMCreateBuilderInContext(context) };
        Code {
            builder,
            context,
            module,
        }
    }

    /// What follows stands right in front of an instruction and belongs to its line of the source; or to that of `line`.
    pub fn before(&self, instruction: LLVMValueRef, line: LLVMValueRef) {
        unsafe {
            let mut place = instruction;
            // All phis of a block come first.
            while !LLVMIsAPHINode(place).is_null() {
                place = LLVMGetNextInstruction(place);
            }
            LLVMPositionBuilderBefore(self.builder, place);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(line));
        }
    }

    /// The block in which it stands.
    pub fn block(&self) -> LLVMBasicBlockRef {
        unsafe { LLVMGetInsertBlock(self.builder) }
    }

    /// The type of integers of so many bits.
    pub fn integer(&self, bits: u32) -> LLVMTypeRef {
        unsafe { LLVMIntTypeInContext(self.context, bits) }
    }

    /// A number of 32 bits.
    pub fn word(&self, value: u32) -> LLVMValueRef {
        unsafe { LLVMConstInt(self.integer(32), value.into(), 0) }
    }

    /// A number of the type of another value.
    pub fn like(&self, other: LLVMValueRef, value: u64) -> LLVMValueRef {
        unsafe { LLVMConstInt(LLVMTypeOf(other), value, 0) }
    }

    /// A sum, modulo 2^width.
    pub fn add(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildAdd(self.builder, one, other, NAMELESS) }
    }

    /// A difference, modulo 2^width.
    pub fn sub(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildSub(self.builder, one, other, NAMELESS) }
    }

    /// Bits that both have.
    pub fn and(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildAnd(self.builder, one, other, NAMELESS) }
    }

    /// Bits that one of them has.
    pub fn or(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildOr(self.builder, one, other, NAMELESS) }
    }

    /// All bits turned.
    pub fn not(&self, value: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildNot(self.builder, value, NAMELESS) }
    }

    /// Shifted to the left.
    pub fn shl(&self, value: LLVMValueRef, bits: u32) -> LLVMValueRef {
        let bits = self.like(value, bits.into());
        unsafe { LLVMBuildShl(self.builder, value, bits, NAMELESS) }
    }

    /// Shifted to the left by a number of bits below the width.
    pub fn shl_by(&self, value: LLVMValueRef, bits: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildShl(self.builder, value, bits, NAMELESS) }
    }

    /// An address so many bytes further on.
    pub fn beyond(&self, address: LLVMValueRef, bytes: LLVMValueRef) -> LLVMValueRef {
        unsafe {
            let mut index = [bytes];
            LLVMBuildGEP2(
                self.builder,
                self.integer(8),
                address,
                index.as_mut_ptr(),
                1,
                NAMELESS,
            )
        }
    }

    /// Shifted to the right, with zeros.
    pub fn lshr(&self, value: LLVMValueRef, bits: u32) -> LLVMValueRef {
        let bits = self.like(value, bits.into());
        unsafe { LLVMBuildLShr(self.builder, value, bits, NAMELESS) }
    }

    /// The lowest bits.
    pub fn trunc(&self, value: LLVMValueRef, bits: u32) -> LLVMValueRef {
        unsafe { LLVMBuildTrunc(self.builder, value, self.integer(bits), NAMELESS) }
    }

    /// With zeros in front.
    pub fn zext(&self, value: LLVMValueRef, bits: u32) -> LLVMValueRef {
        unsafe { LLVMBuildZExt(self.builder, value, self.integer(bits), NAMELESS) }
    }

    /// The same bits as another type that is no pointer.
    pub fn bitcast(&self, value: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
        short_floats::as_pair(self.builder, value, ty).unwrap_or_else(|| unsafe {
            match LLVMTypeOf(value) == ty {
                true => value,
                false => LLVMBuildBitCast(self.builder, value, ty, NAMELESS),
            }
        })
    }

    /// The number of a pointer.
    pub fn ptrtoint(&self, value: LLVMValueRef, bits: u32) -> LLVMValueRef {
        unsafe { LLVMBuildPtrToInt(self.builder, value, self.integer(bits), NAMELESS) }
    }

    /// The pointer of a number.
    pub fn inttoptr(&self, value: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
        unsafe { LLVMBuildIntToPtr(self.builder, value, ty, NAMELESS) }
    }

    /// A comparison.
    pub fn compare(
        &self,
        how: LLVMIntPredicate,
        one: LLVMValueRef,
        other: LLVMValueRef,
    ) -> LLVMValueRef {
        unsafe { LLVMBuildICmp(self.builder, how, one, other, NAMELESS) }
    }

    /// One of two values.
    pub fn select(
        &self,
        condition: LLVMValueRef,
        yes: LLVMValueRef,
        no: LLVMValueRef,
    ) -> LLVMValueRef {
        unsafe { LLVMBuildSelect(self.builder, condition, yes, no, NAMELESS) }
    }

    /// The smaller of two signed numbers.
    pub fn smaller(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        let less = self.compare(LLVMIntPredicate::LLVMIntSLT, one, other);
        self.select(less, one, other)
    }

    /// The greater of two signed numbers.
    pub fn greater(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        let more = self.compare(LLVMIntPredicate::LLVMIntSGT, one, other);
        self.select(more, one, other)
    }

    /// Any value, but one, where there is none.
    pub fn freeze(&self, value: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildFreeze(self.builder, value, NAMELESS) }
    }

    /// An instruction a second time.
    pub fn again(&self, instruction: LLVMValueRef) -> LLVMValueRef {
        unsafe {
            let again = LLVMInstructionClone(instruction);
            LLVMInsertIntoBuilder(self.builder, again);
            again
        }
    }

    /// A part of a struct.
    pub fn part(&self, value: LLVMValueRef, index: u32) -> LLVMValueRef {
        unsafe { LLVMBuildExtractValue(self.builder, value, index, NAMELESS) }
    }

    /// An element of a vector.
    pub fn element(&self, vector: LLVMValueRef, index: u32) -> LLVMValueRef {
        let index = self.word(index);
        unsafe { LLVMBuildExtractElement(self.builder, vector, index, NAMELESS) }
    }

    /// A vector with one element replaced; with none yet of type `ty`.
    pub fn with_element(
        &self,
        vector: Option<LLVMValueRef>,
        ty: LLVMTypeRef,
        value: LLVMValueRef,
        index: u32,
    ) -> LLVMValueRef {
        unsafe {
            let vector = vector.unwrap_or_else(|| LLVMGetPoison(ty));
            LLVMBuildInsertElement(self.builder, vector, value, self.word(index), NAMELESS)
        }
    }

    /// A call of an intrinsic that is not overloaded; its declaration brings its attributes (`convergent`) with it.
    pub fn intrinsic(&self, name: &str, arguments: &mut [LLVMValueRef]) -> LLVMValueRef {
        self.overloaded(name, &mut [], arguments)
    }

    /// The lanes that are here.
    pub fn active_mask(&self) -> LLVMValueRef {
        self.intrinsic("llvm.nvvm.activemask", &mut [])
    }

    /// The lanes of a mask for which something holds.
    pub fn ballot(&self, mask: LLVMValueRef, holds: LLVMValueRef) -> LLVMValueRef {
        self.intrinsic("llvm.nvvm.vote.ballot.sync", &mut [mask, holds])
    }

    /// Leading zeros; all bits for 0.
    pub fn leading_zeros(&self, value: LLVMValueRef) -> LLVMValueRef {
        let defined = unsafe { LLVMConstInt(self.integer(1), 0, 0) };
        self.overloaded("llvm.ctlz", &mut [self.integer(32)], &mut [value, defined])
    }

    fn overloaded(
        &self,
        name: &str,
        types: &mut [LLVMTypeRef],
        arguments: &mut [LLVMValueRef],
    ) -> LLVMValueRef {
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let function =
                LLVMGetIntrinsicDeclaration(self.module, id, types.as_mut_ptr(), types.len());
            let ty = LLVMIntrinsicGetType(self.context, id, types.as_mut_ptr(), types.len());
            let count = arguments.len() as c_uint;
            let call = LLVMBuildCall2(
                self.builder,
                ty,
                function,
                arguments.as_mut_ptr(),
                count,
                NAMELESS,
            );
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
            self.promise(call, &["nounwind", "willreturn"]);
            call
        }
    }

    /// Says of a call what its declaration leaves open. No lane waits for one that does not come, so all come back; without
    /// that word LLVM does not carry what it knows of addresses across the call, and computes them twice.
    fn promise(&self, call: LLVMValueRef, names: &[&str]) {
        for name in names {
            unsafe {
                let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
                LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// A special register.
    pub fn special(&self, name: &str) -> LLVMValueRef {
        self.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{name}"), &mut [])
    }
}
