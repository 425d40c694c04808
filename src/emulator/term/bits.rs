//! Bitwise operations, shifts and bit counts.

use super::{Binary, Node, TermId, Terms, Unary, mask};

impl Terms {
    /// Bitwise complement.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return self.not_bit(a);
        }
        self.sum(width, u64::MAX, &[(a, u64::MAX)])
    }

    /// Bitwise and.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return a;
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(bits), _) => return self.and_constant(b, bits),
            (_, Some(bits)) => return self.and_constant(a, bits),
            _ => {}
        }
        if self.complementary(a, b) {
            return self.constant(width, 0);
        }
        let (left, right) = (self.facts(a), self.facts(b));
        if left.possible(width) & !right.ones == 0 {
            return a;
        }
        if right.possible(width) & !left.ones == 0 {
            return b;
        }
        if width == 1 {
            return self.and_bits(a, b);
        }
        self.sorted(Binary::And, a, b)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return a;
        }
        if width == 1 {
            return self.or_bits(a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(bits), _) => return self.or_constant(b, bits),
            (_, Some(bits)) => return self.or_constant(a, bits),
            _ => {}
        }
        if self.complementary(a, b) {
            return self.constant(width, u64::MAX);
        }
        if self.disjoint(a, b) {
            return self.add(a, b);
        }
        let (left, right) = (self.facts(a), self.facts(b));
        if left.possible(width) & !right.ones == 0 {
            return b;
        }
        if right.possible(width) & !left.ones == 0 {
            return a;
        }
        self.sorted(Binary::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.constant(width, 0);
        }
        if width == 1 {
            return self.xor_bits(a, b);
        }
        match (self.as_const(a), self.as_const(b)) {
            (Some(bits), _) => return self.xor_constant(b, bits),
            (_, Some(bits)) => return self.xor_constant(a, bits),
            _ => {}
        }
        if self.complementary(a, b) {
            return self.constant(width, u64::MAX);
        }
        if self.disjoint(a, b) {
            return self.add(a, b);
        }
        self.sorted(Binary::Xor, a, b)
    }

    /// A commutative operation, operands in ascending order.
    pub(super) fn sorted(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.intern(self.width(a), Node::Binary(op, a, b))
    }

    /// No bit can be one in both.
    fn disjoint(&self, a: TermId, b: TermId) -> bool {
        let all = mask(self.width(a));
        (self.facts(a).zeros | self.facts(b).zeros) == all
    }

    /// `a = not b`, as far as the affine form shows it.
    pub(super) fn complementary(&self, a: TermId, b: TermId) -> bool {
        let width = self.width(a);
        let is_not = |x: TermId, y: TermId| match self.node(x) {
            Node::Unary(Unary::Not, inner) => *inner == y,
            Node::Affine { constant, terms } if *constant == mask(width) => {
                **terms == [(y, mask(width))]
            }
            _ => false,
        };
        if is_not(a, b) || is_not(b, a) {
            return true;
        }
        match (self.node(a), self.node(b)) {
            (
                Node::Affine {
                    constant: c,
                    terms: x,
                },
                Node::Affine {
                    constant: d,
                    terms: y,
                },
            ) => {
                let all = mask(width);
                c.wrapping_add(*d) & all == all
                    && x.len() == y.len()
                    && x.iter()
                        .zip(y.iter())
                        .all(|(&(s, p), &(t, q))| s == t && p.wrapping_add(q) & all == 0)
            }
            _ => false,
        }
    }

    /// Rule `field`: a contiguous mask, up to bits that are zero anyway, is a shifted field.
    fn and_constant(&mut self, a: TermId, bits: u64) -> TermId {
        let width = self.width(a);
        let zeros = self.facts(a).zeros;
        let kept = bits & mask(width) & !zeros;
        if kept == 0 {
            return self.constant(width, 0);
        }
        let ones = self.facts(a).ones;
        let cleared = !bits & mask(width);
        if cleared & !zeros & !ones == 0 {
            return self.offset(a, (cleared & ones).wrapping_neg());
        }
        if let Node::Binary(Binary::And, inner, other) = *self.node(a)
            && let Some(more) = self.as_const(other)
        {
            return self.and_constant(inner, bits & more);
        }
        let low = kept.trailing_zeros() as u8;
        let high = 64 - kept.leading_zeros() as u8;
        let span = mask(high) & !mask(low);
        if span & !kept & !zeros != 0 {
            let other = self.constant(width, kept);
            return self.intern(width, Node::Binary(Binary::And, a, other));
        }
        let low = if mask(low) & !zeros == 0 { 0 } else { low };
        let high = if mask(width) & !mask(high) & !zeros == 0 {
            width
        } else {
            high
        };
        let field = self.extract(a, low, high - low);
        let field = self.zext(field, width);
        self.scale(field, 1 << low)
    }

    /// Rule `disjoint`: `x or c = (x and not c) + c`.
    fn or_constant(&mut self, a: TermId, bits: u64) -> TermId {
        let rest = self.and_constant(a, !bits);
        self.offset(rest, bits)
    }

    /// Rule `disjoint`: flipping a known bit adds or subtracts it, flipping the sign bit adds it.
    fn xor_constant(&mut self, a: TermId, bits: u64) -> TermId {
        let width = self.width(a);
        let bits = bits & mask(width);
        let (zeros, ones) = self.known_bits(a);
        let sign = 1 << (width - 1);
        let known = zeros | ones | sign;
        let flip = |bits: u64| (bits & (zeros | sign)).wrapping_sub(bits & ones & !sign);
        if bits & !known == 0 {
            return self.offset(a, flip(bits));
        }
        let others = !bits & mask(width);
        if others & !known == 0 {
            let flipped = self.offset(a, flip(others));
            return self.not(flipped);
        }
        if let Node::Binary(Binary::Xor, inner, other) = *self.node(a)
            && let Some(more) = self.as_const(other)
        {
            return self.xor_constant(inner, bits ^ more);
        }
        let other = self.constant(width, bits);
        self.intern(width, Node::Binary(Binary::Xor, a, other))
    }

    /// Left shift; `width` and more give 0.
    pub fn shl(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        match self.shift_amount(amount) {
            Shift::Out => self.constant(width, 0),
            Shift::By(0) => a,
            Shift::By(bits) => self.scale(a, 1 << bits),
            Shift::Unknown => self.intern(width, Node::Binary(Binary::Shl, a, amount)),
        }
    }

    /// Logical right shift; `width` and more give 0.
    pub fn lshr(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        match self.shift_amount(amount) {
            Shift::Out => self.constant(width, 0),
            Shift::By(bits) => {
                let field = self.extract(a, bits, width - bits);
                self.zext(field, width)
            }
            Shift::Unknown => self.intern(width, Node::Binary(Binary::Lshr, a, amount)),
        }
    }

    /// Arithmetic right shift; `width` and more give copies of the sign.
    pub fn ashr(&mut self, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        let bits = match self.shift_amount(amount) {
            Shift::Out => width - 1,
            Shift::By(bits) => bits,
            Shift::Unknown if self.facts(a).non_negative() => return self.lshr(a, amount),
            Shift::Unknown => return self.intern(width, Node::Binary(Binary::Ashr, a, amount)),
        };
        let field = self.extract(a, bits, width - bits);
        self.sext(field, width)
    }

    /// A shift amount, which is as wide as what it shifts.
    fn shift_amount(&self, amount: TermId) -> Shift {
        let width = u64::from(self.width(amount));
        let facts = self.facts(amount);
        if facts.umin >= width {
            Shift::Out
        } else if facts.umin == facts.umax {
            Shift::By(facts.umin as u8)
        } else {
            Shift::Unknown
        }
    }

    /// Number of ones, as wide as the operand.
    pub fn popc(&mut self, a: TermId) -> TermId {
        self.unary(Unary::Popc, a)
    }

    /// Number of leading zeros, as wide as the operand.
    pub fn clz(&mut self, a: TermId) -> TermId {
        self.unary(Unary::Clz, a)
    }

    /// Bits in reverse order.
    pub fn brev(&mut self, a: TermId) -> TermId {
        match *self.node(a) {
            Node::Unary(Unary::Brev, inner) => inner,
            _ => self.unary(Unary::Brev, a),
        }
    }

    fn unary(&mut self, op: Unary, a: TermId) -> TermId {
        if self.width(a) == 1 {
            return match op {
                Unary::Clz => self.not_bit(a),
                _ => a,
            };
        }
        self.intern(self.width(a), Node::Unary(op, a))
    }
}

/// What is known of a shift amount.
enum Shift {
    /// All bits are shifted out.
    Out,
    /// By this many bits, fewer than the width.
    By(u8),
    /// By a variable number.
    Unknown,
}
