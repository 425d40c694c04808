//! Loads that fewer threads execute.
//!
//! No load of LLVM's has a guard: it moves into a block of its own, and all that read its value get a phi, what is no
//! instruction of the IR, too. A guarded step becomes such a block as well. Where a block is cut so, arithmetic that is read
//! only after the cut moves there in the end (`native/sink.cpp`): LLVM's code generator fuses products and sums of one block.

use super::error::WriteError;
use super::scalars;
use super::sites::Sites;
use super::steps::Writer;
use crate::binding::is_load;
use crate::mutation::{Mutation, active};
use crate::view::Val;
use inkwell::llvm_sys::LLVMOpcode::{LLVMExtractElement, LLVMExtractValue};
use inkwell::llvm_sys::core::{LLVMConstNull, LLVMGetInstructionParent, LLVMGetPoison};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::patch::{Copied, Guarded, Point, Position, Ref};

unsafe extern "C" {
    fn ptxasw_forget_value(load: LLVMValueRef);
    fn ptxasw_guard(
        load: LLVMValueRef,
        condition: LLVMValueRef,
        negated: bool,
        otherwise: LLVMValueRef,
    ) -> LLVMValueRef;
}

/// A guarded load in LLVM's terms.
pub(super) struct GuardedLoad<'m> {
    pub copied: Copied,
    /// In front of its statement: there all is read.
    pub at: Position,
    pub load: Val<'m>,
    /// As the patch has it.
    pub condition: (Ref, bool),
    /// What its scalars are elsewhere.
    pub otherwise: Vec<(u32, Ref)>,
}

impl<'m> GuardedLoad<'m> {
    /// The load that a patch guards.
    pub fn new(sites: &Sites<'_, 'm>, guarded: &Guarded) -> Result<Self, WriteError> {
        let load = sites.instruction(guarded.inst)?;
        if !is_load(load) {
            return Err(WriteError::Fixed(guarded.inst));
        }
        let mut otherwise = Vec::new();
        for chosen in &guarded.otherwise {
            match sites.scalar(chosen.value) {
                Some((holder, scalar)) if holder == load => otherwise.push((scalar, chosen.to)),
                _ => return Err(WriteError::NotReplaceable(chosen.value)),
            }
        }
        // The IR does not know what all instructions read of a vector.
        let scalars = sites.layout.leaves(load.ty()).len();
        if otherwise.len() < scalars && !load.users().all(takes_a_scalar) {
            return Err(WriteError::NotChosen(guarded.inst));
        }
        let statement = sites.positions.statement(guarded.inst)?;
        let first = statement.first().copied().unwrap_or(guarded.inst);
        Ok(GuardedLoad {
            copied: guarded.clone,
            at: sites.positions.of(Point::Before(first))?,
            load,
            condition: guarded.condition,
            otherwise,
        })
    }
}

/// Whether the IR knows which scalar a user of a vector takes.
fn takes_a_scalar(user: Val) -> bool {
    user.is_instruction()
        && match user.opcode() {
            LLVMExtractElement => user.operand(1).and_then(Val::integer).is_some(),
            LLVMExtractValue => true,
            _ => false,
        }
}

impl<'m> Writer<'_, 'm> {
    /// Moves a load into a block of its own; the condition, and what is read elsewhere, are computed here.
    pub fn guard(&mut self, one: &GuardedLoad<'m>) -> Result<(), WriteError> {
        let load = self.blocks.instruction(one.copied, one.load.raw());
        self.b.same_line(load);
        let (condition, negated) = one.condition;
        let condition = self.read(condition)?;
        let condition = self.b.decided(condition);
        let ty = one.load.ty();
        let mut otherwise = unsafe { LLVMGetPoison(ty.raw()) };
        for &(scalar, to) in &one.otherwise {
            let bits = self.read(to)?;
            let layout = self.sites.layout;
            otherwise = scalars::with(&self.b, layout, otherwise, ty, scalar, bits);
        }
        if active(Mutation::ChosenDropped) {
            otherwise = unsafe { LLVMConstNull(ty.raw()) };
        }
        let negated = negated != active(Mutation::LoadGuardInverted);
        let joined = unsafe {
            // What is promised of the loaded value is not of what others read.
            if !active(Mutation::LoadPromiseKept) {
                ptxasw_forget_value(load);
            }
            ptxasw_guard(load, condition, negated, otherwise)
        };
        // Of what is cloned all is read from slots.
        if one.copied.is_none() {
            self.slots.replace(load, joined);
        }
        let join = unsafe { LLVMGetInstructionParent(joined) };
        self.blocks.cut.push(join);
        self.joins.push(join);
        Ok(())
    }
}
