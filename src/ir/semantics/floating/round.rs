//! Rounding of an exact value to a format.

use super::format::Format;
use crate::op::Rounding;

/// The exact magnitude `significand * 2^exponent`. Where it has more bits than 128, the lowest bit of the significand
/// stands for all that were lost (it is "sticky"); such a significand has at least 60 bits, so that the sticky bit is below
/// the bit that decides about a tie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i32,
}

/// Whether a remainder moves the magnitude up. `kept_odd` is the lowest bit that stays; the remainder is compared with
/// half a unit of it.
fn away_from_zero(
    rounding: Rounding,
    negative: bool,
    kept_odd: bool,
    remainder: u128,
    half: u128,
) -> bool {
    match rounding {
        Rounding::Nearest | Rounding::Contractible | Rounding::Approximate | Rounding::Full => {
            remainder > half || (remainder == half && kept_odd)
        }
        Rounding::NearestAway => remainder >= half,
        Rounding::Zero => false,
        Rounding::Down => negative && remainder > 0,
        Rounding::Up => !negative && remainder > 0,
    }
}

/// `value / 2^shift` as an integer, rounded.
pub(super) fn shift_rounded(value: u128, shift: u32, rounding: Rounding, negative: bool) -> u128 {
    if shift == 0 {
        return value;
    }
    // Beyond the significand only "less than half a unit, but not zero" is left.
    let (kept, remainder, half) = if shift > 127 {
        (0, u128::from(value > 0), 2)
    } else {
        let kept = value >> shift;
        (kept, value - (kept << shift), 1 << (shift - 1))
    };
    let up = away_from_zero(rounding, negative, kept & 1 == 1, remainder, half);
    kept + u128::from(up)
}

/// The number of the format that `rounding` picks; infinity or the largest number where the value is too large.
pub(super) fn round(format: Format, rounding: Rounding, value: Exact) -> u64 {
    let Exact {
        negative,
        significand,
        exponent,
    } = value;
    if significand == 0 {
        return format.with_sign(negative, 0);
    }
    let top = exponent + 127 - significand.leading_zeros() as i32;
    let least = format.least_exponent();
    if top > 1 - least {
        return format.with_sign(negative, overflow(format, rounding, negative));
    }
    let unit = top.max(least) - format.fraction as i32;
    let kept = if unit <= exponent {
        significand << (exponent - unit)
    } else {
        shift_rounded(significand, (unit - exponent) as u32, rounding, negative)
    };
    // The implicit one of a normal number adds 1 to the exponent, and so does a carry out of the fraction.
    let biased_less_one = (top.max(least) - least) as u64;
    let magnitude = (biased_less_one << format.fraction) + kept as u64;
    if magnitude >= format.infinity() {
        return format.with_sign(negative, overflow(format, rounding, negative));
    }
    format.with_sign(negative, magnitude)
}

/// The magnitude of what is too large.
fn overflow(format: Format, rounding: Rounding, negative: bool) -> u64 {
    let to_infinity = match rounding {
        Rounding::Nearest
        | Rounding::Contractible
        | Rounding::NearestAway
        | Rounding::Approximate
        | Rounding::Full => true,
        Rounding::Zero => false,
        Rounding::Down => negative,
        Rounding::Up => !negative,
    };
    format.infinity() - u64::from(!to_infinity)
}
