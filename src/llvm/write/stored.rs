//! Stores of what may be poison, where bytes are read together that were read apart.
//!
//! A number of several bytes is poison as a whole where one of its bytes in memory is (LLVM Language Reference, "Poison Values"). A load that reads a number of
//! which only a part is wanted would be poison by bytes that the original never read. So where a patch cuts values out of wider
//! ones, what the function stores is frozen: then no byte in memory is poison by its hand. What other kernels and other modules
//! have stored are numbers.

use super::builder::Builder;
use crate::view::{Val, View};
use inkwell::llvm_sys::LLVMOpcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMFreeze, LLVMStore};
use inkwell::llvm_sys::core::{LLVMIsConstant, LLVMSetOperand};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Patch, Step};

/// Whether a patch cuts a value out of a wider one.
pub fn cuts(patch: &Patch) -> bool {
    let mut steps = patch.insert.iter().flat_map(|one| &one.steps);
    steps.any(step_cuts)
}

fn step_cuts(step: &Step) -> bool {
    match step {
        Step::Inst { opcode, .. } => match opcode {
            Opcode::Op(Op::Extend { from, to, .. }) => to < from,
            Opcode::Op(Op::Shr { .. } | Op::Unpack { .. } | Op::Prmt(_) | Op::Bfe { .. }) => true,
            _ => false,
        },
        Step::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(step_cuts),
    }
}

/// Freezes what a function stores.
pub fn freeze(view: View, function: Val) {
    let b = Builder::new(view.raw(), false);
    let blocks = function.blocks().into_iter();
    let all: Vec<Val> = blocks.flat_map(|block| block.instructions()).collect();
    for instruction in all {
        let operand = match instruction.opcode() {
            LLVMStore => 0,
            LLVMAtomicRMW => 1,
            LLVMAtomicCmpXchg => 2,
            _ => continue,
        };
        let Some(value) = instruction.operand(operand) else {
            continue;
        };
        let is_frozen = value.is_instruction() && value.opcode() == LLVMFreeze;
        if is_frozen || unsafe { LLVMIsConstant(value.raw()) } != 0 {
            continue;
        }
        b.before(instruction.raw());
        b.line_of(function.raw(), Some(instruction.raw()));
        let frozen = b.freeze(value.raw());
        unsafe { LLVMSetOperand(instruction.raw(), operand, frozen) };
    }
}
