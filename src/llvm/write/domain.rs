//! Bit-vector arithmetic in LLVM: the operations of the IR mean what [`ptxasw_ir::semantics`] makes of these.
//!
//! No result is poison unless an operand is: nothing promises not to wrap, and what LLVM leaves open (a quotient by zero, a
//! shift by too much) is never executed, or not chosen.

use super::builder::{Builder, NAMELESS};
use super::error::Unwritable;
use super::opaque;
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::op::Op;
use ptxasw_ir::semantics::Domain;

/// One of LLVM's functions that build an instruction of two operands.
type Instruction = unsafe extern "C" fn(
    inkwell::llvm_sys::prelude::LLVMBuilderRef,
    LLVMValueRef,
    LLVMValueRef,
    *const std::ffi::c_char,
) -> LLVMValueRef;

impl Builder {
    fn binary(&self, build: Instruction, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        unsafe { build(self.raw, a, b, NAMELESS) }
    }

    /// A quotient or remainder, with `by_zero` in place of what a division by zero would give.
    fn divided(
        &mut self,
        width: u8,
        signed: bool,
        build: [Instruction; 2],
        [a, b]: [LLVMValueRef; 2],
        by_zero: LLVMValueRef,
    ) -> LLVMValueRef {
        // By poison it is undefined, not poison.
        let b = match self.as_constant(&b) {
            None => self.freeze(b),
            Some(_) => b,
        };
        let (zero, one) = (self.number(width, 0), self.number(width, 1));
        let is_zero = self.compared(LLVMIntEQ, b, zero);
        let mut open = is_zero;
        if signed {
            // The lowest number by -1: as by 1, whose quotient and remainder are the wrapped ones.
            let lowest = self.number(width, 1 << (width - 1));
            let ones = self.number(width, u64::MAX);
            let a_lowest = self.compared(LLVMIntEQ, a, lowest);
            let b_ones = self.compared(LLVMIntEQ, b, ones);
            let overflows = self.binary(LLVMBuildAnd, a_lowest, b_ones);
            open = self.binary(LLVMBuildOr, open, overflows);
        }
        let divisor = self.chosen(open, one, b);
        let result = self.binary(build[usize::from(signed)], a, divisor);
        match active(Mutation::ZeroDivisorUnguarded) {
            true => result,
            false => self.chosen(is_zero, by_zero, result),
        }
    }

    /// An intrinsic of integers of a width.
    fn counted(&self, name: &str, width: u8, arguments: &mut [LLVMValueRef]) -> LLVMValueRef {
        self.intrinsic(name, &mut [self.integer(width)], arguments)
    }
}

impl Domain for Builder {
    type Value = LLVMValueRef;

    fn constant(&mut self, width: u8, bits: u64) -> LLVMValueRef {
        self.number(width, bits)
    }

    fn as_constant(&self, value: &LLVMValueRef) -> Option<u64> {
        unsafe {
            let constant = !LLVMIsAConstantInt(*value).is_null() && self.bits_of(*value) <= 64;
            constant.then(|| LLVMConstIntGetZExtValue(*value))
        }
    }

    fn at_most(&self, value: &LLVMValueRef, most: u64) -> bool {
        let constant = self.as_constant(value).is_some_and(|value| value <= most);
        constant || (most >= 255 && self.bytes.contains(value))
    }

    fn add(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.binary(LLVMBuildAdd, a, b)
    }

    fn sub(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        match active(Mutation::OperandsSwapped) {
            true => self.binary(LLVMBuildSub, b, a),
            false => self.binary(LLVMBuildSub, a, b),
        }
    }

    fn mul(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.binary(LLVMBuildMul, a, b)
    }

    fn mul_high(
        &mut self,
        width: u8,
        signed: bool,
        a: LLVMValueRef,
        b: LLVMValueRef,
    ) -> LLVMValueRef {
        let signed = signed && !active(Mutation::SignLost);
        let wide = [a, b].map(|factor| self.resized(factor, 2 * width, signed));
        let product = self.binary(LLVMBuildMul, wide[0], wide[1]);
        let amount = self.number(2 * width, u64::from(width));
        let high = self.binary(LLVMBuildLShr, product, amount);
        self.resized(high, width, false)
    }

    fn div(&mut self, width: u8, signed: bool, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        let ones = self.number(width, u64::MAX);
        let build = [LLVMBuildUDiv as Instruction, LLVMBuildSDiv];
        self.divided(width, signed, build, [a, b], ones)
    }

