//! Blocks are cut wherever a patch does something, and cloned. What is written at a place goes into a block of its own, which
//! is empty before.

use super::builder::Builder;
use super::error::WriteError;
use super::sites::Sites;
use super::slots::Slots;
use crate::mutation::{Mutation, active};
use crate::numbering::Numbering;
use crate::origins::Copies;
use crate::view::Val;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw_ir::function::BlockId;
use ptxasw_ir::patch::{CloneId, Copied, Position, RegionClone, Settled};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ffi::c_void;

unsafe extern "C" {
    fn ptxasw_split_before(instruction: LLVMValueRef) -> LLVMBasicBlockRef;
    fn ptxasw_clone(
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        later: bool,
        known: *mut c_void,
        note: extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef),
    );
}

/// Instructions and blocks of a clone by those of the original.
type Clone = FxHashMap<LLVMValueRef, LLVMValueRef>;

/// The blocks of a function that is rewritten.
#[derive(Default)]
pub(super) struct Blocks {
    /// For each block of the IR that has one in LLVM, its parts in order.
    parts: FxHashMap<BlockId, Vec<LLVMBasicBlockRef>>,
    /// The blocks of places, which are empty, by their numbers in `parts`. Where a clone is entered, its own place follows.
    places: FxHashMap<Position, usize>,
    /// Where clones are entered.
    entries: FxHashMap<CloneId, Position>,
    clones: FxHashMap<CloneId, Clone>,
    /// What was cut off.
    pub cut: Vec<LLVMBasicBlockRef>,
}

impl Blocks {
    /// Cuts blocks at positions. Nothing else of the function changes.
    pub fn cut(
        sites: &Sites,
        positions: &BTreeSet<Position>,
        entries: FxHashMap<CloneId, Position>,
    ) -> Result<Self, WriteError> {
        let mut blocks = Blocks {
            entries,
            ..Blocks::default()
        };
        let numbering = &sites.lowered.numbering;
        for (block, part) in (0..).map(BlockId).zip(&sites.lowered.parts) {
            if let Some(part) = part {
                let first = numbering.parts()[*part as usize].block.raw();
                blocks.parts.insert(block, vec![first]);
            }
        }
        // Each cut moves what follows it: the last ones come first, those at one instruction in their order.
        let mut anchors = Vec::with_capacity(positions.len());
        for &position in positions {
            let anchor = numbering.instruction(sites.anchor(position)?);
            let known = anchor.filter(|_| blocks.parts.contains_key(&position.0));
            let anchor = known.ok_or(WriteError::InsideSwitch(position.0))?;
            anchors.push((position, anchor.raw()));
        }
        let mut made = FxHashMap::default();
        for group in anchors.chunk_by(|a, b| a.1 == b.1).rev() {
            for &(position, anchor) in group {
                // What a clone has at the place of its entry comes after the choice, and belongs to the clone.
                let entered = blocks.entries.values().any(|&at| at == position);
                let count = 2 + usize::from(entered);
                let new = (0..count).map(|_| unsafe { ptxasw_split_before(anchor) });
                made.insert(position, new.collect::<Vec<_>>());
            }
        }
        for (position, _) in anchors {
            let parts = blocks.parts.get_mut(&position.0);
            let parts = parts.ok_or(WriteError::InsideSwitch(position.0))?;
            let new = made.remove(&position).unwrap_or_default();
            blocks.places.insert(position, parts.len());
            parts.extend(&new);
            blocks.cut.extend(new);
        }
        Ok(blocks)
    }

    /// The blocks that a clone repeats, in the order of the original. One that comes after another has the whole header: what has
    /// taken the place of phis there, and the place of the test, which is empty in it.
    fn region(
        &self,
        clone: &RegionClone,
        enter: Position,
    ) -> Result<Vec<LLVMBasicBlockRef>, WriteError> {
        let place = self.place_number(enter)?;
        let from = clone.after.map_or(place + 1, |_| 0);
        let mut all = self.parts[&enter.0][from..].to_vec();
        for block in &clone.blocks {
            all.extend(self.parts.get(block).into_iter().flatten());
        }
        Ok(all)
    }

    fn place_number(&self, position: Position) -> Result<usize, WriteError> {
        let found = self.places.get(&position).copied();
        found.ok_or(WriteError::InsideSwitch(position.0))
    }

    /// Makes room for clones: phis of the blocks, and of those that they lead to, become loads of slots. Returns what the
    /// blocks define.
    pub fn prepare(
        &self,
        regions: &[(&RegionClone, Position)],
        slots: &mut Slots,
        b: &Builder,
    ) -> Result<Vec<LLVMValueRef>, WriteError> {
        let (mut defined, mut ends) = (FxHashSet::default(), Vec::new());
        let mut values = Vec::new();
        for (clone, enter) in regions {
            for block in self.region(clone, *enter)? {
                if defined.insert(block) {
                    values.extend(results(block));
                    ends.push(block);
                    ends.extend(successors(block));
                }
            }
        }
        for phi in ends.into_iter().flat_map(phis) {
            slots.demote_phi(b, phi);
        }
        Ok(values)
    }

