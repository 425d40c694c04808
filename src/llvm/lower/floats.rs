//! Floating-point arithmetic.
//!
//! Sums and products may be fused by the code generator: they are never the same function twice. Quotients, square roots
//! and the like have several implementations; they are opaque.

use super::{Lowering, Pieces};
use crate::view::layout::Scalar;
use crate::view::{Ty, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMRealPredicate};
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{Comparison, FloatMode, FloatOp, Op, Rounding};
use ptxasw_ir::types::{Kind, Type};

impl<'m> Lowering<'m> {
    /// The type of the elements of a number or of a vector of them, if it has operations.
    pub(super) fn float_type(&self, ty: Ty<'m>) -> Option<Type> {
        match self.leaves(ty).first()?.scalar {
            Scalar::Float(bits) => Some(Type::new(Kind::Float, bits)),
            Scalar::BFloat => Some(Type::new(Kind::BFloat, 16)),
            _ => None,
        }
    }

    fn flushes(&self, ty: Type) -> bool {
        self.ftz && ty == Type::F32
    }

    /// `fneg`, `fadd`, `fsub`, `fmul`, element by element.
    pub(super) fn float(&mut self, instruction: Val<'m>) -> Pieces {
        use LLVMOpcode::*;
        let op = match instruction.opcode() {
            LLVMFNeg => FloatOp::Neg,
            LLVMFAdd => FloatOp::Add,
            LLVMFSub => FloatOp::Sub,
            _ => FloatOp::Mul,
        };
        let operands: Vec<Pieces> = (0..instruction.operand_count())
            .map(|index| self.operand(instruction, index))
            .collect();
        let pieces = self.float_elements(op, instruction.ty(), &operands);
        let fast_math = instruction.fast_math();
        if fast_math != FastMath::NONE && op != FloatOp::Neg {
            for &piece in &pieces {
                let promises = self.builder.function.promises_mut(piece);
                promises.fast_math = fast_math;
            }
        }
        pieces
    }

    /// An operation on the elements of its operands.
    pub(super) fn float_elements(
        &mut self,
        op: FloatOp,
        ty: Ty<'m>,
        operands: &[Pieces],
    ) -> Pieces {
        let widths = self.widths(ty);
        let Some(ty) = self.float_type(ty) else {
            return widths
                .into_iter()
                .map(|width| self.unknown(width))
                .collect();
        };
        let mode = FloatMode {
            rounding: match op {
                FloatOp::Neg | FloatOp::Abs => Rounding::Nearest,
                _ => Rounding::Contractible,
            },
            ftz: self.flushes(ty) && !matches!(op, FloatOp::Neg | FloatOp::Abs),
            ..FloatMode::NEAREST
        };
        (0..widths.len())
            .map(|index| {
                let args: Vec<Value> = operands
                    .iter()
                    .filter_map(|pieces| pieces.get(index).copied())
                    .collect();
                match args.len() == operands.len() {
                    true => self.op(Op::Float { op, ty, mode }, &args),
                    false => self.unknown(ty.bits),
                }
            })
            .collect()
    }

    pub(super) fn float_comparison(&mut self, instruction: Val<'m>) -> Pieces {
        use LLVMRealPredicate::*;
        let comparison = match instruction.float_predicate() {
            LLVMRealPredicateFalse | LLVMRealPredicateTrue => None,
            LLVMRealOEQ => Some(Comparison::Eq),
            LLVMRealOGT => Some(Comparison::Gt),
            LLVMRealOGE => Some(Comparison::Ge),
            LLVMRealOLT => Some(Comparison::Lt),
            LLVMRealOLE => Some(Comparison::Le),
            LLVMRealONE => Some(Comparison::Ne),
            LLVMRealORD => Some(Comparison::Num),
            LLVMRealUNO => Some(Comparison::Nan),
            LLVMRealUEQ => Some(Comparison::EqU),
            LLVMRealUGT => Some(Comparison::GtU),
            LLVMRealUGE => Some(Comparison::GeU),
            LLVMRealULT => Some(Comparison::LtU),
            LLVMRealULE => Some(Comparison::LeU),
            LLVMRealUNE => Some(Comparison::NeU),
        };
        let always = instruction.float_predicate() == LLVMRealPredicateTrue;
        let (left, right) = (self.operand(instruction, 0), self.operand(instruction, 1));
        let ty = instruction
            .operand(0)
            .and_then(|one| self.float_type(one.ty()));
        let compare = |(left, right): (Value, Value)| match (comparison, ty) {
            (None, _) => {
                let truth = self.constant(1, u64::from(always));
                self.copy(truth)
            }
            (Some(comparison), Some(ty)) => {
                let ftz = self.flushes(ty);
                let op = Op::Compare {
                    comparison,
                    ty,
                    logic: None,
                    ftz,
                };
                self.op(op, &[left, right])
            }
            (Some(_), None) => self.unknown(1),
        };
        left.into_iter().zip(right).map(compare).collect()
    }

    /// Casts to and from floating-point numbers. What does not fit an integer is poison.
    pub(super) fn float_cast(&mut self, instruction: Val<'m>) -> Pieces {
        use LLVMOpcode::*;
        let operation = instruction.opcode();
        let signed = matches!(operation, LLVMFPToSI | LLVMSIToFP);
        let kind = if signed { Kind::Signed } else { Kind::Unsigned };
        let widths = self.widths(instruction.ty());
        let pieces = self.operand(instruction, 0);
        let from_float = instruction
            .operand(0)
            .and_then(|one| self.float_type(one.ty()));
        let to_float = self.float_type(instruction.ty());
        let integer = |bits| matches!(bits, 16 | 32 | 64).then(|| Type::new(kind, bits));
        pieces
            .into_iter()
            .zip(widths)
            .map(|(piece, width)| {
                let from = from_float.or_else(|| integer(self.width_of(piece)));
                let to = to_float.or_else(|| integer(width));
                let (Some(from), Some(to)) = (from, to) else {
                    return self.unknown(width);
                };
                if from.kind == Kind::BFloat || to.kind == Kind::BFloat {
                    return self.unknown(width);
                }
                let mode = FloatMode {
                    rounding: match operation {
                        LLVMFPToUI | LLVMFPToSI => Rounding::Zero,
                        _ => Rounding::Nearest,
                    },
                    ftz: self.flushes(from) || self.flushes(to),
                    ..FloatMode::NEAREST
                };
                let op = Op::Convert {
                    from,
                    to,
                    mode,
                    integral: false,
                };
                self.op(op, &[piece])
            })
            .collect()
    }
}
