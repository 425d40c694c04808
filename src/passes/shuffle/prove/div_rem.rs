//! Rows: quotients and remainders of numbers a fixed distance apart.
//!
//! They are decided by the rules of division in [`rules`], for the two lanes or from lane to lane: if the number grows by one and the same
//! step from each lane to the next, and each lane's own remainder leaves room for it on the same side, all of them are in one
//! row.

mod division;
pub(in crate::shuffle) mod rules;

use super::address::NoWrap;
use super::case_split::Cases;
use super::wrap::step_per_lane;
pub(super) use division::Division;
use division::Divisor;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{Node, TermId, Unary, signed};
use rules::Parts;
pub(in crate::shuffle) use rules::Rule;
use rustc_hash::FxHashMap;

/// What shows that two numbers are in one row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OneRow {
    /// The remainder of one leaves room for the distance to the other.
    AtOnce,
    /// Each lane's remainder leaves room for the step to the lane below it.
    Down,
    /// Each lane's remainder leaves room for the step to the lane above it.
    Up,
    /// The remainder by a factor of the divisor does, downward.
    DownByFactor(TermId),
}

impl Cases<'_> {
    /// Decides a quotient or remainder together with another one by the same divisor of a number a fixed distance away: what
    /// to put in the place of the terms of that number. Without such another one, it may be the only row.
    pub(in crate::shuffle) fn rows(
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
            // Half of all numbers away is as far up as down, and no remainder counts as that much.
            if distance.unsigned_abs() >> (width - 1) != 0 {
                continue;
            }
            // The reference is the destination's own.
            let own = self.terms.shift_lane(other.dividend, self.lanes) == division.dividend;
            let (reference, moved, distance) = match own {
                true => (other.dividend, division.dividend, -distance),
                false => (division.dividend, other.dividend, distance),
            };
            if let Some(how) = self.one_row(&division, reference, moved, distance) {
                self.rules(&division, how, (reference, moved, distance), all);
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
    ) -> Option<OneRow> {
        if active(Mutation::RowEndIgnored) {
            return Some(OneRow::AtOnce);
        }
        let remainder = division.remainder_of(self.terms, reference);
        let shifted = self.terms.shift_lane(reference, self.lanes);
        // A row may end between two lanes that it holds itself if the number does not go there by equal steps.
        if shifted == moved
            && self.lanes != 0
            && let Some(step) = self.step(reference, distance)
            && let Some(how) = self.leaves_room(division, reference, remainder, distance, step)
        {
            return Some(how);
        }
        self.in_row(division, reference, remainder, distance)
            .then_some(OneRow::AtOnce)
    }

    /// How far each lane's number is from the next one's, if that is the same for all and the number moves by `distance` up to
    /// the source's lane.
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
    ) -> Option<OneRow> {
        let facts = self.own.clone();
        let down = self.at_least(division, remainder, step);
        if self.follows_from(down, &facts, None) {
            if !self.not_zero(division) {
                return None;
            }
            self.decided
                .how
                .push("the guard keeps both lanes in one row");
            return Some(OneRow::Down);
        }
        let Divisor::Term(divisor) = division.divisor else {
            return None;
        };
        if let Some(factor) = self.multiple_leaves_room(division, reference, divisor, step) {
            return Some(OneRow::DownByFactor(factor));
        }
        let next = self.terms.offset(remainder, step);
        let up = self.terms.less(division.signed, next, divisor);
        let not_negative = self.at_least(division, reference, 0);
        if !self.follows_from(not_negative, &facts, None) {
            return None;
        }
        let uniform = self.terms.is_uniform(divisor) && self.terms.as_const(divisor).is_none();
        for assumed in [None, uniform.then_some(divisor)] {
            if self.follows_from(up, &facts, assumed) {
                if !self.not_zero(division) {
                    return None;
                }
                if let Some(divisor) = assumed {
                    self.not_negative(divisor);
                }
                self.no_wrap(division, reference, distance);
                self.decided
                    .how
                    .push("the guard keeps both lanes in one row");
                return Some(OneRow::Up);
            }
        }
        None
    }

    /// As [`Cases::leaves_room`], for a divisor that is the product of two, by the remainder of one of them: it is at most that
    /// of the product, if the product does not wrap. Which of them
    /// it is.
    fn multiple_leaves_room(
        &mut self,
        division: &Division,
        reference: TermId,
        divisor: TermId,
        step: u64,
    ) -> Option<TermId> {
        let Node::Product(factors) = self.terms.node(divisor) else {
            return None;
        };
        let factors = factors.to_vec();
        let width = self.terms.width(divisor);
        if factors.len() != 2 || !self.terms.is_uniform(divisor) {
            return None;
        }
        let facts = self.own.clone();
        let found = factors.iter().copied().find(|&factor| {
            let remainder = self.terms.rem(division.signed, reference, factor);
            let down = self.at_least(division, remainder, step);
            self.follows_from(down, &facts, None)
        });
        if found.is_some() {
            // Both from 1 to the root of the greatest number: neither of them is 0, nor is their product.
            let root = rules::root(width);
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
        rules::at_least(self.terms, division.signed, term, least)
    }

    fn no_wrap(&mut self, division: &Division, index: TermId, delta: i64) {
        self.decided.obligations.push(NoWrap {
            index,
            delta,
            signed: division.signed,
        });
    }

    /// The rules that state how quotients and remainders of both numbers go together, for a certificate.
    fn rules(
        &mut self,
        division: &Division,
        how: OneRow,
        (reference, moved, distance): (TermId, TermId, i64),
        all: &[TermId],
    ) {
        // Fields of a number are decided by their bits.
        let Divisor::Term(divisor) = division.divisor else {
            return;
        };
        let mut parts = Parts::default();
        for other in all.iter().filter_map(|&t| Division::of(self.terms, t)) {
            let same = (other.divisor, other.signed) == (division.divisor, division.signed);
            if same && other.dividend == moved {
                parts.quotient |= !other.remainder;
                parts.remainder |= other.remainder;
            }
        }
        let row = rules::Row {
            signed: division.signed,
            divisor,
            parts,
        };
        if how == OneRow::AtOnce {
            // A check of the distance to the divisor counts round where there are no signs.
            let below = (!row.signed).then(|| row.bounded(self.terms, reference));
            let same = row.same(self.terms, reference, moved, distance);
            self.decided.rules.extend(below);
            self.decided.rules.push(same);
            return;
        }
        let lanes = i64::from(self.lanes);
        let step = distance / lanes.abs();
        for lane in 0..lanes.abs() {
            let [near, far] = [lane, lane + 1].map(|lane| {
                let lane = (lane * lanes.signum()) as i8;
                self.terms.shift_lane(reference, lane)
            });
            // From the number that leaves room to the one beside it.
            let up = how == OneRow::Up;
            let (from, to, step) = match (step > 0) == up {
                true => (near, far, step),
                false => (far, near, -step),
            };
            if let OneRow::DownByFactor(factor) = how {
                let rule = row.at_least_of_factor(self.terms, from, factor);
                self.decided.rules.extend(rule);
            }
            let rule = row.same(self.terms, from, to, step);
            self.decided.rules.push(rule);
        }
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
                let rule =
                    rules::first_row(self.terms, division.signed, (dividend, divisor), (t, by));
                self.decided.rules.push(rule);
                map.insert(t, by);
            }
        }
        Some(map)
    }
}
