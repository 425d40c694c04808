//! What is reported as disjoint is, whatever the symbols are.

use super::Distances;
use crate::term::{Symbol, TermId, Terms, Variance};
use proptest::prelude::*;
use ptxasw_ir::divergence::Level;

const NARROW: [&str; 3] = ["i", "j", "k"];
const WIDE: [&str; 2] = ["p", "n"];

/// A summand of an address: which symbol, how it is extended, what is added inside, and the factor.
type Summand = (usize, u8, u32, u64);

fn part() -> impl Strategy<Value = Summand> {
    let inside = prop_oneof![Just(0u32), 0u32..8, Just(1 << 31), any::<u32>()];
    let factor = prop_oneof![
        Just(1u64),
        Just(4),
        Just(8),
        Just(12),
        Just(20),
        Just(12u64.wrapping_neg()),
        Just(8u64.wrapping_neg()),
        any::<u64>()
    ];
    (0usize..5, 0u8..4, inside, factor)
}

fn narrow_value() -> impl Strategy<Value = u64> {
    prop_oneof![
        0u64..6,
        (0u64..6).prop_map(|x| u64::from((x as u32).wrapping_neg())),
        (0u64..6).prop_map(|x| (1 << 31) - x),
        any::<u32>().prop_map(u64::from)
    ]
}

fn wide_value() -> impl Strategy<Value = u64> {
    // A third and a fifth of 1 modulo 2^62: products with 12 and 20 that wrap to small numbers.
    prop_oneof![
        0u64..6,
        (0u64..6).prop_map(|x| x.wrapping_mul(3_074_457_345_618_258_603)),
        (0u64..6).prop_map(|x| x.wrapping_mul(3_689_348_814_741_910_323)),
        any::<u64>()
    ]
}

fn address(terms: &mut Terms, constant: u64, parts: &[Summand]) -> TermId {
    let mut sum = terms.constant(64, constant);
    for &(symbol, how, inside, factor) in parts {
        let part = match NARROW.get(symbol) {
            Some(&name) => {
                let symbol = terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Divergent)));
                let moved = terms.offset(symbol, u64::from(inside));
                match how {
                    0 => terms.zext(moved, 64),
                    1 => {
                        let few = terms.constant(32, 0xff);
                        let few = terms.and(moved, few);
                        terms.zext(few, 64)
                    }
                    _ => terms.sext(moved, 64),
                }
            }
            None => terms.symbol(Symbol::new(
                WIDE[symbol - 3],
                64,
                Variance::Of(Level::Divergent),
            )),
        };
        let product = terms.scale(part, factor);
        sum = terms.add(sum, product);
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_is_apart_shares_no_byte(
        shared in proptest::collection::vec(part(), 0..3),
        own in proptest::collection::vec(part(), 0..3),
        others in proptest::collection::vec(part(), 0..3),
        constants in (0u64..40, 0u64..40),
        bytes in (1u32..17, 1u32..17),
        narrow in proptest::collection::vec(proptest::array::uniform3(narrow_value()), 8),
        wide in proptest::collection::vec(proptest::array::uniform2(wide_value()), 8),
    ) {
        let mut terms = Terms::new();
        let own: Vec<Summand> = shared.iter().chain(&own).copied().collect();
        let others: Vec<Summand> = shared.iter().chain(&others).copied().collect();
        let a = address(&mut terms, constants.0, &own);
        let b = address(&mut terms, constants.1, &others);
        let mut distances = Distances::default();
        if distances.apart(&mut terms, (a, bytes.0), (b, bytes.1)) {
            for (narrow, wide) in narrow.iter().zip(&wide) {
                let value = |id| {
                    let name = &terms.symbol_data(id).name;
                    let of = |names: &[&str]| names.iter().position(|one| one == name);
                    match of(&NARROW) {
                        Some(symbol) => narrow[symbol],
                        None => wide[of(&WIDE).unwrap_or(0)],
                    }
                };
                let (x, y) = (terms.evaluate(a, &value), terms.evaluate(b, &value));
                prop_assert!(y.wrapping_sub(x) >= u64::from(bytes.0), "{narrow:?} {wide:?}");
                prop_assert!(x.wrapping_sub(y) >= u64::from(bytes.1), "{narrow:?} {wide:?}");
            }
        }
    }
}

