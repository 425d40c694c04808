//! Bit operations against the loops of the PTX ISA's "Semantics" sections, written out here as in the ISA.

use super::{number, one, operand, run, wrap};
use crate::op::{Logic, Op, Permute};
use proptest::prelude::*;

fn bit(x: u64, i: u64) -> u64 {
    x >> i & 1
}

/// PTX ISA, `bfe` and `bfi`: positions and lengths are at most 255. Above, 64-bit fields end with the value; 32-bit ones
/// take the lower byte.
fn place(width: u64, value: u64) -> u64 {
    let value = value & 0xFFFF_FFFF;
    match width {
        64 => value.min(255),
        _ => value & 0xFF,
    }
}

/// PTX ISA, `bfe`
fn bfe(width: u64, signed: bool, a: u64, position: u64, length: u64) -> u64 {
    let (position, length, msb) = (place(width, position), place(width, length), width - 1);
    let sign = if !signed || length == 0 {
        0
    } else {
        bit(a, (position + length - 1).min(msb))
    };
    (0..=msb)
        .map(|i| {
            let inside = i < length && position + i <= msb;
            (if inside { bit(a, position + i) } else { sign }) << i
        })
        .sum()
}

/// PTX ISA, `bfi`
fn bfi(width: u64, field: u64, base: u64, position: u64, length: u64) -> u64 {
    let (position, length, msb) = (place(width, position), place(width, length), width - 1);
    let mut result = base;
    for i in (0..length).take_while(|i| position + i <= msb) {
        let target = position + i;
        result = result & !(1 << target) | bit(field, i) << target;
    }
    result
}

/// PTX ISA, `bmsk`
fn bmsk(wrapping: bool, a: u32, b: u32) -> u32 {
    let (start, length) = (a & 31, b & 31);
    let sum = start + length;
    let mut mask0 = u32::MAX << start;
    let mut mask1 = u32::MAX.checked_shl(sum).unwrap_or(0);
    let mut overflow = sum >= 32;
    if !wrapping {
        if a >= 32 {
            overflow = true;
            mask0 = 0;
        }
        overflow |= b >= 32;
    }
    if overflow {
        mask1 = 0;
    } else if length == 0 {
        mask1 = u32::MAX;
    }
    mask0 & !mask1
}

/// PTX ISA, `szext`
fn szext(wrapping: bool, signed: bool, a: u32, b: u32) -> u32 {
    let length = b & 31;
    let too_large = b >= 32 && !wrapping;
    let mask = if too_large { 0 } else { u32::MAX << length };
    let sign = length != 0 && !too_large && signed && a >> ((length + 31) & 31) & 1 == 1;
    a & !mask | if sign { mask } else { 0 }
}

