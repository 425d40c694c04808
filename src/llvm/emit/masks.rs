//! Tracked masks: `activemask` in front of where lanes part, and a ballot at each branch that parts them.
//!
//! A mask of the plan is a variable that several places set. Here each place makes a value, and phis join them.

use super::Error;
use super::code::Code;
use super::copied::Copies;
use crate::numbering::Numbering;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw::shuffle::plan::{MaskStep, Plan};

unsafe extern "C" {
    /// In C++: what a variable holds in the middle of the blocks `asked`, that other blocks set to values at their ends.
    fn ptxasw_reaching(
        blocks: *const LLVMBasicBlockRef,
        values: *const LLVMValueRef,
        count: usize,
        asked: *const LLVMBasicBlockRef,
        answers: *mut LLVMValueRef,
        asked_count: usize,
    );
}

/// The values of a mask.
#[derive(Default)]
struct Mask {
    /// The blocks that set it, each with the value behind its end.
    blocks: Vec<LLVMBasicBlockRef>,
    values: Vec<LLVMValueRef>,
    /// Blocks that read it, and who needs the answer.
    asked: Vec<LLVMBasicBlockRef>,
    readers: Vec<Reader>,
}

/// Who reads a mask.
#[derive(Clone, Copy)]
enum Reader {
    /// An instruction that makes a mask of it, as its first operand.
    Step(LLVMValueRef),
    /// The set-up of a region.
    Region(usize),
}

/// Writes the steps of all masks of the plan, and tells the masks of its regions where their set-ups stand.
pub fn write(
    plan: &Plan,
    numbering: &Numbering,
    copies: &Copies,
    code: &Code,
) -> Result<Vec<Option<LLVMValueRef>>, Error> {
    let mut masks: Vec<Mask> = Vec::new();
    masks.resize_with(plan.masks.len(), Mask::default);
    // Only these are read behind the place where they are made, in one block.
    let mut first: Vec<Option<(LLVMBasicBlockRef, LLVMValueRef)>> = vec![None; masks.len()];
    let mut copied = Vec::new();
    for (number, mask) in plan.masks.iter().enumerate() {
        for step in &mask.steps {
            let place = copies.place(numbering, step.before)?;
            let block = unsafe { LLVMGetInstructionParent(place) };
            code.before(place, place);
            let value = match step.from {
                None => code.active_mask(),
                Some(_) => made(step, place, code)?,
            };
            masks[number].blocks.push(block);
            masks[number].values.push(value);
            match step.from {
                None => first[number] = Some((block, value)),
                Some(from) => {
                    let from = masks.get_mut(from as usize);
                    let from = from.ok_or(Error::Inconsistent(step.before))?;
                    from.ask(block, Reader::Step(value));
                }
            }
            if step.from.is_some() && step.taken.is_none() {
                copied.push(value);
            }
        }
    }
    for (index, region) in plan.regions.iter().enumerate() {
        let Some(mask) = region.mask else { continue };
        let place = copies.place(numbering, region.before)?;
        let mask = masks.get_mut(mask as usize);
        let mask = mask.ok_or(Error::Inconsistent(region.before))?;
        mask.ask(
            unsafe { LLVMGetInstructionParent(place) },
            Reader::Region(index),
        );
    }
    let mut of_regions = vec![None; plan.regions.len()];
    for (mask, first) in masks.iter().zip(first) {
        for (reader, value) in mask.answered(first) {
            match reader {
                Reader::Step(step) => unsafe { LLVMSetOperand(step, 0, value) },
                Reader::Region(region) => of_regions[region] = Some(value),
            }
        }
    }
    for copy in copied {
        unsafe {
            let value = LLVMGetOperand(copy, 0);
            for of_region in of_regions.iter_mut().flatten().filter(|one| **one == copy) {
                *of_region = value;
            }
            LLVMReplaceAllUsesWith(copy, value);
            LLVMInstructionEraseFromParent(copy);
        }
    }
    Ok(of_regions)
}

/// What a step makes, of a mask that is not known yet.
fn made(step: &MaskStep, branch: LLVMValueRef, code: &Code) -> Result<LLVMValueRef, Error> {
    let unknown = code.word(0);
    let Some(taken) = step.taken else {
        return Ok(code.freeze(unsafe { LLVMGetPoison(LLVMTypeOf(unknown)) }));
    };
    let condition = unsafe {
        if LLVMIsABranchInst(branch).is_null() || LLVMIsConditional(branch) == 0 {
            return Err(Error::Inconsistent(step.before));
        }
        LLVMGetCondition(branch)
    };
    let goes = match taken {
        true => condition,
        false => code.not(condition),
    };
    Ok(code.ballot(unknown, goes))
}

/// What a variable holds in the middle of the blocks `asked`, that `blocks` set to `values` at their ends.
///
/// # Safety
/// All is of one function, there are as many values as blocks, and at least one.
pub(super) unsafe fn reaching(
    blocks: &[LLVMBasicBlockRef],
    values: &[LLVMValueRef],
    asked: &[LLVMBasicBlockRef],
) -> Vec<LLVMValueRef> {
    let mut answers = vec![std::ptr::null_mut(); asked.len()];
    unsafe {
        ptxasw_reaching(
            blocks.as_ptr(),
            values.as_ptr(),
            values.len(),
            asked.as_ptr(),
            answers.as_mut_ptr(),
            answers.len(),
        );
    }
    answers
}

impl Mask {
    fn ask(&mut self, block: LLVMBasicBlockRef, reader: Reader) {
        self.asked.push(block);
        self.readers.push(reader);
    }

    /// The mask for each of its readers. `first`: where it is made in front of the end of a block.
    fn answered(
        &self,
        first: Option<(LLVMBasicBlockRef, LLVMValueRef)>,
    ) -> Vec<(Reader, LLVMValueRef)> {
        if self.asked.is_empty() || self.values.is_empty() {
            return Vec::new();
        }
        let answers = unsafe { reaching(&self.blocks, &self.values, &self.asked) };
        let readers = self.readers.iter().zip(&self.asked).zip(answers);
        readers
            .map(|((&reader, &block), answer)| match first {
                Some((made, value)) if made == block => (reader, value),
                _ => (reader, answer),
            })
            .collect()
    }
}
