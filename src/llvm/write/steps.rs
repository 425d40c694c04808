//! What happens at the places of a patch: inserted code, new meanings of values, entries and exits of clones.

use super::blocks::Blocks;
use super::builder::Builder;
use super::check::{Outline, Redirected};
use super::error::WriteError;
use super::instruction;
use super::scalars;
use super::sites::{Copied, Position, Sites, Source, register};
use super::slots::Slots;
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw::ir::function::Value;
use ptxasw::ir::opcode::{Access, Opcode};
use ptxasw::ir::patch::{Exit, Merged, NewValue, Patch, Ref, RegionClone, Step};
use ptxasw::ir::semantics::apply;
use ptxasw::ir::types::Special;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a patch asks for at a place.
#[derive(Default)]
struct Wanted<'a, 'm> {
    steps: Vec<&'a Step>,
    /// Statements that move here.
    moved: Vec<LLVMValueRef>,
    redirects: Vec<&'a Redirected<'m>>,
    sets: Vec<(usize, Ref)>,
    enters: Vec<&'a RegionClone>,
    exits: Vec<&'a Exit>,
}

/// The places of a patch: those of the original first.
pub(super) struct Places<'a, 'm> {
    wanted: BTreeMap<(Option<u32>, Position), Wanted<'a, 'm>>,
    /// Where clones go on in the original.
    resumes: BTreeSet<Position>,
}

impl<'a, 'm> Places<'a, 'm> {
    pub fn new(
        sites: &Sites<'_, 'm>,
        patch: &'a Patch,
        outline: &'a Outline<'m>,
    ) -> Result<Self, WriteError> {
        let mut places = Places {
            wanted: BTreeMap::new(),
            resumes: BTreeSet::new(),
        };
        for insertion in &patch.insert {
            let at = sites.position(insertion.at.point)?;
            places
                .at(insertion.at.clone, at)
                .steps
                .extend(&insertion.steps);
        }
        for &(copied, moved, to) in &outline.moved {
            places.at(copied, to).moved.push(moved.raw());
        }
        for one in &outline.redirects {
            places.at(one.copied, one.at).redirects.push(one);
        }
        for (number, variable) in patch.variables.iter().enumerate() {
            for &(at, value) in &variable.sets {
                let position = sites.position(at.point)?;
                places.at(at.clone, position).sets.push((number, value));
            }
        }
        for clone in &patch.clones {
            let enter = sites.position(clone.enter)?;
            places.at(None, enter).enters.push(clone);
            for exit in &clone.exits {
                let at = sites.position(exit.at)?;
                places.at(Some(clone.id), at).exits.push(exit);
                places.at(None, at);
                places.resumes.insert(at);
            }
        }
        Ok(places)
    }

    fn at(&mut self, copied: Copied, position: Position) -> &mut Wanted<'a, 'm> {
        let copied = copied
            .map(|id| id.0)
            .filter(|_| !active(Mutation::EditOfOriginal));
        self.wanted.entry((copied, position)).or_default()
    }

    /// Where blocks are cut.
    pub fn positions(&self) -> BTreeSet<Position> {
        self.wanted.keys().map(|&(_, position)| position).collect()
    }
}

/// Writes a patch into a function whose blocks are cut and cloned.
pub(super) struct Writer<'a, 'm> {
    pub sites: &'a Sites<'a, 'm>,
    pub b: Builder,
    pub slots: Slots,
    pub blocks: Blocks,
    /// The slots of new values, with their widths.
    new: FxHashMap<NewValue, (LLVMValueRef, u8)>,
    /// New values that are defined at the place that is written.
    here: FxHashMap<NewValue, LLVMValueRef>,
    /// The slots of variables, with their widths.
    variables: Vec<(LLVMValueRef, u8)>,
    /// Where clones go on in the original.
    resumes: FxHashMap<Position, LLVMBasicBlockRef>,
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

    /// Writes all places.
    pub fn places(&mut self, places: &Places<'_, 'm>) -> Result<(), WriteError> {
        for (&(copied, position), wanted) in &places.wanted {
            let copied = copied.map(ptxasw::ir::patch::CloneId);
            self.place(copied, position, wanted, places.resumes.contains(&position))?;
        }
        Ok(())
    }

