//! Comparison, selection, conversion between integers, packing.

use super::ops::{COMPARISONS, integer_types};
use super::{number, one, operand, run, wrap};
use crate::op::{Comparison, FloatMode, Logic, Op};
use crate::types::{Kind, Type};
use proptest::prelude::*;

fn holds(comparison: Comparison, a: i128, b: i128) -> bool {
    match comparison {
        Comparison::Eq | Comparison::EqU => a == b,
        Comparison::Ne | Comparison::NeU => a != b,
        Comparison::Lt | Comparison::LtU => a < b,
        Comparison::Le | Comparison::LeU => a <= b,
        Comparison::Gt | Comparison::GtU => a > b,
        Comparison::Ge | Comparison::GeU => a >= b,
        Comparison::Num => true,
        Comparison::Nan => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn comparisons(a in operand(), b in operand(), c in 0..2u64) {
        for (ty, comparison) in integer_types().into_iter().flat_map(|t| COMPARISONS.map(|c| (t, c))) {
            let (x, y) = (number(ty.bits, ty.signed(), a), number(ty.bits, ty.signed(), b));
            let truth = u64::from(holds(comparison, x, y));
            let compare = |logic| Op::Compare { comparison, ty, logic, ftz: false };
            prop_assert_eq!(run(&compare(None), &[a, b]), [truth, truth ^ 1]);
            prop_assert_eq!(run(&compare(None), &[a, a])[0], u64::from(holds(comparison, x, x)));
            for (logic, first, second) in [
                (Logic::And, truth & c, (truth ^ 1) & c),
                (Logic::Or, truth | c, (truth ^ 1) | c),
                (Logic::Xor, truth ^ c, truth ^ 1 ^ c),
            ] {
                prop_assert_eq!(run(&compare(Some(logic)), &[a, b, c]), [first, second]);
                let set = |to| Op::Set { comparison, ty, to, logic: Some(logic), ftz: false };
                let ones = if first == 1 { 0xFFFF_FFFF } else { 0 };
                prop_assert_eq!(one(set(Type::U32), &[a, b, c]), ones);
                let float = if first == 1 { 1f32 } else { 0.0 };
                prop_assert_eq!(one(set(Type::F32), &[a, b, c]), u64::from(float.to_bits()));
            }
        }
    }

    #[test]
    fn packed_integer_comparisons(a: u32, b: u32) {
        let ty = Type::new(Kind::Signed16x2, 32);
        let op = Op::Compare { comparison: Comparison::Lt, ty, logic: None, ftz: false };
        let low = u64::from((a as i16) < (b as i16));
        let high = u64::from(((a >> 16) as i16) < ((b >> 16) as i16));
        prop_assert_eq!(run(&op, &[a.into(), b.into()]), [low, high]);
    }

    #[test]
    fn selections(a in operand(), b in operand(), c in operand()) {
        for width in [16u8, 32, 64] {
            let cut = |x: u64| wrap(width, i128::from(x));
            let chosen = if c & 1 == 1 { a } else { b };
            prop_assert_eq!(one(Op::Select { width }, &[a, b, c]), cut(chosen));
            let by_sign = |float, ftz| one(Op::SelectSign { width, float, ftz }, &[a, b, c]);
            let chosen = if c as u32 as i32 >= 0 { a } else { b };
            prop_assert_eq!(by_sign(false, false), cut(chosen));
            let value = f32::from_bits(c as u32);
            let chosen = if value >= 0.0 { a } else { b };
            prop_assert_eq!(by_sign(true, false), cut(chosen));
            let chosen = if value >= 0.0 || value.is_subnormal() { a } else { b };
            prop_assert_eq!(by_sign(true, true), cut(chosen));
        }
    }

    /// The nearest value of the result type, or its lower bits.
    #[test]
    fn integer_conversions(a in operand()) {
        for (from, to) in integer_types().into_iter().flat_map(|f| integer_types().into_iter().map(move |t| (f, t))) {
            let value = number(from.bits, from.signed(), a);
            let convert = |saturate| {
                let mode = FloatMode { saturate, ..FloatMode::NEAREST };
                one(Op::Convert { from, to, mode, integral: false }, &[a])
            };
            prop_assert_eq!(convert(false), wrap(to.bits, value), "{:?} {:?}", from, to);
            let magnitude = to.bits - u8::from(to.signed());
            let most = (1i128 << magnitude) - 1;
            let least = if to.signed() { -most - 1 } else { 0 };
            prop_assert_eq!(convert(true), wrap(to.bits, value.clamp(least, most)), "{:?} {:?}", from, to);
        }
    }

    #[test]
    fn extensions(a in operand()) {
        for (from, to) in [1u8, 8, 16, 32, 64].into_iter().flat_map(|f| [1u8, 8, 16, 32, 64].map(|t| (f, t))) {
            for signed in [false, true] {
                let expected = wrap(to, number(from, signed, a));
                prop_assert_eq!(one(Op::Extend { from, to, signed }, &[a]), expected);
            }
        }
    }

    #[test]
    fn packing(a: u64) {
        let bytes = a.to_le_bytes().map(u64::from);
        prop_assert_eq!(one(Op::Pack { parts: 8, width: 8 }, &bytes), a);
        prop_assert_eq!(run(&Op::Unpack { parts: 8, width: 8 }, &[a]), bytes);
        let halves = [a & 0xFFFF_FFFF, a >> 32];
        prop_assert_eq!(one(Op::Pack { parts: 2, width: 32 }, &halves), a);
        prop_assert_eq!(run(&Op::Unpack { parts: 2, width: 32 }, &[a]), halves);
    }
}