/// PTX ISA, `prmt`, generic form.
fn prmt(a: u32, b: u32, selector: u32) -> u32 {
    let source = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let byte = |i: u32| {
        let digit = selector >> (4 * i) & 15;
        let byte = source[digit as usize & 7];
        if digit < 8 {
            byte
        } else {
            (byte as i8 >> 7) as u8
        }
    };
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn shifts(a in operand(), amount in operand()) {
        for width in [16u8, 32, 64] {
            let clamped = (amount & 0xFFFF_FFFF).min(u64::from(width)) as u32;
            let left = number(width, false, a) << clamped;
            prop_assert_eq!(one(Op::Shl { width }, &[a, amount]), wrap(width, left));
            for signed in [false, true] {
                let right = number(width, signed, a) >> clamped;
                prop_assert_eq!(one(Op::Shr { width, signed }, &[a, amount]), wrap(width, right));
            }
        }
    }

    /// PTX ISA, `shf`
    #[test]
    fn funnel_shifts(a: u32, b: u32, amount in prop_oneof![any::<u32>(), 0..40u32]) {
        for wrap in [false, true] {
            let n = if wrap { amount & 31 } else { amount.min(32) };
            let args = [u64::from(a), u64::from(b), u64::from(amount)];
            let shl = |x: u32, n: u32| x.checked_shl(n).unwrap_or(0);
            let shr = |x: u32, n: u32| x.checked_shr(n).unwrap_or(0);
            let left = shl(b, n) | shr(a, 32 - n);
            prop_assert_eq!(one(Op::Funnel { left: true, wrap }, &args), u64::from(left));
            let right = shl(b, 32 - n) | shr(a, n);
            prop_assert_eq!(one(Op::Funnel { left: false, wrap }, &args), u64::from(right));
        }
    }

    #[test]
    fn fields(a in operand(), b in operand(), position in operand(), length in operand()) {
        for width in [32u8, 64] {
            let cut = |x: u64| number(width, false, x) as u64;
            for signed in [false, true] {
                let expected = bfe(width.into(), signed, cut(a), position, length);
                prop_assert_eq!(one(Op::Bfe { width, signed }, &[a, position, length]), expected);
            }
            let expected = bfi(width.into(), cut(a), cut(b), position, length);
            prop_assert_eq!(one(Op::Bfi { width }, &[a, b, position, length]), expected);
        }
    }

    #[test]
    fn masks_and_extensions(a in operand(), b in prop_oneof![operand(), 0..70u64]) {
        let (x, y) = (a as u32, b as u32);
        for wrap in [false, true] {
            prop_assert_eq!(one(Op::Bmsk { wrap }, &[a, b]), u64::from(bmsk(wrap, x, y)));
            for signed in [false, true] {
                let expected = u64::from(szext(wrap, signed, x, y));
                prop_assert_eq!(one(Op::Szext { wrap, signed }, &[a, b]), expected);
            }
        }
    }

    #[test]
    fn counts(a in operand()) {
        let low = a as u32;
        prop_assert_eq!(one(Op::Clz { width: 32 }, &[a]), u64::from(low.leading_zeros()));
        prop_assert_eq!(one(Op::Clz { width: 64 }, &[a]), u64::from(a.leading_zeros()));
        prop_assert_eq!(one(Op::Popc { width: 32 }, &[a]), u64::from(low.count_ones()));
        prop_assert_eq!(one(Op::Popc { width: 64 }, &[a]), u64::from(a.count_ones()));
        prop_assert_eq!(one(Op::Brev { width: 32 }, &[a]), u64::from(low.reverse_bits()));
        prop_assert_eq!(one(Op::Brev { width: 64 }, &[a]), a.reverse_bits());
        for (width, signed) in [(32u8, false), (32, true), (64, false), (64, true)] {
            let value = number(width, signed, a);
            let value = if value < 0 { !value } else { value };
            let position = (0..width).rev().find(|&i| value >> i & 1 == 1);
            let none = 0xFFFF_FFFF;
            let find = |shift| one(Op::Bfind { width, signed, shift }, &[a]);
            prop_assert_eq!(find(false), position.map_or(none, u64::from));
            prop_assert_eq!(find(true), position.map_or(none, |i| u64::from(width - 1 - i)));
        }
    }

    #[test]
    fn permutations(a: u32, b: u32, selector: u32) {
        let args = [a, b, selector].map(u64::from);
        let result = one(Op::Prmt(Permute::Index), &args);
        prop_assert_eq!(result, u64::from(prmt(a, b, selector)));
    }

    #[test]
    fn three_input_logic(a: u32, b: u32, c: u32, table: u8, q in 0..2u64) {
        let bit = |i: u32| {
            let index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
            u32::from(table >> index & 1) << i
        };
        let expected: u32 = (0..32).map(bit).sum();
        let args = [a, b, c].map(u64::from);
        let plain = one(Op::Lop3 { table, predicate: None }, &args);
        prop_assert_eq!(plain, u64::from(expected));
        let set = u64::from(expected != 0);
        for (logic, truth) in [(Logic::And, set & q), (Logic::Or, set | q), (Logic::Xor, set ^ q)] {
            let op = Op::Lop3 { table, predicate: Some(logic) };
            let results = run(&op, &[args[0], args[1], args[2], q]);
            prop_assert_eq!(results, [u64::from(expected), truth]);
        }
    }

    #[test]
    fn bitwise(a in operand(), b in operand()) {
        for width in [1u8, 16, 32, 64] {
            let cut = |x: u64| wrap(width, i128::from(x));
            prop_assert_eq!(one(Op::And { width }, &[a, b]), cut(a & b));
            prop_assert_eq!(one(Op::Or { width }, &[a, b]), cut(a | b));
            prop_assert_eq!(one(Op::Xor { width }, &[a, b]), cut(a ^ b));
            prop_assert_eq!(one(Op::Not { width }, &[a]), cut(!a));
            prop_assert_eq!(one(Op::Copy { width }, &[a]), cut(a));
        }
        let logical = one(Op::LogicalNot { width: 16 }, &[a]);
        prop_assert_eq!(logical, u64::from(a & 0xFFFF == 0));
    }
}

/// The table of the PTX ISA for the modes of `prmt`, bytes from the highest.
#[test]
fn permute_modes() {
    for (mode, rows) in [
        (
            Permute::F4e,
            [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]],
        ),
        (
            Permute::B4e,
            [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]],
        ),
        (
            Permute::Rc8,
            [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]],
        ),
        (
            Permute::Ecl,
            [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]],
        ),
        (
            Permute::Ecr,
            [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]],
        ),
        (
            Permute::Rc16,
            [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]],
        ),
    ] {
        for (control, row) in (0..).zip(rows) {
            // Bytes that are their own numbers, and control bits above the two that count.
            let args = [0x0302_0100, 0x0706_0504, control | 0xFFFF_FFF0];
            let expected = row
                .into_iter()
                .fold(0, |all: u64, byte: u64| all << 8 | byte);
            assert_eq!(one(Op::Prmt(mode), &args), expected, "{mode:?} {control}");
        }
    }
}

/// The examples of the PTX ISA.
#[test]
fn examples() {
    let fns = |base: u64, n: i32| one(Op::Fns, &[0xAAAA_AAAA, base, u64::from(n as u32)]);
    assert_eq!(fns(3, 1), 3);
    assert_eq!(fns(3, -1), 3);
    assert_eq!(fns(2, 1), 3);
    assert_eq!(fns(2, -1), 1);
    assert_eq!(fns(2, 0), 0xFFFF_FFFF);
    assert_eq!(fns(3, 0), 3);
    assert_eq!(fns(0, 17), 0xFFFF_FFFF);
    assert_eq!(fns(31, i32::MIN), 0xFFFF_FFFF);
    assert_eq!(one(Op::Bmsk { wrap: true }, &[1, 2]), 6);
    let zero = Op::Szext {
        wrap: true,
        signed: false,
    };
    assert_eq!(one(zero, &[0xFFFF_FFFF, 0]), 0);
}
