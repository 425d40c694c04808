//! Tests of the floating-point operations: against the host's arithmetic, against exact values, and against the cases of
//! the PTX ISA.

mod arithmetic;
mod convert;
mod functions;

use super::format::Format;
use crate::op::{FloatMode, FloatOp, Op, Rounding};
use crate::semantics::fold;
use crate::types::{Kind, Type};
use proptest::prelude::*;

pub(super) const F16: Type = Type::new(Kind::Float, 16);
pub(super) const BF16: Type = Type::new(Kind::BFloat, 16);

pub(super) fn with(rounding: Rounding) -> FloatMode {
    FloatMode {
        rounding,
        ..FloatMode::NEAREST
    }
}

/// One operation through the public entry.
pub(super) fn run(op: FloatOp, ty: Type, mode: FloatMode, args: &[u64]) -> u64 {
    fold(&Op::Float { op, ty, mode }, args)[0]
}

/// One operation of binary32 on numbers.
pub(super) fn run32(op: FloatOp, mode: FloatMode, args: &[f32]) -> f32 {
    let args: Vec<u64> = args.iter().map(|x| u64::from(x.to_bits())).collect();
    f32::from_bits(run(op, Type::F32, mode, &args) as u32)
}

/// Bits of a format: any, near one, special, subnormal.
pub(super) fn bits(format: Format) -> impl Strategy<Value = u64> {
    let (sign, one) = (format.sign(), format.one());
    let fraction = format.smallest_normal();
    let special = vec![
        0,
        1,
        fraction - 1,
        fraction,
        one,
        one + 1,
        one - 1,
        format.infinity() - 1,
        format.infinity(),
        format.nan,
    ];
    let magnitude = prop_oneof![
        4 => any::<u64>().prop_map(move |x| x & (sign - 1)),
        4 => (0..8 * fraction).prop_map(move |x| one - 4 * fraction + x),
        1 => 0..fraction,
        1 => proptest::sample::select(special),
    ];
    (magnitude, any::<bool>()).prop_map(move |(x, negative)| format.with_sign(negative, x))
}
