//! Floating point on plain bits: what [`Domain::opaque`](super::Domain::opaque) gives for [`super::Concrete`].
//!
//! `add`, `sub`, `mul`, `fma`, `div`, `rcp`, `sqrt` and all conversions are exact and rounded once, by the rounding that
//! the instruction names, in binary16, binary32, binary64 and `.bf16`, packed or not.
//!
//! Flushing to zero looks at the result after rounding. NaN results are the canonical NaN (PTX ISA, "Floating Point"),
//! but binary64 keeps payloads.
//!
//! # Approximations
//! The PTX ISA gives for each the results of special operands and the greatest error; the last bits are the hardware's
//! own and differ between generations. What is computed here is the exact value rounded to nearest (of the functions: a
//! series in binary64 of correctly rounded operations, whose own error is below 2^-45, then rounded): well inside every
//! bound, the same on every host and in every run. So a program is executed faithfully, but not to the last bit as
//! any one GPU does it, and nothing may be *proved* by these values: symbolic domains take approximations as unknown
//! functions of their operands.
//!
//! | instruction | what PTX allows | what is computed |
//! | --- | --- | --- |
//! | `div.approx.f32` | 2 ulp for a divisor in [2^-126, 2^126]; above, a zero with the quotient's sign, NaN of infinity | rounded quotient; those zeros and NaNs |
//! | `div.full.f32` | 2 ulp | rounded quotient |
//! | `rcp.approx.f32` | 1 ulp | rounded reciprocal |
//! | `sqrt.approx.f32` | relative error 2^-23 | rounded root |
//! | `rsqrt.approx.f32` | relative error 2^-22.9 | `1 / sqrt(x)` in binary64, rounded |
//! | `rsqrt.approx.f64` | no bound | `1 / sqrt(x)`, two roundings |
//! | `rcp`, `rsqrt.approx.ftz.f64` | a gross approximation: the upper 32 bits of operand and result, the lower ones zero | that value rounded to 20 bits of fraction |
//! | `sin`, `cos.approx.f32` | absolute error 2^-20.5 in [-2 pi, 2 pi], 2^-14.7 in [-100 pi, 100 pi], none beyond | series, rounded |
//! | `lg2.approx.f32` | absolute error 2^-22 in (0.5, 2), relative error 2^-22 elsewhere | series, rounded |
//! | `ex2.approx.f32` | 2 ulp of the rounded result | series, rounded |
//! | `ex2.approx.f16`, `.ftz.bf16` | relative error 2^-9.9, 2^-7 | series, rounded |
//! | `tanh.approx.f32` | relative error 2^-11 | series, rounded |
//! | `tanh.approx.f16`, `.bf16` | absolute error 2^-10.987, 2^-8 | series, rounded |

mod approximate;
mod arithmetic;
mod compare;
mod convert;
mod format;
mod round;
#[cfg(test)]
mod tests;

use self::arithmetic::{Basic, compute as basic};
use self::compare::Pick;
use self::format::{F32, F64, Format};
use super::compare::half_of;
use crate::op::{FloatMode, FloatOp, Op, Rounding};
use crate::types::{Kind, Type};

/// The result of a floating-point operation, conversion, comparison or `testp`; operands have all bits above their
/// width zero. Operations on types that nothing here computes with give 0: front ends never make them.
#[inline]
pub fn compute(op: &Op, args: &[u64]) -> u64 {
    match *op {
        Op::Float { op, ty, mode } => match half_of(ty) {
            Some(half) => packed(op, half, mode, args),
            None => scalar(op, ty, mode, args),
        },
        Op::Convert {
            from,
            to,
            mode,
            integral,
        } => convert::convert(from, to, mode, integral, args),
        Op::Compare {
            comparison,
            ty,
            ftz,
            ..
        } => {
            let truth = |format: Format| {
                let (a, b) = (format.flush(ftz, args[0]), format.flush(ftz, args[1]));
                compare::compare(format, comparison, a, b)
            };
            Format::of(ty).map_or(0, |format| u64::from(truth(format)))
        }
        Op::Test { class, ty } => {
            Format::of(ty).map_or(0, |format| u64::from(compare::test(format, class, args[0])))
        }
        _ => 0,
    }
}

