//! `prmt`: four bytes picked from the eight of {b, a} (PTX ISA, `prmt`).

use super::domain::Domain;
use crate::op::Permute;

/// The bytes that a mode other than [`Permute::Index`] picks, for each value of the two control bits, as index selectors:
/// one hexadecimal digit for each byte of the result.
fn selectors(mode: Permute) -> Option<[u64; 4]> {
    match mode {
        Permute::Index => None,
        Permute::F4e => Some([0x3210, 0x4321, 0x5432, 0x6543]),
        Permute::B4e => Some([0x5670, 0x6701, 0x7012, 0x0123]),
        Permute::Rc8 => Some([0x0000, 0x1111, 0x2222, 0x3333]),
        Permute::Ecl => Some([0x3210, 0x3211, 0x3222, 0x3333]),
        Permute::Ecr => Some([0x0000, 0x1110, 0x2210, 0x3210]),
        Permute::Rc16 => Some([0x1010, 0x3232, 0x1010, 0x3232]),
    }
}

/// `prmt`
pub(super) fn apply<D: Domain>(d: &mut D, mode: Permute, args: &[D::Value]) -> D::Value {
    match (selectors(mode), d.as_constant(&args[2])) {
        (None, Some(control)) => by_constant(d, control, args),
        (None, None) => by_value(d, args),
        (Some(selectors), Some(control)) => by_constant(d, selectors[(control % 4) as usize], args),
        (Some(selectors), None) => by_two_bits(d, selectors, args),
    }
}

/// The modes with a control of two bits: one of four constant permutations.
fn by_two_bits<D: Domain>(d: &mut D, selectors: [u64; 4], args: &[D::Value]) -> D::Value {
    let control = d.extract(32, 0, 2, args[2].clone());
    let mut result = by_constant(d, selectors[3], args);
    for value in (0..3).rev() {
        let this = d.constant(2, value as u64);
        let condition = d.equal(2, control.clone(), this);
        let picked = by_constant(d, selectors[value], args);
        result = d.select(32, condition, picked, result);
    }
    result
}

/// A constant selector. Neighbouring bytes of one operand stay together, so that `0x7610` is two halves and not four
/// bytes.
fn by_constant<D: Domain>(d: &mut D, selector: u64, args: &[D::Value]) -> D::Value {
    let digit = |i: usize| (selector >> (4 * i)) as u8 & 15;
    let mut result: Option<(u8, D::Value)> = None;
    let mut byte = 0;
    while byte < 4 {
        let first = digit(byte);
        let run = (1..4 - byte)
            .take_while(|&n| {
                let expected = first + n as u8;
                // A run stays within one operand; sign bytes are never part of one.
                first < 8 && !expected.is_multiple_of(4) && digit(byte + n) == expected
            })
            .count()
            + 1;
        let (bits, part) = bytes(d, first, run as u8, args);
        result = Some(match result {
            None => (bits, part),
            Some((below, low)) => (below + bits, d.concat(bits, part, below, low)),
        });
        byte += run;
    }
    match result {
        Some((_, value)) => value,
        None => d.constant(32, 0),
    }
}

/// `count` bytes from the one that a selector digit names, or, with bit 3 set, its sign eight times. With the bits' number.
fn bytes<D: Domain>(d: &mut D, digit: u8, count: u8, args: &[D::Value]) -> (u8, D::Value) {
    let operand = args[usize::from(digit / 4 % 2)].clone();
    let low = digit % 4 * 8;
    if digit < 8 {
        let bits = count * 8;
        return (bits, d.extract(32, low, bits, operand));
    }
    let sign = d.extract(32, low + 7, 1, operand);
    (8, d.extend(1, 8, true, sign))
}

/// A selector that is not known.
fn by_value<D: Domain>(d: &mut D, args: &[D::Value]) -> D::Value {
    let source = d.concat(32, args[1].clone(), 32, args[0].clone());
    let byte = |d: &mut D, i: u8| {
        let index = d.extract(32, 4 * i, 3, args[2].clone());
        let sign = d.extract(32, 4 * i + 3, 1, args[2].clone());
        let index = d.extend(3, 64, false, index);
        let three = d.constant(64, 3);
        let amount = d.shl(64, index, three);
        let shifted = d.shr(64, false, source.clone(), amount);
        let literal = d.extract(64, 0, 8, shifted.clone());
        let top = d.extract(64, 7, 1, shifted);
        let replicated = d.extend(1, 8, true, top);
        d.select(8, sign, replicated, literal)
    };
    let mut result = byte(d, 0);
    for i in 1..4 {
        let next = byte(d, i);
        result = d.concat(8, next, 8 * i, result);
    }
    result
}
