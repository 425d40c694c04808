//! Clones for whole warps, once they are written: maps from the original's values to those of the clone.

use super::Error;
use super::code::Code;
use super::instruction;
use super::masks::reaching;
use crate::numbering::Numbering;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use rustc_hash::FxHashMap;

/// A copy that is written.
pub struct Copied {
    /// The instructions of the copy by those of the original.
    pub(super) values: FxHashMap<LLVMValueRef, LLVMValueRef>,
    /// The terminator of the block that enters the clone: what only its warps need is inserted before it.
    pub entered: LLVMValueRef,
}

impl Copied {
    /// What the copy has in place of a value of the original; what is not copied is the same.
    pub fn of(&self, value: LLVMValueRef) -> LLVMValueRef {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// Whether an instruction of the original is copied.
    pub fn has(&self, original: LLVMValueRef) -> bool {
        self.values.contains_key(&original)
    }
}

/// The copies of a plan.
#[derive(Default)]
pub struct Copies {
    /// By number; none for one without a shuffle.
    pub(super) copies: Vec<Option<Copied>>,
    /// The instructions of all copies by those of the originals.
    pub(super) everywhere: FxHashMap<LLVMValueRef, LLVMValueRef>,
    /// For each branch that a run-time test now precedes, the test's branch: the insertion point for what belongs before both.
    pub(super) moved: FxHashMap<LLVMValueRef, LLVMValueRef>,
}

impl Copies {
    /// The copy of a number, if it is written.
    pub fn get(&self, number: Option<u32>) -> Option<&Copied> {
        self.copies.get(number? as usize)?.as_ref()
    }

    /// The instruction in front of which something stands that belongs in front of a statement.
    pub fn place(&self, numbering: &Numbering, statement: u32) -> Result<LLVMValueRef, Error> {
        let found = instruction(numbering, statement)?;
        Ok(self.moved.get(&found).copied().unwrap_or(found))
    }

    /// A value of the original as it is where `code` writes: where control comes from a copy, the copy's.
    pub fn joined(&self, value: LLVMValueRef, code: &Code) -> LLVMValueRef {
        let Some(&copy) = self.everywhere.get(&value) else {
            return value;
        };
        unsafe {
            let here = code.block();
            let blocks = [value, copy].map(|value| LLVMGetInstructionParent(value));
            if here == blocks[0] {
                return value;
            }
            reaching(&blocks, &[value, copy], &[here])[0]
        }
    }
}
