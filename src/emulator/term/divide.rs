//! Quotients, remainders and upper halves of products.

use super::{Binary, Function, Node, TermId, Terms, signed};
use ptxasw_base::mutation::{Mutation, active};

/// What a remainder by 0 is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Remainder {
    /// Open (PTX ISA, "Integer Arithmetic Instructions: rem").
    OfInstruction,
    /// The dividend: what `x - (x / d) * d` comes to, whatever a quotient by 0 is.
    OfQuotient,
}

impl Terms {
    /// Quotient towards zero; by zero: all ones.
    pub fn div(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if is_signed && !self.unsigned_alike(a, b) {
            return match self.as_const(b) {
                Some(1) => a,
                _ => self.intern(width, Node::Binary(Binary::SDiv, a, b)),
            };
        }
        match self.as_const(b) {
            Some(divisor) if divisor.is_power_of_two() => {
                let amount = self.constant(width, u64::from(divisor.trailing_zeros()));
                self.lshr(a, amount)
            }
            _ => self.intern(width, Node::Binary(Binary::UDiv, a, b)),
        }
    }

    /// Remainder with the sign of the dividend; by zero: the dividend.
    pub fn rem(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if is_signed && !self.unsigned_alike(a, b) {
            return match self.as_const(b) {
                Some(1) => self.constant(width, 0),
                _ => self.intern(width, Node::Binary(Binary::SRem, a, b)),
            };
        }
        match self.as_const(b) {
            Some(divisor) if divisor.is_power_of_two() => {
                let low_bits = self.constant(width, divisor - 1);
                self.and(a, low_bits)
            }
            _ if self.facts(a).umax < self.facts(b).umin => a,
            _ => self.intern(width, Node::Binary(Binary::URem, a, b)),
        }
    }

    /// Whether a term is a quotient or remainder by what is not known to differ from 0: what that is, PTX leaves open, so that
    /// no proof may rest on what it is to a solver.
    pub fn may_divide_by_zero(&self, t: TermId) -> bool {
        match *self.node(t) {
            Node::Binary(Binary::UDiv | Binary::URem | Binary::SDiv | Binary::SRem, _, divisor) => {
                self.facts(divisor).umin == 0
            }
            _ => false,
        }
    }

    /// Whether a node is a quotient or remainder by 0.
    pub(super) fn divides_by_zero(&self, node: &Node) -> bool {
        use Binary::{SDiv, SRem, UDiv, URem};
        matches!(*node, Node::Binary(UDiv | URem | SDiv | SRem, _, divisor) if self.as_const(divisor) == Some(0))
    }

    /// The remainder that an instruction gives. By a divisor that may be 0 it is not the one that [`Terms::rem`] stands for if that
    /// comes from quotients elsewhere in the kernel, and an unknown then.
    pub(super) fn rem_of_instruction(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        match self.agrees(b, Remainder::OfInstruction) {
            true => self.rem(is_signed, a, b),
            false => self.open_rem(is_signed, a, b),
        }
    }

    /// A remainder by `old` after operands were replaced.
    pub(super) fn rem_again(
        &mut self,
        is_signed: bool,
        old: TermId,
        a: TermId,
        b: TermId,
    ) -> TermId {
        let kind = self.remainders.get(&old).copied();
        match kind.is_none_or(|kind| self.agrees(b, kind)) {
            true => self.rem(is_signed, a, b),
            false => self.open_rem(is_signed, a, b),
        }
    }

    fn open_rem(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let name = if is_signed { "rem.s" } else { "rem.u" };
        let function = self.function(Function::Named(name.into()));
        self.uninterpreted(self.width(a), function, &[a, b])
    }

    /// Whether all remainders by this divisor are of this sort: the first decides. If it is not 0, all are the same.
    pub(super) fn agrees(&mut self, divisor: TermId, kind: Remainder) -> bool {
        self.facts(divisor).umin > 0
            || active(Mutation::RemaindersMixed)
            || *self.remainders.entry(divisor).or_insert(kind) == kind
    }

    /// Whether signed division gives what unsigned division does. By 0 each may be something else.
    fn unsigned_alike(&self, a: TermId, b: TermId) -> bool {
        self.both_non_negative(a, b) && self.facts(b).umin > 0
    }

    /// Upper half of the product.
    pub fn mul_high(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let op = if is_signed && !self.both_non_negative(a, b) {
            Binary::SMulHigh
        } else {
            Binary::UMulHigh
        };
        if self.as_const(a) == Some(0) || self.as_const(b) == Some(0) {
            return self.constant(self.width(a), 0);
        }
        if op == Binary::UMulHigh
            && let Some(quotient) = self.high_quotient(a, b)
        {
            return quotient;
        }
        self.sorted(op, a, b)
    }

    fn both_non_negative(&self, a: TermId, b: TermId) -> bool {
        self.facts(a).non_negative() && self.facts(b).non_negative()
    }

    /// Rule `quotient`: `c * (x / d)` is `m * x - m * (x % d)` where `c = m * d`. The dividend, the remainder and `m`.
    pub(super) fn as_remainder(
        &mut self,
        atom: TermId,
        coefficient: u64,
    ) -> Option<(TermId, TermId, u64)> {
        let Node::Binary(op @ (Binary::UDiv | Binary::SDiv), dividend, divisor) = *self.node(atom)
        else {
            return None;
        };
        let width = self.width(atom);
        let by = self.as_const(divisor).filter(|&by| signed(width, by) > 1)? as i64;
        let coefficient = signed(width, coefficient);
        if coefficient % by != 0 {
            return None;
        }
        let remainder = self.rem(op == Binary::SDiv, dividend, divisor);
        Some((dividend, remainder, (coefficient / by) as u64))
    }
}
