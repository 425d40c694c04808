//! `cvt` from and to floating point (PTX ISA, `cvt`).

use super::arithmetic::quiet;
use super::finish;
use super::format::{F32, F64, Format, Magnitude};
use super::round::{Exact, round, shift_rounded};
use crate::op::{FloatMode, Rounding};
use crate::semantics::compare::half_of;
use crate::semantics::concrete::{cut, signed_value};
use crate::semantics::convert::is_integer;
use crate::types::Type;

/// A conversion with a float on at least one side; 0 for types that nothing here computes with.
pub(super) fn convert(from: Type, to: Type, mode: FloatMode, integral: bool, args: &[u64]) -> u64 {
    if let Some(half) = half_of(to) {
        let [upper, lower] = [0, 1].map(|i| match args.get(i) {
            Some(&bits) => convert_one(from, half, mode, integral, bits),
            None => 0,
        });
        return upper << 16 | lower;
    }
    convert_one(from, to, mode, integral, args[0])
}

fn convert_one(from: Type, to: Type, mode: FloatMode, integral: bool, bits: u64) -> u64 {
    match (Format::of(from), Format::of(to)) {
        (Some(source), Some(target)) => float_to_float(source, target, mode, integral, bits),
        (Some(source), None) if is_integer(to) => float_to_integer(source, to, mode, bits),
        (None, Some(target)) if is_integer(from) => {
            let value = integer_to_float(from, target, mode.rounding, bits);
            finish(target, mode, value)
        }
        _ => 0,
    }
}

/// `.ftz` of a conversion is about binary32 only.
fn flush(format: Format, mode: FloatMode, bits: u64) -> u64 {
    format.flush(mode.ftz && format == F32, bits)
}

fn integer_to_float(from: Type, target: Format, rounding: Rounding, bits: u64) -> u64 {
    let (negative, magnitude) = if from.signed() {
        let value = signed_value(from.bits, bits);
        (value < 0, value.unsigned_abs())
    } else {
        (false, bits)
    };
    let exact = Exact {
        negative,
        significand: u128::from(magnitude),
        exponent: 0,
    };
    round(target, rounding, exact)
}

fn float_to_float(
    source: Format,
    target: Format,
    mode: FloatMode,
    integral: bool,
    bits: u64,
) -> u64 {
    let bits = flush(source, mode, bits);
    let number = source.decode(bits);
    let negative = number.negative;
    let value = match number.magnitude {
        Magnitude::Zero => target.with_sign(negative, 0),
        Magnitude::Infinite => target.with_sign(negative, target.infinity()),
        Magnitude::NotANumber if source == target => quiet(target, &[bits]),
        Magnitude::NotANumber => target.nan,
        Magnitude::Finite {
            significand,
            exponent,
        } => {
            let mut exact = Exact {
                negative,
                significand: u128::from(significand),
                exponent,
            };
            if integral && exponent < 0 {
                exact.significand = shift_rounded(
                    exact.significand,
                    exponent.unsigned_abs(),
                    mode.rounding,
                    negative,
                );
                exact.exponent = 0;
            }
            round(target, mode.rounding, exact)
        }
    };
    let mode = FloatMode {
        ftz: mode.ftz && target == F32,
        ..mode
    };
    finish(target, mode, value)
}

/// To the nearest integer that `rounding` picks, clamped to the range of the result. Without a rounding: towards zero.
fn float_to_integer(source: Format, to: Type, mode: FloatMode, bits: u64) -> u64 {
    let number = source.decode(flush(source, mode, bits));
    let negative = number.negative;
    let rounding = match mode.rounding {
        Rounding::Approximate => Rounding::Zero,
        given => given,
    };
    let magnitude = match number.magnitude {
        Magnitude::Zero => 0,
        Magnitude::Infinite => u128::MAX,
        Magnitude::NotANumber => return integer_of_nan(source, to),
        // A significand shifted by 64 or more is above every integer type.
        Magnitude::Finite {
            significand,
            exponent: exponent @ 0..,
        } => u128::from(significand) << exponent.min(64),
        Magnitude::Finite {
            significand,
            exponent,
        } => shift_rounded(
            u128::from(significand),
            exponent.unsigned_abs(),
            rounding,
            negative,
        ),
    };
    let most = u128::from(cut(to.bits - u8::from(to.signed()), u64::MAX));
    let clamped = match (negative, to.signed()) {
        (false, _) => magnitude.min(most) as u64,
        (true, false) => 0,
        (true, true) => (magnitude.min(most + 1) as u64).wrapping_neg(),
    };
    cut(to.bits, clamped)
}

/// NaN gives 0, but the middle of the range (of unsigned types; the least value of signed ones) from `.f64` or to 64 bits
/// (PTX ISA, `cvt`).
fn integer_of_nan(source: Format, to: Type) -> u64 {
    if source != F64 && to.bits != 64 {
        0
    } else {
        1 << (to.bits - 1)
    }
}
