//! What happens at the places of a patch, in this order: inserted code, statements that move there, new meanings of values,
//! what variables are set to, entries and exits of clones, the condition of the load that follows.

use super::check::{Outline, Redirected};
use super::error::WriteError;
use super::guarded::GuardedLoad;
use super::scalars;
use super::sites::Sites;
use super::steps::Writer;
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use ptxasw_ir::function::InstId;
use ptxasw_ir::patch::{Agenda, Copied, Exit, Patch, Position, RegionClone, Wanted};
use std::collections::{BTreeMap, BTreeSet};

unsafe extern "C" {
    /// In C++: debuggers show another value in place of one that goes.
    fn ptxasw_shown(gone: LLVMValueRef, value: LLVMValueRef);
}

/// The places of a patch.
pub(super) struct Places<'a, 'm> {
    agenda: Agenda<'a>,
    /// What is read in place of values from a place on.
    redirects: BTreeMap<(Copied, Position), Vec<&'a Redirected<'m>>>,
    /// Loads that are guarded, by the places in front of them.
    guards: BTreeMap<(Copied, Position), &'a GuardedLoad<'m>>,
}

impl<'a, 'm> Places<'a, 'm> {
    pub fn new(
        sites: &Sites,
        patch: &'a Patch,
        outline: &'a Outline<'m>,
    ) -> Result<Self, WriteError> {
        let mut redirects: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for one in &outline.redirects {
            redirects.entry((one.copied, one.at)).or_default().push(one);
        }
        let guards = outline.guards.iter().map(|one| ((one.copied, one.at), one));
        Ok(Places {
            agenda: Agenda::new(sites.function(), patch)?,
            redirects,
            guards: guards.collect(),
        })
    }

    /// Those of the original first.
    fn all(&self) -> BTreeSet<(Copied, Position)> {
        let wanted = self.agenda.places().into_iter();
        let values = self.redirects.keys().chain(self.guards.keys());
        wanted.chain(values.copied()).collect()
    }

    /// Where blocks are cut.
    pub fn positions(&self) -> BTreeSet<Position> {
        let all = self.all().into_iter();
        all.map(|(_, position)| position).collect()
    }
}

impl<'m> Writer<'_, 'm> {
    /// Writes what the patch wants, place by place, in the order of the function.
    pub fn places(&mut self, places: &Places<'_, 'm>) -> Result<(), WriteError> {
        for (copied, position) in places.all() {
            let none = Wanted::default();
            let wanted = places.agenda.at(copied, position).unwrap_or(&none);
            let redirects = places.redirects.get(&(copied, position));
            let redirects = redirects.map_or(&[][..], Vec::as_slice);
            let guarded = places.guards.get(&(copied, position)).copied();
            self.place(copied, position, wanted, redirects, guarded)?;
        }
        Ok(())
    }

    fn place(
        &mut self,
        copied: Copied,
        position: Position,
        wanted: &Wanted,
        redirects: &[&Redirected<'m>],
        guarded: Option<&GuardedLoad<'m>>,
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
        self.move_here(copied, &wanted.moved)?;
        let origin = self.sites.function().block(position.0).origin;
        self.redirect(redirects, origin)?;
        self.line(origin);
        for &(variable, value) in &wanted.sets {
            let value = self.read(value)?;
            if !active(Mutation::SetDropped) {
                self.b.store(value, self.variable(variable.0 as usize).0);
            }
        }
        for clone in &wanted.enters {
            self.enter(clone, position)?;
        }
        for exit in &wanted.exits {
            if !self.leave(exit, position)? {
                return Ok(());
            }
        }
        if wanted.resumed && copied.is_none() {
            let resume = self.b.new_block();
            self.b.jump(resume);
            self.resumes.insert(position, resume);
            self.go_on(resume);
        }
        guarded.map_or(Ok(()), |guarded| self.guard(guarded))?;
        self.b.jump(next);
        Ok(())
    }

    /// Statements that are executed here, at the end of the current block; given by all of their instructions.
    fn move_here(&mut self, copied: Copied, moved: &[InstId]) -> Result<(), WriteError> {
        let here = self.b.block();
        let mut statements = Vec::new();
        for &id in moved {
            statements.push(self.sites.instruction(id)?.raw());
        }
        statements.dedup();
        for one in statements {
            // In front of the placeholder for the terminator.
            self.b.at_end(here);
            let end = self.b.stand_in();
            self.relocate(copied, one, end);
            unsafe { LLVMInstructionEraseFromParent(end) };
        }
        self.b.at_end(here);
        Ok(())
    }

    /// The choice between the original and a clone.
    fn enter(&mut self, clone: &RegionClone, position: Position) -> Result<(), WriteError> {
        let entry = self.blocks.entry(clone.id, position)?;
        let condition = self.read(clone.condition)?;
        let rest = self.b.new_block();
        match active(Mutation::EntryInverted) {
            true => self.b.branch(condition, rest, entry),
            false => self.b.branch(condition, entry, rest),
        }
        self.b.note_fallback();
        self.go_on(rest);
        Ok(())
    }

    /// Leaves a clone, to where the original goes on; whether anything follows.
    fn leave(&mut self, exit: &Exit, position: Position) -> Result<bool, WriteError> {
        // The places of the original are written first.
        let resume = self.resumes.get(&position).copied();
        let resume = resume.ok_or(WriteError::InsideSwitch(position.0))?;
        let Some(stay) = exit.stay else {
            self.b.jump(resume);
            return Ok(false);
        };
        let stay = self.read(stay)?;
        let rest = self.b.new_block();
        match (
            active(Mutation::ExitIgnored),
            active(Mutation::ExitInverted),
        ) {
            (true, _) => self.b.jump(rest),
            (_, true) => self.b.branch(stay, resume, rest),
            _ => self.b.branch(stay, rest, resume),
        }
        self.go_on(rest);
        Ok(true)
    }

    /// Writes on in a new block, which is joined with the one in front of it if it can be.
    pub fn go_on(&mut self, block: LLVMBasicBlockRef) {
        self.blocks.cut.push(block);
        self.b.at_end(block);
    }

    /// Gives values their new meaning, all scalars of one LLVM value at once. What that takes belongs to the source line of the
    /// value: LLVM's code generator gives a load the line of the cast that reads it.
    fn redirect(&mut self, redirects: &[&Redirected<'m>], origin: u32) -> Result<(), WriteError> {
        let mut whole: Vec<(&Redirected<'m>, LLVMValueRef)> = Vec::new();
        for &one in redirects {
            self.line(origin);
            self.b.same_line(one.holder.raw());
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
            if one.goes {
                let gone = self.blocks.instruction(one.copied, one.holder.raw());
                unsafe { ptxasw_shown(gone, value) };
            }
        }
        Ok(())
    }
}
