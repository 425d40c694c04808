//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic").

use super::Results;
use super::domain::Domain;
use super::widths::product_width;
use crate::op::{Op, Product};
use smallvec::smallvec;

/// The operations of this file that have one result.
pub(super) fn apply<D: Domain>(d: &mut D, op: &Op, args: &[D::Value]) -> D::Value {
    let arg = |i: usize| args[i].clone();
    match *op {
        Op::AddSaturate { subtract } => add_saturate(d, subtract, arg(0), arg(1)),
        Op::SumOfThree { subtract } => {
            let first = match subtract {
                true => d.sub(32, arg(0), arg(1)),
                false => d.add(32, arg(0), arg(1)),
            };
            d.add(32, first, arg(2))
        }
        Op::Mul {
            product: which,
            width,
            signed,
        } => product(d, which, width, signed, &args[0], &args[1]),
        Op::MulAdd {
            product: which,
            width,
            signed,
            saturate,
        } => {
            let value = product(d, which, width, signed, &args[0], &args[1]);
            if saturate {
                add_saturate(d, false, value, arg(2))
            } else {
                d.add(product_width(which, width), value, arg(2))
            }
        }
        Op::Mul24 {
            product,
            signed,
            add,
        } => {
            let value = mul24(d, product, signed, arg(0), arg(1));
            if add { d.add(32, value, arg(2)) } else { value }
        }
        Op::Sad { width, signed } => {
            let less = d.less(width, signed, arg(0), arg(1));
            let up = d.sub(width, arg(1), arg(0));
            let down = d.sub(width, arg(0), arg(1));
            let difference = d.select(width, less, up, down);
            d.add(width, difference, arg(2))
        }
        Op::Abs { width } => {
            let zero = d.constant(width, 0);
            let negative = d.less(width, true, arg(0), zero);
            let negated = negate(d, width, arg(0));
            d.select(width, negative, negated, arg(0))
        }
        Op::Neg { width } => negate(d, width, arg(0)),
        Op::Min {
            width,
            signed,
            relu,
        } => {
            let value = min(d, width, signed, arg(0), arg(1));
            at_least_zero(d, width, relu, value)
        }
        Op::Max {
            width,
            signed,
            relu,
        } => {
            let value = max(d, width, signed, arg(0), arg(1));
            at_least_zero(d, width, relu, value)
        }
        Op::Dp4a { signed_a, signed_b } => {
            let lanes = [(0, 0), (8, 8), (16, 16), (24, 24)];
            dot(d, (8, signed_a), (8, signed_b), &lanes, args)
        }
        Op::Dp2a {
            signed_a,
            signed_b,
            high,
        } => {
            let lanes = if high {
                [(0, 16), (16, 24)]
            } else {
                [(0, 0), (16, 8)]
            };
            dot(d, (16, signed_a), (8, signed_b), &lanes, args)
        }
        _ => unreachable!("no integer operation: {op:?}"),
    }
}

fn negate<D: Domain>(d: &mut D, width: u8, a: D::Value) -> D::Value {
    let zero = d.constant(width, 0);
    d.sub(width, zero, a)
}

/// The smaller of two values.
pub(super) fn min<D: Domain>(
    d: &mut D,
    width: u8,
    signed: bool,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    let less = d.less(width, signed, a.clone(), b.clone());
    d.select(width, less, a, b)
}

/// The larger of two values.
pub(super) fn max<D: Domain>(
    d: &mut D,
    width: u8,
    signed: bool,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    let less = d.less(width, signed, a.clone(), b.clone());
    d.select(width, less, b, a)
}

/// `.relu`
fn at_least_zero<D: Domain>(d: &mut D, width: u8, relu: bool, a: D::Value) -> D::Value {
    if !relu {
        return a;
    }
    let zero = d.constant(width, 0);
    max(d, width, true, a, zero)
}

