//! Integer arithmetic against 128-bit integers.

use super::{number, one, operand, run, signed, wrap};
use crate::op::{Op, Product};
use proptest::prelude::*;

const WIDTHS: [u8; 3] = [16, 32, 64];
const BOTH: [bool; 2] = [false, true];

/// The exact product of two numbers.
fn exact_product(width: u8, is_signed: bool, a: u64, b: u64) -> i128 {
    number(width, is_signed, a).wrapping_mul(number(width, is_signed, b))
}

/// Bits `width` to `2 * width` of a product.
fn high(width: u8, is_signed: bool, product: i128) -> i128 {
    if is_signed {
        product >> width
    } else {
        // The product of two 64-bit numbers fills all 128 bits.
        (product as u128 >> width) as i128
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn sums_and_differences(a in operand(), b in operand(), c in operand()) {
        for width in WIDTHS {
            let (x, y) = (signed(width, a), signed(width, b));
            prop_assert_eq!(one(Op::Add { width }, &[a, b]), wrap(width, x + y));
            prop_assert_eq!(one(Op::Sub { width }, &[a, b]), wrap(width, x - y));
            prop_assert_eq!(one(Op::Neg { width }, &[a]), wrap(width, -x));
            prop_assert_eq!(one(Op::Abs { width }, &[a]), wrap(width, x.abs()));
            for signed in BOTH {
                let (x, y) = (number(width, signed, a), number(width, signed, b));
                let sad = (x - y).abs() + number(width, signed, c);
                prop_assert_eq!(one(Op::Sad { width, signed }, &[a, b, c]), wrap(width, sad));
            }
        }
        let (x, y) = (a as i32, b as i32);
        let sum = one(Op::AddSaturate { subtract: false }, &[a, b]);
        prop_assert_eq!(sum as u32 as i32, x.saturating_add(y));
        let difference = one(Op::AddSaturate { subtract: true }, &[a, b]);
        prop_assert_eq!(difference as u32 as i32, x.saturating_sub(y));
    }

    #[test]
    fn products(a in operand(), b in operand(), c in operand()) {
        for (width, signed) in WIDTHS.into_iter().flat_map(|w| BOTH.map(|s| (w, s))) {
            let product = exact_product(width, signed, a, b);
            let upper = high(width, signed, product);
            for (which, value, bits) in [
                (Product::Low, product, width),
                (Product::High, upper, width),
                (Product::Wide, product, 2 * width),
            ] {
                if bits > 64 {
                    continue;
                }
                let mul = Op::Mul { product: which, width, signed };
                prop_assert_eq!(one(mul, &[a, b]), wrap(bits, value), "{:?}", mul);
                let mad = Op::MulAdd { product: which, width, signed, saturate: false };
                let sum = value.wrapping_add(i128::from(c));
                prop_assert_eq!(one(mad, &[a, b, c]), wrap(bits, sum), "{:?}", mad);
            }
        }
        let mad = Op::MulAdd { product: Product::High, width: 32, signed: true, saturate: true };
        let upper = high(32, true, exact_product(32, true, a, b)) as i32;
        prop_assert_eq!(one(mad, &[a, b, c]) as u32 as i32, upper.saturating_add(c as i32));
    }

    #[test]
    fn products_of_24_bits(a in operand(), b in operand(), c in operand()) {
        for signed in BOTH {
            let product = exact_product(24, signed, a, b);
            for (which, value) in [(Product::Low, product), (Product::High, product >> 16)] {
                let mul = Op::Mul24 { product: which, signed, add: false };
                prop_assert_eq!(one(mul, &[a, b]), wrap(32, value));
                let mad = Op::Mul24 { product: which, signed, add: true };
                prop_assert_eq!(one(mad, &[a, b, c]), wrap(32, value + i128::from(c)));
            }
        }
    }

    #[test]
    fn quotients(a in operand(), b in operand()) {
        for (width, signed) in WIDTHS.into_iter().flat_map(|w| BOTH.map(|s| (w, s))) {
            let (x, y) = (number(width, signed, a), number(width, signed, b));
            let (quotient, rest) = if y == 0 { (-1, x) } else { (x / y, x % y) };
            prop_assert_eq!(one(Op::Div { width, signed }, &[a, b]), wrap(width, quotient));
            prop_assert_eq!(one(Op::Rem { width, signed }, &[a, b]), wrap(width, rest));
            prop_assert_eq!(one(Op::Div { width, signed }, &[a, 0]), wrap(width, -1));
            prop_assert_eq!(one(Op::Rem { width, signed }, &[a, 0]), wrap(width, x));
        }
    }

    #[test]
    fn smaller_and_larger(a in operand(), b in operand()) {
        for (width, signed) in WIDTHS.into_iter().flat_map(|w| BOTH.map(|s| (w, s))) {
            let (x, y) = (number(width, signed, a), number(width, signed, b));
            for relu in BOTH {
                // `.relu` is defined for signed types only.
                let floor = if relu && signed { 0 } else { i128::MIN };
                if relu && !signed {
                    continue;
                }
                let min = Op::Min { width, signed, relu };
                prop_assert_eq!(one(min, &[a, b]), wrap(width, x.min(y).max(floor)));
                let max = Op::Max { width, signed, relu };
                prop_assert_eq!(one(max, &[a, b]), wrap(width, x.max(y).max(floor)));
            }
        }
    }

    #[test]
    fn carries(a in operand(), b in operand(), bit in 0..2u64) {
        for width in [32, 64] {
            let (x, y, bit_value) = (number(width, false, a), number(width, false, b), i128::from(bit));
            for (subtract, value) in [(false, x + y + bit_value), (true, x - y - bit_value)] {
                let op = Op::Carry { subtract, width, carry_in: true, carry_out: true };
                let carry = u64::from(value < 0 || value >> width != 0);
                prop_assert_eq!(run(&op, &[a, b, bit]), [wrap(width, value), carry, 1 - carry]);
            }
            let op = Op::Carry { subtract: false, width, carry_in: false, carry_out: true };
            prop_assert_eq!(run(&op, &[a, b])[1], u64::from((x + y) >> width != 0));
        }
    }

    /// `mad.lo.cc` and `madc.hi` together are a multiplication of twice the width.
    #[test]
    fn products_with_carry(a: u32, b: u32, c: u64) {
        let part = |product, carry_in, carry_out| Op::MulAddCarry {
            product, width: 32, signed: false, carry_in, carry_out,
        };
        let (x, y) = (u64::from(a), u64::from(b));
        let low = run(&part(Product::Low, false, true), &[x, y, c & 0xFFFF_FFFF]);
        let high = run(&part(Product::High, true, false), &[x, y, c >> 32, low[1]]);
        prop_assert_eq!(high[0] << 32 | low[0], (x * y).wrapping_add(c));
    }

    #[test]
    fn dot_products(a: u32, b: u32, c: u32) {
        let byte = |signed: bool, x: u32, i: u32| {
            let byte = (x >> (8 * i)) as u8;
            if signed { i64::from(byte as i8) } else { i64::from(byte) }
        };
        let half = |signed: bool, x: u32, i: u32| {
            let half = (x >> (16 * i)) as u16;
            if signed { i64::from(half as i16) } else { i64::from(half) }
        };
        let args = [a, b, c].map(u64::from);
        for (signed_a, signed_b) in [(false, false), (false, true), (true, false), (true, true)] {
            let sum: i64 = (0..4).map(|i| byte(signed_a, a, i) * byte(signed_b, b, i)).sum();
            let expected = (sum + i64::from(c)) as u32;
            prop_assert_eq!(one(Op::Dp4a { signed_a, signed_b }, &args), u64::from(expected));
            for high in BOTH {
                let from = if high { 2 } else { 0 };
                let sum: i64 = (0..2).map(|i| half(signed_a, a, i) * byte(signed_b, b, from + i)).sum();
                let expected = (sum + i64::from(c)) as u32;
                prop_assert_eq!(one(Op::Dp2a { signed_a, signed_b, high }, &args), u64::from(expected));
            }
        }
    }
}

/// The edges that wrap.
#[test]
fn edges() {
    let least = 1 << 31;
    let signed = true;
    assert_eq!(one(Op::Abs { width: 32 }, &[least]), least);
    assert_eq!(
        one(Op::Div { width: 32, signed }, &[least, 0xFFFF_FFFF]),
        least
    );
    assert_eq!(one(Op::Rem { width: 32, signed }, &[least, 0xFFFF_FFFF]), 0);
    assert_eq!(
        one(Op::Div { width: 64, signed }, &[1 << 63, u64::MAX]),
        1 << 63
    );
}
