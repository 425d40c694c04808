//! Vectors and structs, `select`, `freeze`, phis.

use super::{Lowering, Pieces};
use crate::view::layout::Scalar;
use crate::view::{Ty, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use ptxasw_ir::function::Value;
use ptxasw_ir::op::Op;
use std::ops::Range;

/// Operands that are followed to see whether a value is defined.
const MAX_STEPS: u32 = 64;

impl<'m> Lowering<'m> {
    /// A type is taken apart into as many pieces as it has scalars.
    fn is_split(&self, ty: Ty<'m>) -> bool {
        let opaque = |leaf: &crate::view::layout::Leaf| matches!(leaf.scalar, Scalar::Other(_));
        !matches!(&self.leaves(ty)[..], [only] if opaque(only))
    }

    fn unknown_of(&mut self, ty: Ty<'m>) -> Pieces {
        let widths = self.widths(ty);
        widths
            .into_iter()
            .map(|width| self.unknown(width))
            .collect()
    }

    /// Copies, so that the result is a value by itself.
    fn copies(&mut self, pieces: &[Value]) -> Pieces {
        pieces.iter().map(|&piece| self.copy(piece)).collect()
    }

    pub(super) fn select(&mut self, instruction: Val<'m>) -> Pieces {
        let conditions = self.operand(instruction, 0);
        let (then, otherwise) = (self.operand(instruction, 1), self.operand(instruction, 2));
        let each = conditions.len() == then.len();
        then.into_iter()
            .zip(otherwise)
            .enumerate()
            .map(|(index, (then, otherwise))| {
                let condition = conditions.get(if each { index } else { 0 }).copied();
                let width = self.width_of(then);
                match condition {
                    Some(condition) if width <= 64 => {
                        self.op(Op::Select { width }, &[then, otherwise, condition])
                    }
                    _ => self.unknown(width),
                }
            })
            .collect()
    }

    /// A value that may be undefined becomes any one value, the same in all uses.
    pub(super) fn freeze(&mut self, instruction: Val<'m>) -> Pieces {
        let mut steps = MAX_STEPS;
        let defined = instruction
            .operand(0)
            .is_some_and(|value| self.is_defined(value, &mut steps));
        match defined {
            true => {
                let pieces = self.operand(instruction, 0);
                self.copies(&pieces)
            }
            false => self.unknown_of(instruction.ty()),
        }
    }

    /// Whether a value is the same in all uses and no poison, whatever the inputs are.
    fn is_defined(&mut self, value: Val<'m>, steps: &mut u32) -> bool {
        if let Some(&known) = self.defined.get(&value) {
            return known;
        }
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let found = match value.kind() {
            LLVMValueKind::LLVMConstantIntValueKind
            | LLVMValueKind::LLVMConstantFPValueKind
            | LLVMValueKind::LLVMConstantPointerNullValueKind
            | LLVMValueKind::LLVMGlobalVariableValueKind => true,
            LLVMValueKind::LLVMInstructionValueKind => self.is_defined_result(value, steps),
            _ => false,
        };
        self.defined.insert(value, found);
        found
    }

    fn is_defined_result(&mut self, value: Val<'m>, steps: &mut u32) -> bool {
        use LLVMOpcode::*;
        match value.opcode() {
            LLVMFreeze => true,
            LLVMAnd | LLVMXor | LLVMICmp | LLVMSExt | LLVMAdd | LLVMSub | LLVMMul => {
                value.no_wrap() == (false, false)
                    && !value.has_same_sign()
                    && value
                        .operands()
                        .into_iter()
                        .all(|operand| self.is_defined(operand, steps))
            }
            LLVMCall => value
                .callee()
                .is_some_and(|callee| callee.name().starts_with("llvm.nvvm.read.ptx.sreg.")),
            _ => false,
        }
    }

    pub(super) fn phi(&mut self, instruction: Val<'m>) -> Pieces {
        let widths = self.widths(instruction.ty());
        let block = self.block;
        widths
            .into_iter()
            .map(|width| self.builder.param(block, width))
            .collect()
    }

    /// The pieces of an element of a vector, array or struct.
    fn element_range(&self, ty: Ty<'m>, index: u64) -> Option<(Range<usize>, Ty<'m>)> {
        if index >= ty.count() {
            return None;
        }
        let length = |ty| self.leaves(ty).len();
        if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let before: usize = (0..index as u32).map(|field| length(ty.field(field))).sum();
            let field = ty.field(index as u32);
            return Some((before..before + length(field), field));
        }
        let element = ty.element();
        let one = length(element);
        let start = index as usize * one;
        Some((start..start + one, element))
    }

    /// The pieces that indices lead to.
    fn range(&self, ty: Ty<'m>, indices: &[u32]) -> Option<Range<usize>> {
        if !self.is_split(ty) {
            return None;
        }
        let (mut start, mut ty, mut length) = (0, ty, self.leaves(ty).len());
        for &index in indices {
            let (range, inner) = self.element_range(ty, u64::from(index))?;
            (start, length, ty) = (start + range.start, range.len(), inner);
        }
        Some(start..start + length)
    }

    pub(super) fn extract_value(&mut self, instruction: Val<'m>) -> Pieces {
        let whole = self.operand(instruction, 0);
        let ty = instruction.operand(0).map(Val::ty);
        let range = ty.and_then(|ty| self.range(ty, &instruction.indices()));
        match range.and_then(|range| whole.get(range)) {
            Some(pieces) => self.copies(pieces),
            None => self.unknown_of(instruction.ty()),
        }
    }

    pub(super) fn insert_value(&mut self, instruction: Val<'m>) -> Pieces {
        let (whole, part) = (self.operand(instruction, 0), self.operand(instruction, 1));
        let range = self.range(instruction.ty(), &instruction.indices());
        self.replaced(instruction, whole, range, &part)
    }

    fn replaced(
        &mut self,
        instruction: Val<'m>,
        mut whole: Pieces,
        range: Option<Range<usize>>,
        part: &[Value],
    ) -> Pieces {
        match range.and_then(|range| whole.get_mut(range)) {
            Some(place) if place.len() == part.len() => {
                place.copy_from_slice(part);
                whole
            }
            _ => self.unknown_of(instruction.ty()),
        }
    }

    /// The pieces of a vector's element with a constant number.
    fn vector_element(&self, vector: Ty<'m>, index: Option<Val<'m>>) -> Option<Range<usize>> {
        let index = index?.integer()?;
        let range = self
            .is_split(vector)
            .then(|| self.element_range(vector, index))?;
        range.map(|(range, _)| range)
    }

    pub(super) fn extract_element(&mut self, instruction: Val<'m>) -> Pieces {
        let whole = self.operand(instruction, 0);
        let ty = instruction.operand(0).map(Val::ty);
        let range = ty.and_then(|ty| self.vector_element(ty, instruction.operand(1)));
        match range.and_then(|range| whole.get(range)) {
            Some(pieces) => self.copies(pieces),
            None => self.unknown_of(instruction.ty()),
        }
    }

    pub(super) fn insert_element(&mut self, instruction: Val<'m>) -> Pieces {
        let (whole, part) = (self.operand(instruction, 0), self.operand(instruction, 1));
        let range = self.vector_element(instruction.ty(), instruction.operand(2));
        self.replaced(instruction, whole, range, &part)
    }

    pub(super) fn shuffle_vector(&mut self, instruction: Val<'m>) -> Pieces {
        let ty = instruction.ty();
        let Some(from) = instruction.operand(0).map(Val::ty) else {
            return self.unknown_of(ty);
        };
        if !self.is_split(ty) || !self.is_split(from) {
            return self.unknown_of(ty);
        }
        let mut all = self.operand(instruction, 0);
        all.extend(self.operand(instruction, 1));
        let widths = self.widths(ty);
        instruction
            .mask()
            .into_iter()
            .zip(widths)
            .map(|(index, width)| {
                let piece = index.and_then(|index| all.get(index as usize).copied());
                match piece {
                    Some(piece) => self.copy(piece),
                    None => self.builder.undefined(width),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::read::read;
    use crate::version::MAJOR;
    use crate::view::View;
    use crate::{kernels, lower};
    use inkwell::context::Context;

    const TEXT: &str = "define ptx_kernel void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = sub i32 %t, 16
  %c = icmp ult i32 %a, 200
  %f = freeze i1 %c
  store i1 %f, ptr %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
";

    /// Whether a frozen value may be another one.
    fn is_opaque(text: &str) -> bool {
        let context = Context::create();
        let module = read(&context, text.as_bytes(), "a.ll").expect("reads");
        let view = View::new(&module);
        let lowered = lower::lower(view, &kernels::functions(view)[0]);
        lowered.function.to_string().contains("opaque")
    }

    #[test]
    fn what_may_be_poison_is_another_value_when_it_is_frozen() {
        assert!(!is_opaque(TEXT));
        assert!(is_opaque(&TEXT.replace("sub i32", "sub nsw i32")));
        if MAJOR >= 20 {
            assert!(is_opaque(&TEXT.replace("icmp ult", "icmp samesign ult")));
        }
    }
}
