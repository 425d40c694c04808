//! Conversions, packing, address spaces (PTX ISA, "Data Movement and Conversion Instructions"), and `copysign`, the
//! floating-point operation that only moves bits.

use super::domain::Domain;
use super::integer::{max, min};
use super::{Results, opaque};
use crate::op::{FloatOp, Op};
use crate::types::{Kind, Space, Type};
use ptxasw_base::mutation::{Mutation, active};

/// The operations of this file that have one result.
pub(super) fn apply<D: Domain>(d: &mut D, op: &Op, args: &[D::Value]) -> D::Value {
    match *op {
        Op::Convert { from, to, mode, .. } if is_integer(from) && is_integer(to) => {
            integer_to_integer(d, from, to, mode.saturate, args[0].clone())
        }
        Op::Float {
            op: which,
            ty,
            mode,
        } if !mode.ftz => match sign_mask(ty) {
            Some(mask) => {
                sign_operation(d, which, ty.bits, mask, args).unwrap_or_else(|| opaque(d, op, args))
            }
            None => opaque(d, op, args),
        },
        Op::Pack { parts, width } => pack(d, parts, width, args),
        Op::ToGeneric { space, .. } | Op::FromGeneric { space, .. } if same_as_generic(space) => {
            args[0].clone()
        }
        _ => opaque(d, op, args),
    }
}

/// Whether a type's values are integers; untyped bits count as unsigned.
pub(super) fn is_integer(ty: Type) -> bool {
    matches!(
        ty.kind,
        Kind::Predicate | Kind::Bits | Kind::Unsigned | Kind::Signed
    )
}

/// `cvt` between integers: extension by the operand's sign, or truncation, or with `.sat` the nearest value of the
/// result type.
fn integer_to_integer<D: Domain>(
    d: &mut D,
    from: Type,
    to: Type,
    saturate: bool,
    mut a: D::Value,
) -> D::Value {
    if saturate {
        let (width, signed) = (from.bits, from.signed());
        // The bits of the result that hold a magnitude, and those of the operand.
        let room = to.bits - u8::from(to.signed());
        if room < from.bits - u8::from(signed) {
            let most = d.constant(width, ones(room));
            a = min(d, width, signed, a, most);
        }
        if signed && !to.signed() {
            let least = d.constant(width, 0);
            a = max(d, width, true, a, least);
        } else if signed && to.bits < from.bits {
            let least = d.constant(width, !ones(room));
            a = max(d, width, true, a, least);
        }
    }
    d.extend(from.bits, to.bits, from.signed(), a)
}

/// `bits` ones.
fn ones(bits: u8) -> u64 {
    u64::MAX.checked_shr(64 - u32::from(bits)).unwrap_or(0)
}

/// The sign bits of a type, one for each lane.
fn sign_mask(ty: Type) -> Option<u64> {
    match ty.kind {
        Kind::Float | Kind::BFloat => Some(1 << (ty.bits - 1)),
        Kind::Float16x2 | Kind::BFloat16x2 => Some(0x8000_8000),
        _ => None,
    }
}

/// `copysign` without `.ftz` as bit operations. `neg` and `abs` are none: PTX leaves the sign and payload of what they
/// make of a NaN open, and the hardware adds a zero, which gives the canonical NaN.
fn sign_operation<D: Domain>(
    d: &mut D,
    op: FloatOp,
    width: u8,
    mask: u64,
    args: &[D::Value],
) -> Option<D::Value> {
    let a = args[0].clone();
    match op {
        FloatOp::Neg if active(Mutation::NanKeepsSign) => {
            let mask = d.constant(width, mask);
            Some(d.xor(width, a, mask))
        }
        FloatOp::CopySign => {
            let sign = d.constant(width, mask);
            let magnitude = d.constant(width, !mask);
            let sign = d.and(width, a, sign);
            let magnitude = d.and(width, args[1].clone(), magnitude);
            Some(d.or(width, sign, magnitude))
        }
        _ => None,
    }
}

/// Whether addresses of a space are its generic addresses.
fn same_as_generic(space: Space) -> bool {
    matches!(space, Space::Global | Space::Generic)
}

/// The parts side by side, the first lowest.
fn pack<D: Domain>(d: &mut D, parts: u8, width: u8, args: &[D::Value]) -> D::Value {
    let mut value = args[0].clone();
    for i in 1..parts {
        let next = args[usize::from(i)].clone();
        value = d.concat(width, next, i * width, value);
    }
    value
}

/// The inverse of [`pack`].
pub(super) fn unpack<D: Domain>(
    d: &mut D,
    parts: u8,
    width: u8,
    a: &D::Value,
) -> Results<D::Value> {
    (0..parts)
        .map(|i| d.extract(parts * width, i * width, width, a.clone()))
        .collect()
}