fn apart(a: &[Summand], b: &[Summand], distance: u64, bytes: (u32, u32)) -> bool {
    let mut terms = Terms::new();
    let a = address(&mut terms, 0, a);
    let b = address(&mut terms, distance, b);
    Distances::default().apart(&mut terms, (a, bytes.0), (b, bytes.1))
}

#[test]
fn residues_tell() {
    let (p, i, j) = ((3, 0, 0, 1), (0, 2, 0, 8), (1, 2, 0, 8));
    assert!(apart(&[p, i], &[p, j], 4, (4, 4)));
    assert!(!apart(&[p, i], &[p, j], 4, (8, 4)));
    assert!(!apart(&[p, i], &[p, j], 4, (4, 8)));
    assert!(!apart(&[p, i], &[p, j], 8, (4, 4)));
    // Of 64-bit numbers, too.
    assert!(apart(&[(3, 0, 0, 8)], &[(4, 0, 0, 8)], 4, (4, 4)));
}

#[test]
fn divisors_tell_where_nothing_wraps() {
    let (i, j) = ((0, 2, 0, 12), (1, 2, 0, 12));
    assert!(apart(&[i], &[j], 4, (4, 4)));
    assert!(apart(&[i], &[j], 4, (4, 8)));
    assert!(!apart(&[i], &[j], 8, (4, 8)));
    assert!(!apart(&[(3, 0, 0, 12)], &[(4, 0, 0, 12)], 4, (4, 4)));
}

#[test]
fn ranges_tell() {
    let few = (0, 1, 0, 4);
    assert!(apart(&[], &[few], 16, (16, 16)));
    assert!(!apart(&[], &[few], 16, (17, 16)));
    assert!(apart(&[few], &[], 256 * 4, (4, 4)));
    assert!(!apart(&[few], &[], 255 * 4, (4, 4)));
}

#[test]
fn an_index_that_wraps_is_elsewhere() {
    assert!(apart(&[(0, 2, 0, 4)], &[(0, 2, 7, 4)], 0, (4, 4)));
    assert!(!apart(&[(0, 2, 0, 4)], &[(0, 2, 7, 4)], 0, (32, 4)));
    // Half of the numbers apart, extended.
    assert!(apart(&[(0, 2, 0, 4)], &[(0, 2, 1 << 31, 4)], 0, (4, 4)));
}

/// Of two pointers nothing is known, and their distance becomes no term. What both have cancels out.
#[test]
fn two_pointers_are_at_any_distance() {
    let mut terms = Terms::new();
    let (p, n, i) = ((3, 0, 0, 1), (4, 0, 0, 1), (0, 2, 0, 4));
    let a = address(&mut terms, 0, &[p, i]);
    let b = address(&mut terms, 64, &[n]);
    let c = address(&mut terms, 64, &[p, i]);
    let mut distances = Distances::default();
    let shapes = [a, b].map(|one| distances.shape(&mut terms, one));
    let before = terms.len();
    assert!(!distances.apart(&mut terms, (a, 4), (b, 4)));
    assert!(distances.is_unbounded(&mut terms, a, b));
    assert_eq!(terms.len(), before, "{shapes:?}");
    assert!(distances.apart(&mut terms, (a, 4), (c, 4)));
    assert!(!distances.is_unbounded(&mut terms, a, c));
    // The factor of what both have is even in the difference.
    assert!(apart(&[(3, 0, 0, 3)], &[p], 1, (1, 1)));
}
