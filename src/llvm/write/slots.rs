//! Values that several copies of the code define, and variables, live in slots on the stack while a patch is written. LLVM
//! makes values of them afterwards, with the phis that are needed (`native/promote.cpp`).

use super::builder::{Builder, NAMELESS};
use inkwell::llvm_sys::LLVMOpcode::LLVMAlloca;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

unsafe extern "C" {
    pub(super) fn ptxasw_move_before(moved: LLVMValueRef, place: LLVMValueRef);
    fn ptxasw_demote_phi(phi: LLVMValueRef, slot: LLVMValueRef) -> LLVMValueRef;
    fn ptxasw_read_slot(value: LLVMValueRef, slot: LLVMValueRef);
    fn ptxasw_finish(
        function: LLVMValueRef,
        slots: *const LLVMValueRef,
        slot_count: usize,
        cut: *const LLVMBasicBlockRef,
        cut_count: usize,
        joins: *const LLVMBasicBlockRef,
        join_count: usize,
    );
}

/// The slots of a value.
#[derive(Clone, Copy)]
struct Slot {
    /// What its own instruction gave.
    own: LLVMValueRef,
    /// What is read in its place; the same if it is not redirected.
    seen: LLVMValueRef,
}

/// The slots of a function.
pub(super) struct Slots {
    entry: LLVMBasicBlockRef,
    of: FxHashMap<LLVMValueRef, Slot>,
    all: Vec<LLVMValueRef>,
    /// All slots as a set, for look-ups.
    known: FxHashSet<LLVMValueRef>,
    /// The loads that have taken the place of phis.
    phis: FxHashMap<LLVMValueRef, LLVMValueRef>,
    /// The phis that are read in place of guarded loads.
    guarded: FxHashMap<LLVMValueRef, LLVMValueRef>,
    /// The stores of a value in its slots.
    stores: FxHashMap<LLVMValueRef, Vec<LLVMValueRef>>,
}

impl Slots {
    /// Of a function; what it has on the stack is moved to its start, so that no block that is cut keeps it from being there.
    pub fn new(function: LLVMValueRef) -> Self {
        unsafe {
            let entry = LLVMGetEntryBasicBlock(function);
            let first = LLVMGetFirstInstruction(entry);
            let mut next = first;
            while !next.is_null() {
                let instruction = next;
                next = LLVMGetNextInstruction(next);
                let fixed = instruction != first
                    && LLVMGetInstructionOpcode(instruction) == LLVMAlloca
                    && LLVMIsConstant(LLVMGetOperand(instruction, 0)) != 0;
                if fixed {
                    ptxasw_move_before(instruction, LLVMGetFirstInstruction(entry));
                }
            }
            Slots {
                entry,
                of: FxHashMap::default(),
                all: Vec::new(),
                known: FxHashSet::default(),
                phis: FxHashMap::default(),
                guarded: FxHashMap::default(),
                stores: FxHashMap::default(),
            }
        }
    }

    /// A new stack slot at the function's entry, which is gone in the end.
    pub fn slot(&mut self, b: &Builder, ty: LLVMTypeRef) -> LLVMValueRef {
        unsafe {
            b.before(LLVMGetFirstInstruction(self.entry));
            let slot = LLVMBuildAlloca(b.raw, ty, NAMELESS);
            self.all.push(slot);
            self.known.insert(slot);
            slot
        }
    }

    /// What has taken the place of an LLVM value.
    pub fn current(&self, value: LLVMValueRef) -> LLVMValueRef {
        let found = self.phis.get(&value).or_else(|| self.guarded.get(&value));
        found.copied().unwrap_or(value)
    }

    /// What a guarded load gives from now on.
    pub fn replace(&mut self, load: LLVMValueRef, joined: LLVMValueRef) {
        self.guarded.insert(load, joined);
    }

