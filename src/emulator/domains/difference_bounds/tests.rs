//! Order against every value of narrow numbers.

use super::*;
use crate::term::{Symbol, SymbolId, Variance};
use proptest::prelude::*;
use ptxasw_ir::divergence::Level;

const WIDTH: u8 = 4;

/// `left + constant < right + constant`, negated or not: symbols by number, 3 is none.
type Claim = (usize, u64, usize, u64, bool, bool);

fn claim() -> impl Strategy<Value = Claim> {
    (
        0usize..4,
        0u64..16,
        0usize..4,
        0u64..16,
        any::<bool>(),
        any::<bool>(),
    )
}

fn term(terms: &mut Terms, symbols: &[TermId], claim: &Claim) -> TermId {
    let &(left, c, right, d, is_signed, negated) = claim;
    let side = |terms: &mut Terms, which: usize, constant| match symbols.get(which) {
        // Small offsets are the usual ones.
        Some(&symbol) => terms.offset(symbol, if constant < 8 { constant & 1 } else { constant }),
        None => terms.constant(WIDTH, constant),
    };
    let (left, right) = (side(terms, left, c), side(terms, right, d));
    let less = terms.less(is_signed, left, right);
    if negated { terms.not(less) } else { less }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_implied_holds(
        facts in proptest::collection::vec(claim(), 0..5),
        goal in claim(),
        different in any::<bool>(),
        assumed in proptest::option::of(0usize..3),
    ) {
        let mut terms = Terms::new();
        let symbols: Vec<TermId> = ["x", "y", "z"]
            .into_iter()
            .map(|name| terms.symbol(Symbol::new(name, WIDTH, Variance::Of(Level::Uniform))))
            .collect();
        let facts: Vec<TermId> = facts
            .iter()
            .map(|claim| term(&mut terms, &symbols, claim))
            .collect();
        let mut goal = term(&mut terms, &symbols, &goal);
        if different {
            let (x, y) = (terms.offset(symbols[0], 1), symbols[1]);
            goal = terms.not_equal(x, y);
        }
        let assumed = assumed.map(|which| symbols[which]);
        if !implied(&mut terms, goal, &facts, assumed) {
            return Ok(());
        }
        let mut roots = facts.clone();
        roots.push(goal);
        for values in 0..1u64 << (3 * WIDTH) {
            let value = |id: SymbolId| (values >> (u32::from(WIDTH) * id.0)) & 15;
            let bits = terms.evaluate_all(&roots, &value);
            let (holds, facts) = bits.split_last().expect("the goal");
            let not_negative = assumed.is_none_or(|t| terms.evaluate(t, &value) < 8);
            prop_assert!(
                *holds == 1 || facts.contains(&0) || !not_negative,
                "{} at {:x}",
                terms.display(goal),
                values
            );
        }
    }
}

/// `i < n` here and in the next lane: there the index is below `n - 1`, if it is read as `i + 1`.
#[test]
fn the_neighbours_guard_keeps_away_from_the_clamp() {
    let mut terms = Terms::new();
    let [i, n] =
        ["i", "n"].map(|name| terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform))));
    let next = terms.offset(i, 1);
    let last = terms.offset(n, 1u64.wrapping_neg());
    let here = terms.less(true, i, n);
    let there = terms.less(true, next, n);
    let goal = terms.less(true, i, last);
    assert!(implied(&mut terms, goal, &[here, there], None));
    assert!(!implied(&mut terms, goal, &[here], None));
    let equal = terms.equal(i, last);
    let different = terms.not(equal);
    assert!(implied(&mut terms, different, &[here, there], None));
    // Unsigned, 0 - 1 is no bound.
    let goal = terms.less(false, i, last);
    assert!(!implied(&mut terms, goal, &[here, there], None));
}
