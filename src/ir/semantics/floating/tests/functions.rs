//! Minimum and maximum, and the functions that are approximations.

use super::{BF16, run, run32};
use crate::op::{FloatMode, FloatOp};
use crate::types::Type;
use proptest::prelude::*;

const MODE: FloatMode = FloatMode {
    rounding: crate::op::Rounding::Approximate,
    ..FloatMode::NEAREST
};

#[test]
fn minimum_and_maximum() {
    let nan = f32::NAN;
    let with_nan = FloatMode { nan: true, ..MODE };
    for (op, mode, args, expected) in [
        (FloatOp::Min, MODE, vec![1.0, 2.0], 1.0),
        (FloatOp::Max, MODE, vec![1.0, 2.0], 2.0),
        (FloatOp::Min, MODE, vec![nan, 2.0], 2.0),
        (FloatOp::Max, MODE, vec![1.0, nan], 1.0),
        (FloatOp::Min, MODE, vec![0.0, -0.0], -0.0),
        (FloatOp::Max, MODE, vec![-0.0, 0.0], 0.0),
        (FloatOp::Min3, MODE, vec![3.0, -1.0, 2.0], -1.0),
        (FloatOp::Max3, MODE, vec![3.0, nan, 5.0], 5.0),
        (FloatOp::Max, with_nan, vec![1.0, 2.0], 2.0),
    ] {
        let result = run32(op, mode, &args);
        assert_eq!(result.to_bits(), f32::to_bits(expected), "{op:?} {args:?}");
    }
    for (op, mode, args) in [
        (FloatOp::Min, with_nan, [1.0, nan]),
        (FloatOp::Max, with_nan, [-nan, 1.0]),
        (FloatOp::Min, MODE, [nan, nan]),
    ] {
        assert_eq!(run32(op, mode, &args).to_bits(), 0x7FFF_FFFF);
    }
}

/// PTX ISA, `min` with `.xorsign.abs`: the smaller magnitude, with the exclusive or of the signs.
#[test]
fn xorsign() {
    let mode = FloatMode {
        xorsign_abs: true,
        ..MODE
    };
    for (a, b, min, max) in [
        (1.0, -2.0, -1.0, -2.0),
        (-1.0, -2.0, 1.0, 2.0),
        (-3.0, 2.0, -2.0, -3.0),
        (-f32::NAN, 2.0, -2.0, -2.0),
    ] {
        assert_eq!(run32(FloatOp::Min, mode, &[a, b]), min, "min {a} {b}");
        assert_eq!(run32(FloatOp::Max, mode, &[a, b]), max, "max {a} {b}");
    }
    assert_eq!(run32(FloatOp::Min3, mode, &[-3.0, 2.0, -4.0]), 2.0, ".abs");
}

/// Within two units of the last place of the host's function in binary64, rounded.
fn near(result: f32, expected: f64) -> bool {
    let expected = expected as f32;
    result == expected
        || (f64::from(result) - f64::from(expected)).abs()
            <= 2.0 * f64::from(expected.abs().next_up() - expected.abs())
}

proptest! {
    #[test]
    fn functions_of_the_host(x in -80.0..80.0f32, y in 1e-38..1e38f32) {
        let one = |op, x: f32| run32(op, MODE, &[x]);
        prop_assert!(near(one(FloatOp::Ex2, x), f64::from(x).exp2()));
        prop_assert!(near(one(FloatOp::Lg2, y), f64::from(y).log2()));
        prop_assert!(near(one(FloatOp::Rsqrt, y), 1.0 / f64::from(y).sqrt()));
        prop_assert!(near(one(FloatOp::Tanh, x), f64::from(x).tanh()));
        prop_assert!(near(one(FloatOp::Tanh, 1.0 / y), f64::from(1.0 / y).tanh()));
        // Near their zeros sine and cosine are bounded absolutely.
        for x in [x, x * 1000.0] {
            let wide = f64::from(x);
            prop_assert!((f64::from(one(FloatOp::Sin, x)) - wide.sin()).abs() < 1e-7);
            prop_assert!((f64::from(one(FloatOp::Cos, x)) - wide.cos()).abs() < 1e-7);
        }
    }
}

#[test]
fn series_in_binary64() {
    use super::super::approximate::{cosine, exp2, log2, sine, tanh};
    for i in -4000..4000 {
        let x = f64::from(i) / 127.0;
        let relative = |ours: f64, host: f64| (ours - host).abs() <= host.abs() * 2f64.powi(-45);
        assert!(relative(exp2(x), x.exp2()), "exp2 {x}");
        assert!(relative(tanh(x), x.tanh()), "tanh {x}");
        assert!(relative(log2(x.exp2()), x.exp2().log2()), "log2 {x}");
        assert!((sine(x) - x.sin()).abs() < 2f64.powi(-45), "sin {x}");
        assert!((cosine(x) - x.cos()).abs() < 2f64.powi(-45), "cos {x}");
    }
    assert_eq!(log2(f64::from_bits(1)), -1074.0);
}

/// The tables of special values in the PTX ISA.
#[test]
fn special_values() {
    let inf = f32::INFINITY;
    for (op, x, expected) in [
        (FloatOp::Rsqrt, inf, 0.0),
        (FloatOp::Rsqrt, -0.0, -inf),
        (FloatOp::Rsqrt, 0.0, inf),
        (FloatOp::Lg2, 0.0, -inf),
        (FloatOp::Lg2, -0.0, -inf),
        (FloatOp::Lg2, inf, inf),
        (FloatOp::Ex2, -inf, 0.0),
        (FloatOp::Ex2, inf, inf),
        (FloatOp::Ex2, -0.0, 1.0),
        (FloatOp::Ex2, -149.0, f32::from_bits(1)),
        (FloatOp::Sin, -0.0, -0.0),
        (FloatOp::Sin, 0.0, 0.0),
        (FloatOp::Cos, -0.0, 1.0),
        (FloatOp::Tanh, -inf, -1.0),
        (FloatOp::Tanh, -0.0, -0.0),
        (FloatOp::Rcp, -inf, -0.0),
        (FloatOp::Rcp, 0.0, inf),
        (FloatOp::Sqrt, -0.0, -0.0),
    ] {
        let result = run32(op, MODE, &[x]);
        assert_eq!(result.to_bits(), f32::to_bits(expected), "{op:?} {x}");
    }
    for (op, x) in [
        (FloatOp::Rsqrt, -1.0),
        (FloatOp::Lg2, -1.0),
        (FloatOp::Sin, inf),
        (FloatOp::Cos, -inf),
        (FloatOp::Ex2, f32::NAN),
    ] {
        assert_eq!(run32(op, MODE, &[x]).to_bits(), 0x7FFF_FFFF, "{op:?} {x}");
    }
    let ftz = FloatMode { ftz: true, ..MODE };
    assert_eq!(run32(FloatOp::Ex2, ftz, &[-149.0]), 0.0);
    assert_eq!(run(FloatOp::Ex2, BF16, ftz, &[0x4040]), 0x4100, "2^3 = 8");
    let rcp = run(FloatOp::Rcp, Type::F64, ftz, &[4f64.to_bits()]);
    assert_eq!(f64::from_bits(rcp), 0.25);
}
