//! Quotients as compilers write them, against division; and what only looks like them, against arithmetic.

use super::super::{Symbol, SymbolId, Variance};
use super::*;
use proptest::prelude::*;
use ptxasw_ir::divergence::Level;

fn dividend(terms: &mut Terms, greatest: u64) -> TermId {
    terms.symbol(Symbol::new("x", 32, Variance::Of(Level::Uniform)).within(0, greatest))
}

/// Least `p` for which the reciprocal rounded up is right for `bits` bits, with the reciprocal. `below`: for negative dividends,
/// too.
fn rounded_up(divisor: u64, bits: u32, below: bool) -> (u128, u32) {
    let mut power = 32;
    loop {
        let multiplier = (1u128 << power).div_ceil(divisor.into());
        let excess = multiplier * u128::from(divisor) - (1u128 << power);
        if (excess << bits) + u128::from(below) <= 1u128 << power {
            return (multiplier, power);
        }
        power += 1;
    }
}

/// `mul.hi.u32` and a shift, or with the correction where the multiplier has 33 bits.
fn unsigned(terms: &mut Terms, x: TermId, multiplier: u128, power: u32, wide: bool) -> TermId {
    let number = |terms: &mut Terms, value: u32| terms.constant(32, value.into());
    let constant = terms.constant(32, multiplier as u64);
    let high = if wide {
        let (x, constant) = (terms.zext(x, 64), terms.zext(constant, 64));
        let product = terms.mul(x, constant);
        terms.extract(product, 32, 32)
    } else {
        terms.mul_high(false, x, constant)
    };
    if multiplier < 1 << 32 {
        let amount = number(terms, power - 32);
        return terms.lshr(high, amount);
    }
    let rest = terms.sub(x, high);
    let one = number(terms, 1);
    let half = terms.lshr(rest, one);
    let sum = terms.add(half, high);
    let amount = number(terms, power - 33);
    terms.lshr(sum, amount)
}

/// `mul.hi.s32`, the dividend added where the multiplier has 32 bits, a shift, and the sign.
fn signed_sequence(terms: &mut Terms, x: TermId, multiplier: u128, power: u32) -> TermId {
    let constant = terms.constant(32, multiplier as u64);
    let mut high = terms.mul_high(true, x, constant);
    if multiplier >= 1 << 31 {
        high = terms.add(high, x);
    }
    let amount = terms.constant(32, u64::from(power - 32));
    let shifted = terms.ashr(high, amount);
    let top = terms.constant(32, 31);
    let sign = terms.lshr(high, top);
    terms.add(shifted, sign)
}

fn of(terms: &Terms, t: TermId, value: u64) -> u64 {
    terms.evaluate(t, &|_: SymbolId| value)
}

fn is_quotient(terms: &Terms, t: TermId, op: Binary) -> bool {
    matches!(terms.node(t), Node::Binary(found, ..) if *found == op)
}

