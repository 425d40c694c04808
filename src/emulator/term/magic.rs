//! Quotients by constants as compilers write them: the upper part of a product with a rounded-up reciprocal, a shift by a power
//! of two with a correction for negative dividends (Granlund and Montgomery 1994; Warren, "Hacker's Delight", chapter 10).
//!
//! With `e = M * d - 2^p`, `x * M / 2^p = x / d + x * e / (d * 2^p)`. For `0 <= x * e < 2^p` the excess is less than `1 / d`, so
//! that both have one floor; for `0 < -x * e < 2^p` the floor of the left is one below the quotient of the right towards
//! zero.

use super::{Binary, Node, TermId, Terms, Unary, mask, signed};

/// A quotient that bits of a product are, and how far they must be shifted to be all of it.
struct ConstantQuotient {
    dividend: TermId,
    divisor: u64,
}

impl Terms {
    /// `floor(x * multiplier / 2^power)` as `x / d`, if it is that for every value that `x` can have, read as unsigned.
    fn unsigned_reciprocal(&self, x: TermId, multiplier: u128, power: u32) -> Option<u64> {
        let greatest = u128::from(self.facts(x).umax);
        reciprocal(multiplier, power, greatest, false)
    }

    /// Rule `quotient`: the `bits` from bit `low` of a product, of its upper half or of a corrected dividend, if they are those
    /// of a quotient.
    pub(super) fn quotient_in_bits(&mut self, t: TermId, low: u8, bits: u8) -> Option<TermId> {
        if let Some(part) = self.high_in_product(t, low, bits) {
            return Some(part);
        }
        let found = match *self.node(t) {
            Node::Affine { constant: 0, .. } => self.quotient_in_corrected_high(t, low),
            Node::Binary(Binary::UMulHigh, a, b) => self.quotient_in_high(a, b, low),
            _ => None,
        };
        if let Some(ConstantQuotient { dividend, divisor }) = found {
            let width = self.width(dividend);
            let divisor = self.constant(width, divisor);
            let quotient = self.div(false, dividend, divisor);
            return Some(self.extract(quotient, 0, bits));
        }
        let quotient = self.signed_power_of_two(t, low)?;
        Some(self.extract(quotient, 0, bits))
    }

    /// The upper half of `M * zext(x)` for an `x` of half the width, from bit `low`.
    fn high_in_product(&mut self, t: TermId, low: u8, bits: u8) -> Option<TermId> {
        let Node::Affine { constant: 0, terms } = self.node(t) else {
            return None;
        };
        let &[(atom, multiplier)] = &**terms else {
            return None;
        };
        let Node::Unary(Unary::Zext, x) = *self.node(atom) else {
            return None;
        };
        let from = self.width(x);
        let half = u32::from(from) * 2 == u32::from(self.width(t)) && multiplier <= mask(from);
        // What is shifted only is a field.
        if !half || low < from || multiplier.is_power_of_two() {
            return None;
        }
        let multiplier = self.constant(from, multiplier);
        let high = self.mul_high(false, x, multiplier);
        Some(self.extract(high, low - from, bits))
    }

    /// `mul.hi.u32(x, M) >> low`
    fn quotient_in_high(&self, a: TermId, b: TermId, low: u8) -> Option<ConstantQuotient> {
        let (x, multiplier) = self.with_constant(a, b)?;
        let power = u32::from(self.width(x)) + u32::from(low);
        let divisor = self.unsigned_reciprocal(x, multiplier.into(), power)?;
        Some(ConstantQuotient {
            dividend: x,
            divisor,
        })
    }

    /// `(((x - h) >> 1) + h) >> low` with `h = mul.hi.u32(x, M)`: the multiplier has one bit more than fits.
    fn quotient_in_corrected_high(&mut self, t: TermId, low: u8) -> Option<ConstantQuotient> {
        let width = self.width(t);
        let Node::Affine { terms, .. } = self.node(t) else {
            return None;
        };
        let &[(a, 1), (b, 1)] = &**terms else {
            return None;
        };
        [(a, b), (b, a)].into_iter().find_map(|(half, high)| {
            let Node::Binary(Binary::UMulHigh, p, q) = *self.node(high) else {
                return None;
            };
            let (x, multiplier) = self.with_constant(p, q)?;
            let rest = self.sub(x, high);
            let one = self.constant(width, 1);
            if self.lshr(rest, one) != half {
                return None;
            }
            let multiplier = u128::from(multiplier) + (1u128 << width);
            let power = u32::from(width) + u32::from(low) + 1;
            let divisor = self.unsigned_reciprocal(x, multiplier, power)?;
            Some(ConstantQuotient {
                dividend: x,
                divisor,
            })
        })
    }

    /// Of two operands, of which one is constant, the other and the constant.
    fn with_constant(&self, a: TermId, b: TermId) -> Option<(TermId, u64)> {
        match (self.as_const(a), self.as_const(b)) {
            (None, Some(bits)) => Some((a, bits)),
            (Some(bits), None) => Some((b, bits)),
            _ => None,
        }
    }

