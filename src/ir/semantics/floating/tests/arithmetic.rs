//! The operations that IEEE 754 defines to the last bit.

use super::{BF16, F16, bits, run, run32, with};
use crate::op::{FloatMode, FloatOp, Rounding};
use crate::semantics::floating::arithmetic::{Basic, compute, soft};
use crate::semantics::floating::format::{self, Format};
use crate::types::Type;
use proptest::prelude::*;
use std::cmp::Ordering;

const BASIC: [(Basic, usize); 6] = [
    (Basic::Add, 2),
    (Basic::Sub, 2),
    (Basic::Mul, 2),
    (Basic::Fma, 3),
    (Basic::Div, 2),
    (Basic::Sqrt, 1),
];

const ROUNDINGS: [Rounding; 4] = [
    Rounding::Nearest,
    Rounding::Zero,
    Rounding::Down,
    Rounding::Up,
];

/// The exact result of an operation on numbers of at most 24 bits: how it compares with a number of at most 25.
struct ExactResult<'a> {
    op: Basic,
    args: &'a [f64],
}

/// The sum of two numbers, and what its rounding lost (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

impl ExactResult<'_> {
    /// `x` compared with the exact result.
    fn order(&self, x: f64) -> Ordering {
        let [a, b, c] = [0, 1, 2].map(|i| self.args.get(i).copied().unwrap_or(0.0));
        let with_sum = |a: f64, b: f64| {
            let (sum, rest) = two_sum(a, b);
            let order = x.partial_cmp(&sum).unwrap();
            // Where x is near the sum their difference is exact.
            order_or(order, (x - sum).partial_cmp(&rest).unwrap(), x, sum)
        };
        match self.op {
            Basic::Add => with_sum(a, b),
            Basic::Sub => with_sum(a, -b),
            Basic::Mul => x.partial_cmp(&(a * b)).unwrap(),
            Basic::Fma => with_sum(a * b, c),
            Basic::Div if b < 0.0 => a.partial_cmp(&(x * b)).unwrap(),
            Basic::Div => (x * b).partial_cmp(&a).unwrap(),
            Basic::Sqrt if x < 0.0 => Ordering::Less,
            Basic::Sqrt => (x * x).partial_cmp(&a).unwrap(),
        }
    }
}

/// The order of `x` and `sum`, corrected by the rest of the sum where the two are within a factor of two.
fn order_or(coarse: Ordering, fine: Ordering, x: f64, sum: f64) -> Ordering {
    let near = x == sum || (x.abs() <= 2.0 * sum.abs() && sum.abs() <= 2.0 * x.abs());
    if near && (x > 0.0) == (sum > 0.0) {
        fine
    } else {
        coarse
    }
}

/// The neighbour of a magnitude as a number; above the largest one comes the next power of two.
fn value(format: Format, magnitude: u64) -> f64 {
    if magnitude >= format.infinity() {
        let largest = format.to_f64(format.infinity() - 1);
        largest + (largest - format.to_f64(format.infinity() - 2))
    } else {
        format.to_f64(magnitude)
    }
}

/// Whether `result` is what `rounding` must give. All comparisons are made on the side of the positive numbers.
fn rounded_right(format: Format, rounding: Rounding, exact: &ExactResult<'_>, result: u64) -> bool {
    let negative = format.negative(result);
    let magnitude = format.magnitude(result);
    let order = |x: f64| {
        if negative {
            exact.order(-x).reverse()
        } else {
            exact.order(x)
        }
    };
    let here = value(format, magnitude);
    let toward_zero = match rounding {
        Rounding::Nearest => {
            let odd = magnitude & 1 == 1;
            let above = order((here + value(format, magnitude + 1)) / 2.0);
            let upper = magnitude >= format.infinity() || above.is_gt() || above.is_eq() && !odd;
            let below = |m: u64| order((here + value(format, m)) / 2.0);
            let lower = magnitude == 0 || {
                let order = below(magnitude - 1);
                order.is_lt() || order.is_eq() && !odd
            };
            return upper && lower;
        }
        Rounding::Zero => true,
        Rounding::Down => !negative,
        _ => negative,
    };
    if toward_zero {
        let above = magnitude + 1;
        magnitude < format.infinity()
            && order(here).is_le()
            && (above == format.infinity() || order(value(format, above)).is_gt())
    } else {
        let fits = magnitude == format.infinity() || order(here).is_ge();
        fits && (magnitude == 0 || order(value(format, magnitude - 1)).is_lt())
    }
}

