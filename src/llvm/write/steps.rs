//! Inserted code.

use super::blocks::Blocks;
use super::builder::Builder;
use super::error::WriteError;
use super::instruction;
use super::sites::Sites;
use super::slots::Slots;
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::core::LLVMGetPoison;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Merged, NewValue, Patch, Position, Ref, Step};
use ptxasw_ir::semantics::{Domain, apply};
use rustc_hash::FxHashMap;

/// Writes a patch into a function whose blocks are cut and cloned.
pub(super) struct Writer<'a, 'm> {
    pub sites: &'a Sites<'a, 'm>,
    pub b: Builder,
    pub slots: Slots,
    pub blocks: Blocks,
    /// The slots of new values, with their widths.
    pub new: FxHashMap<NewValue, (LLVMValueRef, u8)>,
    /// New values that are defined at the place that is written.
    pub here: FxHashMap<NewValue, LLVMValueRef>,
    /// The slots of variables, with their widths.
    pub variables: Vec<(LLVMValueRef, u8)>,
    /// The blocks after conditions that cut others in pieces.
    pub joins: Vec<LLVMBasicBlockRef>,
    /// Where clones go on in the original.
    pub resumes: FxHashMap<Position, LLVMBasicBlockRef>,
}

impl<'a, 'm> Writer<'a, 'm> {
    pub fn new(
        sites: &'a Sites<'a, 'm>,
        patch: &Patch,
        b: Builder,
        slots: Slots,
        blocks: Blocks,
    ) -> Self {
        let mut writer = Writer {
            sites,
            b,
            slots,
            blocks,
            new: FxHashMap::default(),
            here: FxHashMap::default(),
            variables: Vec::new(),
            joins: Vec::new(),
            resumes: FxHashMap::default(),
        };
        for insertion in &patch.insert {
            writer.make_room(&insertion.steps);
        }
        for variable in &patch.variables {
            let slot = writer.room(variable.width);
            writer.variables.push((slot, variable.width));
        }
        writer
    }

    fn room(&mut self, width: u8) -> LLVMValueRef {
        let ty = self.b.integer(width);
        self.slots.slot(&self.b, ty)
    }

    /// Slots for all that steps define: they are read at any place.
    fn make_room(&mut self, steps: &[Step]) {
        for step in steps {
            let results: Vec<_> = match step {
                Step::Inst { results, .. } => results.clone(),
                Step::If {
                    then,
                    otherwise,
                    results,
                    ..
                } => {
                    self.make_room(then);
                    self.make_room(otherwise);
                    results.iter().map(|merged| merged.result).collect()
                }
            };
            for result in results {
                let slot = self.room(result.width);
                self.new.insert(result.value, (slot, result.width));
            }
        }
    }

    pub fn line(&self, origin: u32) {
        let instruction = self.sites.lowered.numbering.instruction(origin);
        let function = self.sites.lowered.numbering.function;
        self.b
            .line_of(function.raw(), instruction.map(|one| one.raw()));
    }

    pub fn step(&mut self, step: &Step) -> Result<(), WriteError> {
        match step {
            Step::Inst {
                opcode,
                args,
                results,
                guard,
                origin,
                ..
            } => {
                self.line(*origin);
                let widths: Vec<u8> = results.iter().map(|result| result.width).collect();
                let guard = guard.filter(|_| !active(Mutation::GuardDropped));
                let values = match guard {
                    None => self.instruction(opcode, args, &widths)?,
                    Some(guard) => self.guarded(guard, opcode, args, &widths)?,
                };
                for (result, value) in results.iter().zip(values) {
                    self.define(result.value, value);
                }
                Ok(())
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                origin,
            } => self.decision(*condition, [then, otherwise], results, *origin),
        }
    }

    fn define(&mut self, new: NewValue, value: LLVMValueRef) {
        self.here.insert(new, value);
        if let Some(&(slot, _)) = self.new.get(&new) {
            self.b.store(value, slot);
        }
    }

