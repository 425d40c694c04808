//! How far a loop's induction variables get, from the loop's own exit test (H1 to H4 of the contract).
//!
//! Nothing is known of wraps. What a rule needs (the sign of a step, room above a bound) is a condition that the entry tests; where it
//! does not hold, the test fails and the original is executed. Each rule is one about integers that do not wrap: numbers of up to 32 bits are
//! extended to 64,
//! those of 64 are tested to be far from the ends.

use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{TermId, Terms, mask, signed};
use smallvec::SmallVec;

/// Numbers of 64 bits are tested to be less than 2 to this, with either sign, before they are added.
const FAR: u8 = 61;
/// What a number of 64 bits gets from its first value, and its step, are tested to be less than 2 to this: those of 32 bits are so by themselves.
const NEAR: u8 = 32;
/// What threads of a block may add to a number that is otherwise theirs in common.
const MAX_OWN: i128 = 1 << 20;

/// Whether the entry can compute a term.
pub type Ready<'c> = &'c dyn Fn(&Terms, TermId) -> bool;

/// Conditions of one bit each.
pub type Conditions = SmallVec<[TermId; 4]>;

/// How far a number of a loop gets from its first value.
#[derive(Clone, Debug)]
pub struct Advance {
    /// What is added in each iteration, of as many bits as the number.
    pub step: TermId,
    /// Its step is negative: the range lies below its first value.
    pub down: bool,
    /// `|step|` times the number of the iteration is no more than this: 64 bits, not negative.
    pub most: TermId,
    /// Where all of these hold.
    pub conditions: Conditions,
}

/// An integer: a term, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Integer {
    /// Its bits, as wide as the register of the loop.
    pub term: TermId,
    /// They are two's complement.
    pub signed: bool,
}

/// What a loop compares with a bound to go on: `first + step * iteration`, modulo 2 to its width.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// The number in the first iteration.
    pub first: Integer,
    /// What is added in each.
    pub step: TermId,
    /// What it is compared with.
    pub bound: Integer,
    /// How, for the loop to go on.
    pub relation: Relation,
    /// It holds in all iterations that are executed, or else in all but the last.
    pub always: bool,
}

/// The relation of a number to its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Less, or no more.
    Below {
        /// The bound itself goes on, too.
        or_equal: bool,
    },
    /// Greater, or no less.
    Above {
        /// The bound itself goes on, too.
        or_equal: bool,
    },
    /// The loop goes on while both sides differ (`!=`).
    Unequal,
}

/// Numbers between which an integer lies, 64 bits, the same for all threads that test them.
struct Ends {
    low: TermId,
    high: TermId,
}

impl Integer {
    /// Of 64 bits.
    fn wide(self, terms: &mut Terms) -> TermId {
        match self.signed {
            true => terms.sext(self.term, 64),
            false => terms.zext(self.term, 64),
        }
    }

    /// The least and the greatest of so many bits.
    fn limits(self, terms: &Terms) -> (i128, i128) {
        let width = terms.width(self.term);
        match (width, self.signed) {
            (64, true) => (-(1 << FAR), 1 << FAR),
            (64, false) => (0, 1 << FAR),
            (_, true) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            (_, false) => (0, i128::from(mask(width))),
        }
    }

    /// Numbers between which it lies, the same for all threads: what is not the same in all must have a small range.
    fn ends(self, terms: &mut Terms, ready: Ready, under: &mut Conditions) -> Option<Ends> {
        let width = terms.width(self.term);
        let (low, high) = self.limits(terms);
        if ready(terms, self.term) {
            let wide = self.wide(terms);
            if width == 64 {
                within(terms, wide, (low, high), under);
            }
            return Some(Ends {
                low: wide,
                high: wide,
            });
        }
        let (constant, atoms) = terms.affine(self.term);
        let (common, own): (Vec<_>, Vec<_>) =
            atoms.into_iter().partition(|one| ready(terms, one.0));
        let (least, greatest) = terms.integer_sum(width, &own)?;
        if least < -MAX_OWN || greatest > MAX_OWN {
            return None;
        }
        let common = Integer {
            term: terms.sum(width, constant, &common),
            ..self
        };
        let wide = common.wide(terms);
        within(terms, wide, (low - least, high - greatest), under);
        Some(Ends {
            low: terms.offset(wide, least as u64),
            high: terms.offset(wide, greatest as u64),
        })
    }
}

