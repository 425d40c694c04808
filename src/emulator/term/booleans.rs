//! Terms of one bit: logic, comparisons, and choices between terms.

use super::{Binary, Node, TermId, Terms, Unary, mask, signed};

impl Terms {
    /// Complement of one bit.
    pub(super) fn not_bit(&mut self, a: TermId) -> TermId {
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => inner,
            _ => self.intern(1, Node::Unary(Unary::Not, a)),
        }
    }

    /// And of two bits, neither constant, not complementary.
    pub(super) fn and_bits(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            match *self.node(x) {
                // Absorption: (y and z) and y; y and (not (y and z)) = y and not z.
                Node::Binary(Binary::And, p, q) if p == y || q == y => return x,
                Node::Binary(Binary::And, p, q)
                    if self.complementary(p, y) || self.complementary(q, y) =>
                {
                    return self.boolean(false);
                }
                Node::Unary(Unary::Not, inner) => {
                    if let Node::Binary(Binary::And, p, q) = *self.node(inner) {
                        if self.complementary(p, y) || self.complementary(q, y) {
                            return y;
                        }
                        if p == y || q == y {
                            let other = if p == y { q } else { p };
                            let other = self.not_bit(other);
                            return self.and(y, other);
                        }
                    }
                }
                _ => {}
            }
        }
        self.sorted(Binary::And, a, b)
    }

    /// Or of two bits, by de Morgan.
    pub(super) fn or_bits(&mut self, a: TermId, b: TermId) -> TermId {
        let a = self.not_bit(a);
        let b = self.not_bit(b);
        let neither = self.and(a, b);
        self.not_bit(neither)
    }

    /// Exclusive or of two different bits; complements go outside.
    pub(super) fn xor_bits(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, a_flipped) = self.without_not(a);
        let (b, b_flipped) = self.without_not(b);
        let flipped = a_flipped ^ b_flipped;
        let result = match (self.as_const(a), self.as_const(b)) {
            // `without_not` leaves no constant 1.
            (Some(_), _) => b,
            (_, Some(_)) => a,
            _ if a == b => self.boolean(false),
            _ => self.sorted(Binary::Xor, a, b),
        };
        if flipped {
            self.not_bit(result)
        } else {
            result
        }
    }

    /// A bit and whether it has to be complemented.
    fn without_not(&mut self, a: TermId) -> (TermId, bool) {
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => (inner, true),
            Node::Const(1) => (self.boolean(false), true),
            _ => (a, false),
        }
    }

    /// `a` where the one-bit condition holds, else `b`.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        match *self.node(condition) {
            Node::Const(bits) => return if bits == 1 { a } else { b },
            Node::Unary(Unary::Not, inner) => return self.ite(inner, b, a),
            _ => {}
        }
        let a = self.arm(condition, a, true);
        let b = self.arm(condition, b, false);
        if a == b {
            return a;
        }
        if self.width(a) == 1 {
            let then = self.and(condition, a);
            let negated = self.not_bit(condition);
            let otherwise = self.and(negated, b);
            return self.or_bits(then, otherwise);
        }
        self.choose(condition, a, b)
    }

    /// What an arm of a choice is, given the condition's value.
    fn arm(&self, condition: TermId, arm: TermId, value: bool) -> TermId {
        match *self.node(arm) {
            Node::Ite(inner, a, b) if inner == condition => {
                if value {
                    a
                } else {
                    b
                }
            }
            _ => arm,
        }
    }

    /// Rule `ite` of different arms wider than a bit: their common summands go outside.
    fn choose(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a_constant, a_terms) = self.affine(a);
        let (b_constant, b_terms) = self.affine(b);
        let mut common: Vec<(TermId, u64)> = a_terms
            .iter()
            .filter(|summand| b_terms.binary_search(summand).is_ok())
            .copied()
            .collect();
        if common.len() == a_terms.len() && common.len() == b_terms.len() {
            let bit = self.zext(condition, width);
            common.push((bit, a_constant.wrapping_sub(b_constant)));
            return self.sum(width, b_constant, &common);
        }
        let shared = if a_constant == b_constant {
            a_constant
        } else {
            0
        };
        if common.is_empty() && shared == 0 {
            return self.intern(width, Node::Ite(condition, a, b));
        }
        let minus: Vec<_> = common
            .iter()
            .map(|&(atom, coefficient)| (atom, coefficient.wrapping_neg()))
            .collect();
        let rest = |terms: &mut Self, t: TermId| {
            let mut summands = minus.clone();
            summands.push((t, 1));
            terms.sum(width, shared.wrapping_neg(), &summands)
        };
        let a = rest(self, a);
        let b = rest(self, b);
        let choice = self.intern(width, Node::Ite(condition, a, b));
        common.push((choice, 1));
        self.sum(width, shared, &common)
    }

    /// One bit: equal.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.boolean(true);
        }
        let width = self.width(a);
        if width == 1 {
            let differ = self.xor(a, b);
            return self.not_bit(differ);
        }
        if let Some((a, b)) = self.below_extensions(a, b) {
            return self.equal(a, b);
        }
        // Ranges of the operands say more than those of the difference.
        let decided = self.intern(1, Node::Binary(Binary::Equal, a, b));
        if self.as_const(decided).is_some() {
            return decided;
        }
        let difference = self.sub(a, b);
        let (constant, mut sum) = self.affine(difference);
        let mut value = constant.wrapping_neg() & mask(width);
        let Some(&(atom, lead)) = sum.first() else {
            return self.boolean(constant == 0);
        };
        if let ([_], Node::Unary(Unary::Zext, bit)) = (sum.as_slice(), self.node(atom)) {
            let bit = *bit;
            if self.width(bit) == 1 {
                return match value {
                    0 => self.not_bit(bit),
                    _ if value == lead => bit,
                    _ => self.boolean(false),
                };
            }
        }
        if signed(width, lead) < 0 {
            value = value.wrapping_neg() & mask(width);
            for summand in &mut sum {
                summand.1 = summand.1.wrapping_neg();
            }
        }
        let left = self.sum(width, 0, &sum);
        let right = self.constant(width, value);
        if let Some((left, right)) = self.below_extensions(left, right) {
            return self.equal(left, right);
        }
        self.intern(1, Node::Binary(Binary::Equal, left, right))
    }

    /// One bit: different.
    pub fn not_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.equal(a, b);
        self.not_bit(equal)
    }

    /// One bit: `a < b`.
    pub fn less(&mut self, is_signed: bool, a: TermId, b: TermId) -> TermId {
        if is_signed {
            self.sless(a, b)
        } else {
            self.uless(a, b)
        }
    }

    /// One bit: `a < b` unsigned.
    pub fn uless(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        if width == 1 {
            let negated = self.not_bit(a);
            return self.and(negated, b);
        }
        if let Some((a, b)) = self.below_extensions_of(Unary::Zext, a, b) {
            return self.uless(a, b);
        }
        if let (Some(bits), None) = (self.as_const(a), self.as_const(b))
            && bits < mask(width)
        {
            let next = self.constant(width, bits + 1);
            let not_greater = self.uless(b, next);
            return self.not_bit(not_greater);
        }
        if self.as_const(b) == Some(1) {
            let zero = self.constant(width, 0);
            return self.equal(a, zero);
        }
        self.intern(1, Node::Binary(Binary::ULess, a, b))
    }

    /// One bit: `a < b` in two's complement.
    pub fn sless(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        if width == 1 {
            let negated = self.not_bit(b);
            return self.and(a, negated);
        }
        let (left, right) = (self.facts(a), self.facts(b));
        let one_sign =
            (left.non_negative() && right.non_negative()) || (left.negative() && right.negative());
        if one_sign {
            return self.uless(a, b);
        }
        if let Some((a, b)) = self.below_extensions_of(Unary::Sext, a, b) {
            return self.sless(a, b);
        }
        if let (Some(bits), None) = (self.as_const(a), self.as_const(b))
            && bits != mask(width) >> 1
        {
            let next = self.constant(width, bits.wrapping_add(1));
            let not_greater = self.sless(b, next);
            return self.not_bit(not_greater);
        }
        self.intern(1, Node::Binary(Binary::SLess, a, b))
    }

    /// For equality: what both sides extend, by the same extension.
    fn below_extensions(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        self.below_extensions_of(Unary::Zext, a, b)
            .or_else(|| self.below_extensions_of(Unary::Sext, a, b))
    }

    /// What both sides extend by `op`, from one width; a constant counts where it fits.
    fn below_extensions_of(&mut self, op: Unary, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let inner = |terms: &Self, t: TermId| match *terms.node(t) {
            Node::Unary(kind, inner) if kind == op => Some(inner),
            _ => None,
        };
        match (inner(self, a), inner(self, b)) {
            (Some(x), Some(y)) if self.width(x) == self.width(y) => Some((x, y)),
            (Some(x), None) => {
                let bits = self.narrowed(op, b, self.width(x))?;
                Some((x, bits))
            }
            (None, Some(y)) => {
                let bits = self.narrowed(op, a, self.width(y))?;
                Some((bits, y))
            }
            _ => None,
        }
    }

    /// A constant whose extension by `op` from `to` bits is the constant `t`.
    fn narrowed(&mut self, op: Unary, t: TermId, to: u8) -> Option<TermId> {
        let width = self.width(t);
        let bits = self.as_const(t)?;
        let low = bits & mask(to);
        let back = match op {
            Unary::Sext => signed(to, low) as u64 & mask(width),
            _ => low,
        };
        (back == bits).then(|| self.constant(to, low))
    }
}
