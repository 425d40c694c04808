//! What a value is made of; constants and constant expressions.

use super::{Lowering, Pieces};
use crate::view::layout::{Leaf, Scalar};
use crate::view::{Ty, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use ptxasw_ir::function::{Base, BlockId, Value};
use ptxasw_ir::types::{Kind, Type};
use smallvec::SmallVec;

/// The width of what has no operations here.
const OPAQUE: u8 = 128;

/// Bits of the value that stands for a scalar.
pub(super) fn width(scalar: Scalar) -> u8 {
    match scalar.bits() {
        bits @ 1..=64 if !matches!(scalar, Scalar::Other(_)) => bits as u8,
        _ => OPAQUE,
    }
}

/// The type of a scalar in memory, if accesses are modelled.
pub(crate) fn memory_type(scalar: Scalar) -> Option<Type> {
    match scalar {
        Scalar::Integer(1) => Some(Type::new(Kind::Bits, 8)),
        Scalar::Integer(bits @ (8 | 16 | 32 | 64)) => Some(Type::new(Kind::Bits, bits as u8)),
        Scalar::Float(bits) => Some(Type::new(Kind::Float, bits)),
        Scalar::BFloat => Some(Type::new(Kind::BFloat, 16)),
        Scalar::Pointer(_, bits) => Some(Type::new(Kind::Bits, bits)),
        _ => None,
    }
}

impl<'m> Lowering<'m> {
    /// The scalars of a type.
    pub(super) fn leaves(&self, ty: Ty<'m>) -> Vec<Leaf> {
        self.layout.leaves(ty)
    }

    /// Their widths.
    pub(super) fn widths(&self, ty: Ty<'m>) -> SmallVec<[u8; 2]> {
        self.leaves(ty)
            .iter()
            .map(|leaf| width(leaf.scalar))
            .collect()
    }

    /// Operands of an instruction.
    pub(super) fn operand(&mut self, instruction: Val<'m>, index: u32) -> Pieces {
        match instruction.operand(index) {
            Some(value) => self.read(value),
            None => Pieces::new(),
        }
    }

    /// What a value is made of.
    pub(super) fn read(&mut self, value: Val<'m>) -> Pieces {
        if let Some(pieces) = self.pieces.get(&value) {
            return pieces.clone();
        }
        // Constants are computed at the start, in front of all uses.
        let (block, origin) = (self.block, self.origin);
        (self.block, self.origin) = (BlockId(0), 0);
        let pieces = self.constant_pieces(value);
        (self.block, self.origin) = (block, origin);
        pieces
    }

    /// A value that is made of one piece, or none that is known.
    pub(super) fn scalar(&mut self, value: Val<'m>) -> Value {
        let pieces = self.read(value);
        match pieces[..] {
            [piece] => piece,
            _ => self.unknown(OPAQUE),
        }
    }

    /// New values, which need not be equal to any other.
    fn undefined(&mut self, ty: Ty<'m>) -> Pieces {
        let widths = self.widths(ty);
        widths
            .into_iter()
            .map(|width| self.builder.undefined(width))
            .collect()
    }

    fn constant_pieces(&mut self, value: Val<'m>) -> Pieces {
        use LLVMValueKind::*;
        let ty = value.ty();
        if value.is_undefined() {
            return self.undefined(ty);
        }
        match value.kind() {
            LLVMConstantIntValueKind | LLVMConstantFPValueKind
                if ty.kind() != LLVMTypeKind::LLVMVectorTypeKind =>
            {
                let bits = value.integer().or_else(|| value.float_bits());
                match (bits, &self.widths(ty)[..]) {
                    (Some(bits), &[width]) if width <= 64 => {
                        Pieces::from_slice(&[self.constant(width, bits)])
                    }
                    _ => self.unknown_pieces(ty),
                }
            }
            LLVMConstantPointerNullValueKind => {
                let widths = self.widths(ty);
                let zero = |width| self.builder.constant(width, 0);
                widths.into_iter().map(zero).collect()
            }
            LLVMFunctionValueKind => {
                let index = self.function_index(value);
                let width = self.layout.pointer_bits(ty.address_space());
                Pieces::from_slice(&[self.builder.address(Base::Function(index), 0, width)])
            }
            LLVMGlobalVariableValueKind => Pieces::from_slice(&[self.variable(value)]),
            LLVMConstantExprValueKind => self.expression(value),
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantAggregateZeroValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind
            | LLVMConstantIntValueKind
            | LLVMConstantFPValueKind => self.aggregate(value),
            _ => self.unknown_pieces(ty),
        }
    }

    fn unknown_pieces(&mut self, ty: Ty<'m>) -> Pieces {
        let widths = self.widths(ty);
        widths
            .into_iter()
            .map(|width| self.unknown(width))
            .collect()
    }

    /// The elements of a constant struct, array or vector.
    fn aggregate(&mut self, value: Val<'m>) -> Pieces {
        let ty = value.ty();
        let widths = self.widths(ty);
        let split = matches!(
            self.leaves(ty).first(),
            Some(leaf) if !matches!(leaf.scalar, Scalar::Other(_))
        );
        let mut pieces = Pieces::new();
        for index in 0..ty.count() as u32 {
            match value.element(index).filter(|_| split) {
                Some(element) => pieces.extend(self.read(element)),
                None => return self.unknown_pieces(ty),
            }
        }
        match pieces.len() == widths.len() {
            true => pieces,
            false => self.unknown_pieces(ty),
        }
    }

    /// A constant expression: as the instruction.
    fn expression(&mut self, value: Val<'m>) -> Pieces {
        use LLVMOpcode::*;
        match value.expression() {
            Some(LLVMGetElementPtr) => self.element_pointer(value),
            Some(LLVMAddrSpaceCast) => self.space_cast(value),
            Some(LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr) => self.resize(value),
            Some(LLVMBitCast) => self.bit_cast(value),
            Some(operation @ (LLVMAdd | LLVMSub | LLVMMul | LLVMXor | LLVMShl)) => {
                self.elementwise(operation, value)
            }
            _ => self.unknown_pieces(value.ty()),
        }
    }

    /// The number of a function whose address is taken.
    fn function_index(&mut self, function: Val<'m>) -> u32 {
        // Equal addresses are equal functions; the number says no more.
        let next = self.functions.len() as u32;
        *self.functions.entry(function).or_insert(next)
    }
}
