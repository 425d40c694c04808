//! C1 where two addresses differ only by a wrap of uniform index arithmetic: compilers write `-n` once as a 32-bit negation
//! that is widened, once as a widened `n` that is negated. Such values are the same in all lanes, so that one check in the
//! region's set-up decides for all its shuffles.

use super::address::{self, NoWrap};
use crate::shuffle::region::placement::Wanted;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::intervals::{self, Line};
use ptxasw_emulator::term::{Opened, TermId, Terms, signed};

/// How two addresses are equal.
#[derive(Debug, Default)]
pub(in crate::shuffle) struct Uniform {
    /// What is left to show of indices that differ between lanes.
    pub obligations: Vec<NoWrap>,
    /// The checks under which no uniform index wraps.
    pub wanted: Vec<Wanted>,
    /// Path conditions that make checks unnecessary.
    pub used: Vec<TermId>,
}

/// The equality of `from`, the source's address in the neighbour, and `to`, under `facts` of the destination's lane; none if
/// uniform values are not what is between them.
pub(in crate::shuffle) fn equal(
    terms: &mut Terms,
    from: TermId,
    to: TermId,
    facts: &[TermId],
) -> Option<Uniform> {
    let difference = terms.sub(from, to);
    let (_, mut atoms) = terms.affine(difference);
    atoms.retain(|&mut (atom, _)| terms.is_uniform(atom));
    if atoms.is_empty() {
        return None;
    }
    let width = terms.width(difference);
    let between = terms.sum(width, 0, &atoms);
    let ideal = terms.ideal(between);
    if !ideal.terms.is_empty() {
        return None;
    }
    let mut found = Uniform::default();
    for opened in ideal.opened {
        found.keep(terms, opened, facts)?;
    }
    let target = terms.add(to, between);
    let target = terms.offset(target, ideal.constant.wrapping_neg() as u64);
    found.obligations = address::equal_under(terms, from, target)?;
    Some(found)
}

impl Uniform {
    /// Sees to it that `factor * x + constant` does not wrap; none if it is no such sum, or always wraps.
    fn keep(&mut self, terms: &mut Terms, opened: Opened, facts: &[TermId]) -> Option<()> {
        let width = terms.width(opened.inner);
        let line = Line::new(width, opened.signed);
        let (constant, atoms) = terms.affine(opened.inner);
        let &[(term, factor)] = atoms.as_slice() else {
            return None;
        };
        let (low, high) = preimage(line, signed(width, factor), signed(width, constant))?;
        let inside = |known: intervals::Interval| low <= known.low && known.high <= high;
        if active(Mutation::UniformWrapIgnored)
            || inside(intervals::interval(terms, term, &[], line, None))
        {
            return Some(());
        }
        let facts = intervals::about(terms, term, facts);
        if inside(intervals::interval(terms, term, &facts, line, None)) {
            self.used.extend(facts);
            return Some(());
        }
        // The sign is often checked already, and costs the least: what is negative would be a field's width.
        let greatest = Line::new(width, true).high;
        let low = if low <= 0 && high >= greatest { 0 } else { low };
        let high = if low == 0 { high.min(greatest) } else { high };
        let mask = u64::MAX >> (64 - width);
        let check = Wanted {
            term,
            minus: None,
            offset: (-low) as u64 & mask,
            limit: (high - low) as u64,
        };
        if !self.wanted.contains(&check) {
            self.wanted.push(check);
        }
        Some(())
    }
}

/// The numbers of a line that `factor * x + constant` leaves on it.
fn preimage(line: Line, factor: i64, constant: i64) -> Option<(i128, i128)> {
    let (factor, constant) = (i128::from(factor), i128::from(constant));
    let (mut low, mut high) = (line.low - constant, line.high - constant);
    if factor < 0 {
        (low, high) = (-high, -low);
    }
    let by = factor.abs();
    if by == 0 {
        return None;
    }
    // Rounded to the inside.
    let low = -((-low).div_euclid(by));
    let high = high.div_euclid(by);
    let (low, high) = (low.max(line.low), high.min(line.high));
    (low <= high).then_some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ptxasw_emulator::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    struct Setting {
        terms: Terms,
        base: TermId,
        i: TermId,
    }

    fn setting() -> Setting {
        let mut terms = Terms::new();
        let base = terms.symbol(Symbol::new("a", 64, Variance::Of(Level::Uniform)));
        let i = terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023));
        Setting { terms, base, i }
    }

    /// The addresses `base + 4 * (sext(i) + sext(-n))` of the next lane and `base + 4 * (sext(i) - sext(n)) + 4`.
    fn negated(setting: &mut Setting, n: TermId) -> (TermId, TermId) {
        let Setting { terms, base, i } = setting;
        let wide = terms.sext(*i, 64);
        let minus = terms.neg(n);
        let minus = terms.sext(minus, 64);
        let plus = terms.sext(n, 64);
        let from = terms.sum(64, 0, &[(*base, 1), (wide, 4), (minus, 4)]);
        let to = terms.sum(64, 4, &[(*base, 1), (wide, 4), (plus, 4u64.wrapping_neg())]);
        (terms.shift_lane(from, 1), to)
    }

    #[test]
    fn a_negated_uniform_value_is_checked_once() {
        let mut setting = setting();
        let n = setting
            .terms
            .symbol(Symbol::new("n", 32, Variance::Of(Level::Uniform)));
        let (from, to) = negated(&mut setting, n);
        let found = equal(&mut setting.terms, from, to, &[]).expect("equal but for a wrap");
        let not_negative = Wanted {
            term: n,
            minus: None,
            offset: 0,
            limit: 0x7fff_ffff,
        };
        assert_eq!(found.wanted, [not_negative]);
        assert!(found.obligations.is_empty(), "{found:?}");
        // A guard can state as much.
        let zero = setting.terms.constant(32, 0);
        let negative = setting.terms.less(true, n, zero);
        let guard = setting.terms.not(negative);
        let found = equal(&mut setting.terms, from, to, &[guard]).expect("equal");
        assert!(found.wanted.is_empty(), "{found:?}");
        assert_eq!(found.used, [guard]);
    }

    #[test]
    fn another_value_in_each_lane_is_no_uniform_one() {
        let mut setting = setting();
        let n = setting
            .terms
            .symbol(Symbol::new("n", 32, Variance::Of(Level::Divergent)));
        let (from, to) = negated(&mut setting, n);
        assert!(equal(&mut setting.terms, from, to, &[]).is_none());
    }

    proptest! {
        /// The interval is exact.
        #[test]
        fn the_preimage_is_all_that_does_not_wrap(
            factor in -300i64..300,
            constant: i16,
            x: i16,
            is_signed: bool,
        ) {
            prop_assume!(factor != 0);
            let line = Line::new(16, is_signed);
            let x = if is_signed { i128::from(x) } else { i128::from(x as u16) };
            let value = i128::from(factor) * x + i128::from(constant);
            let expected = line.low <= value && value <= line.high;
            let found = preimage(line, factor, constant.into());
            prop_assert_eq!(found.is_some_and(|(low, high)| low <= x && x <= high), expected);
        }
    }
}