/// Adds that an integer of 64 bits is in a range.
pub fn within(terms: &mut Terms, wide: TermId, (low, high): (i128, i128), under: &mut Conditions) {
    let (low, high) = (low as i64, high as i64);
    let known = terms.signed_range(wide);
    if known.0 < low {
        let low = terms.constant(64, low as u64);
        let less = terms.less(true, wide, low);
        under.push(terms.not(less));
    }
    if known.1 > high {
        let high = terms.constant(64, high as u64);
        let more = terms.less(true, high, wide);
        under.push(terms.not(more));
    }
}

/// The greater of a number of 64 bits and 0.
fn positive(terms: &mut Terms, wide: TermId) -> TermId {
    let zero = terms.constant(64, 0);
    let negative = terms.less(true, wide, zero);
    terms.ite(negative, zero, wide)
}

impl Tested {
    /// How far the tested number gets; none if the entry can't compute it, or it is known that the rule does not hold.
    pub fn advance(self, terms: &mut Terms, ready: Ready) -> Option<Advance> {
        let mut conditions = Conditions::new();
        let (most, down) = match self.relation {
            Relation::Unequal => self.unequal(terms, &mut conditions)?,
            _ => match self.ordered(terms, ready, &mut conditions) {
                Some(found) => found,
                None => {
                    conditions.clear();
                    self.by_difference(terms, &mut conditions)?
                }
            },
        };
        let (truth, lie) = (terms.boolean(true), terms.boolean(false));
        conditions.retain(|condition| *condition != truth);
        conditions.sort_unstable();
        conditions.dedup();
        let computable = ready(terms, most) && conditions.iter().all(|&one| ready(terms, one));
        (computable && !conditions.contains(&lie)).then_some(Advance {
            step: self.step,
            down,
            most,
            conditions,
        })
    }

    /// The number stops at a bound that it can't pass: the step leads there, and from the last number below the bound no step wraps. So
    /// it is `first + step * iteration` as an integer, and on the near side of the bound in each iteration that was tested.
    fn ordered(
        self,
        terms: &mut Terms,
        ready: Ready,
        under: &mut Conditions,
    ) -> Option<(TermId, bool)> {
        let (down, or_equal) = match self.relation {
            Relation::Below { or_equal } => (false, or_equal),
            Relation::Above { or_equal } => (true, or_equal),
            Relation::Unequal => return None,
        };
        if !ready(terms, self.step) {
            return None;
        }
        let step = Integer {
            term: self.step,
            signed: true,
        };
        let (low, high) = self.first.limits(terms);
        let step = {
            let wide = step.wide(terms);
            if terms.width(self.step) == 64 {
                within(terms, wide, (-(1 << NEAR), 1 << NEAR), under);
            }
            wide
        };
        let zero = terms.constant(64, 0);
        let first = self.first.ends(terms, ready, under)?;
        let bound = self.bound.ends(terms, ready, under)?;
        // The last number that goes on.
        let beyond = u64::from(!or_equal);
        let (last, start) = match down {
            false => (terms.offset(bound.high, beyond.wrapping_neg()), first.low),
            true => (terms.offset(bound.low, beyond), first.high),
        };
        let leads = match down {
            false => terms.less(true, zero, step),
            true => terms.less(true, step, zero),
        };
        let next = terms.add(last, step);
        if !active(Mutation::HullStepSign) {
            under.push(leads);
        }
        if !active(Mutation::HullWraps) {
            // Below the least a number that grows can't be, and the other way round.
            match down {
                false => within(terms, next, (i64::MIN.into(), high), under),
                true => within(terms, next, (low, i64::MAX.into()), under),
            }
        }
        let reach = match down {
            false => terms.sub(last, start),
            true => terms.sub(start, last),
        };
        let reach = match (self.always, down) {
            (true, _) => reach,
            (false, false) => terms.add(reach, step),
            (false, true) => terms.sub(reach, step),
        };
        if terms.width(self.step) == 64 {
            within(terms, reach, (i64::MIN.into(), 1 << NEAR), under);
        }
        let reach = match active(Mutation::HullShort) {
            true if down => terms.add(reach, step),
            true => terms.sub(reach, step),
            false => reach,
        };
        Some((positive(terms, reach), down))
    }