    /// A phi becomes a load of a slot that the predecessors store to.
    pub fn demote_phi(&mut self, b: &Builder, phi: LLVMValueRef) {
        let ty = unsafe { LLVMTypeOf(phi) };
        let slot = self.slot(b, ty);
        let load = unsafe { ptxasw_demote_phi(phi, slot) };
        self.phis.insert(phi, load);
    }

    /// Gives a value slots: all uses read what is seen. `redirected` if that may be another one than its own.
    pub fn demote(&mut self, b: &Builder, value: LLVMValueRef, redirected: bool) {
        if self.of.contains_key(&value) {
            return;
        }
        let current = self.current(value);
        let ty = unsafe { LLVMTypeOf(current) };
        let own = self.slot(b, ty);
        let seen = if redirected { self.slot(b, ty) } else { own };
        self.of.insert(value, Slot { own, seen });
        let mut stores = Vec::new();
        unsafe {
            ptxasw_read_slot(current, seen);
            let next = match LLVMIsAArgument(current).is_null() {
                true => LLVMGetNextInstruction(current),
                false => self.after_allocas(),
            };
            b.before(next);
            stores.push(b.store(current, own));
            if redirected {
                stores.push(b.store(current, seen));
            }
        }
        self.stores.insert(value, stores);
    }

    fn after_allocas(&self) -> LLVMValueRef {
        unsafe {
            let mut next = LLVMGetFirstInstruction(self.entry);
            while LLVMGetInstructionOpcode(next) == LLVMAlloca {
                next = LLVMGetNextInstruction(next);
            }
            next
        }
    }

    /// What an LLVM value's own instruction gave, here.
    pub fn own(&self, b: &Builder, value: LLVMValueRef) -> LLVMValueRef {
        self.read(b, value, |slot| slot.own)
    }

    /// What is read in place of an LLVM value, here.
    pub fn seen(&self, b: &Builder, value: LLVMValueRef) -> LLVMValueRef {
        self.read(b, value, |slot| slot.seen)
    }

    fn read(
        &self,
        b: &Builder,
        value: LLVMValueRef,
        which: impl Fn(&Slot) -> LLVMValueRef,
    ) -> LLVMValueRef {
        let current = self.current(value);
        match self.of.get(&value) {
            Some(slot) => b.load(unsafe { LLVMTypeOf(current) }, which(slot)),
            None => current,
        }
    }

    /// From here on all read another value in place of this one.
    pub fn redirect(&self, b: &Builder, value: LLVMValueRef, to: LLVMValueRef) {
        if let Some(slot) = self.of.get(&value) {
            b.store(to, slot.seen);
        }
    }

    /// The stores of a value in its slots.
    pub fn stores(&self, value: LLVMValueRef) -> &[LLVMValueRef] {
        self.stores.get(&value).map_or(&[], Vec::as_slice)
    }

    /// Loads of slots that an instruction reads are made anew right in front of it: it has been moved.
    pub fn reload(&self, b: &Builder, instruction: LLVMValueRef) {
        b.before(instruction);
        for index in 0..unsafe { LLVMGetNumOperands(instruction) }.max(0) as u32 {
            unsafe {
                let operand = LLVMGetOperand(instruction, index);
                let load = !LLVMIsALoadInst(operand).is_null();
                if load && self.known.contains(&LLVMGetOperand(operand, 0)) {
                    let again = b.load(LLVMTypeOf(operand), LLVMGetOperand(operand, 0));
                    LLVMSetOperand(instruction, index, again);
                }
            }
        }
    }

    /// Makes values of all slots, joins the blocks that were cut, and moves arithmetic over conditions: `joins` are the blocks
    /// after those.
    pub fn finish(
        &self,
        function: LLVMValueRef,
        cut: &[LLVMBasicBlockRef],
        joins: &[LLVMBasicBlockRef],
    ) {
        unsafe {
            for &phi in self.phis.keys() {
                LLVMDeleteInstruction(phi);
            }
            ptxasw_finish(
                function,
                self.all.as_ptr(),
                self.all.len(),
                cut.as_ptr(),
                cut.len(),
                joins.as_ptr(),
                joins.len(),
            );
        }
    }
}
