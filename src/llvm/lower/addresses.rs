//! `getelementptr`, address spaces, variables.
//!
//! A load through a generic pointer that was made from an object in an explicit space is one of that space: a pointer
//! leads to no other object than that which it was made from.

use super::{Lowering, Pieces};
use crate::view::{Ty, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use ptxasw_ir::function::{Base, BlockId, NoWrap, Value, ValueDef};
use ptxasw_ir::op::{Op, Product};
use ptxasw_ir::types::Space;

/// A part of an address: a constant, or a number of elements.
enum AddressTerm<'m> {
    Bytes(i64),
    Elements(Val<'m>, u64),
}

impl<'m> Lowering<'m> {
    /// An address space; none where addresses are generic or of a space that is not known.
    pub(super) fn space(&self, number: u32) -> Option<Space> {
        match number {
            1 => Some(Space::Global),
            3 => Some(Space::Shared),
            4 => Some(Space::Const),
            5 => Some(Space::Local),
            7 => Some(Space::SharedCluster),
            101 if self.kernel => Some(Space::ParamEntry),
            101 => Some(Space::ParamFunc),
            _ => None,
        }
    }

    /// A new variable, and what it is in LLVM's terms.
    pub(super) fn new_variable(
        &mut self,
        space: Space,
        name: &str,
        variable: Option<Val<'m>>,
    ) -> Base {
        self.variables.push(variable);
        let variables = &mut self.builder.function.variables;
        variables.push(name.into());
        Base::Variable(space, variables.len() as u32 - 1)
    }

    /// A pointer to a variable of the module, as its type has it. Those without a space are put into global memory.
    pub(super) fn variable(&mut self, variable: Val<'m>) -> Value {
        let number = variable.ty().address_space();
        let width = self.layout.pointer_bits(number);
        if let Some(&(_, address)) = self.objects.get(&variable) {
            return address;
        }
        let space = match number {
            0 => Some(Space::Global),
            _ => self.space(number),
        };
        let Some(space) = space else {
            return self.unknown(width);
        };
        let base = self.new_variable(space, &variable.name(), Some(variable));
        if let Base::Variable(Space::Shared, number) = base
            && variable.is_external()
        {
            self.builder.function.dynamic_shared.push(number);
        }
        let address = self.builder.address(base, 0, width);
        self.objects.insert(variable, (space, address));
        address
    }

    /// Room for the thread alone. What is made anew each time it is come to is no one object.
    pub(super) fn alloca(&mut self, instruction: Val<'m>) -> Pieces {
        let number = instruction.ty().address_space();
        let width = self.layout.pointer_bits(number);
        let constant = instruction
            .operand(0)
            .is_some_and(|count| count.integer().is_some());
        let first = self.numbering.parts().first().map(|part| part.block);
        if !constant || first != Some(instruction.block()) {
            return Pieces::from_slice(&[self.unknown(width)]);
        }
        let name = self
            .numbering
            .name_of(instruction)
            .unwrap_or_default()
            .to_string();
        let base = self.new_variable(Space::Local, &name, Some(instruction));
        let local = self.builder.address(base, 0, width);
        self.objects.insert(instruction, (Space::Local, local));
        let space = Space::Local;
        let value = match number {
            0 => self.op(Op::ToGeneric { space, width }, &[local]),
            _ => self.copy(local),
        };
        Pieces::from_slice(&[value])
    }

    /// `addrspacecast`, an instruction or a constant.
    pub(super) fn space_cast(&mut self, value: Val<'m>) -> Pieces {
        let Some(operand) = value.operand(0) else {
            return Pieces::new();
        };
        let (from, to) = (operand.ty(), value.ty());
        if from.kind() != LLVMTypeKind::LLVMPointerTypeKind {
            let widths = self.widths(to);
            return widths
                .into_iter()
                .map(|width| self.unknown(width))
                .collect();
        }
        let address = self.scalar(operand);
        let bits = self.layout.pointer_bits(to.address_space());
        let (source, target) = (from.address_space(), to.address_space());
        let cast = match (self.space(source), self.space(target)) {
            (Some(space), None) if target == 0 => {
                let wide = self.resized(address, 64, false);
                self.op(Op::ToGeneric { space, width: 64 }, &[wide])
            }
            (None, Some(space)) if source == 0 => {
                let generic = self.resized(address, 64, false);
                let own = self.op(Op::FromGeneric { space, width: 64 }, &[generic]);
                self.resized(own, bits, false)
            }
            _ => self.unknown(bits),
        };
        Pieces::from_slice(&[cast])
    }

    /// `getelementptr`, an instruction or a constant.
    pub(super) fn element_pointer(&mut self, value: Val<'m>) -> Pieces {
        let ty = value.ty();
        let Some(base) = value.operand(0) else {
            return Pieces::new();
        };
        if ty.kind() != LLVMTypeKind::LLVMPointerTypeKind {
            let widths = self.widths(ty);
            return widths
                .into_iter()
                .map(|width| self.unknown(width))
                .collect();
        }
        let base = self.scalar(base);
        let address = match self.steps(value) {
            Some(steps) => self.moved(base, &steps, value.in_bounds()),
            None => self.unknown(self.layout.pointer_bits(ty.address_space())),
        };
        // No index, or none but zeros: still a value by itself.
        match address == base && value.is_instruction() {
            true => Pieces::from_slice(&[self.copy(address)]),
            false => Pieces::from_slice(&[address]),
        }
    }

    /// By what a `getelementptr` moves an address.
    fn steps(&self, value: Val<'m>) -> Option<Vec<AddressTerm<'m>>> {
        let mut ty = value.source_element();
        let mut steps = Vec::new();
        for (position, index) in value.operands().into_iter().skip(1).enumerate() {
            let fields = position > 0 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind;
            if fields {
                let field = u32::try_from(index.integer()?).ok()?;
                steps.push(AddressTerm::Bytes(self.layout.field(ty, field)? as i64));
                ty = ty.field(field);
                continue;
            }
            if position > 0 {
                ty = self.indexed(ty)?;
            }
            let stride = self.layout.stride(ty)?;
            match index.signed_integer() {
                Some(count) => steps.push(AddressTerm::Bytes(count.wrapping_mul(stride as i64))),
                None => steps.push(AddressTerm::Elements(index, stride)),
            }
        }
        Some(steps)
    }

    /// The type that an index after the first goes into.
    fn indexed(&self, ty: Ty<'m>) -> Option<Ty<'m>> {
        // The elements of a vector in memory are not those of an array if they have padding.
        let bytes = |ty| Some((self.layout.stride(ty)?, self.layout.stored(ty)?));
        match ty.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => Some(ty.element()),
            LLVMTypeKind::LLVMVectorTypeKind => {
                let (stride, stored) = bytes(ty.element())?;
                (stride == stored).then(|| ty.element())
            }
            _ => None,
        }
    }

    /// An address and the bytes that it is moved by.
    fn moved(&mut self, base: Value, steps: &[AddressTerm<'m>], in_bounds: bool) -> Value {
        let width = self.width_of(base);
        let mut constant = 0i64;
        let mut address = base;
        for step in steps {
            match *step {
                AddressTerm::Bytes(bytes) => constant = constant.wrapping_add(bytes),
                AddressTerm::Elements(index, stride) => {
                    let index = self.scalar(index);
                    let bytes = self.scaled(index, width, stride, in_bounds);
                    address = self.op(Op::Add { width }, &[address, bytes]);
                }
            }
        }
        if constant == 0 {
            return address;
        }
        if let ValueDef::Address(base, offset) = self.builder.function.value(address).def.clone() {
            return self
                .builder
                .address(base, offset.wrapping_add(constant), width);
        }
        let constant = self.constant(width, constant as u64);
        self.op(Op::Add { width }, &[address, constant])
    }

    /// So many elements, in bytes: computed once, where the index is, so that it is outside of the loops that the index is
    /// outside of.
    fn scaled(&mut self, index: Value, width: u8, stride: u64, in_bounds: bool) -> Value {
        let key = (index, width, stride, in_bounds);
        if let Some(&known) = self.scaled.get(&key) {
            return known;
        }
        let (block, origin) = (self.block, self.origin);
        let def_block = match self.builder.function.value(index).def {
            ValueDef::Result(inst, _) => self.builder.function.inst(inst).block,
            ValueDef::Parameter(def_block, _) => def_block,
            _ => BlockId(0),
        };
        if def_block != block {
            // All of it is in that block already, and is executed before this place.
            let last = self.builder.function.block(def_block).insts.last();
            self.origin = last.map_or(0, |&last| self.builder.function.inst(last).origin);
            self.block = def_block;
        }
        let mut bytes = self.resized(index, width, true);
        if stride != 1 {
            let stride = self.constant(width, stride);
            let product = Op::Mul {
                product: Product::Low,
                width,
                signed: true,
            };
            bytes = self.op(product, &[bytes, stride]);
            let facts = NoWrap {
                signed: in_bounds,
                unsigned: false,
            };
            self.no_wrap(bytes, facts);
        }
        (self.block, self.origin) = (block, origin);
        self.scaled.insert(key, bytes);
        bytes
    }

    /// Where a pointer leads: an address in its own space, or a generic one.
    pub(super) fn located(&mut self, pointer: Val<'m>) -> (Space, Value) {
        if let Some(found) = self.object(pointer) {
            return found;
        }
        let address = self.scalar(pointer);
        if let Some(space) = self.space(pointer.ty().address_space()) {
            return (space, address);
        }
        match self.spaces.get(&pointer) {
            // Generic addresses of global memory are its own.
            Some(&Space::Global) => (Space::Global, address),
            Some(&space) if self.width_of(address) == 64 => {
                let own = Op::FromGeneric { space, width: 64 };
                (space, self.op(own, &[address]))
            }
            _ => (Space::Generic, address),
        }
    }

    /// The address, in its own space, that a pointer is known to have been made from.
    fn object(&mut self, pointer: Val<'m>) -> Option<(Space, Value)> {
        use LLVMOpcode::*;
        if pointer.kind() == LLVMValueKind::LLVMGlobalVariableValueKind {
            self.read(pointer);
        }
        if let Some(&found) = self.objects.get(&pointer) {
            return Some(found);
        }
        let operation = pointer.expression()?;
        if !matches!(operation, LLVMGetElementPtr | LLVMAddrSpaceCast) {
            return None;
        }
        // A constant: computed at the start.
        let (block, origin) = (self.block, self.origin);
        (self.block, self.origin) = (BlockId(0), 0);
        self.note_object(operation, pointer);
        (self.block, self.origin) = (block, origin);
        self.objects.get(&pointer).copied()
    }

    /// Follows an object to a pointer that is made from a pointer to it. Each belongs to the place of its instruction.
    pub(super) fn note_object(&mut self, operation: LLVMOpcode, pointer: Val<'m>) {
        let Some(inner) = pointer.operand(0) else {
            return;
        };
        if inner.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind
            || pointer.ty().kind() != LLVMTypeKind::LLVMPointerTypeKind
        {
            return;
        }
        let found = match operation {
            LLVMOpcode::LLVMGetElementPtr => {
                let (found, steps) = (self.object(inner), self.steps(pointer));
                found.zip(steps).map(|((space, address), steps)| {
                    (space, self.moved(address, &steps, pointer.in_bounds()))
                })
            }
            _ => match self.object(inner) {
                Some(found) => Some(found),
                None => self
                    .space(inner.ty().address_space())
                    .map(|space| (space, self.scalar(inner))),
            },
        };
        let target = pointer.ty().address_space();
        if let Some(found) = found
            && (target == 0 || self.space(target) == Some(found.0))
        {
            self.objects.insert(pointer, found);
        }
    }
}