    /// As [`Tested::ordered`] where only the distance from the first value to the bound is there at the entry: the first value is on the near side
    /// of the bound, or the loop is not executed, and by steps of one no bound is passed.
    fn by_difference(self, terms: &mut Terms, under: &mut Conditions) -> Option<(TermId, bool)> {
        let width = terms.width(self.first.term);
        let alike = self.first.signed == self.bound.signed && terms.width(self.bound.term) == width;
        let step = signed(width, terms.as_const(self.step)?);
        let down = match (self.relation, step) {
            (Relation::Below { or_equal: false }, 1) => false,
            (Relation::Above { or_equal: false }, -1) => true,
            _ => return None,
        };
        if !alike || !self.always {
            return None;
        }
        let (from, to) = match down {
            false => (self.first.term, self.bound.term),
            true => (self.bound.term, self.first.term),
        };
        let distance = terms.sub(to, from);
        let distance = terms.zext(distance, 64);
        if width == 64 {
            within(terms, distance, (0, 1 << NEAR), under);
        }
        let reach = terms.offset(distance, u64::MAX);
        Some((positive(terms, reach), down))
    }

    /// The number comes to its bound after a whole number of steps of 2 to some power, modulo 2 to its width, and stops there.
    fn unequal(self, terms: &mut Terms, under: &mut Conditions) -> Option<(TermId, bool)> {
        let width = terms.width(self.first.term);
        let step = signed(width, terms.as_const(self.step)?);
        let size = step.unsigned_abs();
        if !size.is_power_of_two() {
            return None;
        }
        let (from, to) = match step < 0 {
            false => (self.first.term, self.bound.term),
            true => (self.bound.term, self.first.term),
        };
        let distance = terms.sub(to, from);
        let bits = size.trailing_zeros() as u8;
        if bits > 0 && !active(Mutation::HullWraps) {
            // Its low bits, shifted to the top: sums stay sums.
            let low = terms.scale(distance, 1 << (width - bits));
            let zero = terms.constant(width, 0);
            under.push(terms.equal(low, zero));
        }
        let distance = terms.zext(distance, 64);
        if width == 64 {
            within(terms, distance, (0, 1 << NEAR), under);
        }
        // The number that is the bound goes on no more.
        let short = u64::from(self.always) + u64::from(active(Mutation::HullShort));
        let reach = terms.offset(distance, size.wrapping_mul(short).wrapping_neg());
        Some((positive(terms, reach), step < 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_emulator::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    /// A loop over numbers of so many bits.
    struct Loop {
        width: u8,
        signed: bool,
        relation: Relation,
        always: bool,
    }

    const ORDERED: [Relation; 4] = [
        Relation::Below { or_equal: false },
        Relation::Below { or_equal: true },
        Relation::Above { or_equal: false },
        Relation::Above { or_equal: true },
    ];

    impl Loop {
        fn read(&self, bits: u64) -> i64 {
            match self.signed {
                true => signed(self.width, bits),
                false => (bits & mask(self.width)) as i64,
            }
        }

        fn goes_on(&self, number: u64, bound: u64) -> bool {
            let (number, bound) = (self.read(number), self.read(bound));
            match self.relation {
                Relation::Below { or_equal } => number < bound || or_equal && number == bound,
                Relation::Above { or_equal } => number > bound || or_equal && number == bound,
                Relation::Unequal => number != bound,
            }
        }

        /// The number of the last iteration; none if there is none at all.
        fn last(&self, [first, step, bound]: [u64; 3]) -> Option<u64> {
            let mut number = first;
            let mut tested = 0u64;
            while self.goes_on(number, bound) && tested < 2 << self.width {
                number = number.wrapping_add(step) & mask(self.width);
                tested += 1;
            }
            match self.always {
                true => tested.checked_sub(1),
                false => Some(tested),
            }
        }

        /// Compares the rule with what the loop does, for all first values and bounds; how often the rule held.
        fn check(&self, steps: impl Iterator<Item = i64>, known: bool) -> u32 {
            let mut held = 0;
            for step in steps {
                let step = step as u64 & mask(self.width);
                let mut terms = Terms::new();
                let mut symbol = |name: &str| {
                    let variance = Variance::Of(Level::Uniform);
                    terms.symbol(Symbol::new(name, self.width, variance))
                };
                let [first, bound, named] = ["a", "n", "s"].map(&mut symbol);
                let integer = |term| Integer {
                    term,
                    signed: self.signed,
                };
                let tested = Tested {
                    first: integer(first),
                    bound: integer(bound),
                    step: match known {
                        true => terms.constant(self.width, step),
                        false => named,
                    },
                    relation: self.relation,
                    always: self.always,
                };
                let Some(advance) = tested.advance(&mut terms, &|_, _| true) else {
                    continue;
                };
                let size = signed(self.width, step).unsigned_abs();
                for (a, n) in
                    (0..=mask(self.width)).flat_map(|a| (0..=mask(self.width)).map(move |n| (a, n)))
                {
                    let value = |id| match &*terms.symbol_data(id).name {
                        "a" => a,
                        "n" => n,
                        _ => step,
                    };
                    let holds = |one: &TermId| terms.evaluate(*one, &value) == 1;
                    if !advance.conditions.iter().all(holds) {
                        continue;
                    }
                    let Some(last) = self.last([a, step, n]) else {
                        continue;
                    };
                    held += 1;
                    assert_eq!(advance.down, signed(self.width, step) < 0, "{a} {step} {n}");
                    let most = terms.evaluate(advance.most, &value);
                    assert!(last * size <= most, "{a} {step} {n}: {last}, {most}");
                    // The last iteration is no step further.
                    assert!(last == 0 || most - last * size < size, "{a} {step} {n}");
                }
            }
            held
        }
    }

    /// Loops by how they read numbers, and whether the condition holds in the last iteration.
    fn loops(width: u8, relation: Relation) -> impl Iterator<Item = Loop> {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        kinds.into_iter().map(move |(signed, always)| Loop {
            width,
            signed,
            relation,
            always,
        })
    }

    #[test]
    fn no_loop_gets_further_than_its_bound() {
        for relation in ORDERED {
            for one in loops(8, relation) {
                let steps = [-128, -100, -3, -1, 0, 1, 2, 64, 127];
                assert!(one.check(steps.into_iter(), false) > 1 << 16);
            }
        }
    }

    #[test]
    fn steps_of_every_size_are_bounded() {
        for relation in ORDERED {
            for one in loops(5, relation) {
                assert!(one.check(-16..16, false) > 1 << 11);
            }
        }
    }

    #[test]
    fn a_bound_that_is_met_exactly_ends_the_loop() {
        for one in loops(8, Relation::Unequal) {
            let powers = (0..8).flat_map(|bits| [1 << bits, -(1 << bits)]);
            assert!(one.check(powers, true) > 1 << 16);
            assert_eq!(one.check([3, 6, -5, 0].into_iter(), true), 0);
        }
    }

    #[test]
    fn a_step_of_one_needs_the_distance_alone() {
        for (relation, step) in [(ORDERED[0], 1), (ORDERED[2], -1)] {
            for one in loops(8, relation).filter(|one| one.always) {
                let mut terms = Terms::new();
                let mut symbol =
                    |name: &str| terms.symbol(Symbol::new(name, 8, Variance::Of(Level::Uniform)));
                let [a, n] = ["a", "n"].map(&mut symbol);
                let integer = |term| Integer {
                    term,
                    signed: one.signed,
                };
                let tested = Tested {
                    first: integer(a),
                    bound: integer(n),
                    step: terms.constant(8, step as u64 & 255),
                    relation,
                    always: true,
                };
                let mut under = Conditions::new();
                let (most, down) = tested.by_difference(&mut terms, &mut under).unwrap();
                assert!(under.is_empty() && down == (step < 0));
                for (first, bound) in (0..256).flat_map(|a| (0..256).map(move |n| (a, n))) {
                    let value = |id| match &*terms.symbol_data(id).name {
                        "a" => first,
                        _ => bound,
                    };
                    let most = terms.evaluate(most, &value);
                    let last = one.last([first, step as u64 & 255, bound]);
                    assert!(last.is_none_or(|last| last == most), "{first} {bound}");
                }
            }
        }
    }
}