/// Checks all operations and roundings on finite operands.
fn check_exactly(format: Format, args: [u64; 3]) {
    let numbers = args.map(|x| format.to_f64(x));
    if numbers.iter().any(|x| !x.is_finite()) {
        return;
    }
    for (op, arity) in BASIC {
        let (args, exact) = (
            &args[..arity],
            ExactResult {
                op,
                args: &numbers[..arity],
            },
        );
        if op == Basic::Div && numbers[1] == 0.0 || op == Basic::Sqrt && numbers[0] < 0.0 {
            continue;
        }
        for rounding in ROUNDINGS {
            let result = soft(format, rounding, op, args);
            assert!(!format.is_nan(result), "{op:?} {numbers:?}");
            assert!(
                rounded_right(format, rounding, &exact, result),
                "{format:?} {op:?} {rounding:?} {numbers:?} = {}",
                format.to_f64(result)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn binary32_is_rounded_right(a in bits(format::F32), b in bits(format::F32), c in bits(format::F32)) {
        check_exactly(format::F32, [a, b, c]);
    }

    #[test]
    fn binary16_is_rounded_right(a in bits(format::F16), b in bits(format::F16), c in bits(format::F16)) {
        check_exactly(format::F16, [a, b, c]);
    }

    #[test]
    fn bfloat_is_rounded_right(a in bits(format::BF16), b in bits(format::BF16), c in bits(format::BF16)) {
        check_exactly(format::BF16, [a, b, c]);
    }

    /// Integer arithmetic and the host agree, special values included.
    #[test]
    fn soft_is_native(a in bits(format::F32), b in bits(format::F32), c in bits(format::F32)) {
        let nearest = Rounding::Nearest;
        for (op, arity) in BASIC {
            let args = [a, b, c];
            let native = compute(format::F32, nearest, op, &args[..arity]);
            prop_assert_eq!(native, soft(format::F32, nearest, op, &args[..arity]), "{:?}", op);
        }
    }

    #[test]
    fn soft_is_native_in_double(a in bits(format::F64), b in bits(format::F64), c in bits(format::F64)) {
        let nearest = Rounding::Nearest;
        for (op, arity) in BASIC {
            let args = [a, b, c];
            let native = compute(format::F64, nearest, op, &args[..arity]);
            let own = soft(format::F64, nearest, op, &args[..arity]);
            if format::F64.is_nan(native) {
                prop_assert!(format::F64.is_nan(own), "{:?}", op);
            } else {
                prop_assert_eq!(native, own, "{:?}", op);
            }
        }
    }

    /// Directed rounding in binary64: the result to nearest, moved by the sign of its error, which a fused multiply-add
    /// gives exactly.
    #[test]
    fn directed_double(a in 1e-60..1e60f64, b in 1e-60..1e60f64, negative: bool) {
        let a = if negative { -a } else { a };
        let (sum, sum_error) = two_sum(a, b);
        let product = a * b;
        let product_error = a.mul_add(b, -product);
        let quotient = a / b;
        let quotient_error = (-quotient).mul_add(b, a);
        for (op, nearest, error) in [
            (FloatOp::Add, sum, sum_error),
            (FloatOp::Mul, product, product_error),
            (FloatOp::Div, quotient, quotient_error),
        ] {
            let down = if error < 0.0 { nearest.next_down() } else { nearest };
            let up = if error > 0.0 { nearest.next_up() } else { nearest };
            let zero = if nearest > 0.0 { down } else { up };
            for (rounding, expected) in [(Rounding::Down, down), (Rounding::Up, up), (Rounding::Zero, zero)] {
                let args = [a.to_bits(), b.to_bits()];
                let result = f64::from_bits(run(op, Type::F64, with(rounding), &args));
                prop_assert_eq!(result, expected, "{:?} {:?}", op, rounding);
            }
        }
        let root = b.sqrt();
        let error = (-root).mul_add(root, b);
        let down = if error < 0.0 { root.next_down() } else { root };
        let result = run(FloatOp::Sqrt, Type::F64, with(Rounding::Down), &[b.to_bits()]);
        prop_assert_eq!(f64::from_bits(result), down);
    }

    /// Lanes do not touch each other.
    #[test]
    fn packed(a: u32, b: u32, c: u32) {
        let args = [a, b, c].map(u64::from);
        let lane = |low: u32| args.map(|x| x >> low & 0xFFFF);
        use crate::types::Kind;
        for (kind, half) in [(Kind::Float16x2, F16), (Kind::BFloat16x2, BF16)] {
            let ty = Type::new(kind, 32);
            let mode = FloatMode::NEAREST;
            let all = run(FloatOp::Fma, ty, mode, &args);
            let lanes = [16, 0].map(|low| run(FloatOp::Fma, half, mode, &lane(low)));
            prop_assert_eq!(all, lanes[0] << 16 | lanes[1]);
        }
    }
}

#[test]
fn special_cases() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let nearest = FloatMode::NEAREST;
    let canonical = 0x7FFF_FFFF;
    for (op, args) in [
        (FloatOp::Sub, vec![inf, inf]),
        (FloatOp::Mul, vec![0.0, inf]),
        (FloatOp::Div, vec![0.0, -0.0]),
        (FloatOp::Sqrt, vec![-1.0]),
        (FloatOp::Add, vec![1.0, -nan]),
        (FloatOp::Fma, vec![0.0, inf, 1.0]),
    ] {
        assert_eq!(run32(op, nearest, &args).to_bits(), canonical, "{op:?}");
    }
    assert_eq!(run32(FloatOp::Rcp, nearest, &[-0.0]), -inf);
    assert_eq!(run32(FloatOp::Rcp, nearest, &[4.0]), 0.25);
    // Zeros of cancellation.
    let zero = |rounding| run32(FloatOp::Sub, with(rounding), &[1.0, 1.0]).to_bits();
    assert_eq!(zero(Rounding::Nearest), 0);
    assert_eq!(zero(Rounding::Down), 0x8000_0000);
    // Overflow.
    let large = |rounding| run32(FloatOp::Mul, with(rounding), &[f32::MAX, -2.0]);
    assert_eq!(large(Rounding::Nearest), -inf);
    assert_eq!(large(Rounding::Zero), -f32::MAX);
    assert_eq!(large(Rounding::Up), -f32::MAX);
    assert_eq!(large(Rounding::Down), -inf);
    // Binary64 keeps the payload.
    let payload = 0x7FF0_0000_0000_1234;
    let kept = run(FloatOp::Add, Type::F64, nearest, &[1f64.to_bits(), payload]);
    assert_eq!(kept, payload | 1 << 51);
}

#[test]
fn modifiers() {
    let mode = FloatMode::NEAREST;
    let ftz = FloatMode { ftz: true, ..mode };
    let sat = FloatMode {
        saturate: true,
        ..mode
    };
    let relu = FloatMode { relu: true, ..mode };
    let tiny = f32::from_bits(5);
    assert_eq!(run32(FloatOp::Add, ftz, &[-tiny, -0.0]).to_bits(), 1 << 31);
    assert_eq!(run32(FloatOp::Mul, ftz, &[1e-30, 1e-10]), 0.0);
    assert_eq!(run32(FloatOp::Mul, mode, &[1e-30, 1e-10]), 1e-30 * 1e-10);
    assert_eq!(run32(FloatOp::Neg, ftz, &[tiny]).to_bits(), 1 << 31);
    assert_eq!(run32(FloatOp::Abs, ftz, &[-tiny]).to_bits(), 0);
    assert_eq!(run32(FloatOp::Add, sat, &[1.0, 2.0]), 1.0);
    assert_eq!(run32(FloatOp::Add, sat, &[1.0, -2.0]).to_bits(), 0);
    assert_eq!(run32(FloatOp::Add, sat, &[-0.0, -0.0]).to_bits(), 0);
    assert_eq!(run32(FloatOp::Add, sat, &[f32::NAN, 0.0]).to_bits(), 0);
    let half = |x: f32| u64::from(half::f16::from_f32(x).to_bits());
    let fma = |args: [f32; 3]| run(FloatOp::Fma, F16, relu, &args.map(half));
    assert_eq!(fma([2.0, 3.0, -7.0]), 0);
    assert_eq!(fma([2.0, 3.0, -5.0]), half(1.0));
    assert_eq!(fma([f32::NAN, 3.0, -5.0]), 0x7FFF);
}

#[test]
fn signs_of_numbers() {
    let mode = FloatMode::NEAREST;
    assert_eq!(
        run(FloatOp::Neg, Type::F32, mode, &[0x7F80_0000]),
        0xFF80_0000
    );
    assert_eq!(
        run(FloatOp::Abs, Type::F64, mode, &[(-2f64).to_bits()]),
        2f64.to_bits()
    );
    let sign = run(
        FloatOp::CopySign,
        Type::F32,
        mode,
        &[0x8000_0000, 0x3F80_0000],
    );
    assert_eq!(sign, 0xBF80_0000);
    let packed = Type::new(crate::types::Kind::Float16x2, 32);
    assert_eq!(run(FloatOp::Neg, packed, mode, &[0x3C00_BC00]), 0xBC00_3C00);
    assert_eq!(run(FloatOp::Abs, packed, mode, &[0xBC00_BC00]), 0x3C00_3C00);
}

/// `neg` and `abs` make one NaN of all; `copysign` moves the bits of any.
#[test]
fn signs_of_nans() {
    let mode = FloatMode::NEAREST;
    for op in [FloatOp::Neg, FloatOp::Abs] {
        for nan in [0x7F80_0001, 0xFFC0_0000] {
            assert_eq!(run(op, Type::F32, mode, &[nan]), 0x7FFF_FFFF);
        }
        let packed = Type::new(crate::types::Kind::BFloat16x2, 32);
        let one = run(op, packed, mode, &[0xFFC0_8000]);
        assert_eq!(one >> 16, 0x7FFF);
        assert_eq!(run(op, Type::F64, mode, &[u64::MAX]), u64::MAX >> 1);
    }
    assert_eq!(
        run(
            FloatOp::CopySign,
            Type::F32,
            mode,
            &[0xFF80_0001, 0x7F80_0002]
        ),
        0xFF80_0002
    );
}
