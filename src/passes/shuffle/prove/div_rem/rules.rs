//! Rules of division, as terms that are true whatever the numbers in them are.
//!
//! Solvers are shown products and quotients as unknowns, so that a certificate has to state the rules of arithmetic. That the
//! premise of a [`Rule`] holds is for the solver to show, from what the rewritten code guarantees; then its conclusion may be
//! used. What is taken as given is no more than these, for any `x`, `d` and a constant `k`, where quotients and remainders are
//! those of machines (towards zero where signs count):
//!
//! - `d > 0`: then `x % d < d`.
//! - `x % d + k < d`, `x + k` does not wrap, and `x >= 0` or `x % d > 0` where signs count, for `k > 0`: then
//!   `(x + k) / d = x / d` and `(x + k) % d = x % d + k`. The remainder is at most `x`, so that its sum does not wrap, either.
//! - `x % d >= k` and `d != 0`, for `k > 0`: then `(x - k) / d = x / d` and `(x - k) % d = x % d - k`. With a remainder above
//!   zero, `x` is as large.
//! - `0 <= x < d`: then `x / d = 0` and `x % d = x`.
//! - `x % f >= 1`, and `f` and `g` are from 1 to the [`root`] of the greatest number: then `x % f <= x % (f g)`, and `f g` is
//!   not 0.
//! - The same operation on equal numbers gives equal results.
//!
//! Unit tests try all numbers of few bits.

use ptxasw_emulator::term::{Node, TermId, Terms};
use rustc_hash::FxHashMap;

/// If the premise is true, so is the conclusion: one-bit terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::shuffle) struct Rule {
    pub premise: TermId,
    pub conclusion: TermId,
}

/// What is asked of a division.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::shuffle) struct Parts {
    pub quotient: bool,
    pub remainder: bool,
}

/// A division whose rows are compared.
#[derive(Clone, Copy, Debug)]
pub(in crate::shuffle) struct Row {
    pub signed: bool,
    pub divisor: TermId,
    pub parts: Parts,
}

impl Row {
    /// `to = from + step`, as the premise states, too, is in the row of `from`, whose remainder leaves room for the step: the
    /// second and third rule.
    pub fn same(&self, terms: &mut Terms, from: TermId, to: TermId, step: i64) -> Rule {
        let remainder = terms.rem(self.signed, from, self.divisor);
        let there = terms.offset(remainder, step as u64);
        let premise = match step < 0 {
            true => {
                let room = self.at_least(terms, remainder, step.unsigned_abs());
                let zero = terms.constant(terms.width(from), 0);
                let no_division = terms.equal(self.divisor, zero);
                let division = terms.not(no_division);
                terms.and(room, division)
            }
            false => {
                let room = terms.less(self.signed, there, self.divisor);
                let wraps = terms.less(self.signed, to, from);
                let no_wrap = terms.not(wraps);
                let above = terms.and(room, no_wrap);
                match self.signed {
                    true => {
                        // A remainder above 0 has a dividend above 0.
                        let not_negative = self.at_least(terms, from, 0);
                        let positive = self.at_least(terms, remainder, 1);
                        let either = terms.or(not_negative, positive);
                        terms.and(above, either)
                    }
                    false => above,
                }
            }
        };
        let moved = terms.offset(from, step as u64);
        let is_moved = terms.equal(to, moved);
        let premise = terms.and(premise, is_moved);
        let mut conclusion = terms.boolean(true);
        if self.parts.quotient {
            let [near, far] = [from, to].map(|x| terms.div(self.signed, x, self.divisor));
            let same = terms.equal(near, far);
            conclusion = terms.and(conclusion, same);
        }
        if self.parts.remainder {
            let other = terms.rem(self.signed, to, self.divisor);
            let moved = terms.equal(other, there);
            conclusion = terms.and(conclusion, moved);
        }
        Rule {
            premise,
            conclusion,
        }
    }