    fn rem(&mut self, width: u8, signed: bool, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        let build = [LLVMBuildURem as Instruction, LLVMBuildSRem];
        self.divided(width, signed, build, [a, b], a)
    }

    fn and(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.binary(LLVMBuildAnd, a, b)
    }

    fn or(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.binary(LLVMBuildOr, a, b)
    }

    fn xor(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.binary(LLVMBuildXor, a, b)
    }

    fn not(&mut self, width: u8, a: LLVMValueRef) -> LLVMValueRef {
        let ones = self.number(width, u64::MAX);
        self.binary(LLVMBuildXor, a, ones)
    }

    fn shl(&mut self, width: u8, a: LLVMValueRef, amount: LLVMValueRef) -> LLVMValueRef {
        let shifted = self.binary(LLVMBuildShl, a, amount);
        self.within(width, amount, shifted)
    }

    fn shr(
        &mut self,
        width: u8,
        signed: bool,
        a: LLVMValueRef,
        amount: LLVMValueRef,
    ) -> LLVMValueRef {
        if !signed {
            let shifted = self.binary(LLVMBuildLShr, a, amount);
            return self.within(width, amount, shifted);
        }
        let most = self.number(width, u64::from(width) - 1);
        let more = self.compared(LLVMIntUGT, amount, most);
        let amount = self.chosen(more, most, amount);
        self.binary(LLVMBuildAShr, a, amount)
    }

    fn extend(&mut self, _from: u8, to: u8, signed: bool, a: LLVMValueRef) -> LLVMValueRef {
        self.resized(a, to, signed && !active(Mutation::ExtensionSignLost))
    }

    fn extract(&mut self, width: u8, low: u8, bits: u8, a: LLVMValueRef) -> LLVMValueRef {
        let low = self.number(width, u64::from(low));
        let shifted = self.binary(LLVMBuildLShr, a, low);
        self.resized(shifted, bits, false)
    }

    fn concat(
        &mut self,
        high_width: u8,
        high: LLVMValueRef,
        low_width: u8,
        low: LLVMValueRef,
    ) -> LLVMValueRef {
        let width = high_width + low_width;
        let (high, low) = (
            self.resized(high, width, false),
            self.resized(low, width, false),
        );
        let amount = self.number(width, u64::from(low_width));
        let shifted = self.binary(LLVMBuildShl, high, amount);
        self.binary(LLVMBuildOr, shifted, low)
    }

    fn equal(&mut self, _width: u8, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.compared(LLVMIntEQ, a, b)
    }

    fn less(&mut self, _width: u8, signed: bool, a: LLVMValueRef, b: LLVMValueRef) -> LLVMValueRef {
        self.compared(if signed { LLVMIntSLT } else { LLVMIntULT }, a, b)
    }

    fn select(
        &mut self,
        _width: u8,
        condition: LLVMValueRef,
        a: LLVMValueRef,
        b: LLVMValueRef,
    ) -> LLVMValueRef {
        self.chosen(condition, a, b)
    }

    fn popc(&mut self, width: u8, a: LLVMValueRef) -> LLVMValueRef {
        self.counted("llvm.ctpop", width, &mut [a])
    }

    fn clz(&mut self, width: u8, a: LLVMValueRef) -> LLVMValueRef {
        let defined = self.number(1, 0);
        self.counted("llvm.ctlz", width, &mut [a, defined])
    }

    fn brev(&mut self, width: u8, a: LLVMValueRef) -> LLVMValueRef {
        self.counted("llvm.bitreverse", width, &mut [a])
    }

    fn other_flag(&mut self, flag: LLVMValueRef) -> LLVMValueRef {
        self.not(1, flag)
    }

    fn opaque(&mut self, op: &Op, _result: u8, width: u8, args: &[LLVMValueRef]) -> LLVMValueRef {
        opaque::write(self, op, args).unwrap_or_else(|| {
            self.refused.get_or_insert(Unwritable::Op(*op));
            self.number(width, 0)
        })
    }
}

impl Builder {
    /// A shifted value, or 0 where the amount is too much for LLVM.
    fn within(&self, width: u8, amount: LLVMValueRef, shifted: LLVMValueRef) -> LLVMValueRef {
        if active(Mutation::LongShiftUnguarded) {
            return shifted;
        }
        let limit = self.number(width, u64::from(width));
        let fits = self.compared(LLVMIntULT, amount, limit);
        self.chosen(fits, shifted, self.number(width, 0))
    }
}
