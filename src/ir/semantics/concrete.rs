//! The domain of plain bits: constant folding and execution.

use super::domain::Domain;
use super::{address, floating, fold};
use crate::op::Op;

/// Values are `u64`, with all bits above their width zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

/// `bits` cut to `width`.
#[inline]
pub fn cut(width: u8, bits: u64) -> u64 {
    if width >= 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}

/// The two's complement value of the lower `width` bits.
#[inline]
pub fn signed_value(width: u8, bits: u64) -> i64 {
    let room = 64_u32.saturating_sub(u32::from(width)).min(63);
    ((bits << room) as i64) >> room
}

impl Domain for Concrete {
    type Value = u64;

    #[inline]
    fn constant(&mut self, width: u8, bits: u64) -> u64 {
        cut(width, bits)
    }
    #[inline]
    fn as_constant(&self, value: &u64) -> Option<u64> {
        Some(*value)
    }
    #[inline]
    fn add(&mut self, width: u8, a: u64, b: u64) -> u64 {
        cut(width, a.wrapping_add(b))
    }
    #[inline]
    fn sub(&mut self, width: u8, a: u64, b: u64) -> u64 {
        cut(width, a.wrapping_sub(b))
    }
    #[inline]
    fn mul(&mut self, width: u8, a: u64, b: u64) -> u64 {
        cut(width, a.wrapping_mul(b))
    }
    #[inline]
    fn mul_high(&mut self, width: u8, signed: bool, a: u64, b: u64) -> u64 {
        let product = if signed {
            let (a, b) = (signed_value(width, a), signed_value(width, b));
            (i128::from(a) * i128::from(b)) as u128
        } else {
            u128::from(a) * u128::from(b)
        };
        cut(width, (product >> width) as u64)
    }
    #[inline]
    fn div(&mut self, width: u8, signed: bool, a: u64, b: u64) -> u64 {
        if b == 0 {
            return cut(width, u64::MAX);
        }
        if signed {
            let (a, b) = (signed_value(width, a), signed_value(width, b));
            cut(width, a.wrapping_div(b) as u64)
        } else {
            a / b
        }
    }
    #[inline]
    fn rem(&mut self, width: u8, signed: bool, a: u64, b: u64) -> u64 {
        if b == 0 {
            return a;
        }
        if signed {
            let (a, b) = (signed_value(width, a), signed_value(width, b));
            cut(width, a.wrapping_rem(b) as u64)
        } else {
            a % b
        }
    }
    #[inline]
    fn and(&mut self, _width: u8, a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline]
    fn or(&mut self, _width: u8, a: u64, b: u64) -> u64 {
        a | b
    }
    #[inline]
    fn xor(&mut self, _width: u8, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline]
    fn not(&mut self, width: u8, a: u64) -> u64 {
        cut(width, !a)
    }
    #[inline]
    fn shl(&mut self, width: u8, a: u64, amount: u64) -> u64 {
        if amount >= u64::from(width) {
            0
        } else {
            cut(width, a << amount)
        }
    }
    #[inline]
    fn shr(&mut self, width: u8, signed: bool, a: u64, amount: u64) -> u64 {
        if signed {
            let amount = amount.min(u64::from(width) - 1);
            cut(width, (signed_value(width, a) >> amount) as u64)
        } else if amount >= u64::from(width) {
            0
        } else {
            a >> amount
        }
    }
    #[inline]
    fn extend(&mut self, from: u8, to: u8, signed: bool, a: u64) -> u64 {
        if signed {
            cut(to, signed_value(from, a) as u64)
        } else {
            cut(to.min(from), a)
        }
    }
    #[inline]
    fn extract(&mut self, _width: u8, low: u8, bits: u8, a: u64) -> u64 {
        cut(bits, a >> low)
    }
    #[inline]
    fn concat(&mut self, _high_width: u8, high: u64, low_width: u8, low: u64) -> u64 {
        (high << low_width) | low
    }
    #[inline]
    fn equal(&mut self, _width: u8, a: u64, b: u64) -> u64 {
        u64::from(a == b)
    }
    #[inline]
    fn less(&mut self, width: u8, signed: bool, a: u64, b: u64) -> u64 {
        u64::from(if signed {
            signed_value(width, a) < signed_value(width, b)
        } else {
            a < b
        })
    }
    #[inline]
    fn select(&mut self, _width: u8, condition: u64, a: u64, b: u64) -> u64 {
        if condition != 0 { a } else { b }
    }
    #[inline]
    fn popc(&mut self, width: u8, a: u64) -> u64 {
        // A width that cannot hold its own count wraps, as in every other domain.
        cut(width, u64::from(a.count_ones()))
    }
    #[inline]
    fn clz(&mut self, width: u8, a: u64) -> u64 {
        let above = 64 - u64::from(width);
        cut(width, u64::from(a.leading_zeros()) - above)
    }
    #[inline]
    fn brev(&mut self, width: u8, a: u64) -> u64 {
        a.reverse_bits() >> (64 - u32::from(width))
    }
    #[inline]
    fn other_flag(&mut self, flag: u64) -> u64 {
        flag ^ 1
    }
    fn opaque(&mut self, op: &Op, _result: u8, width: u8, args: &[u64]) -> u64 {
        let bits = match op {
            Op::ToGeneric { .. } | Op::FromGeneric { .. } | Op::IsSpace { .. } => {
                address::compute(op, args[0])
            }
            // As the real assembler's 64-bit sequences do: beyond the value there is nothing.
            Op::Bfe { .. } => fold(op, &[args[0], args[1].min(255), args[2].min(255)])[0],
            Op::Bfi { .. } => {
                let place = [args[2], args[3]].map(|value| value.min(255));
                fold(op, &[args[0], args[1], place[0], place[1]])[0]
            }
            Op::Fns => find_nth_set(args[0] as u32, args[1], args[2] as u32 as i32),
            _ => floating::compute(op, args),
        };
        cut(width, bits)
    }
}

/// `fns`: the position of the n-th set bit of `mask`, counted from bit `base` upwards, or downwards where n is negative;
/// with n = 0 of bit `base` itself. All ones if there is none; PTX leaves a base above 31 open, here there is none either.
fn find_nth_set(mask: u32, base: u64, n: i32) -> u64 {
    let is_set = |&position: &u64| mask >> position & 1 == 1;
    let skip = n.unsigned_abs().saturating_sub(1) as usize;
    let found = match n {
        _ if base > 31 => None,
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(skip),
        _ => (0..=base).rev().filter(is_set).nth(skip),
    };
    found.unwrap_or(u64::MAX)
}
