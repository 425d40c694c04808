//! Copies for whole warps: blocks that stand in the function twice, the test in front of them, and the votes where lanes
//! may part.
//!
//! Each value that a copied block defines has two definitions; phis join them where control comes from both. A warp that
//! leaves the copy goes where the branch of the original goes, each lane by itself.

use super::Error;
use super::checks::Names;
use super::code::Code;
use super::copied::{Copied, Copies};
use super::halo;
use super::instruction;
use crate::numbering::Numbering;
use inkwell::llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw::shuffle::plan::{Plan, Stay, WarpCopy};
use rustc_hash::FxHashMap;
use std::ffi::c_void;

/// Which way a copy goes on at a branch; the same numbers in C++.
const TAKEN: u32 = 0;
const NEXT: u32 = 1;
const EITHER: u32 = 2;

/// A branch of a copy at which lanes may part.
#[repr(C)]
struct Leave {
    branch: LLVMValueRef,
    stay: u32,
}

unsafe extern "C" {
    /// In C++: doubles blocks, which warps enter in front of `before` where `whole` holds. Returns the end of the block by
    /// which the copy is entered.
    fn ptxasw_copy(
        before: LLVMValueRef,
        whole: LLVMValueRef,
        tested: bool,
        first: LLVMBasicBlockRef,
        blocks: *const LLVMBasicBlockRef,
        block_count: usize,
        leaves: *const Leave,
        leave_count: usize,
        known: *mut c_void,
        note: extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef),
    ) -> LLVMValueRef;
}

impl Copies {
    /// Writes the copies of those regions of the plan that have a shuffle.
    pub fn write(
        plan: &Plan,
        used: &[bool],
        numbering: &Numbering,
        code: &Code,
        values: &FxHashMap<Box<str>, LLVMValueRef>,
    ) -> Result<Self, Error> {
        let mut copies = Copies::default();
        copies.copies.resize_with(plan.copies.len(), || None);
        let regions = plan.regions.iter().zip(used).filter(|(_, used)| **used);
        for (region, _) in regions {
            let Some(number) = region.copy else { continue };
            let copy = plan.copies.get(number as usize);
            let copy = copy.ok_or(Error::Inconsistent(region.before))?;
            if copies.copies[number as usize].is_none() {
                let condition = |copies: &Copies| {
                    let names = Names {
                        values,
                        copied: None,
                        copies,
                    };
                    halo::entry_condition(region, code, names)
                };
                copies.add(
                    number as usize,
                    copy,
                    region.before,
                    numbering,
                    code,
                    condition,
                )?;
            }
        }
        Ok(copies)
    }

    fn add(
        &mut self,
        number: usize,
        copy: &WarpCopy,
        reading: u32,
        numbering: &Numbering,
        code: &Code,
        condition: impl FnOnce(&Copies) -> Result<Option<LLVMValueRef>, Error>,
    ) -> Result<(), Error> {
        let before = instruction(numbering, copy.before)?;
        let outline = Outline::new(copy, before, numbering)?;
        let read = match reading == copy.before {
            true => before,
            false => self.place(numbering, reading)?,
        };
        code.before(read, read);
        let mask = code.active_mask();
        let condition = condition(self)?;
        code.before(before, before);
        let stays = outline.known.map(|stay| unsafe {
            let condition = LLVMGetCondition(before);
            match stay {
                NEXT => code.not(condition),
                _ => condition,
            }
        });
        let stays = match (stays, condition) {
            (Some(stays), Some(condition)) => Some(code.and(stays, condition)),
            (stays, condition) => stays.or(condition),
        };
        let here = stays.map_or(mask, |stays| code.ballot(mask, stays));
        let whole = code.compare(LLVMIntEQ, here, code.word(u32::MAX));
        let mut values = FxHashMap::default();
        let entered = unsafe {
            let above = LLVMGetInstructionParent(before);
            let entered = outline.write(before, whole, &mut values);
            let test = LLVMGetBasicBlockTerminator(above);
            self.moved.entry(before).or_insert(test);
            entered
        };
        self.everywhere.extend(&values);
        self.copies[number] = Some(Copied { values, entered });
        Ok(())
    }
}

/// A copy in terms of LLVM.
struct Outline {
    blocks: Vec<LLVMBasicBlockRef>,
    leaves: Vec<Leave>,
    /// The block at which it is entered, if not by the branch in front of it.
    first: LLVMBasicBlockRef,
    /// It is entered by a branch that all its lanes take, or none: which.
    known: Option<u32>,
}

impl Outline {
    fn new(copy: &WarpCopy, before: LLVMValueRef, numbering: &Numbering) -> Result<Self, Error> {
        let inconsistent = |statement| Error::Inconsistent(statement);
        if unsafe { LLVMIsATerminatorInst(before).is_null() } {
            return Err(inconsistent(copy.before));
        }
        let leaves = copy.leaves.iter().map(|leave| {
            let branch = instruction(numbering, leave.statement)?;
            let conditional =
                unsafe { !LLVMIsABranchInst(branch).is_null() && LLVMIsConditional(branch) != 0 };
            let stay = match leave.stay {
                Stay::Taken => TAKEN,
                Stay::Next => NEXT,
                Stay::Either => EITHER,
            };
            let leave_at = Leave { branch, stay };
            conditional
                .then_some(leave_at)
                .ok_or(inconsistent(leave.statement))
        });
        let leaves: Vec<Leave> = leaves.collect::<Result<_, _>>()?;
        let first = match copy.entry == copy.before {
            true => std::ptr::null_mut(),
            false => unsafe { LLVMGetInstructionParent(instruction(numbering, copy.entry)?) },
        };
        let own = leaves.iter().find(|leave| leave.branch == before);
        Ok(Outline {
            blocks: blocks(copy, numbering),
            first,
            known: own.map(|leave| leave.stay).filter(|&stay| stay != EITHER),
            leaves,
        })
    }

    /// Doubles the blocks, and notes what is the copy of what.
    ///
    /// # Safety
    /// All is of one function.
    unsafe fn write(
        &self,
        before: LLVMValueRef,
        whole: LLVMValueRef,
        values: &mut FxHashMap<LLVMValueRef, LLVMValueRef>,
    ) -> LLVMValueRef {
        let known: *mut FxHashMap<LLVMValueRef, LLVMValueRef> = values;
        unsafe {
            ptxasw_copy(
                before,
                whole,
                self.known.is_some(),
                self.first,
                self.blocks.as_ptr(),
                self.blocks.len(),
                self.leaves.as_ptr(),
                self.leaves.len(),
                known.cast(),
                note,
            )
        }
    }
}

extern "C" fn note(known: *mut c_void, original: LLVMValueRef, copy: LLVMValueRef) {
    let values = unsafe { &mut *known.cast::<FxHashMap<LLVMValueRef, LLVMValueRef>>() };
    values.insert(original, copy);
}

/// The blocks that a copy repeats as a whole: all but the one that ends with the branch in front of it.
fn blocks(copy: &WarpCopy, numbering: &Numbering) -> Vec<LLVMBasicBlockRef> {
    let parts = numbering.parts();
    let mut blocks = Vec::new();
    for part in &copy.parts {
        let from = parts.partition_point(|block| block.statements.start < part.first);
        let inside = parts[from..].iter();
        let inside = inside.take_while(|block| block.statements.start < part.end);
        let inside = inside.filter(|block| !block.statements.contains(&copy.before));
        blocks.extend(inside.map(|block| block.block.raw()));
    }
    blocks
}
