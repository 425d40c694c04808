//! Addition, multiplication, fused multiply-add, division and square root, exact and then rounded once, in every format
//! and rounding.
//!
//! Binary32 and binary64 rounded to nearest go to the host, whose arithmetic is IEEE 754; everything else is integer
//! arithmetic on significands.

use super::format::{F32, F64, Format, Magnitude, Number};
use super::round::{Exact, round};
use crate::op::Rounding;

/// The operations that IEEE 754 defines to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basic {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Sqrt,
}

/// `op` on bits of `format`. The result is NaN in the sense of [`Format::is_nan`] where an operand is or the operation is
/// invalid; [`quiet`] says which.
#[inline]
pub(super) fn compute(format: Format, rounding: Rounding, op: Basic, args: &[u64]) -> u64 {
    let nearest = matches!(
        rounding,
        Rounding::Nearest | Rounding::Contractible | Rounding::Approximate | Rounding::Full
    );
    let bits = if nearest && format == F32 {
        native_f32(op, args)
    } else if nearest && format == F64 {
        native_f64(op, args)
    } else {
        soft(format, rounding, op, args)
    };
    if format.is_nan(bits) {
        quiet(format, args)
    } else {
        bits
    }
}

/// The NaN that an operation gives. Binary64 keeps the payload of the first operand that is NaN, as the hardware does
/// (PTX leaves it open); all other formats have their canonical NaN.
pub(super) fn quiet(format: Format, args: &[u64]) -> u64 {
    if format != F64 {
        return format.nan;
    }
    args.iter()
        .find(|&&bits| format.is_nan(bits))
        .map_or(format.nan, |&bits| bits | format.smallest_normal() >> 1)
}

macro_rules! native {
    ($name:ident, $float:ty, $bits:ty) => {
        #[inline]
        fn $name(op: Basic, args: &[u64]) -> u64 {
            let arg = |i: usize| <$float>::from_bits(args[i] as $bits);
            let value = match op {
                Basic::Add => arg(0) + arg(1),
                Basic::Sub => arg(0) - arg(1),
                Basic::Mul => arg(0) * arg(1),
                Basic::Fma => arg(0).mul_add(arg(1), arg(2)),
                Basic::Div => arg(0) / arg(1),
                Basic::Sqrt => arg(0).sqrt(),
            };
            u64::from(value.to_bits())
        }
    };
}
native!(native_f32, f32, u32);
native!(native_f64, f64, u64);

/// `op` by integer arithmetic.
pub(super) fn soft(format: Format, rounding: Rounding, op: Basic, args: &[u64]) -> u64 {
    let arg = |i: usize| format.decode(args[i]);
    let negated = |number: Number| Number {
        negative: !number.negative,
        ..number
    };
    let outcome = match op {
        Basic::Add => add(rounding, widen(arg(0)), widen(arg(1))),
        Basic::Sub => add(rounding, widen(arg(0)), widen(negated(arg(1)))),
        Basic::Mul => multiply(arg(0), arg(1)),
        Basic::Fma => add(rounding, multiply(arg(0), arg(1)), widen(arg(2))),
        Basic::Div => divide(arg(0), arg(1)),
        Basic::Sqrt => square_root(arg(0)),
    };
    match outcome {
        Outcome::Value(exact) => round(format, rounding, exact),
        Outcome::Infinite { negative } => format.with_sign(negative, format.infinity()),
        Outcome::NotANumber => format.nan,
    }
}

/// An exact result. Zero is a value with significand 0.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    Value(Exact),
    Infinite { negative: bool },
    NotANumber,
}

impl Outcome {
    fn zero(negative: bool) -> Outcome {
        Outcome::Value(Exact {
            negative,
            significand: 0,
            exponent: 0,
        })
    }
}

fn widen(number: Number) -> Outcome {
    let negative = number.negative;
    match number.magnitude {
        Magnitude::Zero => Outcome::zero(negative),
        Magnitude::Infinite => Outcome::Infinite { negative },
        Magnitude::NotANumber => Outcome::NotANumber,
        Magnitude::Finite {
            significand,
            exponent,
        } => Outcome::Value(Exact {
            negative,
            significand: u128::from(significand),
            exponent,
        }),
    }
}

/// At most 106 bits: exact.
fn multiply(a: Number, b: Number) -> Outcome {
    use Magnitude::{Finite, Infinite, NotANumber, Zero};
    let negative = a.negative != b.negative;
    match (a.magnitude, b.magnitude) {
        (NotANumber, _) | (_, NotANumber) | (Zero, Infinite) | (Infinite, Zero) => {
            Outcome::NotANumber
        }
        (Infinite, _) | (_, Infinite) => Outcome::Infinite { negative },
        (Zero, _) | (_, Zero) => Outcome::zero(negative),
        (
            Finite {
                significand: x,
                exponent: i,
            },
            Finite {
                significand: y,
                exponent: j,
            },
        ) => Outcome::Value(Exact {
            negative,
            significand: u128::from(x) * u128::from(y),
            exponent: i + j,
        }),
    }
}

