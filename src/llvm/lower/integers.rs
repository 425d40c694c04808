//! Integer arithmetic, comparisons, casts.

use super::{Lowering, Pieces};
use crate::view::Val;
use crate::view::layout::Scalar;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
use ptxasw_ir::function::{Granted, NoWrap, Value, ValueDef};
use ptxasw_ir::op::{Comparison, Op, Product};
use ptxasw_ir::types::{Kind, Type};

/// The narrowest width that has operations and holds so many bits.
pub(super) fn working_width(bits: u8) -> u8 {
    match bits {
        0..=16 => 16,
        17..=32 => 32,
        _ => 64,
    }
}

impl<'m> Lowering<'m> {
    /// An operation of two integers or vectors of them.
    pub(super) fn integer(&mut self, instruction: Val<'m>) -> Pieces {
        use LLVMOpcode::*;
        let operation = instruction.opcode();
        if operation == LLVMOr && instruction.is_disjoint() {
            return self.disjoint(instruction);
        }
        let pieces = self.elementwise(operation, instruction);
        if matches!(operation, LLVMAdd | LLVMSub | LLVMMul | LLVMShl) {
            let (unsigned, signed) = instruction.no_wrap();
            for &piece in &pieces {
                // A narrow operation ends in a truncation, which wraps by itself.
                if matches!(self.width_of(piece), 16 | 32 | 64) {
                    self.no_wrap(piece, NoWrap { signed, unsigned });
                }
            }
        }
        pieces
    }

    /// An `or` of what has no bit in common, else it is poison: a sum that does not wrap.
    fn disjoint(&mut self, instruction: Val<'m>) -> Pieces {
        let pieces = self.elementwise(LLVMOpcode::LLVMAdd, instruction);
        let both = NoWrap {
            signed: true,
            unsigned: true,
        };
        for &piece in &pieces {
            let granted = (Granted::Disjoint, self.origin);
            self.builder.function.promises_mut(piece).granted = Some(granted);
            if matches!(self.width_of(piece), 16 | 32 | 64) {
                self.no_wrap(piece, both);
            }
        }
        pieces
    }

    /// A binary operation on each piece of the operands of an instruction or of a constant expression.
    pub(super) fn elementwise(&mut self, operation: LLVMOpcode, value: Val<'m>) -> Pieces {
        let (left, right) = (self.operand(value, 0), self.operand(value, 1));
        left.into_iter()
            .zip(right)
            .map(|(left, right)| self.binary(operation, left, right))
            .collect()
    }

    pub(super) fn binary(&mut self, operation: LLVMOpcode, left: Value, right: Value) -> Value {
        let bits = self.width_of(left);
        match bits {
            1 => self.binary_of_bits(operation, left, right),
            16 | 32 | 64 => self.native(operation, bits, left, right),
            2..=63 => self.narrow(operation, bits, left, right),
            _ => self.unknown(bits),
        }
    }

    /// Of single bits. What would be poison or undefined for all but one operand takes that for granted.
    fn binary_of_bits(&mut self, operation: LLVMOpcode, left: Value, right: Value) -> Value {
        use LLVMOpcode::*;
        let width = 1;
        match operation {
            LLVMAdd | LLVMSub | LLVMXor => self.op(Op::Xor { width }, &[left, right]),
            LLVMMul | LLVMAnd => self.op(Op::And { width }, &[left, right]),
            LLVMOr => self.op(Op::Or { width }, &[left, right]),
            LLVMUDiv | LLVMSDiv | LLVMShl | LLVMLShr | LLVMAShr => self.copy(left),
            LLVMURem | LLVMSRem => {
                let zero = self.constant(1, 0);
                self.copy(zero)
            }
            _ => self.unknown(1),
        }
    }

