//! The operations on values: what a PTX or LLVM instruction computes from its operands, without memory and control.
//!
//! An [`Op`] is pure. Its meaning is defined once, in [`crate::semantics`], over an abstract domain that the constant
//! folder, the symbolic emulator and the executor each fill in.

mod floating;

pub use floating::{FloatMode, FloatOp, Rounding, TestClass};

use super::types::{Space, Type};
use serde::{Deserialize, Serialize};

/// Which half of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Product {
    /// `.lo`: the lower half, as wide as the factors.
    Low,
    /// `.hi`: the upper half.
    High,
    /// `.wide`: all of it, twice as wide.
    Wide,
}

/// A comparison (PTX ISA, "Comparisons"). The unordered forms are true if an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    EqU,
    NeU,
    LtU,
    LeU,
    GtU,
    GeU,
    /// Both are numbers.
    Num,
    /// One is NaN.
    Nan,
}

/// The operation that combines a comparison with a predicate in `setp` and `set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Logic {
    And,
    Or,
    Xor,
}

/// `prmt` modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Permute {
    Index,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// A pure operation. Widths are in bits; operands come in the order in which PTX writes them. Unless noted otherwise an
/// operation has one result of the width it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Op {
    /// The operand itself (`mov`).
    Copy {
        /// 1 to 64.
        width: u8,
    },
    /// Two's complement sum.
    Add {
        /// 16, 32, 64.
        width: u8,
    },
    /// `add.sat.s32`, `sub.sat.s32`: clamped to the signed range.
    AddSaturate {
        /// Subtract instead.
        subtract: bool,
    },
    /// `vadd.u32.u32.u32.add`, `vsub.u32.u32.u32.add`: a+b+c, a-b+c, of 32 bits (PTX ISA, "Scalar Video Instructions"; without
    /// saturation their signs make no difference).
    SumOfThree {
        /// Of the second operand.
        subtract: bool,
    },
    /// Two's complement difference.
    Sub {
        /// 16, 32, 64.
        width: u8,
    },
    /// Product; `.wide` has a result of twice `width`.
    Mul {
        /// Which half.
        product: Product,
        /// Of the factors.
        width: u8,
        /// How they are extended.
        signed: bool,
    },
    /// Product plus third operand (as wide as the product); `saturate` is `mad.hi.sat.s32`.
    MulAdd {
        /// Which half.
        product: Product,
        /// Of the factors.
        width: u8,
        /// How they are extended.
        signed: bool,
        /// Clamped to the signed range.
        saturate: bool,
    },
    /// `mul24`: product of the lower 24 bits; bits 0-31 (`Low`) or 16-47 (`High`) of the 48.
    Mul24 {
        /// `Low` or `High`.
        product: Product,
        /// How the factors are extended.
        signed: bool,
        /// `mad24`: a third operand is added.
        add: bool,
    },
    /// `add.cc`, `addc`, `addc.cc`, `sub.cc`, ...: operands a, b and, with `carry_in`, the carry (one bit, 1 = carry or
    /// borrow); results sum and, with `carry_out`, the new carry, and this carry as an operation of the other kind reads
    /// it, a subtraction that of an addition: see [`Domain::other_flag`](super::semantics::Domain::other_flag).
    Carry {
        /// Subtract: the carry is a borrow.
        subtract: bool,
        /// 32 or 64.
        width: u8,
        /// Third operand.
        carry_in: bool,
        /// Second result.
        carry_out: bool,
    },
    /// `mad.lo.cc`, `madc.hi`, ...: operands a, b, c and the carry; as [`Op::Carry`].
    MulAddCarry {
        /// `Low` or `High`.
        product: Product,
        /// 32 or 64.
        width: u8,
        /// How the factors are extended.
        signed: bool,
        /// Fourth operand.
        carry_in: bool,
        /// Second result.
        carry_out: bool,
    },
    /// |a-b| + c.
    Sad {
        /// 16, 32, 64.
        width: u8,
        /// How operands are compared.
        signed: bool,
    },
    /// Quotient towards zero. Division by zero gives all ones (what the hardware gives; PTX leaves it open).
    Div {
        /// 16, 32, 64.
        width: u8,
        /// Two's complement.
        signed: bool,
    },
    /// Remainder with the dividend's sign; by zero: the dividend.
    Rem {
        /// 16, 32, 64.
        width: u8,
        /// Two's complement.
        signed: bool,
    },
    /// Absolute value; the most negative value stays.
    Abs {
        /// 16, 32, 64.
        width: u8,
    },
    /// Two's complement negation.
    Neg {
        /// 16, 32, 64.
        width: u8,
    },
    /// The smaller.
    Min {
        /// 16, 32, 64.
        width: u8,
        /// Two's complement.
        signed: bool,
        /// `.relu`: at least 0.
        relu: bool,
    },
    /// The larger.
    Max {
        /// 16, 32, 64.
        width: u8,
        /// Two's complement.
        signed: bool,
        /// `.relu`: at least 0.
        relu: bool,
    },
    /// Bitwise and.
    And {
        /// 1 to 64.
        width: u8,
    },
    /// Bitwise or.
    Or {
        /// 1 to 64.
        width: u8,
    },
    /// Bitwise exclusive or.
    Xor {
        /// 1 to 64.
        width: u8,
    },
    /// Bitwise complement.
    Not {
        /// 1 to 64.
        width: u8,
    },
    /// `cnot`: 1 if the operand is 0, else 0.
    LogicalNot {
        /// 16, 32, 64.
        width: u8,
    },
    /// Left shift; the amount has 32 bits and amounts of `width` and more give 0.
    Shl {
        /// 16, 32, 64.
        width: u8,
    },
    /// Right shift, zeros or sign bits from the left; amounts are clamped to `width`.
    Shr {
        /// 16, 32, 64.
        width: u8,
        /// Arithmetic.
        signed: bool,
    },
    /// `shf.l/.r` of the 64 bits {b, a} by c, `.clamp` or `.wrap`; 32-bit result.
    Funnel {
        /// `.l`, else `.r`.
        left: bool,
        /// `.wrap`: amount modulo 32; else clamped to 32.
        wrap: bool,
    },
    /// `lop3`: the three-input truth table, 32 bits. With `predicate` (`lop3.BoolOp`) there are four operands and a
    /// second result: (result != 0) combined with the fourth.
    Lop3 {
        /// `immLut`.
        table: u8,
        /// `.or` / `.and` form.
        predicate: Option<Logic>,
    },
    /// Bit field extract; operands value, position, length (their lower 8 bits).
    Bfe {
        /// 32, 64.
        width: u8,
        /// The field's top bit is repeated.
        signed: bool,
    },
    /// Bit field insert; operands field, base, position, length.
    Bfi {
        /// 32, 64.
        width: u8,
    },
    /// Position of the most significant non-sign bit, or all ones; 32-bit result.
    Bfind {
        /// 32, 64.
        width: u8,
        /// Two's complement.
        signed: bool,
        /// `.shiftamt`: the shift that would bring it to the top.
        shift: bool,
    },
    /// Leading zeros; 32-bit result.
    Clz {
        /// 32, 64.
        width: u8,
    },
    /// Ones; 32-bit result.
    Popc {
        /// 32, 64.
        width: u8,
    },
    /// Bit reversal.
    Brev {
        /// 32, 64.
        width: u8,
    },
    /// `bmsk`: a mask of length b from bit a.
    Bmsk {
        /// `.wrap`, else `.clamp`.
        wrap: bool,
    },
    /// `szext`: sign or zero extension from bit b of a.
    Szext {
        /// `.wrap`, else `.clamp`.
        wrap: bool,
        /// `.s32`
        signed: bool,
    },
    /// `fns`: the position of the n-th set bit of a from bit b.
    Fns,
    /// Byte permutation of {b, a}.
    Prmt(Permute),
    /// `dp4a`: a dot product of four bytes added to c.
    Dp4a {
        /// Of the first operand's bytes.
        signed_a: bool,
        /// Of the second operand's bytes.
        signed_b: bool,
    },
    /// `dp2a`: a dot product of two halves with two bytes added to c.
    Dp2a {
        /// Of the first operand's halves.
        signed_a: bool,
        /// Of the second operand's bytes.
        signed_b: bool,
        /// `.hi`: the upper two bytes.
        high: bool,
    },
    /// `selp`: operands a, b and a predicate: a where it is true.
    Select {
        /// 1 to 64.
        width: u8,
    },
    /// `slct`: a where c >= 0 (`.s32`, or `.f32`, where a NaN selects b).
    SelectSign {
        /// Of a and b.
        width: u8,
        /// c is `.f32`.
        float: bool,
        /// Subnormal c is taken as zero.
        ftz: bool,
    },
    /// `setp`: operands a, b and, with `logic`, a predicate c; results `cmp op c` and, if the instruction has a second
    /// destination, `!cmp op c`: always two results. Packed types compare lane by lane: results low, high.
    Compare {
        /// The comparison.
        comparison: Comparison,
        /// Of a and b.
        ty: Type,
        /// Combined with c.
        logic: Option<Logic>,
        /// Subnormal operands are taken as zero.
        ftz: bool,
    },
    /// `set`: as [`Op::Compare`], with one result of type `to`: all ones or 1.0 where true, else 0.
    Set {
        /// The comparison.
        comparison: Comparison,
        /// Of a and b.
        ty: Type,
        /// Of the result.
        to: Type,
        /// Combined with c.
        logic: Option<Logic>,
        /// Subnormal operands are taken as zero.
        ftz: bool,
    },
    /// `cvt`: from one type to another. The result has `to.bits` bits (the front end widens it to the register).
    /// `cvt.rn.f16x2.f32 d, a, b` and its like have two operands, a the upper half.
    Convert {
        /// Of the operand.
        from: Type,
        /// Of the result.
        to: Type,
        /// Rounding and the other modifiers; `saturate` on integers clamps to the range of `to`.
        mode: FloatMode,
        /// `.rni` and its like: round to an integer, in the float type.
        integral: bool,
    },
    /// Zero or sign extension of the register form: `from` lower bits to `to` bits; truncation if `to < from`.
    Extend {
        /// Lower bits taken.
        from: u8,
        /// Bits of the result.
        to: u8,
        /// Sign extension.
        signed: bool,
    },
    /// A floating-point operation.
    Float {
        /// Which.
        op: FloatOp,
        /// Of operands and result.
        ty: Type,
        /// Modifiers.
        mode: FloatMode,
    },
    /// `testp`
    Test {
        /// The class.
        class: TestClass,
        /// Of the operand.
        ty: Type,
    },
    /// `mov.b64 d, {a, b}`: the parts side by side, the first lowest.
    Pack {
        /// How many.
        parts: u8,
        /// Bits of each.
        width: u8,
    },
    /// `mov.b64 {a, b}, d`: `parts` results.
    Unpack {
        /// How many.
        parts: u8,
        /// Bits of each.
        width: u8,
    },
    /// `mov.b128`, whose operands and results are halves: as many results as operands, each a copy of its own.
    Copies {
        /// How many.
        count: u8,
        /// Bits of each.
        width: u8,
    },
    /// `cvta.space`: an address of `space` as a generic one. The identity for `.global` alone: the others have windows.
    ToGeneric {
        /// The space.
        space: Space,
        /// 32 or 64.
        width: u8,
    },
    /// `cvta.to.space`: a generic address as one of `space`; undefined if it points elsewhere.
    FromGeneric {
        /// The space.
        space: Space,
        /// 32 or 64.
        width: u8,
    },
    /// `isspacep`: one bit.
    IsSpace {
        /// The space.
        space: Space,
    },
}
