//! Known bits and ranges of a term, computed once from those of its operands.

use super::{Binary, Node, TermId, Terms, Unary, mask, signed};

/// What holds for every value of a term. Each field alone is a sound claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Bits that are always zero (none above the width).
    pub zeros: u64,
    /// Bits that are always one.
    pub ones: u64,
    /// Least unsigned value.
    pub umin: u64,
    /// Greatest unsigned value.
    pub umax: u64,
    /// Least signed value.
    pub smin: i64,
    /// Greatest signed value.
    pub smax: i64,
}

impl Facts {
    /// Nothing is known.
    pub fn unknown(width: u8) -> Self {
        Facts {
            zeros: 0,
            ones: 0,
            umin: 0,
            umax: mask(width),
            smin: signed(width, 1 << (width - 1)),
            smax: (mask(width) >> 1) as i64,
        }
    }

    /// Exactly `bits`.
    pub fn constant(width: u8, bits: u64) -> Self {
        Facts {
            zeros: !bits & mask(width),
            ones: bits,
            umin: bits,
            umax: bits,
            smin: signed(width, bits),
            smax: signed(width, bits),
        }
    }

    /// Unsigned values from `umin` to `umax`.
    pub fn unsigned(width: u8, umin: u64, umax: u64) -> Self {
        Facts {
            umin,
            umax,
            ..Facts::unknown(width)
        }
        .closed(width)
    }

    /// Bits known to be zero or one.
    pub fn bits(width: u8, zeros: u64, ones: u64) -> Self {
        Facts {
            zeros: zeros & mask(width),
            ones: ones & mask(width),
            ..Facts::unknown(width)
        }
        .closed(width)
    }

    /// Signed values from `smin` to `smax`.
    fn signed(width: u8, smin: i64, smax: i64) -> Self {
        Facts {
            smin,
            smax,
            ..Facts::unknown(width)
        }
        .closed(width)
    }

    /// An integer between `low` and `high` before it is cut to `width` bits.
    fn integer(width: u8, low: i128, high: i128) -> Self {
        let mut facts = Facts::unknown(width);
        facts.narrow(width, low, high);
        facts.closed(width)
    }

    /// Adds the claim that the value is an integer between `low` and `high`, cut to `width` bits.
    fn narrow(&mut self, width: u8, low: i128, high: i128) {
        let (umax, smax) = (i128::from(mask(width)), i128::from(mask(width) >> 1));
        if low >= 0 && high <= umax {
            self.umin = self.umin.max(low as u64);
            self.umax = self.umax.min(high as u64);
        }
        if low >= -smax - 1 && high <= smax {
            self.smin = self.smin.max(low as i64);
            self.smax = self.smax.min(high as i64);
        }
    }

    /// Bits that can be one.
    pub fn possible(&self, width: u8) -> u64 {
        !self.zeros & mask(width)
    }

    /// Whether the sign bit is known to be zero.
    pub fn non_negative(&self) -> bool {
        self.smin >= 0
    }

    /// Whether the sign bit is known to be one.
    pub fn negative(&self) -> bool {
        self.smax < 0
    }

    /// Each field sharpened by the others.
    fn closed(mut self, width: u8) -> Self {
        let all = mask(width);
        for _ in 0..2 {
            self.umin = self.umin.max(self.ones);
            self.umax = self.umax.min(all & !self.zeros);
            // One sign only: the two readings have the same order.
            if self.smin >= 0 || self.smax < 0 {
                self.umin = self.umin.max(self.smin as u64 & all);
                self.umax = self.umax.min(self.smax as u64 & all);
            }
            if signed(width, self.umin) <= signed(width, self.umax)
                && (self.umin >> (width - 1)) == (self.umax >> (width - 1))
            {
                self.smin = self.smin.max(signed(width, self.umin));
                self.smax = self.smax.min(signed(width, self.umax));
            }
            // Above the highest bit in which the bounds differ, all values agree.
            let differ = self.umin ^ self.umax;
            let common = all
                & !differ
                    .checked_ilog2()
                    .map_or(0, |top| u64::MAX >> (63 - top));
            self.ones |= self.umin & common;
            self.zeros |= !self.umin & common;
        }
        self
    }