/// A half of the product, or all of it.
pub(super) fn product<D: Domain>(
    d: &mut D,
    which: Product,
    width: u8,
    signed: bool,
    a: &D::Value,
    b: &D::Value,
) -> D::Value {
    match which {
        Product::Low => d.mul(width, a.clone(), b.clone()),
        Product::High => d.mul_high(width, signed, a.clone(), b.clone()),
        Product::Wide => {
            let wide = product_width(which, width);
            let a = d.extend(width, wide, signed, a.clone());
            let b = d.extend(width, wide, signed, b.clone());
            d.mul(wide, a, b)
        }
    }
}

/// 32-bit sum or difference, clamped to the signed range.
fn add_saturate<D: Domain>(d: &mut D, subtract: bool, a: D::Value, b: D::Value) -> D::Value {
    let a = d.extend(32, 64, true, a);
    let b = d.extend(32, 64, true, b);
    let exact = if subtract {
        d.sub(64, a, b)
    } else {
        d.add(64, a, b)
    };
    let most = d.constant(64, i32::MAX as u64);
    let least = d.constant(64, i64::from(i32::MIN) as u64);
    let clamped = min(d, 64, true, exact, most);
    let clamped = max(d, 64, true, clamped, least);
    d.extend(64, 32, false, clamped)
}

/// 24 x 24 = 48 bits, of which 32 are taken.
fn mul24<D: Domain>(
    d: &mut D,
    product: Product,
    signed: bool,
    a: D::Value,
    b: D::Value,
) -> D::Value {
    let a = d.extract(32, 0, 24, a);
    let a = d.extend(24, 64, signed, a);
    let b = d.extract(32, 0, 24, b);
    let b = d.extend(24, 64, signed, b);
    let all = d.mul(64, a, b);
    let low = if product == Product::High { 16 } else { 0 };
    d.extract(64, low, 32, all)
}

/// Dot product of parts of the first two operands, added to the third. A part is given by its width and signedness,
/// a lane by the lowest bit of its two parts.
fn dot<D: Domain>(
    d: &mut D,
    (a_width, a_signed): (u8, bool),
    (b_width, b_signed): (u8, bool),
    lanes: &[(u8, u8)],
    args: &[D::Value],
) -> D::Value {
    let mut sum = args[2].clone();
    for &(a_low, b_low) in lanes {
        let a = d.extract(32, a_low, a_width, args[0].clone());
        let a = d.extend(a_width, 32, a_signed, a);
        let b = d.extract(32, b_low, b_width, args[1].clone());
        let b = d.extend(b_width, 32, b_signed, b);
        let term = d.mul(32, a, b);
        sum = d.add(32, sum, term);
    }
    sum
}

/// Sum or difference with a carry (borrow) in and out; after the carry comes what the other kind of operation reads of it.
pub(super) fn carry<D: Domain>(
    d: &mut D,
    subtract: bool,
    width: u8,
    a: D::Value,
    b: D::Value,
    carry_in: Option<D::Value>,
    carry_out: bool,
) -> Results<D::Value> {
    let (sum, mut carried) = step(d, subtract, width, a, b, carry_out);
    let sum = match carry_in {
        None => sum,
        Some(bit) => {
            let bit = d.extend(1, width, false, bit);
            let (sum, again) = step(d, subtract, width, sum, bit, carry_out);
            // At most one of the two steps carries.
            carried = match (carried, again) {
                (Some(first), Some(second)) => Some(d.or(1, first, second)),
                _ => None,
            };
            sum
        }
    };
    let mut results = smallvec![sum];
    if let Some(carried) = carried {
        let other = d.other_flag(carried.clone());
        results.extend([carried, other]);
    }
    results
}

/// One addition or subtraction, and whether it left the unsigned range.
fn step<D: Domain>(
    d: &mut D,
    subtract: bool,
    width: u8,
    a: D::Value,
    b: D::Value,
    carry_out: bool,
) -> (D::Value, Option<D::Value>) {
    if subtract {
        let borrow = carry_out.then(|| d.less(width, false, a.clone(), b.clone()));
        (d.sub(width, a, b), borrow)
    } else {
        let sum = d.add(width, a.clone(), b);
        let carry = carry_out.then(|| d.less(width, false, sum.clone(), a));
        (sum, carry)
    }
}
