//! Comparisons, classes, minimum and maximum.

use super::format::Format;
use crate::op::{Comparison, FloatMode, TestClass};
use std::cmp::Ordering;

/// One comparison. Subnormal operands have been flushed already where that is asked for.
pub(super) fn compare(format: Format, comparison: Comparison, a: u64, b: u64) -> bool {
    let Some(order) = format.to_f64(a).partial_cmp(&format.to_f64(b)) else {
        return matches!(
            comparison,
            Comparison::EqU
                | Comparison::NeU
                | Comparison::LtU
                | Comparison::LeU
                | Comparison::GtU
                | Comparison::GeU
                | Comparison::Nan
        );
    };
    match comparison {
        Comparison::Eq | Comparison::EqU => order.is_eq(),
        Comparison::Ne | Comparison::NeU => order.is_ne(),
        Comparison::Lt | Comparison::LtU => order.is_lt(),
        Comparison::Le | Comparison::LeU => order.is_le(),
        Comparison::Gt | Comparison::GtU => order.is_gt(),
        Comparison::Ge | Comparison::GeU => order.is_ge(),
        Comparison::Num => true,
        Comparison::Nan => false,
    }
}

/// `testp`. Zero counts as normal (PTX ISA, `testp`).
pub(super) fn test(format: Format, class: TestClass, bits: u64) -> bool {
    let magnitude = format.magnitude(bits);
    let infinity = format.infinity();
    match class {
        TestClass::Finite => magnitude < infinity,
        TestClass::Infinite => magnitude == infinity,
        TestClass::Number => magnitude <= infinity,
        TestClass::NotANumber => magnitude > infinity,
        TestClass::Normal => magnitude < infinity && !format.is_subnormal(bits),
        TestClass::Subnormal => format.is_subnormal(bits),
    }
}

/// Which of two numbers `min` and `max` take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    Min,
    Max,
}

/// `min`, `max` of two or three operands: a NaN operand counts for nothing, with `.NaN` for everything; -0 is less than
/// +0. With `.abs` the magnitudes are compared; of two operands the result then has the exclusive or of their signs
/// (`.xorsign`).
pub(super) fn pick(format: Format, pick: Pick, mode: FloatMode, args: &[u64]) -> u64 {
    let operand = |&bits: &u64| {
        if mode.xorsign_abs && !format.is_nan(bits) {
            format.magnitude(bits)
        } else {
            bits
        }
    };
    let any_nan = args.iter().any(|&bits| format.is_nan(bits));
    let numbers = args
        .iter()
        .filter(|&&bits| !format.is_nan(bits))
        .map(operand);
    let order = |a: &u64, b: &u64| order(format, *a, *b);
    let best = match pick {
        Pick::Min => numbers.min_by(order),
        Pick::Max => numbers.max_by(order),
    };
    match best {
        Some(bits) if !(mode.nan && any_nan) => {
            let flip = mode.xorsign_abs
                && args.len() == 2
                && format.negative(args[0]) != format.negative(args[1]);
            format.with_sign(flip, bits)
        }
        _ => super::arithmetic::quiet(format, args),
    }
}

/// The order of numbers, -0 before +0.
fn order(format: Format, a: u64, b: u64) -> Ordering {
    let key = |bits: u64| {
        let magnitude = format.magnitude(bits) as i64;
        if format.negative(bits) {
            -1 - magnitude
        } else {
            magnitude
        }
    };
    key(a).cmp(&key(b))
}