    /// The remainder of `x` by one `factor` of the divisor, which is the product of two, is at most that by the divisor.
    pub fn at_least_of_factor(&self, terms: &mut Terms, x: TermId, factor: TermId) -> Option<Rule> {
        let Node::Product(factors) = terms.node(self.divisor) else {
            return None;
        };
        let factors = factors.to_vec();
        if factors.len() != 2 || !factors.contains(&factor) {
            return None;
        }
        let width = terms.width(x);
        let by_factor = terms.rem(self.signed, x, factor);
        let mut premise = self.at_least(terms, by_factor, 1);
        let (least, greatest) = (terms.constant(width, 1), terms.constant(width, root(width)));
        for factor in factors {
            let below = terms.less(false, factor, least);
            let above = terms.less(false, greatest, factor);
            let outside = terms.or(below, above);
            let inside = terms.not(outside);
            premise = terms.and(premise, inside);
        }
        let whole = terms.rem(self.signed, x, self.divisor);
        let less = terms.less(self.signed, whole, by_factor);
        let zero = terms.constant(width, 0);
        let no_division = terms.equal(self.divisor, zero);
        let neither = terms.or(less, no_division);
        let conclusion = terms.not(neither);
        Some(Rule {
            premise,
            conclusion,
        })
    }

    /// The remainder of `x` is below a divisor above 0.
    pub fn bounded(&self, terms: &mut Terms, x: TermId) -> Rule {
        let remainder = terms.rem(self.signed, x, self.divisor);
        let premise = self.at_least(terms, self.divisor, 1);
        let conclusion = terms.less(self.signed, remainder, self.divisor);
        Rule {
            premise,
            conclusion,
        }
    }

    /// `term >= least` as the division reads numbers.
    fn at_least(&self, terms: &mut Terms, term: TermId, least: u64) -> TermId {
        at_least(terms, self.signed, term, least)
    }
}

/// What two numbers may be at most, each, so that their product is no negative number of so many bits.
pub(in crate::shuffle) fn root(width: u8) -> u64 {
    (u64::MAX >> (65 - width)).isqrt()
}

/// A number below the divisor: its quotient or remainder `of` is what the rule for that states.
pub(in crate::shuffle) fn first_row(
    terms: &mut Terms,
    signed: bool,
    (x, divisor): (TermId, TermId),
    (of, is): (TermId, TermId),
) -> Rule {
    let not_negative = at_least(terms, signed, x, 0);
    let below = terms.less(signed, x, divisor);
    let premise = terms.and(not_negative, below);
    let conclusion = terms.equal(of, is);
    Rule {
        premise,
        conclusion,
    }
}

/// `of` is `is` if all that was put in the place of others is what it stands for.
pub(in crate::shuffle) fn congruence(
    terms: &mut Terms,
    map: &FxHashMap<TermId, TermId>,
    (of, is): (TermId, TermId),
) -> Rule {
    let mut pairs: Vec<(TermId, TermId)> = map.iter().map(|(&from, &to)| (from, to)).collect();
    pairs.sort_unstable();
    let mut premise = terms.boolean(true);
    for (from, to) in pairs {
        let same = terms.equal(from, to);
        premise = terms.and(premise, same);
    }
    let conclusion = terms.equal(of, is);
    Rule {
        premise,
        conclusion,
    }
}