/// Both lanes.
fn packed(op: FloatOp, half: Type, mode: FloatMode, args: &[u64]) -> u64 {
    let lane = |low: u32| {
        let mut parts = [0; 3];
        for (part, arg) in parts.iter_mut().zip(args) {
            *part = arg >> low & 0xFFFF;
        }
        scalar(op, half, mode, &parts[..args.len().min(3)])
    };
    lane(16) << 16 | lane(0)
}

/// One operation of one unpacked type.
#[inline]
fn scalar(op: FloatOp, ty: Type, mode: FloatMode, args: &[u64]) -> u64 {
    let Some(format) = Format::of(ty) else {
        return 0;
    };
    if mode.rounding == Rounding::Approximate {
        let special = match (op, format) {
            (FloatOp::Div, F32) => approximate::special_quotient(mode.ftz, args),
            (FloatOp::Rcp, F64) if mode.ftz => Some(approximate::upper_word(args, |x| 1.0 / x)),
            (FloatOp::Rsqrt, F64) if mode.ftz => {
                Some(approximate::upper_word(args, approximate::reciprocal_root))
            }
            _ => None,
        };
        if let Some(bits) = special {
            return bits;
        }
    }
    if !mode.ftz {
        return finish(format, mode, evaluate(op, format, mode, args));
    }
    let mut flushed = [0; 3];
    for (to, &from) in flushed.iter_mut().zip(args) {
        *to = format.flush(true, from);
    }
    let value = evaluate(op, format, mode, &flushed[..args.len().min(3)]);
    finish(format, mode, value)
}

/// The operation itself, without `.ftz`, `.sat` and `.relu`.
#[inline]
fn evaluate(op: FloatOp, format: Format, mode: FloatMode, args: &[u64]) -> u64 {
    let exactly = |op: Basic| basic(format, mode.rounding, op, args);
    let approximately = |function: fn(f64) -> f64| approximation(format, function, args[0]);
    match op {
        FloatOp::Add => exactly(Basic::Add),
        FloatOp::Sub => exactly(Basic::Sub),
        FloatOp::Mul => exactly(Basic::Mul),
        FloatOp::Fma => exactly(Basic::Fma),
        FloatOp::Div => exactly(Basic::Div),
        FloatOp::Sqrt => exactly(Basic::Sqrt),
        FloatOp::Rcp => basic(format, mode.rounding, Basic::Div, &[format.one(), args[0]]),
        // The NaN of `neg` and `abs` is open. This one is no sign operation on the operand, so that whatever takes them as
        // such does not agree with the execution.
        FloatOp::Neg | FloatOp::Abs if format.is_nan(args[0]) => format.sign() - 1,
        FloatOp::Neg => args[0] ^ format.sign(),
        FloatOp::Abs => format.magnitude(args[0]),
        FloatOp::CopySign => format.with_sign(format.negative(args[0]), format.magnitude(args[1])),
        FloatOp::Min | FloatOp::Min3 => compare::pick(format, Pick::Min, mode, args),
        FloatOp::Max | FloatOp::Max3 => compare::pick(format, Pick::Max, mode, args),
        FloatOp::Rsqrt => approximately(approximate::reciprocal_root),
        FloatOp::Sin => approximately(approximate::sine),
        FloatOp::Cos => approximately(approximate::cosine),
        FloatOp::Lg2 => approximately(approximate::log2),
        FloatOp::Ex2 => approximately(approximate::exp2),
        FloatOp::Tanh => approximately(approximate::tanh),
    }
}

/// A function of binary64, rounded to the format.
fn approximation(format: Format, function: fn(f64) -> f64, a: u64) -> u64 {
    if format.is_nan(a) {
        return arithmetic::quiet(format, &[a]);
    }
    let value = function(format.to_f64(a));
    if value.is_nan() {
        return format.nan;
    }
    let ty = Type::new(
        if format == format::BF16 {
            Kind::BFloat
        } else {
            Kind::Float
        },
        format.width as u8,
    );
    convert::convert(Type::F64, ty, FloatMode::NEAREST, false, &[value.to_bits()])
}

/// `.ftz`, `.sat` and `.relu` of a result.
#[inline]
fn finish(format: Format, mode: FloatMode, bits: u64) -> u64 {
    let mut bits = format.flush(mode.ftz, bits);
    if mode.saturate {
        if format.is_nan(bits) || format.negative(bits) {
            return 0;
        }
        bits = bits.min(format.one());
    }
    if mode.relu && !format.is_nan(bits) && format.negative(bits) {
        return 0;
    }
    bits
}