    fn place(
        &mut self,
        copied: Copied,
        position: Position,
        wanted: &Wanted<'_, 'm>,
        resumes: bool,
    ) -> Result<(), WriteError> {
        let block = self.blocks.place(copied, position)?;
        let next = unsafe {
            let end = LLVMGetBasicBlockTerminator(block);
            let next = LLVMGetSuccessor(end, 0);
            LLVMInstructionEraseFromParent(end);
            next
        };
        self.here.clear();
        self.b.at_end(block);
        for step in &wanted.steps {
            self.step(step)?;
        }
        self.line(self.sites.function().block(position.0).origin);
        let end = self.b.jump(next);
        for &moved in &wanted.moved {
            self.relocate(copied, moved, end);
        }
        unsafe { LLVMInstructionEraseFromParent(end) };
        self.b.at_end(self.b.block());
        self.line(self.sites.function().block(position.0).origin);
        self.redirect(&wanted.redirects)?;
        for &(variable, value) in &wanted.sets {
            let value = self.read(value)?;
            if !active(Mutation::SetDropped) {
                self.b.store(value, self.variable(variable).0);
            }
        }
        for clone in &wanted.enters {
            let entry = self.blocks.entry(clone.id, position)?;
            let condition = self.read(clone.condition)?;
            let rest = self.b.new_block();
            match active(Mutation::EntryInverted) {
                true => self.b.branch(condition, rest, entry),
                false => self.b.branch(condition, entry, rest),
            }
            self.go_on(rest);
        }
        for exit in &wanted.exits {
            let Some(&resume) = self.resumes.get(&position) else {
                continue;
            };
            let Some(stay) = exit.stay else {
                self.b.jump(resume);
                return Ok(());
            };
            let stay = self.read(stay)?;
            let rest = self.b.new_block();
            match (
                active(Mutation::ExitIgnored),
                active(Mutation::ExitInverted),
            ) {
                (true, _) => drop(self.b.jump(rest)),
                (_, true) => self.b.branch(stay, resume, rest),
                _ => self.b.branch(stay, rest, resume),
            }
            self.go_on(rest);
        }
        if resumes && copied.is_none() {
            let resume = self.b.new_block();
            self.b.jump(resume);
            self.resumes.insert(position, resume);
            self.go_on(resume);
        }
        self.b.jump(next);
        Ok(())
    }

    /// Writes on in a new block, which is joined with the one in front of it if it can be.
    fn go_on(&mut self, block: LLVMBasicBlockRef) {
        self.blocks.cut.push(block);
        self.b.at_end(block);
    }

    fn line(&self, origin: u32) {
        let instruction = self.sites.lowered.numbering.instruction(origin);
        let function = self.sites.lowered.numbering.function;
        self.b
            .line_of(function.raw(), instruction.map(|one| one.raw()));
    }

    fn step(&mut self, step: &Step) -> Result<(), WriteError> {
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

    /// An instruction in a block of its own; where it is not executed its results are 0.
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
        let merge = |(value, &width): (LLVMValueRef, &u8)| {
            let otherwise = self.b.number(width, 0);
            self.b.phi([(value, end), (otherwise, head)])
        };
        Ok(values.into_iter().zip(widths).map(merge).collect())
    }

