//! Loads, stores, atomic accesses, fences.

use super::values::memory_type;
use super::{Lowering, Pieces};
use crate::view::layout::Scalar;
use crate::view::{Ty, Val};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMTypeKind};
use ptxasw_ir::function::Value;
use ptxasw_ir::opcode::{Access, AtomicOp, Effects, Opcode, Order, Scope};
use ptxasw_ir::types::{Kind, Space, Type};

/// What an access to memory that is not modelled may do.
const STRONG: Effects = Effects {
    writes: true,
    polls: true,
    ..Effects::NONE
};
const READS: Effects = Effects {
    reads: true,
    ..Effects::NONE
};
const WRITES: Effects = Effects {
    writes: true,
    ..Effects::NONE
};

/// The order of an access or fence.
fn order(ordering: LLVMAtomicOrdering) -> Order {
    use LLVMAtomicOrdering::*;
    match ordering {
        LLVMAtomicOrderingNotAtomic => Order::Weak,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => Order::Relaxed,
        LLVMAtomicOrderingAcquire => Order::Acquire,
        LLVMAtomicOrderingRelease => Order::Release,
        LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
        LLVMAtomicOrderingSequentiallyConsistent => Order::SeqCst,
    }
}

/// The type and number of the elements that one access has.
pub(super) fn access_type<'m>(lowering: &Lowering<'m>, ty: Ty<'m>) -> Option<(Type, u8)> {
    let leaves = lowering.leaves(ty);
    let first = memory_type(leaves.first()?.scalar)?;
    match leaves.len() {
        1 if ty.kind() != LLVMTypeKind::LLVMStructTypeKind => Some((first, 1)),
        count @ (2 | 4 | 8)
            if ty.kind() == LLVMTypeKind::LLVMVectorTypeKind
                && leaves[0].scalar != Scalar::Integer(1) =>
        {
            Some((first, count as u8))
        }
        // Of whole words.
        3 if ty.kind() == LLVMTypeKind::LLVMVectorTypeKind && matches!(first.bits, 32 | 64) => {
            Some((first, 3))
        }
        _ => None,
    }
}

impl<'m> Lowering<'m> {
    fn access(&self, space: Space, ty: Type, elements: u8, order: Order) -> Access {
        Access {
            space,
            ty,
            elements,
            order,
            scope: Scope::System,
            non_coherent: false,
            offset: 0,
            hints: false,
            skipped: 0,
        }
    }

    /// The order of a load or store.
    fn access_order(&self, instruction: Val<'m>) -> Order {
        match order(instruction.ordering()) {
            Order::Weak if instruction.is_volatile() => Order::Volatile,
            order => order,
        }
    }

    pub(super) fn load(&mut self, instruction: Val<'m>) -> Pieces {
        let order = self.access_order(instruction);
        match instruction.operand(0) {
            Some(pointer) => {
                let says = instruction.has_metadata("invariant.load");
                let invariant = order.is_weak() && (says || self.is_unchanging(pointer));
                self.loaded(instruction, pointer, None, order, invariant)
            }
            None => Pieces::new(),
        }
    }

    /// A load of the result's type through a pointer; `space` is that which the instruction names.
    pub(super) fn loaded(
        &mut self,
        instruction: Val<'m>,
        pointer: Val<'m>,
        space: Option<Space>,
        order: Order,
        non_coherent: bool,
    ) -> Pieces {
        let Some((ty, elements)) = access_type(self, instruction.ty()) else {
            let effects = if order.is_weak() { READS } else { STRONG };
            return self.opaque_results(instruction, effects);
        };
        let (found, address) = self.located(pointer);
        let space = match found {
            Space::Generic => space.unwrap_or(found),
            _ => found,
        };
        let bytes = u64::from(ty.bits) / 8 * u64::from(elements);
        let access = Access {
            non_coherent,
            // Its own alignment is less than another instruction would have.
            hints: instruction.alignment().is_some_and(|align| align < bytes),
            ..self.access(space, ty, elements, order)
        };
        let widths = vec![ty.bits; usize::from(elements)];
        let pieces = self.emit(Opcode::Load(access), &[address], &widths);
        let wanted = self.widths(instruction.ty());
        pieces
            .into_iter()
            .zip(wanted)
            .map(|(piece, width)| self.resized(piece, width, false))
            .collect()
    }