    /// `mul.hi.u32(x, M)` itself, if that is a quotient.
    pub(super) fn high_quotient(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let ConstantQuotient { dividend, divisor } = self.quotient_in_high(a, b, 0)?;
        let divisor = self.constant(self.width(dividend), divisor);
        Some(self.div(false, dividend, divisor))
    }

    /// `(x + (2^low - 1) * sign(x)) >> low` as `x / 2^low`, towards zero.
    fn signed_power_of_two(&mut self, t: TermId, low: u8) -> Option<TermId> {
        let width = self.width(t);
        if low == 0 || low >= width - 1 {
            return None;
        }
        let Node::Affine { terms, .. } = self.node(t) else {
            return None;
        };
        let x = terms.iter().find_map(|&(atom, coefficient)| {
            (coefficient == mask(low)).then_some(())?;
            self.sign_of(atom, width)
        })?;
        let bit = self.extract(x, width - 1, 1);
        let sign = self.zext(bit, width);
        let adjusted = self.sum(width, 0, &[(x, 1), (sign, mask(low))]);
        if adjusted != t {
            return None;
        }
        let divisor = self.constant(width, 1 << low);
        Some(self.div(true, x, divisor))
    }

    /// The term of `width` bits whose extended sign bit an atom is.
    fn sign_of(&self, atom: TermId, width: u8) -> Option<TermId> {
        let Node::Unary(Unary::Zext, bit) = *self.node(atom) else {
            return None;
        };
        match *self.node(bit) {
            Node::Unary(Unary::Extract(low), x)
                if self.width(bit) == 1 && low == width - 1 && self.width(x) == width =>
            {
                Some(x)
            }
            _ => None,
        }
    }

    /// The signed quotient that `shifted`, an arithmetic shift of the upper half of a product, becomes once one is added to it
    /// for negative dividends: `sign` is the sign bit of that half or of the dividend. Where only the `lower_bits` of the
    /// quotient count, the shift may be a logical one.
    pub(super) fn signed_quotient(
        &mut self,
        shifted: TermId,
        sign: TermId,
        lower_bits: u8,
    ) -> Option<TermId> {
        let width = self.width(shifted);
        let sign_of = self.sign_of(sign, width)?;
        let (high, low) = self.shift_of(shifted, lower_bits);
        if self.width(high) != width {
            return None;
        }
        let (x, multiplier) = self.signed_high(high)?;
        if sign_of != high && sign_of != x {
            return None;
        }
        let power = u32::from(width) + u32::from(low);
        let greatest = 1u128 << (width - 1);
        let divisor = reciprocal(multiplier, power, greatest, true)?;
        let divisor = self.constant(width, divisor);
        Some(self.div(true, x, divisor))
    }

    /// What is shifted right to be `shifted`, of which only the `lower_bits` count, and by how much.
    fn shift_of(&self, shifted: TermId, lower_bits: u8) -> (TermId, u8) {
        if let Node::Unary(kind @ (Unary::Sext | Unary::Zext), inner) = *self.node(shifted)
            && let Node::Unary(Unary::Extract(low), of) = *self.node(inner)
            && low + self.width(inner) == self.width(of)
            && (kind == Unary::Sext || lower_bits <= self.width(inner))
        {
            return (of, low);
        }
        (shifted, 0)
    }

    /// `mul.hi.s32(x, M)`, or that plus `x` for a multiplier of one bit more.
    fn signed_high(&mut self, high: TermId) -> Option<(TermId, u128)> {
        if let Node::Binary(Binary::SMulHigh, a, b) = *self.node(high) {
            let (x, bits) = self.with_constant(a, b)?;
            let multiplier = signed(self.width(x), bits);
            return (multiplier > 0).then_some((x, multiplier as u128));
        }
        let (_, atoms) = self.affine(high);
        let (part, x, bits) = atoms.iter().find_map(|&(atom, coefficient)| {
            let Node::Binary(Binary::SMulHigh, a, b) = *self.node(atom) else {
                return None;
            };
            let (x, bits) = self.with_constant(a, b)?;
            (coefficient == 1).then_some((atom, x, bits))
        })?;
        // x * (M - 2^w) / 2^w + x = x * M / 2^w
        let width = self.width(x);
        let rest = self.sub(high, part);
        let negative = signed(width, bits) < 0;
        (rest == x && negative).then_some((x, bits.into()))
    }
}

/// The divisor `d` for which `x * multiplier / 2^power` rounds as `x / d` does, for all `|x| <= greatest`.
fn reciprocal(multiplier: u128, power: u32, greatest: u128, negative: bool) -> Option<u64> {
    if multiplier == 0 || power > 96 {
        return None;
    }
    let scale = 1u128 << power;
    let divisor = scale.div_ceil(multiplier);
    let excess = multiplier.checked_mul(divisor)? - scale;
    let fits = excess.checked_mul(greatest)? < scale && !(negative && excess == 0);
    let divisor = u64::try_from(divisor).ok()?;
    // Powers of two are shifts.
    let useful = divisor > 1 && u128::from(divisor) <= greatest && !divisor.is_power_of_two();
    (fits && useful).then_some(divisor)
}

#[cfg(test)]
mod tests;