/// `term >= least`.
pub(in crate::shuffle) fn at_least(
    terms: &mut Terms,
    signed: bool,
    term: TermId,
    least: u64,
) -> TermId {
    let least = terms.constant(terms.width(term), least);
    let below = terms.less(signed, term, least);
    terms.not(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_emulator::term::{Symbol, SymbolId, Variance};
    use ptxasw_ir::divergence::Level;

    const WIDTH: u8 = 6;

    struct Numbers {
        terms: Terms,
        symbols: Vec<(TermId, SymbolId)>,
    }

    impl Numbers {
        fn new(names: &[&str]) -> Self {
            let mut terms = Terms::new();
            let symbol = |name: &&str| {
                let t = terms.symbol(Symbol::new(*name, WIDTH, Variance::Of(Level::Divergent)));
                let Node::Symbol(id) = *terms.node(t) else {
                    unreachable!("a symbol")
                };
                (t, id)
            };
            let symbols = names.iter().map(symbol).collect();
            Numbers { terms, symbols }
        }

        /// The rule holds whatever the numbers are, and not because the arena takes it to.
        fn all_true(&mut self, rule: Rule, of: &str) {
            let open = self.terms.not(rule.premise);
            let rule = self.terms.or(open, rule.conclusion);
            assert_eq!(self.terms.as_const(rule), None, "{of}");
            let all = 1u64 << WIDTH;
            for case in 0..all.pow(self.symbols.len() as u32) {
                let value = |symbol: SymbolId| {
                    let at = self.symbols.iter().position(|&(_, id)| id == symbol);
                    let at = at.expect("one of them") as u32;
                    case / all.pow(at) % all
                };
                assert_eq!(self.terms.evaluate(rule, &value), 1, "{of}, case {case}");
            }
        }
    }

    const BOTH: Parts = Parts {
        quotient: true,
        remainder: true,
    };

    #[test]
    fn rows_hold_for_all_numbers() {
        let mut numbers = Numbers::new(&["x", "d"]);
        let [x, divisor] = [0, 1].map(|at: usize| numbers.symbols[at].0);
        for signed in [false, true] {
            let row = Row {
                signed,
                divisor,
                parts: BOTH,
            };
            let rule = row.bounded(&mut numbers.terms, x);
            numbers.all_true(rule, &format!("signed {signed}"));
            for step in (-31..=31).filter(|&step| step != 0) {
                let to = numbers.terms.offset(x, step as u64);
                let rule = row.same(&mut numbers.terms, x, to, step);
                numbers.all_true(rule, &format!("signed {signed}, step {step}"));
            }
        }
    }

    #[test]
    fn rows_hold_of_numbers_that_are_told_to_be_apart() {
        let mut numbers = Numbers::new(&["x", "d", "y"]);
        let [x, divisor, to] = [0, 1, 2].map(|at: usize| numbers.symbols[at].0);
        for signed in [false, true] {
            let row = Row {
                signed,
                divisor,
                parts: BOTH,
            };
            for step in [-3, 1] {
                let rule = row.same(&mut numbers.terms, x, to, step);
                numbers.all_true(rule, &format!("signed {signed}, step {step}"));
            }
        }
    }

    #[test]
    fn first_rows_hold_for_all_numbers() {
        let mut numbers = Numbers::new(&["x", "d"]);
        let [x, divisor] = [0, 1].map(|at: usize| numbers.symbols[at].0);
        for signed in [false, true] {
            let terms = &mut numbers.terms;
            let zero = terms.constant(WIDTH, 0);
            let quotient = terms.div(signed, x, divisor);
            let remainder = terms.rem(signed, x, divisor);
            let rules = [(quotient, zero), (remainder, x)]
                .map(|case| first_row(terms, signed, (x, divisor), case));
            for rule in rules {
                numbers.all_true(rule, &format!("signed {signed}"));
            }
        }
    }

    #[test]
    fn remainders_by_factors_are_at_most_those_of_products() {
        let mut numbers = Numbers::new(&["x", "f", "g"]);
        let [x, f, g] = [0, 1, 2].map(|at: usize| numbers.symbols[at].0);
        for signed in [false, true] {
            let divisor = numbers.terms.mul(f, g);
            let row = Row {
                signed,
                divisor,
                parts: BOTH,
            };
            let rule = row.at_least_of_factor(&mut numbers.terms, x, f);
            let rule = rule.expect("a factor");
            numbers.all_true(rule, &format!("signed {signed}"));
        }
    }
}
