//! What steps read.

use super::error::WriteError;
use super::instruction;
use super::scalars;
use super::sites::{ValueSource, register};
use super::steps::Writer;
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::function::{Base, Value, ValueDef};
use ptxasw_ir::opcode::Access;
use ptxasw_ir::patch::{PatchError, Ref};
use ptxasw_ir::semantics::{Domain, apply};
use ptxasw_ir::types::Special;

impl Writer<'_, '_> {
    /// The pointer of an access: LLVM's own where it has one of that space, so that it knows what it leads to.
    pub fn pointer(&mut self, access: &Access, address: Ref) -> Result<LLVMValueRef, WriteError> {
        let space = instruction::number_of(access.space).unwrap_or(0);
        if let Ref::Value(value) = address
            && let Some((holder, _)) = self.sites.scalar(value)
            && holder.ty().kind() == LLVMPointerTypeKind
        {
            let own = self.slots.own(&self.b, holder.raw());
            let from = holder.ty().address_space();
            if from == space {
                return Ok(own);
            }
            // Generic addresses of global memory are its own.
            if from == 0 && space == 1 {
                return Ok(self.b.space_cast(own, space));
            }
        }
        let bits = self.read(address)?;
        Ok(self.b.typed(bits, self.b.pointer_type(space)))
    }

    /// The bits of what a step reads.
    pub fn read(&mut self, what: Ref) -> Result<LLVMValueRef, WriteError> {
        match what {
            Ref::Constant(width, bits) => Ok(self.b.number(width, bits)),
            Ref::Special(width, special) => Ok(self.special(width, special)),
            Ref::New(new) => {
                if let Some(&value) = self.here.get(&new) {
                    return Ok(value);
                }
                let found = self.new.get(&new).copied();
                let (slot, width) = found.ok_or_else(|| PatchError::Unknown(format!("{new:?}")))?;
                Ok(self.b.load(self.b.integer(width), slot))
            }
            Ref::Variable(id) => {
                let (slot, width) = self.variable(id.0 as usize);
                Ok(self.b.load(self.b.integer(width), slot))
            }
            Ref::Value(value) => self.value(value, active(Mutation::RedirectedRead)),
        }
    }

    pub fn variable(&self, number: usize) -> (LLVMValueRef, u8) {
        match active(Mutation::VariablesMixed) {
            true => self.variables[0],
            false => self.variables[number],
        }
    }

    fn special(&self, width: u8, special: Special) -> LLVMValueRef {
        let name = register(special).unwrap_or("laneid");
        self.register(width, name)
    }

    fn register(&self, width: u8, name: &str) -> LLVMValueRef {
        let name = format!("llvm.nvvm.read.ptx.sreg.{name}");
        let value = self.b.intrinsic(&name, &mut [], &mut []);
        self.b.resized(value, width, false)
    }

    /// The bits of a value of the function: what its instruction gave, or what is read in its place.
    fn value(&mut self, value: Value, seen: bool) -> Result<LLVMValueRef, WriteError> {
        let width = self.sites.function().value(value).width;
        match self.sites.source(value)? {
            ValueSource::Constant(bits) => Ok(self.b.number(width, bits)),
            ValueSource::Special(name) => Ok(self.register(width, name)),
            ValueSource::Address(variable, bytes) => {
                let address = self.address(variable.raw(), value, width);
                let bytes = self.b.number(width, bytes as u64);
                Ok(self.b.add(width, address, bytes))
            }
            ValueSource::Scalar(holder, scalar) => {
                let whole = match seen {
                    true => self.slots.seen(&self.b, holder.raw()),
                    false if active(Mutation::CloneValuesForgotten) => {
                        self.slots.current(holder.raw())
                    }
                    false => self.slots.own(&self.b, holder.raw()),
                };
                let layout = self.sites.layout;
                let part = scalars::get(&self.b, layout, whole, holder.ty(), scalar);
                Ok(self.b.to_bits(part, width))
            }
            // Its own operands are what all instructions of the function read.
            ValueSource::Computed(op, number, args) => {
                let mut operands = Vec::new();
                for arg in args {
                    operands.push(self.value(arg, true)?);
                }
                Ok(apply(&mut self.b, &op, &operands)[number])
            }
        }
    }

    /// The address of a variable in its own space.
    fn address(&self, variable: LLVMValueRef, value: Value, width: u8) -> LLVMValueRef {
        let own = unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) };
        let space = match &self.sites.function().value(value).def {
            ValueDef::Address(Base::Variable(space, _), _) => instruction::number_of(*space),
            _ => None,
        };
        let pointer = match space {
            Some(space) if space != own => self.b.space_cast(variable, space),
            _ => variable,
        };
        self.b.to_bits(pointer, width)
    }
}