    /// An instruction in a block of its own; where it is not executed its results are not defined.
    fn guarded(
        &mut self,
        (guard, not): (Ref, bool),
        opcode: &Opcode,
        args: &[Ref],
        widths: &[u8],
    ) -> Result<Vec<LLVMValueRef>, WriteError> {
        let guard = self.read(guard)?;
        let head = self.b.block();
        let (inside, join) = self.two_blocks();
        match not != active(Mutation::GuardInverted) {
            true => self.b.branch(guard, join, inside),
            false => self.b.branch(guard, inside, join),
        }
        self.go_on(inside);
        let values = self.instruction(opcode, args, widths)?;
        let end = self.b.block();
        self.b.jump(join);
        self.go_on(join);
        self.joins.push(join);
        let merge = |(value, &width): (LLVMValueRef, &u8)| {
            let otherwise = unsafe { LLVMGetPoison(self.b.integer(width)) };
            self.b.phi([(value, end), (otherwise, head)])
        };
        Ok(values.into_iter().zip(widths).map(merge).collect())
    }

    /// Two new blocks after the current one, in this order.
    fn two_blocks(&self) -> (LLVMBasicBlockRef, LLVMBasicBlockRef) {
        let second = self.b.new_block();
        (self.b.new_block(), second)
    }

    fn decision(
        &mut self,
        condition: Ref,
        sides: [&[Step]; 2],
        results: &[Merged],
        origin: u32,
    ) -> Result<(), WriteError> {
        self.line(origin);
        let condition = self.read(condition)?;
        let (otherwise, join) = self.two_blocks();
        let then = self.b.new_block();
        match active(Mutation::SidesSwapped) {
            true => self.b.branch(condition, otherwise, then),
            false => self.b.branch(condition, then, otherwise),
        }
        let mut merged = [Vec::new(), Vec::new()];
        let mut ends = [then, otherwise];
        for (number, (block, steps)) in [then, otherwise].into_iter().zip(sides).enumerate() {
            self.go_on(block);
            for step in steps {
                self.step(step)?;
            }
            self.line(origin);
            for one in results {
                let first = (number == 0) != active(Mutation::MergeOfOtherSide);
                merged[number].push(self.read(if first { one.then } else { one.otherwise })?);
            }
            ends[number] = self.b.block();
            self.b.jump(join);
        }
        self.go_on(join);
        self.joins.push(join);
        let [then, otherwise] = merged;
        let phis: Vec<LLVMValueRef> = then
            .into_iter()
            .zip(otherwise)
            .map(|(a, b)| self.b.phi([(a, ends[0]), (b, ends[1])]))
            .collect();
        for (one, phi) in results.iter().zip(phis) {
            self.define(one.result.value, phi);
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        opcode: &Opcode,
        args: &[Ref],
        widths: &[u8],
    ) -> Result<Vec<LLVMValueRef>, WriteError> {
        let pointer = match (opcode, args) {
            (Opcode::Load(access) | Opcode::Store(access), [address, ..]) => {
                Some(self.pointer(access, *address)?)
            }
            _ => None,
        };
        let skipped = usize::from(pointer.is_some());
        let mut values = Vec::new();
        for &arg in &args[skipped..] {
            values.push(self.read(arg)?);
        }
        Ok(match (opcode, pointer) {
            (Opcode::Op(op), _) => {
                // Extended values are combined by `or`, which would spread the poison of one to the bits of all.
                let widened = matches!(op, Op::Extend { from, to, .. } if from < to);
                if let [value] = &mut values[..]
                    && widened
                    && self.b.as_constant(value).is_none()
                {
                    *value = self.b.freeze(*value);
                }
                match instruction::packed(&self.b, op, &values) {
                    Some(word) => vec![word],
                    None => apply(&mut self.b, op, &values).to_vec(),
                }
            }
            (Opcode::Load(access), Some(pointer)) => instruction::load(&self.b, access, pointer),
            (Opcode::Store(access), Some(pointer)) => {
                instruction::store(&self.b, access, pointer, &values);
                Vec::new()
            }
            _ => instruction::together(&self.b, opcode, &values, widths),
        })
    }
}