    fn native(&mut self, operation: LLVMOpcode, width: u8, left: Value, right: Value) -> Value {
        use LLVMOpcode::*;
        let product = Product::Low;
        let op = match operation {
            LLVMAdd => Op::Add { width },
            LLVMSub => Op::Sub { width },
            LLVMMul => Op::Mul {
                product,
                width,
                signed: true,
            },
            LLVMUDiv | LLVMSDiv => Op::Div {
                width,
                signed: operation == LLVMSDiv,
            },
            LLVMURem | LLVMSRem => Op::Rem {
                width,
                signed: operation == LLVMSRem,
            },
            LLVMAnd => Op::And { width },
            LLVMOr => Op::Or { width },
            LLVMXor => Op::Xor { width },
            LLVMShl | LLVMLShr | LLVMAShr => {
                // An amount of more bits is poison.
                let amount = self.resized(right, 32, false);
                let op = match operation {
                    LLVMShl => Op::Shl { width },
                    _ => Op::Shr {
                        width,
                        signed: operation == LLVMAShr,
                    },
                };
                return self.op(op, &[left, amount]);
            }
            _ => return self.unknown(width),
        };
        self.op(op, &[left, right])
    }

    /// In a width that has operations: extended, computed, cut off.
    fn narrow(&mut self, operation: LLVMOpcode, bits: u8, left: Value, right: Value) -> Value {
        use LLVMOpcode::*;
        let width = working_width(bits);
        let signed = matches!(operation, LLVMSDiv | LLVMSRem | LLVMAShr);
        let left = self.resized(left, width, signed);
        // An amount is a number without sign.
        let right = self.resized(right, width, signed && operation != LLVMAShr);
        let whole = self.native(operation, width, left, right);
        self.resized(whole, bits, false)
    }

    /// An integer of another width: extended or cut off.
    pub(super) fn resized(&mut self, value: Value, to: u8, signed: bool) -> Value {
        let from = self.width_of(value);
        if from == to {
            return value;
        }
        if from > 64 || to > 64 {
            return self.unknown(to);
        }
        if let ValueDef::Constant(bits) = self.builder.function.value(value).def {
            let sign = signed && bits >> (from - 1) & 1 == 1;
            let above = if sign { u64::MAX << from } else { 0 };
            return self.constant(to, bits | above);
        }
        match (from, to) {
            (1, _) => {
                let set = self.constant(to, if signed { u64::MAX } else { 1 });
                let clear = self.constant(to, 0);
                self.op(Op::Select { width: to }, &[set, clear, value])
            }
            (_, 1) => self.truth(value),
            _ => self.op(Op::Extend { from, to, signed }, &[value]),
        }
    }

    /// The lowest bit.
    pub(super) fn truth(&mut self, value: Value) -> Value {
        let width = self.width_of(value);
        let working = working_width(width);
        let value = self.resized(value, working, false);
        let one = self.constant(working, 1);
        let zero = self.constant(working, 0);
        let bit = self.op(Op::And { width: working }, &[value, one]);
        self.compared(Comparison::Ne, false, bit, zero)
    }

    /// A comparison of integers of any width of up to 64 bits.
    pub(super) fn compared(
        &mut self,
        comparison: Comparison,
        signed: bool,
        left: Value,
        right: Value,
    ) -> Value {
        let bits = self.width_of(left);
        if bits > 64 {
            return self.unknown(1);
        }
        let width = working_width(bits);
        let left = self.resized(left, width, signed);
        let right = self.resized(right, width, signed);
        let kind = if signed { Kind::Signed } else { Kind::Unsigned };
        let op = Op::Compare {
            comparison,
            ty: Type::new(kind, width),
            logic: None,
            ftz: false,
        };
        self.op(op, &[left, right])
    }