/// The sum. Two numbers that cancel give +0, or -0 when rounding down.
fn add(rounding: Rounding, a: Outcome, b: Outcome) -> Outcome {
    match (a, b) {
        (Outcome::NotANumber, _) | (_, Outcome::NotANumber) => Outcome::NotANumber,
        (Outcome::Infinite { negative }, Outcome::Infinite { negative: other }) => {
            if negative == other {
                a
            } else {
                Outcome::NotANumber
            }
        }
        (Outcome::Infinite { .. }, _) => a,
        (_, Outcome::Infinite { .. }) => b,
        (Outcome::Value(x), Outcome::Value(y)) => match (x.significand, y.significand) {
            (0, 0) if x.negative == y.negative => a,
            (0, 0) => Outcome::zero(rounding == Rounding::Down),
            (0, _) => b,
            (_, 0) => a,
            _ => add_finite(rounding, x, y),
        },
    }
}

/// The bit that the top of both summands is brought to; one above is left for the carry. Significands have at most 106 bits, so
/// that at least 19 zeros are below: bits are only lost where the exponents are far apart, and then there is no cancellation
/// that would bring the sticky bit up.
const TOP: i32 = 125;

fn add_finite(rounding: Rounding, a: Exact, b: Exact) -> Outcome {
    let normalized = |x: Exact| {
        let shift = TOP - (127 - x.significand.leading_zeros() as i32);
        (x.significand << shift, x.exponent - shift)
    };
    let ((x, i), (y, j)) = (normalized(a), normalized(b));
    let ((large, exponent, negative), (small, other, small_negative)) = if i >= j {
        ((x, i, a.negative), (y, j, b.negative))
    } else {
        ((y, j, b.negative), (x, i, a.negative))
    };
    let small = shift_sticky(small, (exponent - other) as u32);
    let (negative, significand) = if negative == small_negative {
        (negative, large + small)
    } else if large == small {
        return Outcome::zero(rounding == Rounding::Down);
    } else if large > small {
        (negative, large - small)
    } else {
        (small_negative, small - large)
    };
    Outcome::Value(Exact {
        negative,
        significand,
        exponent,
    })
}

/// A right shift whose lowest bit is set if a bit was lost.
fn shift_sticky(value: u128, shift: u32) -> u128 {
    if shift > 127 {
        return u128::from(value > 0);
    }
    let kept = value >> shift;
    kept | u128::from(kept << shift != value)
}

/// The quotient, with at least 69 bits.
fn divide(a: Number, b: Number) -> Outcome {
    use Magnitude::{Finite, Infinite, NotANumber, Zero};
    let negative = a.negative != b.negative;
    match (a.magnitude, b.magnitude) {
        (NotANumber, _) | (_, NotANumber) | (Zero, Zero) | (Infinite, Infinite) => {
            Outcome::NotANumber
        }
        (Infinite, _) | (_, Zero) => Outcome::Infinite { negative },
        (Zero, _) | (_, Infinite) => Outcome::zero(negative),
        (
            Finite {
                significand: x,
                exponent: i,
            },
            Finite {
                significand: y,
                exponent: j,
            },
        ) => {
            // The dividend gets 123 bits, the divisor has at most 53.
            let shift = u128::from(x).leading_zeros() - 5;
            let (dividend, divisor) = (u128::from(x) << shift, u128::from(y));
            let inexact = dividend % divisor != 0;
            Outcome::Value(Exact {
                negative,
                significand: (dividend / divisor) | u128::from(inexact),
                exponent: i - j - shift as i32,
            })
        }
    }
}

/// The square root, with at least 60 bits.
fn square_root(a: Number) -> Outcome {
    match a.magnitude {
        Magnitude::NotANumber => Outcome::NotANumber,
        Magnitude::Zero => Outcome::zero(a.negative),
        _ if a.negative => Outcome::NotANumber,
        Magnitude::Infinite => Outcome::Infinite { negative: false },
        Magnitude::Finite {
            significand,
            exponent,
        } => {
            let value = u128::from(significand);
            // To 124 bits or, so that the exponent is even, 125.
            let mut shift = value.leading_zeros() as i32 - 4;
            if (exponent - shift) % 2 != 0 {
                shift += 1;
            }
            let square = value << shift;
            let root = square.isqrt();
            Outcome::Value(Exact {
                negative: false,
                significand: root | u128::from(root * root != square),
                exponent: (exponent - shift) / 2,
            })
        }
    }
}
