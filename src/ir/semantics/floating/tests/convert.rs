//! `cvt`, comparisons and classes.

use super::{BF16, F16, bits, with};
use crate::op::{Comparison, FloatMode, Op, Rounding, TestClass};
use crate::semantics::floating::format::{self, Format};
use crate::semantics::fold;
use crate::types::{Kind, Type};
use proptest::prelude::*;

fn cvt(from: Type, to: Type, mode: FloatMode, args: &[u64]) -> u64 {
    let op = Op::Convert {
        from,
        to,
        mode,
        integral: false,
    };
    fold(&op, args)[0]
}

fn integer(signed: bool, bits: u8) -> Type {
    let kind = if signed { Kind::Signed } else { Kind::Unsigned };
    Type::new(kind, bits)
}

fn from_f32(to: Type, rounding: Rounding, x: f32) -> u64 {
    cvt(Type::F32, to, with(rounding), &[u64::from(x.to_bits())])
}

proptest! {
    /// Rust's casts round towards zero and clamp, as `cvt.rzi` does.
    #[test]
    fn float_to_integer(x in bits(format::F64)) {
        let value = f64::from_bits(x);
        prop_assume!(!value.is_nan());
        let mode = with(Rounding::Zero);
        let to = |signed, bits| cvt(Type::F64, integer(signed, bits), mode, &[x]);
        prop_assert_eq!(to(true, 8), (value as i8) as u8 as u64);
        prop_assert_eq!(to(false, 8), (value as u8) as u64);
        prop_assert_eq!(to(true, 16), (value as i16) as u16 as u64);
        prop_assert_eq!(to(false, 16), (value as u16) as u64);
        prop_assert_eq!(to(true, 32), (value as i32) as u32 as u64);
        prop_assert_eq!(to(false, 32), (value as u32) as u64);
        prop_assert_eq!(to(true, 64), (value as i64) as u64);
        prop_assert_eq!(to(false, 64), value as u64);
    }

    /// Rounding to an integer type and to an integral float agree with Rust's.
    #[test]
    fn integral_rounding(x in bits(format::F32)) {
        let value = f32::from_bits(x as u32);
        prop_assume!(!value.is_nan());
        for (rounding, expected) in [
            (Rounding::Nearest, value.round_ties_even()),
            (Rounding::Zero, value.trunc()),
            (Rounding::Down, value.floor()),
            (Rounding::Up, value.ceil()),
        ] {
            let op = Op::Convert {
                from: Type::F32,
                to: Type::F32,
                mode: with(rounding),
                integral: true,
            };
            prop_assert_eq!(fold(&op, &[x])[0], u64::from(expected.to_bits()), "{:?}", rounding);
            let integer = cvt(Type::F32, Type::S32, with(rounding), &[x]);
            prop_assert_eq!(integer as u32 as i32, expected as i32, "{:?}", rounding);
        }
    }

    #[test]
    fn integer_to_float(x: u64) {
        let nearest = FloatMode::NEAREST;
        let low = x & 0xFFFF_FFFF;
        prop_assert_eq!(cvt(Type::U64, Type::F32, nearest, &[x]), u64::from((x as f32).to_bits()));
        prop_assert_eq!(cvt(Type::S64, Type::F64, nearest, &[x]), (x as i64 as f64).to_bits());
        prop_assert_eq!(cvt(Type::S32, Type::F32, nearest, &[low]), u64::from((x as i32 as f32).to_bits()));
        let byte = cvt(integer(true, 8), Type::F32, nearest, &[x & 0xFF]);
        prop_assert_eq!(byte, u64::from((x as i8 as f32).to_bits()));
        // Directed: the neighbours of the value.
        let down = f64::from_bits(cvt(Type::U64, Type::F64, with(Rounding::Down), &[x]));
        let up = f64::from_bits(cvt(Type::U64, Type::F64, with(Rounding::Up), &[x]));
        prop_assert!(down as u128 <= u128::from(x) && u128::from(x) <= up as u128);
        prop_assert!(up == down || up == down.next_up());
        prop_assert_eq!(up == down, down as u128 == u128::from(x));
    }

    #[test]
    fn narrowing(x in bits(format::F64)) {
        let value = f64::from_bits(x);
        prop_assume!(!value.is_nan());
        let nearest = FloatMode::NEAREST;
        let single = cvt(Type::F64, Type::F32, nearest, &[x]);
        prop_assert_eq!(single, u64::from((value as f32).to_bits()));
        let f32_value = f32::from_bits(single as u32);
        let half = cvt(Type::F32, F16, nearest, &[single]);
        prop_assert_eq!(half, u64::from(half::f16::from_f32(f32_value).to_bits()));
        let brain = cvt(Type::F32, BF16, nearest, &[single]);
        prop_assert_eq!(brain, u64::from(half::bf16::from_f32(f32_value).to_bits()));
        // Directed: the two neighbours enclose the value.
        let directed = |rounding| f32::from_bits(cvt(Type::F64, Type::F32, with(rounding), &[x]) as u32);
        let (down, up) = (directed(Rounding::Down), directed(Rounding::Up));
        prop_assert!(f64::from(down) <= value && value <= f64::from(up));
        prop_assert_eq!(f64::from(down) == value, down.to_bits() == up.to_bits());
        prop_assert!(down.to_bits() == up.to_bits() || down.next_up() == up);
        let zero = if value < 0.0 { up } else { down };
        prop_assert_eq!(directed(Rounding::Zero).to_bits(), zero.to_bits());
    }

    /// A float comparison of each format agrees with Rust's on binary64.
    #[test]
    fn comparisons(a in bits(format::F32), b in bits(format::F32)) {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let unordered = x.is_nan() || y.is_nan();
        let cases = [
            (Comparison::Eq, Comparison::EqU, x == y),
            (Comparison::Ne, Comparison::NeU, x != y && !unordered),
            (Comparison::Lt, Comparison::LtU, x < y),
            (Comparison::Le, Comparison::LeU, x <= y),
            (Comparison::Gt, Comparison::GtU, x > y),
            (Comparison::Ge, Comparison::GeU, x >= y),
            (Comparison::Num, Comparison::Nan, !unordered),
        ];
        for (ordered, other, expected) in cases {
            let run = |comparison| {
                let op = Op::Compare { comparison, ty: Type::F32, logic: None, ftz: false };
                let results = fold(&op, &[a, b]);
                assert_eq!(results[0] ^ 1, results[1]);
                results[0] == 1
            };
            prop_assert_eq!(run(ordered), expected, "{:?}", ordered);
            let unordered_form = if ordered == Comparison::Num { unordered } else { expected || unordered };
            prop_assert_eq!(run(other), unordered_form, "{:?}", other);
        }
    }
}