    pub(super) fn integer_comparison(&mut self, instruction: Val<'m>) -> Pieces {
        use LLVMIntPredicate::*;
        let (comparison, signed) = match instruction.integer_predicate() {
            LLVMIntEQ => (Comparison::Eq, false),
            LLVMIntNE => (Comparison::Ne, false),
            LLVMIntUGT => (Comparison::Gt, false),
            LLVMIntUGE => (Comparison::Ge, false),
            LLVMIntULT => (Comparison::Lt, false),
            LLVMIntULE => (Comparison::Le, false),
            LLVMIntSGT => (Comparison::Gt, true),
            LLVMIntSGE => (Comparison::Ge, true),
            LLVMIntSLT => (Comparison::Lt, true),
            LLVMIntSLE => (Comparison::Le, true),
        };
        let (left, right) = (self.operand(instruction, 0), self.operand(instruction, 1));
        left.into_iter()
            .zip(right)
            .map(|(left, right)| self.compared(comparison, signed, left, right))
            .collect()
    }

    /// `trunc`, `zext`, `sext`, `ptrtoint`, `inttoptr`: an address is its bits.
    pub(super) fn resize(&mut self, value: Val<'m>) -> Pieces {
        let operation = match value.is_instruction() {
            true => Some(value.opcode()),
            false => value.expression(),
        };
        let signed = operation == Some(LLVMOpcode::LLVMSExt);
        let not_negative = value.is_instruction()
            && operation == Some(LLVMOpcode::LLVMZExt)
            && value.is_not_negative();
        let widths = self.widths(value.ty());
        let pieces = self.operand(value, 0).into_iter().zip(widths);
        let resize = |(piece, width): (Value, u8)| {
            if self.width_of(piece) == width {
                return self.copy(piece);
            }
            let result = self.resized(piece, width, signed);
            if matches!(
                self.builder.function.value(result).def,
                ValueDef::Constant(_)
            ) {
                return self.copy(result);
            }
            let promise = NoWrap {
                signed: not_negative,
                unsigned: false,
            };
            self.no_wrap(result, promise);
            result
        };
        pieces.map(resize).collect()
    }

    /// Reinterprets the bits of a value as another type.
    pub(super) fn bit_cast(&mut self, value: Val<'m>) -> Pieces {
        let pieces = self.operand(value, 0);
        let widths = self.widths(value.ty());
        let same = pieces
            .iter()
            .map(|&piece| self.width_of(piece))
            .eq(widths.iter().copied());
        let opaque = self
            .leaves(value.ty())
            .iter()
            .any(|leaf| matches!(leaf.scalar, Scalar::Other(_)) || leaf.scalar.bits() > 64);
        if same && !opaque {
            return pieces.into_iter().map(|piece| self.copy(piece)).collect();
        }
        self.repacked(&pieces, &widths).unwrap_or_else(|| {
            widths
                .into_iter()
                .map(|width| self.unknown(width))
                .collect()
        })
    }

    /// Elements of at least 8 bits that together have at most 64: through one integer.
    fn repacked(&mut self, pieces: &[Value], widths: &[u8]) -> Option<Pieces> {
        let uniform = |all: &[u8]| {
            let &first = all.first()?;
            let sum: u32 = all.iter().map(|&width| u32::from(width)).sum();
            let fits = sum <= 64 && matches!(first, 8 | 16 | 32 | 64);
            (fits && all.iter().all(|&width| width == first)).then_some((first, sum))
        };
        let from: Vec<u8> = pieces.iter().map(|&piece| self.width_of(piece)).collect();
        let ((part, all), (result, same)) = (uniform(&from)?, uniform(widths)?);
        if all != same || !matches!(all, 16 | 32 | 64) {
            return None;
        }
        let whole = match pieces {
            [one] => *one,
            _ => {
                let parts = pieces.len() as u8;
                self.op(Op::Pack { parts, width: part }, pieces)
            }
        };
        if widths.len() == 1 {
            return Some(Pieces::from_slice(&[whole]));
        }
        let unpack = Op::Unpack {
            parts: widths.len() as u8,
            width: result,
        };
        Some(self.emit(ptxasw_ir::opcode::Opcode::Op(unpack), &[whole], widths))
    }
}
