//! Rows: quotients and remainders of numbers a fixed distance apart.
//!
//! The division lemma: for `x + k` that does not wrap, with `x >= 0` where signs count, and `0 <= x % d + k < d`, both
//! quotients are equal and `(x + k) % d = x % d + k`. If `k < 0`, the bound `x % d >= -k` is all that is needed: it excludes
//! the wrap and a negative `x`, too. By lanes: if the number grows by one and the same step from each lane to the next, and each
//! lane's own remainder leaves room for it on the same side, all of them are in one row.

use super::address::NoWrap;
use super::cases::Cases;
use super::wrap::step_per_lane;
use crate::emulator::term::{Binary, Node, TermId, Terms, Unary, signed};
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;

/// What is divided by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Division {
    dividend: TermId,
    divisor: Divisor,
    signed: bool,
    remainder: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Divisor {
    Term(TermId),
    /// The quotient is what lies above so many bits.
    Bits(u8),
}

impl Division {
    /// A quotient or remainder of a number that differs between lanes.
    pub fn of(terms: &Terms, t: TermId) -> Option<Division> {
        let division = match *terms.node(t) {
            Node::Binary(op, dividend, divisor) => {
                let (signed, remainder) = match op {
                    Binary::UDiv => (false, false),
                    Binary::URem => (false, true),
                    Binary::SDiv => (true, false),
                    Binary::SRem => (true, true),
                    _ => return None,
                };
                Division {
                    dividend,
                    divisor: Divisor::Term(divisor),
                    signed,
                    remainder,
                }
            }
            Node::Unary(Unary::Extract(low), dividend)
                if low > 0 && low + terms.width(t) == terms.width(dividend) =>
            {
                Division {
                    dividend,
                    divisor: Divisor::Bits(low),
                    signed: false,
                    remainder: false,
                }
            }
            _ => return None,
        };
        (!terms.is_row_uniform(division.dividend)).then_some(division)
    }

    /// The remainder of another dividend.
    fn remainder_of(&self, terms: &mut Terms, dividend: TermId) -> TermId {
        match self.divisor {
            Divisor::Term(divisor) => terms.rem(self.signed, dividend, divisor),
            Divisor::Bits(bits) => {
                let low = terms.extract(dividend, 0, bits);
                terms.zext(low, terms.width(dividend))
            }
        }
    }

    /// The divisor as a number, if it is constant.
    fn constant(&self, terms: &Terms) -> Option<u64> {
        match self.divisor {
            Divisor::Term(divisor) => terms.as_const(divisor),
            Divisor::Bits(bits) => Some(1 << bits),
        }
    }
}

