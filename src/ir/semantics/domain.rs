//! What a domain of values must offer so that [`super::apply`] can run operations in it.
//!
//! The primitives are those of fixed-width bit-vectors (SMT-LIB `QF_BV`), 1 to 64 bits wide. Widths are passed in, so that
//! a concrete value can be a bare `u64` with all bits above its width zero.

use crate::op::Op;

/// A domain: concrete bits, symbolic terms, known bits, ...
pub trait Domain {
    /// A value of up to 64 bits.
    type Value: Clone;

    /// The constant `bits`, cut to `width`.
    fn constant(&mut self, width: u8, bits: u64) -> Self::Value;
    /// The bits of a value that is known to be one constant. Operations whose position, length or selector operands are
    /// constant then become plain extractions and concatenations. Knowing less than possible is never wrong.
    fn as_constant(&self, _value: &Self::Value) -> Option<u64> {
        None
    }
    /// Whether a value is known to be no more than `most`, unsigned. Knowing less than possible is never wrong.
    fn at_most(&self, value: &Self::Value, most: u64) -> bool {
        self.as_constant(value).is_some_and(|value| value <= most)
    }
    /// Sum modulo 2^width.
    fn add(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Difference modulo 2^width.
    fn sub(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Lower half of the product.
    fn mul(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Upper half of the product.
    fn mul_high(&mut self, width: u8, signed: bool, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Quotient towards zero; by zero: all ones.
    fn div(&mut self, width: u8, signed: bool, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Remainder with the sign of the dividend; by zero: the dividend.
    fn rem(&mut self, width: u8, signed: bool, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise and.
    fn and(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise or.
    fn or(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise exclusive or.
    fn xor(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise complement.
    fn not(&mut self, width: u8, a: Self::Value) -> Self::Value;
    /// Left shift by an amount of the same width; `width` and more give 0.
    fn shl(&mut self, width: u8, a: Self::Value, amount: Self::Value) -> Self::Value;
    /// Right shift by an amount of the same width; `width` and more give 0 or all sign bits.
    fn shr(&mut self, width: u8, signed: bool, a: Self::Value, amount: Self::Value) -> Self::Value;
    /// From `from` to `to` bits: zero or sign extension if wider, the lower bits if narrower, nothing if equal.
    fn extend(&mut self, from: u8, to: u8, signed: bool, a: Self::Value) -> Self::Value;
    /// `bits` bits of `a` (of `width`) from bit `low`; the result has `bits` bits.
    fn extract(&mut self, width: u8, low: u8, bits: u8, a: Self::Value) -> Self::Value;
    /// `high` above `low`; at most 64 bits together.
    fn concat(
        &mut self,
        high_width: u8,
        high: Self::Value,
        low_width: u8,
        low: Self::Value,
    ) -> Self::Value;
    /// One bit: equal.
    fn equal(&mut self, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    /// One bit: a < b.
    fn less(&mut self, width: u8, signed: bool, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a` where the one-bit condition holds, else `b`.
    fn select(
        &mut self,
        width: u8,
        condition: Self::Value,
        a: Self::Value,
        b: Self::Value,
    ) -> Self::Value;
    /// Number of ones, in `width` bits.
    fn popc(&mut self, width: u8, a: Self::Value) -> Self::Value;
    /// Number of leading zeros, in `width` bits.
    fn clz(&mut self, width: u8, a: Self::Value) -> Self::Value;
    /// Bits in reverse order.
    fn brev(&mut self, width: u8, a: Self::Value) -> Self::Value;
    /// The carry of an addition as a subtraction reads it, or the borrow of a subtraction as an addition does. They share
    /// one flag; PTX does not say that they may be mixed, and hardware keeps the complement of a borrow in it. Symbolic
    /// domains know nothing of it.
    fn other_flag(&mut self, flag: Self::Value) -> Self::Value;
    /// Result number `result`, of `width` bits, of an operation that is no bit-vector arithmetic: floating point and
    /// conversions from or to it, address conversions of shared, local and parameter space, `fns`, fields outside of the
    /// range that PTX allows. Concrete domains
    /// compute it, symbolic ones make it an uninterpreted function of its operands. Float comparisons arrive as an
    /// [`Op::Compare`] of one unpacked type without `logic`, whatever the operation they are part of, and only for
    /// result 0: equal comparisons of equal operands then are equal terms.
    fn opaque(&mut self, op: &Op, result: u8, width: u8, args: &[Self::Value]) -> Self::Value;
}
