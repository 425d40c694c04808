//! Bit-vector terms of 1 to 64 bits: hash-consed, simplified at construction, in an arena.
//!
//! Equal terms have equal [`TermId`]s, and many terms that are equal as functions do too, because every constructor of
//! [`Terms`] returns a canonical form. All rewriting rules hold for *every* assignment of the symbols within their declared
//! ranges; none assumes that arithmetic does not wrap.
//!
//! # The canonical form
//! * `affine`: sums, differences, negation, products with constants, left shifts by constants, bitwise complement
//!   (`-x - 1`) and concatenation are one flat node `constant + sum(coefficient * atom)` modulo 2^w, atoms sorted by
//!   id, no coefficient zero. A sum of more than [`MAX_AFFINE_TERMS`] atoms takes its operands as atoms.
//! * `product`: a product of non-constants is multiplied out as long as that gives at most [`MAX_PRODUCT_TERMS`] summands of
//!   at most [`MAX_FACTORS`] sorted factors; each summand is an atom of the affine form.
//! * `field`: right shifts by constants and conjunctions with contiguous masks are extracted fields, extended again and
//!   multiplied by a power of two; there is no concatenation, it is a sum of disjoint summands.
//! * `join`: adjacent fields of one term with fitting coefficients become one field again (`mov.b64 {lo, hi}` round trips).
//! * `low bits`: extraction from bit 0 distributes over sums, products and bitwise operations; from bit k over bitwise
//!   operations and those summands of a sum that are multiples of 2^k.
//! * `ext of ext`: `zext(zext x)`, `sext(sext x)` are one extension, `sext(zext x)` is a zero extension, as is `sext x` where
//!   the sign bit of x is known to be 0. Extraction undoes an extension, and an extension undoes an extraction that cut
//!   off nothing (known bits, ranges).
//! * `no-wrap`: an extension distributes over a sum or product if ranges alone exclude the wrap, splits off a constant
//!   that only fills known zero bits, and distributes where the coefficient shifts the extended bits out.
//! * `disjoint`: `or` and `xor` of operands without a common possible one are sums; `x or c` is `(x and not c) + c`;
//!   `x xor c` is affine if x is known at all ones of c but the sign bit, or at all zeros of c (`x xor -4` of a multiple
//!   of 4 is `-x - 4`).
//! * `boolean`: terms of one bit have only `and`, `xor`, `not`; `or` by de Morgan; `not` leaves `xor`; `ite` of one bit is
//!   made of these, and `ite(c, k1, k2)` of constants is `k2 + (k1 - k2) * zext c`.
//! * `ite`: constant and negated conditions, equal arms and common summands are removed.
//! * `compare`: equality is `non-constant part of (a - b) = constant`; extensions on both sides are removed; a
//!   constant on the left of `<` goes to the right (`c < x` is `not (x < c + 1)`); signed comparison of terms of known equal
//!   sign is unsigned; ranges decide.
//! * `quotient`: products with rounded reciprocals and corrected shifts that are quotients by constants are written as
//!   those; a quotient times its divisor is the dividend minus the remainder.
//! * `fact`: a term whose known bits or range leave one value is that constant.
//!
//! Rules that descend into operands stop after [`MAX_REWRITE_DEPTH`] levels and [`MAX_REWRITES`] operands; what is below or
//! left stays as it is.

mod affine;
mod arena;
mod bits;
mod booleans;
mod difference;
mod display;
mod divide;
mod domain;
mod evaluate;
mod extend;
mod facts;
mod ideal;
mod lanes;
mod magic;
mod parts;
mod substitute;
mod symbol;
#[cfg(test)]
mod tests;
mod windows;

pub use arena::{Mark, Terms};
pub use evaluate::mix;
pub use evaluate::{
    INDEX_SPREAD, Order, ROW_BASE, ROW_CENTRE, ROW_MASK, ROW_SPREAD, ROW_THREADS, RowAssignment,
    WARP_THREADS,
};
pub use facts::Facts;
pub use ideal::{Ideal, Opened};
pub use symbol::{Function, FunctionId, Symbol, SymbolId, Variance};

