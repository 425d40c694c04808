//! A domain that checks the width of every operand of every primitive, and hides that its values are constants, so that
//! the paths for unknown operands run.

use crate::op::Op;
use crate::semantics::concrete::{Concrete, cut};
use crate::semantics::domain::Domain;

/// Bits with their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub width: u8,
    pub bits: u64,
}

/// See the module.
pub struct Checked;

fn take(width: u8, value: Bits) -> u64 {
    assert!((1..=64).contains(&width), "width {width}");
    assert_eq!(value.width, width, "operand width");
    assert_eq!(cut(width, value.bits), value.bits, "bits above the width");
    value.bits
}

fn give(width: u8, bits: u64) -> Bits {
    take(width, Bits { width, bits });
    Bits { width, bits }
}

macro_rules! binary {
    ($($name:ident),*) => {$(
        fn $name(&mut self, width: u8, a: Bits, b: Bits) -> Bits {
            give(width, Concrete.$name(width, take(width, a), take(width, b)))
        }
    )*};
}

macro_rules! signed_binary {
    ($($name:ident),*) => {$(
        fn $name(&mut self, width: u8, signed: bool, a: Bits, b: Bits) -> Bits {
            give(width, Concrete.$name(width, signed, take(width, a), take(width, b)))
        }
    )*};
}

macro_rules! unary {
    ($($name:ident),*) => {$(
        fn $name(&mut self, width: u8, a: Bits) -> Bits {
            give(width, Concrete.$name(width, take(width, a)))
        }
    )*};
}

impl Domain for Checked {
    type Value = Bits;

    binary!(add, sub, mul, and, or, xor, shl);
    signed_binary!(mul_high, div, rem, shr);
    unary!(not, popc, clz, brev);

    fn at_most(&self, value: &Bits, most: u64) -> bool {
        value.bits <= most
    }
    fn constant(&mut self, width: u8, bits: u64) -> Bits {
        give(width, Concrete.constant(width, bits))
    }
    fn extend(&mut self, from: u8, to: u8, signed: bool, a: Bits) -> Bits {
        give(to, Concrete.extend(from, to, signed, take(from, a)))
    }
    fn extract(&mut self, width: u8, low: u8, bits: u8, a: Bits) -> Bits {
        assert!(low + bits <= width, "{bits} bits from {low} of {width}");
        give(bits, Concrete.extract(width, low, bits, take(width, a)))
    }
    fn concat(&mut self, high_width: u8, high: Bits, low_width: u8, low: Bits) -> Bits {
        let (high, low) = (take(high_width, high), take(low_width, low));
        give(
            high_width + low_width,
            Concrete.concat(high_width, high, low_width, low),
        )
    }
    fn equal(&mut self, width: u8, a: Bits, b: Bits) -> Bits {
        give(1, Concrete.equal(width, take(width, a), take(width, b)))
    }
    fn less(&mut self, width: u8, signed: bool, a: Bits, b: Bits) -> Bits {
        let (a, b) = (take(width, a), take(width, b));
        give(1, Concrete.less(width, signed, a, b))
    }
    fn select(&mut self, width: u8, condition: Bits, a: Bits, b: Bits) -> Bits {
        let condition = take(1, condition);
        let (a, b) = (take(width, a), take(width, b));
        give(width, Concrete.select(width, condition, a, b))
    }
    fn other_flag(&mut self, flag: Bits) -> Bits {
        give(1, Concrete.other_flag(take(1, flag)))
    }
    fn opaque(&mut self, op: &Op, result: u8, width: u8, args: &[Bits]) -> Bits {
        let widths = crate::semantics::operand_widths(op);
        assert_eq!(widths.len(), args.len(), "operands of {op:?}");
        let args: Vec<u64> = widths.iter().zip(args).map(|(&w, &a)| take(w, a)).collect();
        give(width, Concrete.opaque(op, result, width, &args))
    }
}
