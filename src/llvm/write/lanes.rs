//! Communication between lanes.

use super::error::WriteError;
use super::promises::Made;
use super::sites::Sites;
use crate::view::Val;
use inkwell::llvm_sys::core::{LLVMGetEntryBasicBlock, LLVMGetFirstInstruction};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Patch, Ref, Step};

unsafe extern "C" {
    /// In C++: a function that holds an instruction talks to other lanes now, and so do those that call it.
    fn ptxasw_talks(inside: LLVMValueRef);
}

/// Whether lanes do something together.
fn is_together(opcode: &Opcode) -> bool {
    matches!(
        opcode,
        Opcode::ActiveMask
            | Opcode::Shuffle { .. }
            | Opcode::Vote { .. }
            | Opcode::Match { .. }
            | Opcode::Barrier { .. }
    )
}

/// The steps of a patch that lanes do together: their operands.
fn together<'a>(steps: impl IntoIterator<Item = &'a Step>, found: &mut Vec<&'a [Ref]>) {
    for step in steps {
        match step {
            Step::Inst { opcode, args, .. } if is_together(opcode) => found.push(args),
            Step::Inst { .. } => {}
            Step::If {
                then, otherwise, ..
            } => together(then.iter().chain(otherwise), found),
        }
    }
}

fn of_patch(patch: &Patch) -> Vec<&[Ref]> {
    let mut found = Vec::new();
    together(patch.insert.iter().flat_map(|one| &one.steps), &mut found);
    found
}

/// The LLVM values of which other lanes get something: what made one lane's poison must not make theirs.
pub(super) fn handed<'m>(sites: &Sites<'_, 'm>, patch: &Patch) -> Result<Vec<Val<'m>>, WriteError> {
    let operands = of_patch(patch).into_iter().flatten().copied();
    let mut values = Vec::new();
    for one in Made::new(patch).sources(operands.collect()) {
        if let Ref::Value(value) = one {
            sites.readable(value, &mut values, &mut Vec::new())?;
        }
    }
    Ok(values)
}

/// Takes from a function what it says of itself that is no longer true if a patch has lanes talk to each other.
pub(super) fn talk(function: Val, patch: &Patch) {
    if !of_patch(patch).is_empty() {
        unsafe {
            ptxasw_talks(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(
                function.raw(),
            )))
        };
    }
}