    /// Two blocks behind the current one, in this order.
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
            (Opcode::Op(op), _) => apply(&mut self.b, op, &values).to_vec(),
            (Opcode::Load(access), Some(pointer)) => instruction::load(&self.b, access, pointer),
            (Opcode::Store(access), Some(pointer)) => {
                instruction::store(&self.b, access, pointer, &values);
                Vec::new()
            }
            _ => instruction::together(&self.b, opcode, &values, widths),
        })
    }

    /// The pointer of an access: LLVM's own where it has one of that space, so that it knows what it leads to.
    fn pointer(&mut self, access: &Access, address: Ref) -> Result<LLVMValueRef, WriteError> {
        let space = instruction::number_of(access.space).unwrap_or(0);
        if let Ref::Value(value) = address
            && let Some((holder, _)) = self.sites.scalar(value)
            && holder.ty().kind() == LLVMPointerTypeKind
        {
            let own = self.slots.own(&self.b, holder.raw());
            let from = holder.ty().address_space();
            if from == space {
                return Ok(own);
            }
            // Generic addresses of global memory are its own.
            if from == 0 && space == 1 {
                return Ok(self.b.space_cast(own, space));
            }
        }
        let bits = self.read(address)?;
        Ok(self.b.typed(bits, self.b.pointer_type(space)))
    }

    /// The bits of what a step reads.
    fn read(&mut self, what: Ref) -> Result<LLVMValueRef, WriteError> {
        match what {
            Ref::Constant(width, bits) => Ok(self.b.number(width, bits)),
            Ref::Special(width, special) => Ok(self.special(width, special)),
            Ref::New(new) => {
                if let Some(&value) = self.here.get(&new) {
                    return Ok(value);
                }
                let found = self.new.get(&new).copied();
                let (slot, width) = found.ok_or(WriteError::Unknown(format!("{new:?}")))?;
                Ok(self.b.load(self.b.integer(width), slot))
            }
            Ref::Variable(id) => {
                let (slot, width) = self.variable(id.0 as usize);
                Ok(self.b.load(self.b.integer(width), slot))
            }
            Ref::Value(value) => self.value(value, active(Mutation::RedirectedRead)),
        }
    }

    fn variable(&self, number: usize) -> (LLVMValueRef, u8) {
        match active(Mutation::VariablesMixed) {
            true => self.variables[0],
            false => self.variables[number],
        }
    }

    fn special(&self, width: u8, special: Special) -> LLVMValueRef {
        let name = register(special).unwrap_or("laneid");
        self.register(width, name)
    }

    fn register(&self, width: u8, name: &str) -> LLVMValueRef {
        let name = format!("llvm.nvvm.read.ptx.sreg.{name}");
        let value = self.b.intrinsic(&name, &mut [], &mut []);
        self.b.resized(value, width, false)
    }

    /// The bits of a value of the function: what its instruction gave, or what is read in its place.
    fn value(&mut self, value: Value, seen: bool) -> Result<LLVMValueRef, WriteError> {
        let width = self.sites.function().value(value).width;
        match self.sites.source(value)? {
            Source::Constant(bits) => Ok(self.b.number(width, bits)),
            Source::Special(name) => Ok(self.register(width, name)),
            Source::Address(variable, bytes) => {
                let address = self.address(variable.raw(), value, width);
                let bytes = self.b.number(width, bytes as u64);
                Ok(ptxasw::ir::semantics::Domain::add(
                    &mut self.b,
                    width,
                    address,
                    bytes,
                ))
            }
            Source::Scalar(holder, scalar) => {
                let whole = match seen {
                    true => self.slots.seen(&self.b, holder.raw()),
                    false if active(Mutation::CloneValuesForgotten) => {
                        self.slots.current(holder.raw())
                    }
                    false => self.slots.own(&self.b, holder.raw()),
                };
                let layout = self.sites.layout;
                let part = scalars::get(&self.b, layout, whole, holder.ty(), scalar);
                Ok(self.b.to_bits(part, width))
            }
            // Its own operands are what all instructions of the function read.
            Source::Computed(op, number, args) => {
                let mut operands = Vec::new();
                for arg in args {
                    operands.push(self.value(arg, true)?);
                }
                Ok(apply(&mut self.b, &op, &operands)[number])
            }
        }
    }

    /// The address of a variable in its own space.
    fn address(&self, variable: LLVMValueRef, value: Value, width: u8) -> LLVMValueRef {
        use ptxasw::ir::function::{Base, ValueDef};
        let (own, space) = unsafe {
            (
                LLVMGetPointerAddressSpace(LLVMTypeOf(variable)),
                &self.sites.function().value(value).def,
            )
        };
        let space = match space {
            ValueDef::Address(Base::Variable(space, _), _) => instruction::number_of(*space),
            _ => None,
        };
        match space {
            Some(space) if space != own => {
                self.b.to_bits(self.b.space_cast(variable, space), width)
            }
            _ => self.b.to_bits(variable, width),
        }
    }

    /// Gives values their new meaning, all scalars of one LLVM value at once.
    fn redirect(&mut self, redirects: &[&Redirected<'m>]) -> Result<(), WriteError> {
        let mut whole: Vec<(&Redirected<'m>, LLVMValueRef)> = Vec::new();
        for &one in redirects {
            let bits = self.read(one.to)?;
            let known = whole
                .iter()
                .position(|(first, _)| first.holder == one.holder);
            let index = known.unwrap_or_else(|| {
                whole.push((one, self.slots.own(&self.b, one.holder.raw())));
                whole.len() - 1
            });
            let (layout, ty) = (self.sites.layout, one.holder.ty());
            whole[index].1 = scalars::with(&self.b, layout, whole[index].1, ty, one.scalar, bits);
        }
        for (one, value) in whole {
            if !active(Mutation::RedirectDropped) {
                self.slots.redirect(&self.b, one.holder.raw(), value);
            }
        }
        Ok(())
    }
}