impl Cases<'_> {
    /// Decides a quotient or remainder together with another one by the same divisor of a number a fixed distance away: what
    /// to put in the place of the terms of that number. Without such another one, it may be the only row.
    pub(super) fn rows(
        &mut self,
        case: TermId,
        all: &[TermId],
    ) -> Option<FxHashMap<TermId, TermId>> {
        let division = Division::of(self.terms, case)?;
        let others: Vec<Division> = all
            .iter()
            .filter_map(|&other| Division::of(self.terms, other))
            .filter(|other| {
                (other.divisor, other.signed) == (division.divisor, division.signed)
                    && other.dividend != division.dividend
            })
            .collect();
        for other in &others {
            let Some(distance) = self.terms.difference(division.dividend, other.dividend) else {
                continue;
            };
            let width = self.terms.width(division.dividend);
            let distance = signed(width, distance);
            // The reference is the destination's own.
            let own = self.terms.shift_lane(other.dividend, self.lanes) == division.dividend;
            let (reference, moved, distance) = match own {
                true => (other.dividend, division.dividend, -distance),
                false => (division.dividend, other.dividend, distance),
            };
            if self.one_row(&division, reference, moved, distance) {
                return Some(self.same_row(&division, reference, moved, distance, all));
            }
        }
        match division.divisor {
            Divisor::Term(divisor) if others.is_empty() => self.first_row(&division, divisor, all),
            _ => None,
        }
    }

    /// Shows that `moved = reference + distance` is in the row of `reference`.
    fn one_row(
        &mut self,
        division: &Division,
        reference: TermId,
        moved: TermId,
        distance: i64,
    ) -> bool {
        if active(Mutation::RowEndIgnored) {
            return true;
        }
        let remainder = division.remainder_of(self.terms, reference);
        let shifted = self.terms.shift_lane(reference, self.lanes);
        // A row may end between two lanes that it holds itself if the number does not go there by equal steps.
        if shifted == moved
            && self.lanes != 0
            && let Some(step) = self.step(reference, distance)
            && self.leaves_room(division, reference, remainder, distance, step)
        {
            return true;
        }
        self.in_row(division, reference, remainder, distance)
    }

    /// How far each lane's number is from the next one's, if that is the same for all and the way to the source's lane is
    /// `distance`.
    fn step(&mut self, reference: TermId, distance: i64) -> Option<u64> {
        if active(Mutation::RowStepIgnored) {
            let lanes = i64::from(self.lanes);
            return (distance % lanes == 0).then(|| (distance / lanes).unsigned_abs());
        }
        let step = step_per_lane(self.terms, reference, distance, self.lanes.into())?;
        u64::try_from(step.unsigned_abs()).ok()
    }

    /// Every lane's own facts leave room for one step, on one side.
    fn leaves_room(
        &mut self,
        division: &Division,
        reference: TermId,
        remainder: TermId,
        distance: i64,
        step: u64,
    ) -> bool {
        let facts = self.own.clone();
        let down = self.at_least(division, remainder, step);
        if self.follows_from(down, &facts, None) {
            if !self.not_zero(division) {
                return false;
            }
            self.decided
                .how
                .push("the guard keeps both lanes in one row");
            return true;
        }
        let Divisor::Term(divisor) = division.divisor else {
            return false;
        };
        if self.multiple_leaves_room(division, reference, divisor, step) {
            return true;
        }
        let next = self.terms.offset(remainder, step);
        let up = self.terms.less(division.signed, next, divisor);
        let not_negative = self.at_least(division, reference, 0);
        if !self.follows_from(not_negative, &facts, None) {
            return false;
        }
        let uniform = self.terms.is_uniform(divisor) && self.terms.as_const(divisor).is_none();
        for assumed in [None, uniform.then_some(divisor)] {
            if self.follows_from(up, &facts, assumed) {
                if !self.not_zero(division) {
                    return false;
                }
                if let Some(divisor) = assumed {
                    self.not_negative(divisor);
                }
                self.no_wrap(division, reference, distance);
                self.decided
                    .how
                    .push("the guard keeps both lanes in one row");
                return true;
            }
        }
        false
    }

    /// As [`Cases::leaves_room`], for a divisor that is the product of two, by the remainder of one of them: it is at most that
    /// of the product, if the product does not wrap.
    fn multiple_leaves_room(
        &mut self,
        division: &Division,
        reference: TermId,
        divisor: TermId,
        step: u64,
    ) -> bool {
        let Node::Product(factors) = self.terms.node(divisor) else {
            return false;
        };
        let factors = factors.to_vec();
        let width = self.terms.width(divisor);
        if factors.len() != 2 || !self.terms.is_uniform(divisor) {
            return false;
        }
        let facts = self.own.clone();
        let found = factors.iter().any(|&factor| {
            let remainder = self.terms.rem(division.signed, reference, factor);
            let down = self.at_least(division, remainder, step);
            self.follows_from(down, &facts, None)
        });
        if found {
            // Both from 1 to the root of the greatest number: neither of them is 0, nor is their product.
            let root = (u64::MAX >> (65 - width)).isqrt();
            let (least, limit) = (
                self.terms.constant(width, 1),
                self.terms.constant(width, root),
            );
            for factor in factors {
                let above = self.terms.less(false, limit, factor);
                let small = self.terms.not(above);
                let below = self.terms.less(false, factor, least);
                let not_zero = self.terms.not(below);
                let zero = self.terms.constant(width, 0);
                let check = self.wanted(factor, zero, 1u64.wrapping_neg(), root - 1);
                self.checked(check, small);
                self.checked(check, not_zero);
            }
            self.decided
                .how
                .push("the guard keeps both lanes in one row");
        }
        found
    }

    /// The destination's lane checks how far the row's end is.
    fn in_row(
        &mut self,
        division: &Division,
        reference: TermId,
        remainder: TermId,
        distance: i64,
    ) -> bool {
        if distance < 0 {
            let goal = self.at_least(division, remainder, distance.unsigned_abs());
            return self.need(goal) && self.not_zero(division);
        }
        // A remainder above 0 has a dividend above 0.
        let not_negative = self.at_least(division, reference, 0);
        let least = match division.signed && !self.follows(not_negative) {
            true => 1,
            false => 0,
        };
        let above = self.at_least(division, remainder, least);
        let next = self.terms.offset(remainder, distance as u64);
        let met = match division.constant(self.terms) {
            Some(divisor) => {
                let greatest = divisor.wrapping_sub(1 + distance as u64);
                let width = self.terms.width(remainder);
                let negative = division.signed && divisor >> (width - 1) & 1 == 1;
                if negative || divisor <= distance as u64 + least {
                    return false;
                }
                let limit = self.terms.constant(width, greatest);
                let beyond = self.terms.less(false, limit, remainder);
                let inside = self.terms.not(beyond);
                let inside = self.terms.and(inside, above);
                self.follows(inside) || {
                    let zero = self.terms.constant(width, 0);
                    let check =
                        self.wanted(remainder, zero, least.wrapping_neg(), greatest - least);
                    self.checked(check, inside);
                    true
                }
            }
            None => {
                let Divisor::Term(divisor) = division.divisor else {
                    return false;
                };
                let below = self.terms.less(division.signed, next, divisor);
                self.terms.is_uniform(divisor)
                    && self.need(above)
                    && (self.follows(below)
                        || self.below_divisor(division, remainder, divisor, distance, below))
            }
        };
        if met && matches!(division.divisor, Divisor::Term(_)) {
            self.no_wrap(division, reference, distance);
        }
        met
    }

    /// A check of `remainder + distance < divisor`, of a remainder that is not negative.
    fn below_divisor(
        &mut self,
        division: &Division,
        remainder: TermId,
        divisor: TermId,
        distance: i64,
        goal: TermId,
    ) -> bool {
        let width = self.terms.width(remainder);
        let mask = u64::MAX >> (64 - width);
        let greatest = match division.signed {
            true => mask >> 1,
            false => mask,
        };
        let gap = distance as u64 + 1;
        if gap >= greatest {
            return false;
        }
        if division.signed {
            self.not_negative(divisor);
        } else if !self.not_zero(division) {
            return false;
        }
        let check = self.wanted(divisor, remainder, gap.wrapping_neg(), greatest - gap);
        self.checked(check, goal);
        true
    }

    /// Division by 0 has no rows: PTX leaves the remainder open (PTX ISA, "Integer Arithmetic Instructions: rem"), and what
    /// machines give is not what solvers take it for. Needs it to be known, or a check of a uniform divisor.
    fn not_zero(&mut self, division: &Division) -> bool {
        let Divisor::Term(divisor) = division.divisor else {
            return true;
        };
        let width = self.terms.width(divisor);
        let (zero, one) = (self.terms.constant(width, 0), self.terms.constant(width, 1));
        let below = self.terms.less(false, divisor, one);
        let goal = self.terms.not(below);
        if self.terms.as_const(goal) == Some(1) || self.follows(goal) {
            return true;
        }
        if active(Mutation::ZeroDivisorIgnored) {
            self.decided.checked.push(goal);
            return true;
        }
        let uniform = self.terms.is_uniform(divisor);
        if uniform {
            let mask = u64::MAX >> (64 - width);
            let check = self.wanted(divisor, zero, 1u64.wrapping_neg(), mask - 1);
            self.checked(check, goal);
        }
        uniform
    }

    /// `term >= least` as the division reads numbers.
    fn at_least(&mut self, division: &Division, term: TermId, least: u64) -> TermId {
        let least = self.terms.constant(self.terms.width(term), least);
        let below = self.terms.less(division.signed, term, least);
        self.terms.not(below)
    }

    fn no_wrap(&mut self, division: &Division, index: TermId, delta: i64) {
        self.decided.obligations.push(NoWrap {
            index,
            delta,
            signed: division.signed,
        });
    }

    /// Quotients and remainders of `moved` by those of `reference`, `distance` below it in the same row.
    fn same_row(
        &mut self,
        division: &Division,
        reference: TermId,
        moved: TermId,
        distance: i64,
        all: &[TermId],
    ) -> FxHashMap<TermId, TermId> {
        let mut map = FxHashMap::default();
        for &t in all {
            let Some(other) = Division::of(self.terms, t) else {
                continue;
            };
            let same = (other.divisor, other.signed) == (division.divisor, division.signed);
            if !same || other.dividend != moved {
                continue;
            }
            let by = match (other.divisor, other.remainder) {
                (_, true) => {
                    let remainder = other.remainder_of(self.terms, reference);
                    self.terms.offset(remainder, distance as u64)
                }
                (Divisor::Term(divisor), false) => self.terms.div(other.signed, reference, divisor),
                (Divisor::Bits(bits), false) => {
                    let width = self.terms.width(t);
                    self.terms.extract(reference, bits, width)
                }
            };
            if matches!(other.divisor, Divisor::Term(_)) {
                let lemma = self.terms.equal(t, by);
                self.decided.lemmas.push(lemma);
            }
            map.insert(t, by);
        }
        if let Divisor::Bits(bits) = division.divisor {
            self.decided.exact = true;
            // What lies below, as extended.
            let low = self.terms.extract(moved, 0, bits);
            for width in [32, 64] {
                let t = self.terms.zext(low, width);
                if *self.terms.node(t) == Node::Unary(Unary::Zext, low) {
                    let own = self.terms.extract(reference, 0, bits);
                    let own = self.terms.zext(own, width);
                    map.insert(t, self.terms.offset(own, distance as u64));
                }
            }
        }
        map
    }

    /// A dividend that is less than its divisor is its own remainder.
    fn first_row(
        &mut self,
        division: &Division,
        divisor: TermId,
        all: &[TermId],
    ) -> Option<FxHashMap<TermId, TermId>> {
        let dividend = division.dividend;
        if !active(Mutation::RowEndIgnored) {
            let not_negative = self.at_least(division, dividend, 0);
            let below = self.terms.less(division.signed, dividend, divisor);
            if !(self.need(not_negative) && self.need(below)) {
                return None;
            }
        }
        let width = self.terms.width(dividend);
        let zero = self.terms.constant(width, 0);
        let mut map = FxHashMap::default();
        for &t in all {
            if let Some(other) = Division::of(self.terms, t)
                && (other.divisor, other.signed, other.dividend)
                    == (division.divisor, division.signed, dividend)
            {
                let by = if other.remainder { dividend } else { zero };
                let lemma = self.terms.equal(t, by);
                self.decided.lemmas.push(lemma);
                map.insert(t, by);
            }
        }
        Some(map)
    }
}
