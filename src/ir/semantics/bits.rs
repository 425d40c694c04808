//! Shifts, bit fields and counting (PTX ISA, "Logic and Shift Instructions" and the bit instructions of "Integer
//! Arithmetic Instructions").

use super::domain::Domain;
use super::integer::min;
use super::opaque;
use crate::op::Op;
use ptxasw_base::mutation::{Mutation, active};

/// The operations of this file.
pub(super) fn apply<D: Domain>(d: &mut D, op: &Op, args: &[D::Value]) -> D::Value {
    let arg = |i: usize| args[i].clone();
    match *op {
        Op::LogicalNot { width } => {
            let zero = d.constant(width, 0);
            let is_zero = d.equal(width, arg(0), zero);
            d.extend(1, width, false, is_zero)
        }
        Op::Shl { width } => shift(d, width, arg(0), arg(1), Shift::Left),
        Op::Shr { width, signed } => shift(d, width, arg(0), arg(1), Shift::Right { signed }),
        Op::Funnel { left, wrap } => funnel(d, left, wrap, args),
        Op::Bfe { width: 64, .. } if open_field(d, &args[1..]) => opaque(d, op, args),
        Op::Bfi { width: 64 } if open_field(d, &args[2..]) => opaque(d, op, args),
        Op::Bfe { width, signed } => extract_field(d, width, signed, args),
        Op::Bfi { width } => insert_field(d, width, args),
        Op::Bfind {
            width,
            signed,
            shift,
        } => find_leading(d, width, signed, shift, arg(0)),
        Op::Clz { width } => {
            let zeros = d.clz(width, arg(0));
            d.extend(width, 32, false, zeros)
        }
        Op::Popc { width } => {
            let ones = d.popc(width, arg(0));
            d.extend(width, 32, false, ones)
        }
        Op::Bmsk { wrap } => mask(d, wrap, args),
        Op::Szext { wrap, signed } => extend_from(d, wrap, signed, args),
        _ => unreachable!("no bit operation: {op:?}"),
    }
}

#[derive(Clone, Copy)]
enum Shift {
    Left,
    Right { signed: bool },
}

/// A shift by a 32-bit amount, clamped to `width`. Values narrower than the amount are shifted in 32 bits, which clamps by
/// itself; for wider ones the amount is extended.
fn shift<D: Domain>(
    d: &mut D,
    width: u8,
    a: D::Value,
    amount: D::Value,
    direction: Shift,
) -> D::Value {
    let wide = width.max(32);
    let amount = d.extend(32, wide, false, amount);
    let shifted = match direction {
        Shift::Left => {
            let a = d.extend(width, wide, false, a);
            d.shl(wide, a, amount)
        }
        Shift::Right { signed } => {
            let a = d.extend(width, wide, signed, a);
            d.shr(wide, signed, a, amount)
        }
    };
    d.extend(wide, width, false, shifted)
}

/// `shf`: 32 of the 64 bits {b, a}.
fn funnel<D: Domain>(d: &mut D, left: bool, wrap: bool, args: &[D::Value]) -> D::Value {
    let both = d.concat(32, args[1].clone(), 32, args[0].clone());
    if let Some(amount) = d.as_constant(&args[2]) {
        let amount = if wrap { amount % 32 } else { amount.min(32) } as u8;
        let low = if left { 32 - amount } else { amount };
        return d.extract(64, low, 32, both);
    }
    let amount = if wrap {
        low_five(d, &args[2])
    } else {
        let most = d.constant(32, 32);
        min(d, 32, false, args[2].clone(), most)
    };
    let amount = d.extend(32, 64, false, amount);
    if left {
        let shifted = d.shl(64, both, amount);
        d.extract(64, 32, 32, shifted)
    } else {
        let shifted = d.shr(64, false, both, amount);
        d.extract(64, 0, 32, shifted)
    }
}

/// The lower 5 bits of a 32-bit value, in 32 bits.
fn low_five<D: Domain>(d: &mut D, a: &D::Value) -> D::Value {
    let mask = d.constant(32, 31);
    d.and(32, a.clone(), mask)
}

/// Whether a field's position or length may be above 255, which PTX does not allow. Instructions of 32 bits take the lower
/// byte; those of 64 bits are several for the machine, which do not.
fn open_field<D: Domain>(d: &D, place: &[D::Value]) -> bool {
    !active(Mutation::FieldsWrap) && !place.iter().all(|value| d.at_most(value, 255))
}

/// The lower 8 bits of a 32-bit position or length, in `width` bits.
fn low_byte<D: Domain>(d: &mut D, width: u8, a: &D::Value) -> D::Value {
    let byte = d.extract(32, 0, 8, a.clone());
    d.extend(8, width, false, byte)
}

/// A field given by constants: its lowest bit, and its length cut at the top of `width`. None if it has no bits.
fn constant_field<D: Domain>(
    d: &D,
    width: u8,
    position: &D::Value,
    length: &D::Value,
) -> Option<Option<(u8, u8)>> {
    let position = d.as_constant(position)? as u8;
    let length = d.as_constant(length)? as u8;
    if length == 0 || position >= width {
        return Some(None);
    }
    Some(Some((position, length.min(width - position))))
}

