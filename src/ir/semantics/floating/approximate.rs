//! The functions that PTX only has as approximations: `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`; and approximations of
//! others where the PTX ISA asks for what is not the rounded exact value.
//!
//! No host can know what the hardware gives to the last bit. These are series in binary64 built of correctly rounded
//! operations only, hence equal on every host. Their relative error (of `sin` and `cos`: the absolute one) is below 2^-45;
//! the result is then rounded to nearest. They lie within the error bounds that the PTX ISA gives for each function.

use super::format::{F32, F64};
use std::f64::consts::{FRAC_PI_2, LN_2, SQRT_2, TAU};

/// `div.approx.f32` where the divisor is so large that its reciprocal is subnormal: `d = a * (1/b)` with 1/b flushed.
pub(super) fn special_quotient(ftz: bool, args: &[u64]) -> Option<u64> {
    let (a, b) = (F32.flush(ftz, args[0]), args[1]);
    let magnitude = F32.magnitude(b);
    // 2^126 and infinity are none of these.
    if magnitude <= LARGEST_DIVISOR || magnitude >= F32.infinity() {
        return None;
    }
    if F32.magnitude(a) >= F32.infinity() {
        return Some(F32.nan);
    }
    Some(F32.with_sign(F32.negative(a) != F32.negative(b), 0))
}

/// 2^126
const LARGEST_DIVISOR: u64 = 0x7E80_0000;

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: a function of the upper 32 bits (1.11.20 format), rounded to as many;
/// the lower ones are zero.
pub(super) fn upper_word(args: &[u64], function: fn(f64) -> f64) -> u64 {
    let value = function(f64::from_bits(F64.flush(true, args[0] & UPPER)));
    if value.is_nan() {
        return UPPER_NAN;
    }
    F64.flush(true, value.to_bits().wrapping_add(1 << 31) & UPPER)
}

const UPPER: u64 = 0xFFFF_FFFF_0000_0000;
/// The canonical NaN of those instructions.
const UPPER_NAN: u64 = 0x7FFF_FFFF_0000_0000;

/// 1 / sqrt(x)
pub(super) fn reciprocal_root(x: f64) -> f64 {
    // 1 / -0 is minus infinity, as `rsqrt` wants it.
    1.0 / x.sqrt()
}

/// sin(x). The angle is reduced by the binary64 number nearest to 2 pi, exactly.
pub(super) fn sine(x: f64) -> f64 {
    if x == 0.0 {
        return x;
    }
    sine_of_quadrant(x, 0)
}

/// cos(x), reduced as [`sine`].
pub(super) fn cosine(x: f64) -> f64 {
    sine_of_quadrant(x, 1)
}

/// sin(x + quadrants * pi / 2)
fn sine_of_quadrant(x: f64, quadrants: i64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let angle = x % TAU;
    let quadrant = (angle / FRAC_PI_2).round();
    let rest = angle - quadrant * FRAC_PI_2;
    let value = if (quadrant as i64 + quadrants) % 2 == 0 {
        sine_series(rest)
    } else {
        cosine_series(rest)
    };
    if (quadrant as i64 + quadrants).rem_euclid(4) >= 2 {
        -value
    } else {
        value
    }
}

/// Taylor's series for |x| <= pi / 4: the first term left out is below 2^-57.
fn sine_series(x: f64) -> f64 {
    let square = x * x;
    let mut sum = 0.0;
    for n in (1..=8).rev() {
        let n = f64::from(n);
        sum = -square / (2.0 * n * (2.0 * n + 1.0)) * (1.0 + sum);
    }
    x * (1.0 + sum)
}

fn cosine_series(x: f64) -> f64 {
    let square = x * x;
    let mut sum = 0.0;
    for n in (1..=8).rev() {
        let n = f64::from(n);
        sum = -square / (2.0 * n * (2.0 * n - 1.0)) * (1.0 + sum);
    }
    1.0 + sum
}

/// 2^x
pub(super) fn exp2(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    // Everything beyond is zero or infinite in every format.
    let x = x.clamp(-2000.0, 2000.0);
    let whole = x.round();
    let power = (x - whole) * LN_2;
    let mut sum = 1.0;
    for n in (1..=14).rev() {
        sum = 1.0 + power / f64::from(n) * sum;
    }
    // In three steps, none of which leaves the range of binary64 unless the result does.
    let whole = whole as i32;
    let step = whole / 3;
    sum * power_of_two(step) * power_of_two(step) * power_of_two(whole - 2 * step)
}

/// 2^n for the exponents of normal numbers.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// log2(x)
pub(super) fn log2(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    // A subnormal binary64 number is scaled first.
    let (x, scale) = if x < f64::MIN_POSITIVE {
        (x * power_of_two(64), -64.0)
    } else {
        (x, 0.0)
    };
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    let mut mantissa = x / power_of_two(exponent.max(-1022));
    let mut whole = f64::from(exponent) + scale;
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        whole += 1.0;
    }
    // log((1 + s) / (1 - s)) = 2 (s + s^3/3 + ...), |s| < 0.172
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for n in (0..=11).rev() {
        sum = 1.0 / f64::from(2 * n + 1) + square * sum;
    }
    whole + 2.0 * s * sum / LN_2
}

/// tanh(x)
pub(super) fn tanh(x: f64) -> f64 {
    if x.abs() < 1.0 / 4096.0 {
        // The next term of the series is x^5 * 2/15.
        return x * (1.0 - x * x / 3.0);
    }
    // Beyond 40 the result is 1 in every format; the bound keeps infinity out.
    let power = exp2(x.clamp(-40.0, 40.0) * 2.0 / LN_2);
    (power - 1.0) / (power + 1.0)
}