proptest! {
    #[test]
    fn unsigned_quotients_are_recognised(
        divisor in prop_oneof![3u64..300, 3u64..1 << 31],
        value in any::<u32>(),
        wide in any::<bool>(),
    ) {
        prop_assume!(!divisor.is_power_of_two());
        let mut terms = Terms::new();
        let x = dividend(&mut terms, u32::MAX.into());
        let (multiplier, power) = rounded_up(divisor, 32, false);
        let t = unsigned(&mut terms, x, multiplier, power, wide);
        prop_assert!(is_quotient(&terms, t, Binary::UDiv), "{}", terms.display(t));
        for value in [value.into(), 0, u32::MAX.into(), divisor - 1, divisor] {
            prop_assert_eq!(of(&terms, t, value), value / divisor);
        }
        // The remainder, and the dividend once more.
        let back = terms.scale(t, divisor);
        let remainder = terms.sub(x, back);
        prop_assert!(is_quotient(&terms, remainder, Binary::URem), "{}", terms.display(remainder));
        prop_assert_eq!(terms.add(back, remainder), x);
    }

    #[test]
    fn signed_quotients_are_recognised(
        divisor in prop_oneof![3u64..300, 3u64..1 << 30],
        value in any::<i32>(),
    ) {
        prop_assume!(!divisor.is_power_of_two());
        let mut terms = Terms::new();
        let x = dividend(&mut terms, u32::MAX.into());
        let (mut multiplier, mut power) = rounded_up(divisor, 31, true);
        while multiplier & 1 == 0 && power > 32 {
            (multiplier, power) = (multiplier / 2, power - 1);
        }
        prop_assume!(multiplier < 1 << 32);
        let t = signed_sequence(&mut terms, x, multiplier, power);
        prop_assert!(is_quotient(&terms, t, Binary::SDiv), "{}", terms.display(t));
        for value in [value, 0, i32::MIN, i32::MAX, -1, -(divisor as i32), divisor as i32] {
            let expected = value.wrapping_div(divisor as i32) as u32;
            prop_assert_eq!(of(&terms, t, u64::from(value as u32)), u64::from(expected));
        }
    }

    /// Multipliers beside a reciprocal, narrow dividends, any shift: whatever is made of it has the value that was written.
    #[test]
    fn what_is_nearly_a_quotient_keeps_its_value(
        divisor in 3u64..5000,
        beside in -2i64..3,
        shift in 0u32..31,
        greatest in prop_oneof![Just(u32::MAX), 1u32.., 1u32..70_000],
        value in any::<u32>(),
        corrected in any::<bool>(),
    ) {
        let mut terms = Terms::new();
        let x = dividend(&mut terms, greatest.into());
        let (multiplier, _) = rounded_up(divisor, 31, true);
        let multiplier = multiplier.wrapping_add_signed(beside.into()) & 0xffff_ffff;
        prop_assume!(multiplier > 0);
        for value in [value.min(greatest), greatest, greatest / 2, 0] {
            let power = 33 + shift;
            let (t, expected) = match corrected {
                true => {
                    let t = unsigned(&mut terms, x, multiplier + (1 << 32), power, false);
                    let high = ((u128::from(value) * multiplier) >> 32) as u32;
                    let sum = (value.wrapping_sub(high) >> 1).wrapping_add(high);
                    (t, sum >> shift)
                }
                false => {
                    let t = unsigned(&mut terms, x, multiplier, power, false);
                    (t, ((u128::from(value) * multiplier) >> 32) as u32 >> shift >> 1)
                }
            };
            prop_assert_eq!(of(&terms, t, value.into()), u64::from(expected));
            let t = signed_sequence(&mut terms, x, multiplier, 32 + shift);
            let signed_multiplier = i64::from(multiplier as u32 as i32);
            let product = i64::from(value as i32).wrapping_mul(signed_multiplier);
            let mut high = (product >> 32) as i32;
            if multiplier >= 1 << 31 {
                high = high.wrapping_add(value as i32);
            }
            let expected = (high >> shift).wrapping_add((high as u32 >> 31) as i32);
            prop_assert_eq!(of(&terms, t, value.into()), u64::from(expected as u32));
        }
    }

    /// Shifts with a correction for negative dividends, and others.
    #[test]
    fn signed_powers_of_two_keep_their_value(
        shift in 1u32..31,
        other in 1u32..31,
        value in any::<i32>(),
    ) {
        let mut terms = Terms::new();
        let x = dividend(&mut terms, u32::MAX.into());
        for correction in [shift, other] {
            let top = terms.constant(32, 31);
            let sign = terms.ashr(x, top);
            let amount = terms.constant(32, u64::from(32 - correction));
            let rounding = terms.lshr(sign, amount);
            let sum = terms.add(x, rounding);
            let amount = terms.constant(32, shift.into());
            let t = terms.ashr(sum, amount);
            if correction == shift && shift < 31 {
                prop_assert!(is_quotient(&terms, t, Binary::SDiv), "{}", terms.display(t));
            }
            let rounding = ((value >> 31) as u32) >> (32 - correction);
            let expected = value.wrapping_add(rounding as i32) >> shift;
            prop_assert_eq!(of(&terms, t, u64::from(value as u32)), u64::from(expected as u32));
        }
    }
}