/// `bfe`
fn extract_field<D: Domain>(d: &mut D, width: u8, signed: bool, args: &[D::Value]) -> D::Value {
    if let Some(Some((low, bits))) = constant_field(d, width, &args[1], &args[2]) {
        let field = d.extract(width, low, bits, args[0].clone());
        return d.extend(bits, width, signed, field);
    }
    let position = low_byte(d, width, &args[1]);
    let length = low_byte(d, width, &args[2]);
    // Bits above the value read as zeros, or as its top bit: what a clamped right shift brings in.
    let field = d.shr(width, signed, args[0].clone(), position);
    // Bring the field to the top and back; a length of `width` or more leaves it as it is.
    let all = d.constant(width, u64::from(width));
    let zero = d.constant(width, 0);
    let kept = min(d, width, false, length.clone(), all.clone());
    let room = d.sub(width, all, kept);
    let top = d.shl(width, field, room.clone());
    let extended = d.shr(width, signed, top, room);
    let empty = d.equal(width, length, zero.clone());
    d.select(width, empty, zero, extended)
}

/// `bfi`
fn insert_field<D: Domain>(d: &mut D, width: u8, args: &[D::Value]) -> D::Value {
    let (field, base) = (args[0].clone(), args[1].clone());
    match constant_field(d, width, &args[2], &args[3]) {
        Some(None) => return base,
        Some(Some((low, bits))) => return splice(d, width, low, bits, field, base),
        None => {}
    }
    let position = low_byte(d, width, &args[2]);
    let length = low_byte(d, width, &args[3]);
    let ones = d.constant(width, u64::MAX);
    let above = d.shl(width, ones, length);
    let low = d.not(width, above);
    let mask = d.shl(width, low, position.clone());
    let field = d.shl(width, field, position);
    let field = d.and(width, field, mask.clone());
    let hole = d.not(width, mask);
    let base = d.and(width, base, hole);
    d.or(width, base, field)
}

/// `base` with `bits` bits of `field` put in at `low`.
fn splice<D: Domain>(
    d: &mut D,
    width: u8,
    low: u8,
    bits: u8,
    field: D::Value,
    base: D::Value,
) -> D::Value {
    let mut value = d.extract(width, 0, bits, field);
    let mut filled = bits;
    if low > 0 {
        let below = d.extract(width, 0, low, base.clone());
        value = d.concat(filled, value, low, below);
        filled += low;
    }
    if filled < width {
        let above = d.extract(width, filled, width - filled, base);
        value = d.concat(width - filled, above, filled, value);
    }
    value
}

/// `bfind`
fn find_leading<D: Domain>(
    d: &mut D,
    width: u8,
    signed: bool,
    shift: bool,
    a: D::Value,
) -> D::Value {
    let a = if signed {
        let zero = d.constant(width, 0);
        let negative = d.less(width, true, a.clone(), zero);
        let complement = d.not(width, a.clone());
        d.select(width, negative, complement, a)
    } else {
        a
    };
    let zeros = d.clz(width, a.clone());
    let zeros = d.extend(width, 32, false, zeros);
    if !shift {
        // Without a bit the count is `width`, and the difference all ones.
        let top = d.constant(32, u64::from(width) - 1);
        return d.sub(32, top, zeros);
    }
    let zero = d.constant(width, 0);
    let none = d.equal(width, a, zero);
    let all_ones = d.constant(32, u64::MAX);
    d.select(32, none, all_ones, zeros)
}

/// `bmsk`: ones from bit a, b of them.
fn mask<D: Domain>(d: &mut D, wrap: bool, args: &[D::Value]) -> D::Value {
    let (start, length) = if wrap {
        (low_five(d, &args[0]), low_five(d, &args[1]))
    } else {
        (args[0].clone(), args[1].clone())
    };
    // Clamped shifts: a length of 32 or more gives all ones, a start of 32 or more none.
    let ones = d.constant(32, u64::MAX);
    let above = d.shl(32, ones, length);
    let low = d.not(32, above);
    d.shl(32, low, start)
}

/// `szext`: extension of the lower b bits of a.
fn extend_from<D: Domain>(d: &mut D, wrap: bool, signed: bool, args: &[D::Value]) -> D::Value {
    let length = if wrap {
        low_five(d, &args[1])
    } else {
        let most = d.constant(32, 32);
        min(d, 32, false, args[1].clone(), most)
    };
    if let Some(bits @ 1..=32) = d.as_constant(&length) {
        let low = d.extract(32, 0, bits as u8, args[0].clone());
        return d.extend(bits as u8, 32, signed, low);
    }
    // A length of 0 shifts everything out to the left.
    let all = d.constant(32, 32);
    let room = d.sub(32, all, length);
    let top = d.shl(32, args[0].clone(), room.clone());
    d.shr(32, signed, top, room)
}