use smallvec::SmallVec;

/// Atoms of one affine sum; longer sums take their operands as atoms.
pub const MAX_AFFINE_TERMS: usize = 64;
/// Summands that multiplying out two sums may give; else the product of the sums is one atom.
pub const MAX_PRODUCT_TERMS: usize = 16;
/// Factors of one product; longer products are nested.
pub const MAX_FACTORS: usize = 8;
/// Levels of operands that one construction may descend into.
pub const MAX_REWRITE_DEPTH: u32 = 24;
/// Operands that one construction may rewrite.
pub const MAX_REWRITES: u32 = 128;

/// A term of an arena. Operands always have smaller ids than the terms that use them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// As an index of the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation on one term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Complement of one bit; wider complements are affine.
    Not,
    /// Zero extension to the term's width.
    Zext,
    /// Sign extension to the term's width.
    Sext,
    /// The term's width many bits, from this bit.
    Extract(u8),
    /// Number of ones.
    Popc,
    /// Number of leading zeros.
    Clz,
    /// Bits in reverse order.
    Brev,
}

/// An operation on two terms of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// Bitwise and; operands sorted, a constant second.
    And,
    /// Bitwise or of two non-constants; operands sorted.
    Or,
    /// Bitwise exclusive or; operands sorted, a constant second.
    Xor,
    /// Left shift by a non-constant amount; `width` and more give 0.
    Shl,
    /// Logical right shift by a non-constant amount.
    Lshr,
    /// Arithmetic right shift by a non-constant amount.
    Ashr,
    /// Unsigned quotient; by zero: all ones.
    UDiv,
    /// Unsigned remainder; by zero: the dividend.
    URem,
    /// Signed quotient towards zero; by zero: all ones.
    SDiv,
    /// Signed remainder with the dividend's sign; by zero: the dividend.
    SRem,
    /// Upper half of the unsigned product.
    UMulHigh,
    /// Upper half of the signed product.
    SMulHigh,
    /// One bit: equal.
    Equal,
    /// One bit: unsigned less than.
    ULess,
    /// One bit: signed less than.
    SLess,
}

/// The atoms of a sum with their coefficients: addresses have a base and an index.
pub type Atoms = SmallVec<[(TermId, u64); 2]>;
/// Terms that an operation is applied to.
pub type Operands = SmallVec<[TermId; 4]>;

/// The outermost operation of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant, bits above the width zero.
    Const(u64),
    /// A symbol.
    Symbol(SymbolId),
    /// `constant + sum(coefficient * atom)` modulo 2^width.
    Affine {
        /// The constant.
        constant: u64,
        /// Atoms in ascending order with their coefficients.
        terms: Atoms,
    },
    /// Product of two or more non-constants, sorted.
    Product(Operands),
    /// An operation on one term.
    Unary(Unary, TermId),
    /// An operation on two terms.
    Binary(Binary, TermId, TermId),
    /// The second where the one-bit first is 1, else the third.
    Ite(TermId, TermId, TermId),
    /// An uninterpreted function of its arguments.
    Uninterpreted {
        /// Which.
        function: FunctionId,
        /// Its arguments.
        args: Operands,
    },
}

impl Node {
    /// Calls `visit` on each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(TermId)) {
        match self {
            Node::Const(_) | Node::Symbol(_) => {}
            Node::Affine { terms, .. } => terms.iter().for_each(|&(atom, _)| visit(atom)),
            Node::Product(factors) => factors.iter().for_each(|&factor| visit(factor)),
            Node::Unary(_, a) => visit(*a),
            Node::Binary(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            Node::Uninterpreted { args, .. } => args.iter().for_each(|&arg| visit(arg)),
        }
    }
}

/// All ones in the lower `width` bits.
pub fn mask(width: u8) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The lower `width` bits of `bits` as a two's complement number.
pub fn signed(width: u8, bits: u64) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((bits << shift) as i64) >> shift
}