    pub(super) fn store(&mut self, instruction: Val<'m>) -> Pieces {
        let order = self.access_order(instruction);
        let (Some(value), Some(pointer)) = (instruction.operand(0), instruction.operand(1)) else {
            return Pieces::new();
        };
        let pieces = self.read(value);
        let (space, address) = self.located(pointer);
        if let Some((ty, elements)) = access_type(self, value.ty()) {
            let access = self.access(space, ty, elements, order);
            self.stored(access, address, &pieces);
            return Pieces::new();
        }
        // Of several scalars each is stored by itself; bytes between them keep what they had, or may be written.
        let leaves = self.leaves(value.ty());
        let types: Option<Vec<Type>> = leaves.iter().map(|leaf| memory_type(leaf.scalar)).collect();
        match types {
            Some(types) if order.is_weak() && self.is_dense(value.ty()) => {
                for ((leaf, ty), piece) in leaves.iter().zip(types).zip(pieces) {
                    let access = Access {
                        offset: leaf.offset as i64,
                        ..self.access(space, ty, 1, order)
                    };
                    self.stored(access, address, &[piece]);
                }
            }
            _ => {
                let effects = if order.is_weak() { WRITES } else { STRONG };
                self.emit(Opcode::Opaque { effects }, &[], &[]);
            }
        }
        Pieces::new()
    }

    /// The scalars of a type cover all bytes that a store writes.
    fn is_dense(&self, ty: Ty<'m>) -> bool {
        let leaves = self.leaves(ty);
        let mut end = 0;
        for leaf in &leaves {
            let bits = leaf.scalar.bits();
            if leaf.offset != end || bits % 8 != 0 {
                return false;
            }
            end += bits / 8;
        }
        self.layout.stored(ty) == Some(end)
    }

    fn stored(&mut self, access: Access, address: Value, pieces: &[Value]) {
        let mut args = vec![address];
        for &piece in pieces {
            args.push(self.resized(piece, access.ty.bits, false));
        }
        self.emit(Opcode::Store(access), &args, &[]);
    }

    pub(super) fn atomic(&mut self, instruction: Val<'m>) -> Pieces {
        let (op, kind) = match &*instruction.atomic_operation() {
            "xchg" => (AtomicOp::Exchange, Kind::Bits),
            "add" => (AtomicOp::Add, Kind::Unsigned),
            "and" => (AtomicOp::And, Kind::Bits),
            "or" => (AtomicOp::Or, Kind::Bits),
            "xor" => (AtomicOp::Xor, Kind::Bits),
            "max" => (AtomicOp::Max, Kind::Signed),
            "min" => (AtomicOp::Min, Kind::Signed),
            "umax" => (AtomicOp::Max, Kind::Unsigned),
            "umin" => (AtomicOp::Min, Kind::Unsigned),
            "fadd" => (AtomicOp::Add, Kind::Float),
            "uinc_wrap" => (AtomicOp::Inc, Kind::Unsigned),
            "udec_wrap" => (AtomicOp::Dec, Kind::Unsigned),
            _ => return self.opaque_results(instruction, STRONG),
        };
        let (Some(pointer), Some(value)) = (instruction.operand(0), instruction.operand(1)) else {
            return Pieces::new();
        };
        let Some((ty, 1)) = access_type(self, value.ty()) else {
            return self.opaque_results(instruction, STRONG);
        };
        let value = self.scalar(value);
        let order = order(instruction.ordering());
        self.atomic_access(op, Type::new(kind, ty.bits), pointer, order, &[value])
    }

    fn atomic_access(
        &mut self,
        op: AtomicOp,
        ty: Type,
        pointer: Val<'m>,
        order: Order,
        values: &[Value],
    ) -> Pieces {
        let (space, address) = self.located(pointer);
        let mut args = vec![address];
        for &value in values {
            args.push(self.resized(value, ty.bits, false));
        }
        let opcode = Opcode::Atomic {
            op,
            ty,
            space,
            order,
            scope: Scope::System,
            offset: 0,
        };
        self.emit(opcode, &args, &[ty.bits])
    }

    /// The old value, and whether it was exchanged, which may fail for no reason.
    pub(super) fn compare_exchange(&mut self, instruction: Val<'m>) -> Pieces {
        let order = order(instruction.exchange_ordering());
        let pointer = instruction.operand(0);
        let value = instruction.operand(1);
        let (Some(pointer), Some(value)) = (pointer, value) else {
            return Pieces::new();
        };
        let Some((ty, 1)) = access_type(self, value.ty()) else {
            return self.opaque_results(instruction, STRONG);
        };
        let expected = self.scalar(value);
        let new = self.operand(instruction, 2);
        let mut values = vec![expected];
        values.extend(new);
        let ty = Type::new(Kind::Bits, ty.bits);
        let mut pieces = self.atomic_access(AtomicOp::CompareExchange, ty, pointer, order, &values);
        pieces.push(self.unknown(1));
        pieces
    }

    pub(super) fn fence(&mut self, _instruction: Val<'m>) -> Pieces {
        self.emit(Opcode::Fence(Order::SeqCst, Scope::System), &[], &[])
    }
}