#[test]
fn every_half_widens_exactly() {
    for bits in 0..=u16::MAX {
        let nearest = FloatMode::NEAREST;
        for (ty, value) in [
            (F16, half::f16::from_bits(bits).to_f32()),
            (BF16, half::bf16::from_bits(bits).to_f32()),
        ] {
            let wide = cvt(ty, Type::F32, nearest, &[u64::from(bits)]);
            if value.is_nan() {
                assert_eq!(wide, 0x7FFF_FFFF);
                continue;
            }
            assert_eq!(wide, u64::from(value.to_bits()));
            let back = cvt(Type::F32, ty, nearest, &[wide]);
            assert_eq!(back, u64::from(bits));
        }
    }
}

/// PTX ISA, `cvt`: NaN to an integer.
#[test]
fn nan_to_integer() {
    let mode = with(Rounding::Zero);
    for nan in [0x7FFF_FFFF, 0xFFC0_0000] {
        assert_eq!(cvt(Type::F32, Type::S32, mode, &[nan]), 0);
        assert_eq!(cvt(Type::F32, integer(false, 8), mode, &[nan]), 0);
        assert_eq!(cvt(Type::F32, Type::U64, mode, &[nan]), 1 << 63);
    }
    let nan = f64::NAN.to_bits();
    assert_eq!(cvt(Type::F64, Type::S32, mode, &[nan]), 1 << 31);
    assert_eq!(cvt(Type::F64, Type::S64, mode, &[nan]), 1 << 63);
}

#[test]
fn roundings_of_ties() {
    use Rounding::{Approximate, Down, Nearest, NearestAway, Up, Zero};
    for (x, rounding, expected) in [
        (2.5, Nearest, 2),
        (3.5, Nearest, 4),
        (2.5, NearestAway, 3),
        (-2.5, NearestAway, -3),
        (-2.5, Down, -3),
        (-2.5, Up, -2),
        (-2.5, Zero, -2),
        (2.5, Approximate, 2),
        (0.49, Up, 1),
        (3e9, Zero, i32::MAX),
        (-3e9, Zero, i32::MIN),
        (f32::NEG_INFINITY, Nearest, i32::MIN),
    ] {
        let result = from_f32(Type::S32, rounding, x) as u32 as i32;
        assert_eq!(result, expected, "{x} {rounding:?}");
    }
    assert_eq!(from_f32(Type::U32, Down, -0.5), 0);
}