    /// What both claims say together.
    fn and(self, width: u8, other: Facts) -> Self {
        Facts {
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .closed(width)
    }

    /// What holds for either.
    fn either(self, other: Facts) -> Self {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// The facts of a node whose operands are in the arena. A claim that contradicts itself (only possible where operands
    /// do) is given up.
    pub(super) fn of(terms: &Terms, width: u8, node: &Node) -> Facts {
        let facts = match node {
            Node::Const(bits) => Facts::constant(width, *bits),
            Node::Symbol(id) => {
                let (least, greatest) = terms.symbol_data(*id).unsigned_range;
                Facts::unsigned(width, least, greatest)
            }
            Node::Affine {
                constant,
                terms: sum,
            } => affine(terms, width, *constant, sum),
            Node::Product(factors) => product(terms, width, factors),
            Node::Unary(op, a) => unary(*op, width, terms.width(*a), *terms.facts(*a)),
            Node::Binary(op, a, b) => binary(*op, width, *terms.facts(*a), *terms.facts(*b)),
            Node::Ite(_, a, b) => terms.facts(*a).either(*terms.facts(*b)),
            Node::Uninterpreted { .. } => Facts::unknown(width),
        };
        if facts.umin > facts.umax || facts.smin > facts.smax || facts.zeros & facts.ones != 0 {
            return Facts::unknown(width);
        }
        facts
    }
}

/// The least and greatest of the integer sum, each atom read unsigned or signed, coefficients signed; nothing if they are
/// beyond 128 bits.
pub(super) fn integer_sum(
    terms: &Terms,
    width: u8,
    read_signed: bool,
    constant: i128,
    sum: &[(TermId, u64)],
) -> Option<(i128, i128)> {
    let (mut low, mut high) = (constant, constant);
    for &(atom, coefficient) in sum {
        let facts = terms.facts(atom);
        let (least, greatest) = if read_signed {
            (i128::from(facts.smin), i128::from(facts.smax))
        } else {
            (i128::from(facts.umin), i128::from(facts.umax))
        };
        // 64-bit times 64-bit fits into 128 bits, their sum need not.
        let factor = i128::from(signed(width, coefficient));
        let (a, b) = (factor * least, factor * greatest);
        low = low.checked_add(a.min(b))?;
        high = high.checked_add(a.max(b))?;
    }
    Some((low, high))
}

fn affine(terms: &Terms, width: u8, constant: u64, sum: &[(TermId, u64)]) -> Facts {
    let (mut zeros, mut ones) = (!constant & mask(width), constant);
    for &(atom, coefficient) in sum {
        let facts = terms.facts(atom);
        let shift = coefficient.trailing_zeros();
        let low = (1u64 << shift) - 1;
        let (atom_zeros, atom_ones) = if coefficient.is_power_of_two() {
            (facts.zeros << shift | low, facts.ones << shift)
        } else {
            let known = facts.zeros.trailing_ones();
            (mask((shift + known).min(64) as u8), 0)
        };
        (zeros, ones) = add_bits(width, (zeros, ones), (atom_zeros, atom_ones));
    }
    let mut facts = Facts {
        zeros: zeros & mask(width),
        ones: ones & mask(width),
        ..Facts::unknown(width)
    };
    for read_signed in [false, true] {
        for start in [i128::from(constant), i128::from(signed(width, constant))] {
            if let Some((low, high)) = integer_sum(terms, width, read_signed, start, sum) {
                facts.narrow(width, low, high);
            }
        }
    }
    facts.closed(width)
}

/// Known bits of a sum: a bit is known where both operands and the carry into it are.
fn add_bits(width: u8, a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    let least = a.1.wrapping_add(b.1);
    let greatest = (!a.0).wrapping_add(!b.0);
    let carry_zero = !(greatest ^ !a.0 ^ !b.0);
    let carry_one = least ^ a.1 ^ b.1;
    let known = (a.0 | a.1) & (b.0 | b.1) & (carry_zero | carry_one) & mask(width);
    (!least & known, least & known)
}

fn product(terms: &Terms, width: u8, factors: &[TermId]) -> Facts {
    let mut low_zeros = 0;
    let mut readings = [Some((1i128, 1i128)), Some((1i128, 1i128))];
    for &factor in factors {
        let facts = terms.facts(factor);
        low_zeros += facts.zeros.trailing_ones();
        let ranges = [
            (i128::from(facts.umin), i128::from(facts.umax)),
            (i128::from(facts.smin), i128::from(facts.smax)),
        ];
        for (reading, (least, greatest)) in readings.iter_mut().zip(ranges) {
            *reading = reading.and_then(|(low, high)| {
                let corners = [
                    low.checked_mul(least)?,
                    low.checked_mul(greatest)?,
                    high.checked_mul(least)?,
                    high.checked_mul(greatest)?,
                ];
                Some((
                    corners.into_iter().min().unwrap_or(low),
                    corners.into_iter().max().unwrap_or(high),
                ))
            });
        }
    }
    let mut facts = Facts::bits(width, mask(low_zeros.min(64) as u8), 0);
    for (low, high) in readings.into_iter().flatten() {
        facts = facts.and(width, Facts::integer(width, low, high));
    }
    facts
}

fn unary(op: Unary, width: u8, from: u8, a: Facts) -> Facts {
    match op {
        Unary::Not => Facts::bits(width, a.ones, a.zeros),
        Unary::Zext => {
            let high = mask(width) & !mask(from);
            Facts::bits(width, a.zeros | high, a.ones)
                .and(width, Facts::unsigned(width, a.umin, a.umax))
        }
        Unary::Sext => {
            let extend = |bits: u64| signed(from, bits) as u64;
            Facts::bits(width, extend(a.zeros), extend(a.ones))
                .and(width, Facts::signed(width, a.smin, a.smax))
        }
        Unary::Extract(low) => {
            let facts = Facts::bits(width, a.zeros >> low, a.ones >> low);
            let (umin, umax) = (a.umin >> low, a.umax >> low);
            let facts = if umax <= mask(width) {
                facts.and(width, Facts::unsigned(width, umin, umax))
            } else {
                facts
            };
            let (smin, smax) = (a.smin >> low, a.smax >> low);
            let limit = Facts::unknown(width);
            if smin >= limit.smin && smax <= limit.smax {
                facts.and(width, Facts::signed(width, smin, smax))
            } else {
                facts
            }
        }
        Unary::Popc => Facts::unsigned(
            width,
            u64::from(a.ones.count_ones()),
            u64::from(a.possible(from).count_ones()).min(mask(width)),
        ),
        Unary::Clz => {
            let zeros_above = |bits: u64| u64::from(bits.leading_zeros()) + u64::from(from) - 64;
            Facts::integer(
                width,
                i128::from(zeros_above(a.umax)),
                i128::from(zeros_above(a.umin)),
            )
        }
        Unary::Brev => {
            let reverse = |bits: u64| bits.reverse_bits() >> (64 - from);
            Facts::bits(width, reverse(a.zeros), reverse(a.ones))
        }
    }
}

fn binary(op: Binary, width: u8, a: Facts, b: Facts) -> Facts {
    match op {
        Binary::And => Facts::bits(width, a.zeros | b.zeros, a.ones & b.ones)
            .and(width, Facts::unsigned(width, 0, a.umax.min(b.umax))),
        Binary::Or => Facts::bits(width, a.zeros & b.zeros, a.ones | b.ones).and(
            width,
            Facts::unsigned(width, a.umin.max(b.umin), mask(width)),
        ),
        Binary::Xor => Facts::bits(
            width,
            a.zeros & b.zeros | a.ones & b.ones,
            a.zeros & b.ones | a.ones & b.zeros,
        ),
        Binary::Shl => {
            let low = u64::from(a.zeros.trailing_ones()) + b.umin.min(64);
            Facts::bits(width, mask(low.min(64) as u8), 0)
        }
        Binary::Lshr => {
            let most = if b.umin >= u64::from(width) {
                0
            } else {
                a.umax >> b.umin
            };
            Facts::unsigned(width, 0, most)
        }
        Binary::Ashr => Facts::signed(width, a.smin.min(0), a.smax.max(-1)).and(
            width,
            if a.non_negative() {
                Facts::unsigned(width, 0, a.umax)
            } else {
                Facts::unknown(width)
            },
        ),
        Binary::UDiv if b.umin > 0 => {
            Facts::unsigned(width, a.umin / b.umax.max(1), a.umax / b.umin)
        }
        // By 0 a remainder is anything: PTX leaves it open, and machines do not agree with solvers.
        Binary::URem | Binary::SRem if b.umin == 0 => Facts::unknown(width),
        Binary::URem => Facts::unsigned(width, 0, a.umax.min(b.umax - 1)),
        // The sign is the dividend's, the magnitude not above the dividend's and below the divisor's.
        Binary::SRem => {
            let (low, high) = (a.smin.min(0), a.smax.max(0));
            match (b.smin > 0).then(|| b.smax - 1) {
                Some(most) => Facts::signed(width, low.max(-most), high.min(most)),
                None => Facts::signed(width, low, high),
            }
        }
        // Towards zero, by a positive number.
        Binary::SDiv if b.smin > 0 => {
            Facts::signed(width, a.smin.min(0) / b.smin, a.smax.max(0) / b.smin)
        }
        Binary::UMulHigh => {
            let high = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> width) as u64;
            Facts::unsigned(width, high(a.umin, b.umin), high(a.umax, b.umax))
        }
        Binary::UDiv | Binary::SDiv | Binary::SMulHigh => Facts::unknown(width),
        Binary::Equal | Binary::ULess | Binary::SLess => compare(op, a, b),
    }
}

/// A comparison that known bits or ranges decide.
fn compare(op: Binary, a: Facts, b: Facts) -> Facts {
    let decided = match op {
        Binary::Equal => {
            let apart = a.umax < b.umin
                || b.umax < a.umin
                || a.smax < b.smin
                || b.smax < a.smin
                || a.ones & b.zeros != 0
                || b.ones & a.zeros != 0;
            apart.then_some(false)
        }
        Binary::ULess => decide(a.umin, a.umax, b.umin, b.umax),
        _ => decide(a.smin, a.smax, b.smin, b.smax),
    };
    match decided {
        Some(value) => Facts::constant(1, u64::from(value)),
        None => Facts::unknown(1),
    }
}

fn decide<T: Ord>(a_least: T, a_most: T, b_least: T, b_most: T) -> Option<bool> {
    if a_most < b_least {
        Some(true)
    } else if a_least >= b_most {
        Some(false)
    } else {
        None
    }
}
