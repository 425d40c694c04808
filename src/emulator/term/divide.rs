//! Quotients, remainders and upper halves of products.

use super::{Binary, Node, TermId, Terms, signed};

impl Terms {
    /// Quotient towards zero; by zero: all ones.
    pub fn div(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if is_signed && !self.both_non_negative(a, b) {
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
        if is_signed && !self.both_non_negative(a, b) {
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
