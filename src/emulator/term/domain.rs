//! Terms as a domain of the operations' semantics.

use super::{Function, TermId, Terms};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{FloatOp, Op, Rounding};
use ptxasw_ir::semantics::domain::Domain;

impl Domain for Terms {
    type Value = TermId;

    fn constant(&mut self, width: u8, bits: u64) -> TermId {
        Terms::constant(self, width, bits)
    }
    fn as_constant(&self, value: &TermId) -> Option<u64> {
        self.as_const(*value)
    }
    fn at_most(&self, value: &TermId, most: u64) -> bool {
        self.facts(*value).umax <= most
    }
    fn add(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::add(self, a, b)
    }
    fn sub(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::sub(self, a, b)
    }
    fn mul(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::mul(self, a, b)
    }
    fn mul_high(&mut self, _: u8, signed: bool, a: TermId, b: TermId) -> TermId {
        Terms::mul_high(self, signed, a, b)
    }
    fn div(&mut self, _: u8, signed: bool, a: TermId, b: TermId) -> TermId {
        Terms::div(self, signed, a, b)
    }
    fn rem(&mut self, _: u8, signed: bool, a: TermId, b: TermId) -> TermId {
        self.rem_of_instruction(signed, a, b)
    }
    fn and(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::and(self, a, b)
    }
    fn or(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::or(self, a, b)
    }
    fn xor(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::xor(self, a, b)
    }
    fn not(&mut self, _: u8, a: TermId) -> TermId {
        Terms::not(self, a)
    }
    fn shl(&mut self, _: u8, a: TermId, amount: TermId) -> TermId {
        Terms::shl(self, a, amount)
    }
    fn shr(&mut self, _: u8, signed: bool, a: TermId, amount: TermId) -> TermId {
        if signed {
            Terms::ashr(self, a, amount)
        } else {
            Terms::lshr(self, a, amount)
        }
    }
    fn extend(&mut self, _: u8, to: u8, signed: bool, a: TermId) -> TermId {
        if signed {
            Terms::sext(self, a, to)
        } else {
            Terms::zext(self, a, to)
        }
    }
    fn extract(&mut self, _: u8, low: u8, bits: u8, a: TermId) -> TermId {
        Terms::extract(self, a, low, bits)
    }
    fn concat(&mut self, _: u8, high: TermId, _: u8, low: TermId) -> TermId {
        Terms::concat(self, high, low)
    }
    fn equal(&mut self, _: u8, a: TermId, b: TermId) -> TermId {
        Terms::equal(self, a, b)
    }
    fn less(&mut self, _: u8, signed: bool, a: TermId, b: TermId) -> TermId {
        Terms::less(self, signed, a, b)
    }
    fn select(&mut self, _: u8, condition: TermId, a: TermId, b: TermId) -> TermId {
        Terms::ite(self, condition, a, b)
    }
    fn popc(&mut self, _: u8, a: TermId) -> TermId {
        Terms::popc(self, a)
    }
    fn clz(&mut self, _: u8, a: TermId) -> TermId {
        Terms::clz(self, a)
    }
    fn brev(&mut self, _: u8, a: TermId) -> TermId {
        Terms::brev(self, a)
    }
    fn other_flag(&mut self, flag: TermId) -> TermId {
        if active(Mutation::FlagsMixed) {
            return flag;
        }
        let name = format!("flag.{}", self.functions_so_far());
        let function = self.function(Function::Named(name.into()));
        self.uninterpreted(1, function, &[flag])
    }
    fn opaque(&mut self, op: &Op, result: u8, width: u8, args: &[TermId]) -> TermId {
        match *op {
            Op::ToGeneric { space, .. } => {
                let window = self.window(space, width);
                return Terms::add(self, args[0], window);
            }
            Op::FromGeneric { space, .. } => {
                let window = self.window(space, width);
                return Terms::sub(self, args[0], window);
            }
            _ => {}
        }
        let function = if computed_anew(op) {
            Function::Single(*op, result, self.functions_so_far())
        } else {
            Function::Op(*op, result)
        };
        let function = self.function(function);
        self.uninterpreted(width, function, args)
    }
}

/// Whether two such operations on the same operands may differ: what the assembler joins with others, approximations (of
/// constants the assembler's, else the machine's), the sign and payload of a NaN that `neg` and `abs` leave open, and fields
/// outside of the range that PTX allows.
fn computed_anew(op: &Op) -> bool {
    match op {
        Op::Float { op, mode, .. } => {
            matches!(
                mode.rounding,
                Rounding::Contractible | Rounding::Approximate | Rounding::Full
            ) || matches!(op, FloatOp::Neg | FloatOp::Abs)
        }
        Op::Bfe { .. } | Op::Bfi { .. } => true,
        _ => false,
    }
}
