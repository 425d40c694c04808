//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions").

use super::Results;
use super::domain::Domain;
use crate::op::{Comparison, Logic, Op};
use crate::types::{Kind, Type};
use smallvec::smallvec;

/// `setp`: two results.
pub(super) fn compare<D: Domain>(
    d: &mut D,
    comparison: Comparison,
    ty: Type,
    logic: Option<Logic>,
    ftz: bool,
    args: &[D::Value],
) -> Results<D::Value> {
    if let Some(half) = half_of(ty) {
        return LANES
            .map(|low| {
                let (a, b) = halves(d, low, args);
                let truth = test(d, comparison, half, ftz, a, b);
                combine(d, logic, truth, args.get(2))
            })
            .into_iter()
            .collect();
    }
    let truth = test(d, comparison, ty, ftz, args[0].clone(), args[1].clone());
    let untruth = d.not(1, truth.clone());
    smallvec![
        combine(d, logic, truth, args.get(2)),
        combine(d, logic, untruth, args.get(2)),
    ]
}

/// `set`: all ones or 1.0 where the comparison holds.
pub(super) fn set<D: Domain>(
    d: &mut D,
    comparison: Comparison,
    ty: Type,
    to: Type,
    logic: Option<Logic>,
    ftz: bool,
    args: &[D::Value],
) -> D::Value {
    let packed = compare_packed(ty, to);
    let truths = compare(d, comparison, ty, logic, ftz, args);
    let width = if packed { 16 } else { to.bits };
    let yes = d.constant(width, true_bits(to));
    let no = d.constant(width, 0);
    let low = d.select(width, truths[0].clone(), yes.clone(), no.clone());
    if !packed {
        return low;
    }
    let high = d.select(width, truths[1].clone(), yes, no);
    d.concat(16, high, 16, low)
}

/// Whether `set` compares and answers lane by lane.
fn compare_packed(ty: Type, to: Type) -> bool {
    half_of(ty).is_some() && to.bits == 32
}

/// What `set` writes for true, in each lane.
fn true_bits(to: Type) -> u64 {
    match (to.kind, to.bits) {
        (Kind::Float, 16) | (Kind::Float16x2, _) => 0x3C00,
        (Kind::Float, 64) => 1f64.to_bits(),
        (Kind::Float, _) => u64::from(1f32.to_bits()),
        (Kind::BFloat | Kind::BFloat16x2, _) => 0x3F80,
        _ => u64::MAX,
    }
}

/// `slct`: a where c >= 0.
pub(super) fn select_sign<D: Domain>(
    d: &mut D,
    width: u8,
    float: bool,
    ftz: bool,
    args: &[D::Value],
) -> D::Value {
    let ty = if float { Type::F32 } else { Type::S32 };
    let zero = d.constant(32, 0);
    let positive = test(d, Comparison::Ge, ty, ftz, args[2].clone(), zero);
    d.select(width, positive, args[0].clone(), args[1].clone())
}

/// The lowest bits of the two lanes of packed operands.
const LANES: [u8; 2] = [0, 16];

/// One lane of both operands.
fn halves<D: Domain>(d: &mut D, low: u8, args: &[D::Value]) -> (D::Value, D::Value) {
    (
        d.extract(32, low, 16, args[0].clone()),
        d.extract(32, low, 16, args[1].clone()),
    )
}

/// The type of one lane of a packed type.
pub(super) fn half_of(ty: Type) -> Option<Type> {
    let kind = match ty.kind {
        Kind::Float16x2 => Kind::Float,
        Kind::BFloat16x2 => Kind::BFloat,
        Kind::Unsigned16x2 => Kind::Unsigned,
        Kind::Signed16x2 => Kind::Signed,
        _ => return None,
    };
    Some(Type::new(kind, 16))
}

/// One bit: `a comparison b`, of one unpacked type.
fn test<D: Domain>(
    d: &mut D,
    comparison: Comparison,
    ty: Type,
    ftz: bool,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    if ty.float() {
        let op = Op::Compare {
            comparison,
            ty,
            logic: None,
            ftz,
        };
        return d.opaque(&op, 0, 1, &[a, b]);
    }
    let (width, signed) = (ty.bits, ty.signed());
    let (value, negate) = match comparison {
        Comparison::Eq | Comparison::EqU => (d.equal(width, a, b), false),
        Comparison::Ne | Comparison::NeU => (d.equal(width, a, b), true),
        Comparison::Lt | Comparison::LtU => (d.less(width, signed, a, b), false),
        Comparison::Ge | Comparison::GeU => (d.less(width, signed, a, b), true),
        Comparison::Gt | Comparison::GtU => (d.less(width, signed, b, a), false),
        Comparison::Le | Comparison::LeU => (d.less(width, signed, b, a), true),
        // Integers are numbers.
        Comparison::Num => (d.constant(1, 1), false),
        Comparison::Nan => (d.constant(1, 0), false),
    };
    if negate { d.not(1, value) } else { value }
}

/// A truth combined with a predicate operand.
pub(super) fn combine<D: Domain>(
    d: &mut D,
    logic: Option<Logic>,
    truth: D::Value,
    predicate: Option<&D::Value>,
) -> D::Value {
    match (logic, predicate) {
        (Some(Logic::And), Some(c)) => d.and(1, truth, c.clone()),
        (Some(Logic::Or), Some(c)) => d.or(1, truth, c.clone()),
        (Some(Logic::Xor), Some(c)) => d.xor(1, truth, c.clone()),
        _ => truth,
    }
}
