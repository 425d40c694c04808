//! Extensions, extraction and concatenation.

use super::facts::integer_sum;
use super::{Binary, MAX_REWRITE_DEPTH, MAX_REWRITES, Node, TermId, Terms, Unary, mask, signed};

impl Terms {
    /// Zero extension to `to` bits; the lower bits if that is fewer.
    pub fn zext(&mut self, t: TermId, to: u8) -> TermId {
        self.resize(Unary::Zext, t, to)
    }

    /// Sign extension to `to` bits; the lower bits if that is fewer.
    pub fn sext(&mut self, t: TermId, to: u8) -> TermId {
        self.resize(Unary::Sext, t, to)
    }

    /// The lower `bits` bits.
    pub fn truncate(&mut self, t: TermId, bits: u8) -> TermId {
        self.extract(t, 0, bits)
    }

    /// `high` above `low`, together at most 64 bits.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let low_width = self.width(low);
        let width = low_width.saturating_add(self.width(high)).min(64);
        let high = self.zext(high, width);
        let low = self.zext(low, width);
        self.sum(width, 0, &[(high, 1 << low_width.min(63)), (low, 1)])
    }

    fn resize(&mut self, op: Unary, t: TermId, to: u8) -> TermId {
        let from = self.width(t);
        if to <= from {
            return self.extract(t, 0, to);
        }
        if let Some(bits) = self.as_const(t) {
            let bits = match op {
                Unary::Sext => signed(from, bits) as u64,
                _ => bits,
            };
            return self.constant(to, bits);
        }
        let op = match op {
            Unary::Sext if !self.facts(t).non_negative() => Unary::Sext,
            _ => Unary::Zext,
        };
        let compound = matches!(
            self.node(t),
            Node::Affine { .. } | Node::Product(_) | Node::Unary(..)
        );
        let of_bit = op == Unary::Sext && from == 1;
        if !compound && !of_bit {
            return self.intern(to, Node::Unary(op, t));
        }
        self.memoised(op, t, to, |terms| terms.extend(op, t, to))
    }

    /// Runs a rule that may descend into operands, once for each operand and result width, to a bounded depth
    /// and number.
    fn memoised(
        &mut self,
        op: Unary,
        t: TermId,
        width: u8,
        rule: impl FnOnce(&mut Self) -> TermId,
    ) -> TermId {
        if let Some(&known) = self.unary_memo.get(&(op, t, width)) {
            return known;
        }
        if self.depth == 0 {
            self.rewrites = 0;
        }
        if self.depth >= MAX_REWRITE_DEPTH || self.rewrites >= MAX_REWRITES {
            return self.intern(width, Node::Unary(op, t));
        }
        self.rewrites += 1;
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        self.unary_memo.insert((op, t, width), result);
        result
    }

    /// A proper extension of a non-constant; a sign extension only where the sign is not known to be zero.
    fn extend(&mut self, op: Unary, t: TermId, to: u8) -> TermId {
        let from = self.width(t);
        match *self.node(t) {
            // A sign extension whose sign bit is not known to be zero is of no zero extension.
            Node::Unary(Unary::Zext, inner) => return self.zext(inner, to),
            Node::Unary(Unary::Sext, inner) if op == Unary::Sext => return self.sext(inner, to),
            // The extraction cut off nothing but copies of what the extension brings back.
            Node::Unary(Unary::Extract(0), inner) => {
                let whole = self.facts(inner);
                let limit = (mask(from) >> 1) as i64;
                let cut_nothing = match op {
                    Unary::Sext => whole.smin > -limit - 2 && whole.smax <= limit,
                    _ => whole.umax <= mask(from),
                };
                if cut_nothing {
                    return self.resize(op, inner, to);
                }
            }
            Node::Affine { .. } => {
                if let Some(result) = self.extend_sum(op, t, to) {
                    return result;
                }
            }
            Node::Product(_) => {
                if let Some(result) = self.extend_product(op, t, to) {
                    return result;
                }
            }
            _ => {}
        }
        if op == Unary::Sext && from == 1 {
            let bit = self.zext(t, to);
            return self.neg(bit);
        }
        self.intern(to, Node::Unary(op, t))
    }

    /// Rule `no-wrap` for sums.
    fn extend_sum(&mut self, op: Unary, t: TermId, to: u8) -> Option<TermId> {
        let from = self.width(t);
        let (constant, sum) = self.affine(t);
        // A multiple of a bit is that or 0.
        if let (0, Unary::Zext, &[(atom, coefficient)]) = (constant, op, sum.as_slice())
            && self.facts(atom).umax == 1
        {
            let bit = self.zext(atom, to);
            return Some(self.scale(bit, coefficient));
        }
        let signed_constant = signed(from, constant);
        let (least, greatest) = match op {
            Unary::Sext => (-(1i128 << (from - 1)), (1i128 << (from - 1)) - 1),
            _ => (0, (1i128 << from) - 1),
        };
        let constants = [i128::from(signed_constant), i128::from(constant)];
        for start in constants {
            // Atoms may be read as signed or unsigned: the choice decides how they are extended.
            for read_signed in [op == Unary::Sext, op != Unary::Sext] {
                let fits = integer_sum(self, from, read_signed, start, &sum)
                    .is_some_and(|(low, high)| low >= least && high <= greatest);
                if !fits {
                    continue;
                }
                let kind = if read_signed {
                    Unary::Sext
                } else {
                    Unary::Zext
                };
                let mut summands = Vec::with_capacity(sum.len());
                for &(atom, coefficient) in &sum {
                    let extended = self.resize(kind, atom, to);
                    summands.push((extended, signed(from, coefficient) as u64));
                }
                return Some(self.sum(to, start as u64, &summands));
            }
        }
        self.split_low_constant(op, t, to, constant, &sum)
    }

    /// `ext(x + c)` where the low bits of `x` are zero and take the low bits of `c` without a carry.
    fn split_low_constant(
        &mut self,
        op: Unary,
        t: TermId,
        to: u8,
        constant: u64,
        sum: &[(TermId, u64)],
    ) -> Option<TermId> {
        let from = self.width(t);
        let zeros = sum
            .iter()
            .map(|&(atom, c)| c.trailing_zeros() + self.facts(atom).zeros.trailing_ones())
            .min()?;
        // The sign bit stays out of it.
        let low = constant & mask(zeros.min(u32::from(from) - 1) as u8);
        if low == 0 {
            return None;
        }
        let rest = self.sum(from, constant - low, sum);
        let extended = self.resize(op, rest, to);
        Some(self.offset(extended, low))
    }

    /// Rule `no-wrap` for products.
    fn extend_product(&mut self, op: Unary, t: TermId, to: u8) -> Option<TermId> {
        let from = self.width(t);
        let Node::Product(factors) = self.node(t) else {
            return None;
        };
        let factors = factors.clone();
        let (mut least, mut greatest) = (1i128, 1i128);
        for &factor in &factors {
            let facts = self.facts(factor);
            let (low, high) = match op {
                Unary::Sext => (i128::from(facts.smin), i128::from(facts.smax)),
                _ => (i128::from(facts.umin), i128::from(facts.umax)),
            };
            let corners = [
                least.checked_mul(low)?,
                least.checked_mul(high)?,
                greatest.checked_mul(low)?,
                greatest.checked_mul(high)?,
            ];
            least = corners.into_iter().min()?;
            greatest = corners.into_iter().max()?;
        }
        let fits = match op {
            Unary::Sext => least >= -(1i128 << (from - 1)) && greatest < (1i128 << (from - 1)),
            _ => greatest <= i128::from(mask(from)),
        };
        if !fits {
            return None;
        }
        let mut result = self.constant(to, 1);
        for &factor in &factors {
            let extended = self.resize(op, factor, to);
            result = self.mul(result, extended);
        }
        Some(result)
    }

    /// `bits` bits of `t` from bit `low`.
    pub fn extract(&mut self, t: TermId, low: u8, bits: u8) -> TermId {
        let width = self.width(t);
        debug_assert!(low + bits <= width);
        if low == 0 && bits == width {
            return t;
        }
        let op = Unary::Extract(low);
        match self.node(t) {
            Node::Symbol(_) | Node::Uninterpreted { .. } => self.intern(bits, Node::Unary(op, t)),
            Node::Const(value) => {
                let value = value >> low;
                self.constant(bits, value)
            }
            _ => self.memoised(op, t, bits, |terms| terms.extract_from(t, low, bits)),
        }
    }

    fn extract_from(&mut self, t: TermId, low: u8, bits: u8) -> TermId {
        match *self.node(t) {
            Node::Unary(Unary::Extract(inner_low), inner) => {
                return self.extract(inner, inner_low + low, bits);
            }
            Node::Unary(op @ (Unary::Zext | Unary::Sext), inner) => {
                return self.extract_from_extension(op, inner, low, bits);
            }
            Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b) => {
                let a = self.extract(a, low, bits);
                let b = self.extract(b, low, bits);
                return match op {
                    Binary::And => self.and(a, b),
                    Binary::Or => self.or(a, b),
                    _ => self.xor(a, b),
                };
            }
            Node::Ite(condition, a, b) => {
                let a = self.extract(a, low, bits);
                let b = self.extract(b, low, bits);
                return self.ite(condition, a, b);
            }
            Node::Affine { .. } => return self.extract_from_sum(t, low, bits),
            Node::Binary(Binary::UMulHigh, ..) => {
                if let Some(quotient) = self.quotient_in_bits(t, low, bits) {
                    return quotient;
                }
            }
            Node::Product(ref factors) if low == 0 => {
                let factors = factors.clone();
                let mut result = self.constant(bits, 1);
                for &factor in &factors {
                    let factor = self.extract(factor, 0, bits);
                    result = self.mul(result, factor);
                }
                return result;
            }
            _ => {}
        }
        self.intern(bits, Node::Unary(Unary::Extract(low), t))
    }

    fn extract_from_extension(&mut self, op: Unary, inner: TermId, low: u8, bits: u8) -> TermId {
        let from = self.width(inner);
        if low + bits <= from {
            return self.extract(inner, low, bits);
        }
        if low >= from {
            return match op {
                Unary::Sext => {
                    let sign = self.extract(inner, from - 1, 1);
                    self.sext(sign, bits)
                }
                _ => self.constant(bits, 0),
            };
        }
        let rest = self.extract(inner, low, from - low);
        self.resize(op, rest, bits)
    }

    /// Rule `low bits`: `(2^low * a + b) >> low = a + (b >> low)`, both modulo 2^bits.
    fn extract_from_sum(&mut self, t: TermId, low: u8, bits: u8) -> TermId {
        let width = self.width(t);
        if low > 0
            && let Some(quotient) = self.quotient_in_bits(t, low, bits)
        {
            return quotient;
        }
        let (constant, sum) = self.affine(t);
        if let Some(part) = self.part_of_multiple(low, bits, width, constant, &sum) {
            return part;
        }
        let mut outer = Vec::with_capacity(sum.len() + 1);
        let mut inner = Vec::new();
        for &(atom, coefficient) in &sum {
            if coefficient.trailing_zeros() >= u32::from(low) {
                let atom = self.extract(atom, 0, bits);
                outer.push((atom, coefficient >> low));
            } else {
                inner.push((atom, coefficient));
            }
        }
        if outer.is_empty() && constant >> low == 0 {
            return self.intern(bits, Node::Unary(Unary::Extract(low), t));
        }
        if !inner.is_empty() {
            let rest = self.sum(width, constant & mask(low), &inner);
            let rest = self.extract(rest, low, bits);
            outer.push((rest, 1));
        }
        self.sum(bits, constant >> low, &outer)
    }

    /// Bits of `-bit`, all the same, and of a sum whose summands are all multiples of a power of two up to `2^low`.
    fn part_of_multiple(
        &mut self,
        low: u8,
        bits: u8,
        width: u8,
        constant: u64,
        sum: &[(TermId, u64)],
    ) -> Option<TermId> {
        if let (0, &[(atom, coefficient)]) = (constant, sum)
            && coefficient == mask(width)
            && self.facts(atom).umax == 1
        {
            let bit = self.extract(atom, 0, 1);
            return Some(self.sext(bit, bits));
        }
        let shift = sum
            .iter()
            .map(|&(_, coefficient)| coefficient.trailing_zeros())
            .fold(constant.trailing_zeros(), u32::min);
        let shift = shift.min(u32::from(low)) as u8;
        if shift == 0 {
            return None;
        }
        let divided: Vec<_> = sum
            .iter()
            .map(|&(atom, coefficient)| (atom, coefficient >> shift))
            .collect();
        let quotient = self.sum(width, constant >> shift, &divided);
        Some(self.extract(quotient, low - shift, bits))
    }
}
