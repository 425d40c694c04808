//! Ranges that the producer promises: `!range` of loads, `range` of parameters and of what calls return, and what
//! `llvm.assume` says of any of these at the start of a function.
//!
//! A value out of its range is poison, with which no address and no branch is executed, and `freeze` of what may be poison is
//! a value of its own here. So wherever something depends on it, the value is the same as its low bits, extended: of these
//! the bounds are known.

use super::{Lowering, Pieces};
use crate::kernels::Entry;
use crate::view::{AssumedRange, Val};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::function::{Granted, Value};
use ptxasw_ir::op::Op;

/// Special registers, whose ranges are known better, and which stay what proofs know them by.
const REGISTERS: &str = "llvm.nvvm.read.ptx.sreg.";

/// How the low bits of a value give it back, if it is in its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Low {
    /// Zeros above so many bits.
    Zeros(u8),
    /// Copies of the sign above so many bits, the sign among them.
    Signs(u8),
}

impl Low {
    fn bits(self) -> u8 {
        match self {
            Low::Zeros(bits) | Low::Signs(bits) => bits,
        }
    }
}

impl<'m> Lowering<'m> {
    /// Notes what every thread promises that runs the function.
    pub(super) fn assumed_ranges(&mut self, entry: &Entry<'m>) {
        for AssumedRange {
            value,
            assume,
            low,
            high,
        } in entry.function.assumed_ranges()
        {
            let statement = self.numbering.statement(assume).unwrap_or(0);
            self.assumed.insert(value, (low, high, statement));
        }
    }

    /// The pieces of a value that is an integer with a range.
    pub(super) fn in_range(&mut self, value: Val<'m>, pieces: Pieces) -> Pieces {
        let &[piece] = &pieces[..] else { return pieces };
        let width = self.width_of(piece);
        if !matches!(width, 32 | 64) || is_register(value) {
            return pieces;
        }
        let promised = value.promised_range();
        let promised = promised.map(|(low, high)| (low, high, self.origin));
        let ranges = promised
            .into_iter()
            .chain(self.assumed.get(&value).copied());
        let known = ranges.filter_map(|(low, high, at)| Some((low_bits(width, low, high)?, at)));
        match known.min_by_key(|(known, _)| known.bits()) {
            Some((known, at)) => {
                let result = self.of_low_bits(piece, width, known);
                let granted = (Granted::Range, at);
                self.builder.function.promises_mut(result).granted = Some(granted);
                Pieces::from_slice(&[result])
            }
            None => pieces,
        }
    }

    fn of_low_bits(&mut self, value: Value, width: u8, known: Low) -> Value {
        match known {
            Low::Zeros(bits) => {
                let mask = self.constant(width, (1 << bits) - 1);
                self.op(Op::And { width }, &[value, mask])
            }
            Low::Signs(bits) => {
                let amount = self.constant(32, u64::from(width - bits));
                let shifted = self.op(Op::Shl { width }, &[value, amount]);
                let signed = true;
                self.op(Op::Shr { width, signed }, &[shifted, amount])
            }
        }
    }
}

fn is_register(value: Val) -> bool {
    let call = value.is_instruction() && value.opcode() == LLVMOpcode::LLVMCall;
    let callee = if call { value.callee() } else { None };
    callee.is_some_and(|callee| callee.name().starts_with(REGISTERS))
}

/// The low bits that distinguish the numbers from `low` up to and with `high`, a range that may wrap.
fn low_bits(width: u8, low: u64, high: u64) -> Option<Low> {
    let unused = 64 - u32::from(width);
    let signed = |bits: u64| (bits << unused) as i64 >> unused;
    let found = if low <= high {
        let bits = 64 - high.leading_zeros() as u8;
        // No number needs less than one bit.
        Low::Zeros(bits.max(1))
    } else if signed(low) <= signed(high) {
        // As many as differ from the sign, and the sign.
        let needed = |number: i64| 65 - (number ^ (number >> 63)).leading_zeros() as u8;
        Low::Signs(needed(signed(low)).max(needed(signed(high))))
    } else {
        return None;
    };
    (found.bits() < width).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What [`Lowering::of_low_bits`] computes.
    fn extended(width: u8, value: u64, known: Low) -> u64 {
        let all = u64::MAX >> (64 - width);
        match known {
            Low::Zeros(bits) => value & ((1 << bits) - 1),
            Low::Signs(bits) => ((value << (64 - bits)) as i64 >> (64 - bits)) as u64 & all,
        }
    }

    proptest! {
        #[test]
        fn numbers_in_the_range_are_told_by_their_low_bits(
            wide: bool, low: i64, size in 0u32..63, number: u64
        ) {
            let width = if wide { 64 } else { 32 };
            let all = u64::MAX >> (64 - width);
            let (low, size) = ((low >> (64 - width)) as u64, number & ((1 << size) - 1) & all);
            for low in [low, low >> 40, 0, 0u64.wrapping_sub(size / 2)] {
                let (low, high) = (low & all, low.wrapping_add(size) & all);
                let Some(known) = low_bits(width, low, high) else { continue };
                for inside in [low, high, low.wrapping_add(size / 2) & all, low.wrapping_add(size.min(1)) & all] {
                    prop_assert_eq!(extended(width, inside, known), inside);
                }
            }
        }
    }

    #[test]
    fn bits_of_small_ranges() {
        assert_eq!(low_bits(32, 0, 1023), Some(Low::Zeros(10)));
        assert_eq!(low_bits(32, 5, 1024), Some(Low::Zeros(11)));
        assert_eq!(low_bits(32, 0, 0), Some(Low::Zeros(1)));
        assert_eq!(low_bits(32, 0, 0xffff_ffff), None);
        assert_eq!(low_bits(32, 0xffff_ffff, 0), Some(Low::Signs(1)));
        assert_eq!(low_bits(32, 0xffff_ff80, 127), Some(Low::Signs(8)));
        assert_eq!(low_bits(32, 0xffff_ff7f, 127), Some(Low::Signs(9)));
        assert_eq!(low_bits(32, 0xffff_ff80, 128), Some(Low::Signs(9)));
        assert_eq!(low_bits(32, 0x8000_0000, 0x7fff_fffe), None);
        assert_eq!(low_bits(64, u64::MAX, 0), Some(Low::Signs(1)));
    }
}