    /// Clones a region. No edge leads to the clone yet.
    pub fn clone(
        &mut self,
        b: &Builder,
        clone: &RegionClone,
        enter: Position,
    ) -> Result<(), WriteError> {
        extern "C" fn note(known: *mut c_void, original: LLVMValueRef, clone: LLVMValueRef) {
            // SAFETY: it is the map below, and nobody else uses it.
            let known = unsafe { &mut *known.cast::<Clone>() };
            known.insert(original, clone);
        }
        let region = self.region(clone, enter)?;
        let mut known = Clone::default();
        let context: *mut Clone = &mut known;
        let later = clone.after.is_some() && !active(Mutation::HomesOfAllIterations);
        unsafe { ptxasw_clone(region.as_ptr(), region.len(), later, context.cast(), note) };
        let copies = region.iter().map(|&block| in_clone(&known, block));
        self.cut.extend(copies);
        self.clones.insert(clone.id, known);
        for settled in &clone.settled {
            self.settle(b, clone.id, settled);
        }
        Ok(())
    }

    /// The edges of a clone of a chain to the loop's header lead to the next clone. Those of the last one lead to the original, of
    /// whose loop they are back edges.
    pub fn link(
        &self,
        b: &Builder,
        clone: &RegionClone,
        next: Option<&RegionClone>,
        enter: Position,
    ) -> Result<(), WriteError> {
        if active(Mutation::BackEdgeToOriginal) {
            return Ok(());
        }
        let header = self.parts[&enter.0][0];
        let from = self.block_of(Some(clone.id), header);
        let to = self.block_of(next.map(|next| next.id), header);
        for block in self.region(clone, enter)? {
            unsafe {
                let original = LLVMGetBasicBlockTerminator(block);
                let end = LLVMGetBasicBlockTerminator(self.block_of(Some(clone.id), block));
                let count = LLVMGetNumSuccessors(end);
                for edge in (0..count).filter(|&edge| LLVMGetSuccessor(end, edge) == from) {
                    LLVMSetSuccessor(end, edge, to);
                    b.say_of_loop(end, next.is_none().then_some(original));
                }
            }
        }
        Ok(())
    }

    /// A branch of a clone takes one edge. No block that it leads to has phis.
    fn settle(&self, b: &Builder, id: CloneId, settled: &Settled) {
        let parts = self.parts.get(&settled.block);
        let Some(&last) = parts.and_then(|parts| parts.last()) else {
            return;
        };
        unsafe {
            let end = LLVMGetBasicBlockTerminator(self.block_of(Some(id), last));
            let then = settled.then != active(Mutation::SettledOtherWay);
            b.ending(end, LLVMGetSuccessor(end, u32::from(!then)));
            LLVMInstructionEraseFromParent(end);
        }
    }

    /// The empty block of a place in a copy of the code.
    pub fn place(
        &self,
        copied: Copied,
        position: Position,
    ) -> Result<LLVMBasicBlockRef, WriteError> {
        let mut number = self.place_number(position)?;
        if copied.is_some_and(|id| self.entries.get(&id) == Some(&position)) {
            number += 1;
        }
        Ok(self.block_of(copied, self.parts[&position.0][number]))
    }

    /// The first block of a clone.
    pub fn entry(&self, id: CloneId, enter: Position) -> Result<LLVMBasicBlockRef, WriteError> {
        let number = self.place_number(enter)?;
        Ok(self.block_of(Some(id), self.parts[&enter.0][number + 1]))
    }

    /// The instructions of all clones, and the statements that they repeat.
    pub fn copies(&self, numbering: &Numbering) -> Copies {
        let pairs = self.clones.values().flatten();
        let statement = |one: LLVMValueRef| numbering.statement(unsafe { Val::from_raw(one) }?);
        pairs
            .filter_map(|(&original, &clone)| Some((clone, statement(original)?)))
            .collect()
    }

    fn block_of(&self, copied: Copied, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef {
        let clone = copied.and_then(|id| self.clones.get(&id));
        clone.map_or(block, |clone| in_clone(clone, block))
    }

    /// What a copy of the code has in place of an instruction; the same if it has none.
    pub fn instruction(&self, copied: Copied, original: LLVMValueRef) -> LLVMValueRef {
        let copied = copied.filter(|_| !active(Mutation::EditOfOriginal));
        let clone = copied.and_then(|id| self.clones.get(&id));
        let found = clone.and_then(|clone| clone.get(&original));
        found.copied().unwrap_or(original)
    }
}

fn in_clone(clone: &Clone, block: LLVMBasicBlockRef) -> LLVMBasicBlockRef {
    unsafe {
        let found = clone.get(&LLVMBasicBlockAsValue(block));
        found.map_or(block, |&found| LLVMValueAsBasicBlock(found))
    }
}

fn instructions(block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMValueRef> {
    let present = |one: LLVMValueRef| (!one.is_null()).then_some(one);
    std::iter::successors(
        present(unsafe { LLVMGetFirstInstruction(block) }),
        move |&one| present(unsafe { LLVMGetNextInstruction(one) }),
    )
}

fn phis(block: LLVMBasicBlockRef) -> Vec<LLVMValueRef> {
    let is_phi = |one: &LLVMValueRef| unsafe { !LLVMIsAPHINode(*one).is_null() };
    instructions(block).take_while(is_phi).collect()
}

/// What the instructions of a block give.
fn results(block: LLVMBasicBlockRef) -> Vec<LLVMValueRef> {
    let gives = |one: &LLVMValueRef| unsafe {
        LLVMGetTypeKind(LLVMTypeOf(*one)) != inkwell::llvm_sys::LLVMTypeKind::LLVMVoidTypeKind
    };
    instructions(block).filter(gives).collect()
}

fn successors(block: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        (0..LLVMGetNumSuccessors(end))
            .map(|index| LLVMGetSuccessor(end, index))
            .collect()
    }
}
