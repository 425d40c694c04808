//! Statements that go, move and are amended, and the directives of a function.

use super::check::Outline;
use super::error::WriteError;
use super::instruction::number_of;
use super::slots::ptxasw_move_before;
use super::steps::Writer;
use crate::mutation::{Mutation, active};
use crate::version::DIRECTIVES_ARE_ATTRIBUTES;
use crate::view::{Val, View};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use ptxasw_ir::patch::{Amend, Copied, Directives, Patch};

unsafe extern "C" {
    fn ptxasw_forget_place(instruction: LLVMValueRef);
}

/// The module's metadata of NVVM annotations.
const ANNOTATIONS: &std::ffi::CStr = c"nvvm.annotations";

impl<'m> Writer<'_, 'm> {
    /// Casts pointers to another address space, and marks loads as invariant.
    pub fn amend(&mut self, patch: &Patch) -> Result<(), WriteError> {
        for one in &patch.amend {
            let original = self.sites.instruction(one.inst)?.raw();
            let access = self.blocks.instruction(one.clone, original);
            let to = match one.amend {
                Amend::Space(space) => number_of(space).ok_or(WriteError::Amend(one.inst))?,
                Amend::NonCoherent => 1,
            };
            self.in_space(access, to);
            if one.amend == Amend::NonCoherent {
                self.b.mark_invariant(access);
            }
        }
        Ok(())
    }

    /// Casts the pointer of a load or store to a space.
    fn in_space(&self, access: LLVMValueRef, space: u32) {
        unsafe {
            let index = u32::from(LLVMIsALoadInst(access).is_null());
            let pointer = LLVMGetOperand(access, index);
            if LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != space {
                self.b.before(access);
                LLVMSetOperand(access, index, self.b.space_cast(pointer, space));
            }
        }
    }

    /// Moves a statement in front of an instruction, with what keeps its result.
    pub fn relocate(&mut self, copied: Copied, original: LLVMValueRef, place: LLVMValueRef) {
        if active(Mutation::RelocationDropped) {
            return;
        }
        let moved = self.blocks.instruction(copied, original);
        let stores = self.slots.stores(original).to_vec();
        unsafe {
            ptxasw_forget_place(moved);
            ptxasw_move_before(moved, place);
            for store in stores {
                ptxasw_move_before(self.blocks.instruction(copied, store), place);
            }
        }
        self.slots.reload(&self.b, moved);
    }

    /// Removes statements, and makes values of all slots.
    pub fn finish(self, outline: &Outline<'m>) -> Result<(), WriteError> {
        let removed = outline.removed.iter();
        let removed = removed.filter(|_| !active(Mutation::RemovalDropped));
        for &(copied, original) in removed {
            let gone = self.blocks.instruction(copied, original.raw());
            let stores = self.slots.stores(original.raw());
            unsafe {
                for &store in stores {
                    LLVMInstructionEraseFromParent(self.blocks.instruction(copied, store));
                }
                if !LLVMGetFirstUse(gone).is_null() {
                    LLVMReplaceAllUsesWith(gone, LLVMGetPoison(LLVMTypeOf(gone)));
                }
                LLVMInstructionEraseFromParent(gone);
            }
        }
        let function = self.sites.lowered.numbering.function;
        let joins = match active(Mutation::ArithmeticTorn) {
            true => &[][..],
            false => &self.joins[..],
        };
        self.slots.finish(function.raw(), &self.blocks.cut, joins);
        match self.b.refused.clone() {
            Some(refused) => Err(WriteError::Unwritable(refused)),
            None => Ok(()),
        }
    }
}

/// Annotates a function with a patch's directives.
pub(super) fn directives(view: View, function: Val, wanted: &Directives) {
    if DIRECTIVES_ARE_ATTRIBUTES {
        if let Some(registers) = wanted.max_registers {
            function.set_text_attribute("nvvm.maxnreg", &registers.to_string());
        }
        if let Some(threads) = wanted.required_threads {
            let threads = threads.map(|count| count.to_string()).join(",");
            function.set_text_attribute("nvvm.reqntid", &threads);
        }
        return;
    }
    if let Some(registers) = wanted.max_registers {
        annotate(view, function, "maxnreg", registers);
    }
    if let Some(threads) = wanted.required_threads {
        for (key, count) in ["reqntidx", "reqntidy", "reqntidz"]
            .into_iter()
            .zip(threads)
        {
            annotate(view, function, key, count);
        }
    }
}

/// Sets a number that the module's annotations give a function.
fn annotate(view: View, function: Val, key: &str, value: u32) {
    unsafe {
        let context = LLVMGetModuleContext(view.raw());
        let number = LLVMConstInt(LLVMInt32TypeInContext(context), value.into(), 0);
        let number = LLVMValueAsMetadata(number);
        for node in view.named_metadata("nvvm.annotations") {
            let operands = node.node_operands();
            if operands.first().copied().flatten() != Some(function) {
                continue;
            }
            let is_key = |one: &Option<Val>| {
                one.and_then(Val::metadata_text)
                    .is_some_and(|text| text == key)
            };
            let found = (1..operands.len().saturating_sub(1))
                .step_by(2)
                .find(|&at| is_key(&operands[at]));
            if let Some(at) = found {
                node.replace_node_operand(at as u32 + 1, number);
                return;
            }
        }
        let text = LLVMMDStringInContext2(context, key.as_ptr().cast(), key.len());
        let mut operands: [LLVMMetadataRef; 3] =
            [LLVMValueAsMetadata(function.raw()), text, number];
        let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
        let node = LLVMMetadataAsValue(context, node);
        LLVMAddNamedMetadataOperand(view.raw(), ANNOTATIONS.as_ptr(), node);
    }
}