#[test]
fn modifiers() {
    let mode = FloatMode::NEAREST;
    let tiny = 5;
    let ftz = FloatMode { ftz: true, ..mode };
    assert_eq!(cvt(Type::F32, Type::F64, ftz, &[tiny]), 0);
    assert_ne!(cvt(Type::F32, Type::F64, mode, &[tiny]), 0);
    // Only binary32 is flushed.
    assert_eq!(
        cvt(F16, Type::F32, ftz, &[1]),
        u64::from((2f32.powi(-24)).to_bits())
    );
    assert_eq!(
        cvt(Type::F64, Type::F32, ftz, &[(-1e-40f64).to_bits()]),
        1 << 31
    );
    let sat = FloatMode {
        saturate: true,
        ..mode
    };
    let one = u64::from(1f32.to_bits());
    assert_eq!(cvt(Type::S32, Type::F32, sat, &[7]), one);
    assert_eq!(cvt(Type::S32, Type::F32, sat, &[0xFFFF_FFF9]), 0);
    let relu = FloatMode { relu: true, ..mode };
    let minus = u64::from((-1f32).to_bits());
    let x2 = Type::new(Kind::Float16x2, 32);
    assert_eq!(cvt(Type::F32, x2, mode, &[minus, one]), 0xBC00_3C00);
    assert_eq!(cvt(Type::F32, x2, relu, &[minus, one]), 0x0000_3C00);
    let x2 = Type::new(Kind::BFloat16x2, 32);
    assert_eq!(cvt(Type::F32, x2, mode, &[one, 0x7F80_0001]), 0x3F80_7FFF);
}

#[test]
fn packed_comparisons_and_sets() {
    let x2 = Type::new(Kind::Float16x2, 32);
    let compare = Op::Compare {
        comparison: Comparison::Lt,
        ty: x2,
        logic: None,
        ftz: false,
    };
    // Low: 1 < 2, high: 2 < 1.
    assert_eq!(fold(&compare, &[0x4000_3C00, 0x3C00_4000])[..], [1, 0]);
    let set = |ty, to, args: &[u64]| {
        let op = Op::Set {
            comparison: Comparison::Lt,
            ty,
            to,
            logic: None,
            ftz: false,
        };
        fold(&op, args)[0]
    };
    assert_eq!(set(x2, x2, &[0x4000_3C00, 0x3C00_4000]), 0x0000_3C00);
    assert_eq!(set(x2, Type::U32, &[0x4000_3C00, 0x3C00_4000]), 0x0000_FFFF);
    let one = u64::from(1f32.to_bits());
    assert_eq!(set(Type::F32, Type::F32, &[0, one]), one);
    assert_eq!(set(Type::F32, Type::S32, &[0, one]), 0xFFFF_FFFF);
    assert_eq!(set(Type::F32, Type::S32, &[one, 0]), 0);
}

#[test]
fn subnormals_in_comparisons() {
    let compare = |ftz| {
        let op = Op::Compare {
            comparison: Comparison::Gt,
            ty: Type::F32,
            logic: None,
            ftz,
        };
        fold(&op, &[5, 0])[0]
    };
    assert_eq!((compare(false), compare(true)), (1, 0));
}

/// PTX ISA, `testp`, with the classes of Rust.
#[test]
fn classes() {
    let classes = [
        (TestClass::Finite, [1, 1, 1, 0, 0]),
        (TestClass::Infinite, [0, 0, 0, 1, 0]),
        (TestClass::Number, [1, 1, 1, 1, 0]),
        (TestClass::NotANumber, [0, 0, 0, 0, 1]),
        (TestClass::Normal, [1, 1, 0, 0, 0]),
        (TestClass::Subnormal, [0, 0, 1, 0, 0]),
    ];
    for (ty, format) in [(Type::F32, format::F32), (Type::F64, format::F64)] {
        let format: Format = format;
        let values = [0, format.one(), 1, format.infinity(), format.nan];
        for (class, expected) in classes {
            for (value, expected) in values.into_iter().zip(expected) {
                for bits in [value, value | format.sign()] {
                    assert_eq!(
                        fold(&Op::Test { class, ty }, &[bits])[0],
                        expected,
                        "{class:?}"
                    );
                }
            }
        }
    }
}
