//! What loads say of other accesses (alias scopes, types, parallel loops), where steps read their values; what operations on
//! floating-point numbers permit, where they serve others.
//!
//! A load whose metadata is wrong may be given another place by LLVM, and its value is nobody's fault if nothing reads it. A
//! load that serves one which goes is read in its place, so it keeps only what both say, as in LLVM's own passes. What other
//! steps read keeps nothing.

use super::check::Outline;
use super::error::WriteError;
use super::sites::Sites;
use crate::view::Val;
use inkwell::llvm_sys::LLVMOpcode::LLVMLoad;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{NewValue, Patch, Ref, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ptr::null_mut;

unsafe extern "C" {
    fn ptxasw_share_load(load: LLVMValueRef, served: LLVMValueRef);
    fn ptxasw_share_permissions(operation: LLVMValueRef, served: LLVMValueRef);
}

/// Loads forget what the loads that they serve do not say, and operations what those that they serve do not permit.
pub(super) fn share(sites: &Sites, patch: &Patch, outline: &Outline) -> Result<(), WriteError> {
    let mut sharing = Sharing::new(sites, patch);
    for one in &outline.redirects {
        if one.goes && is_load(one.holder) {
            sharing.serve(one.to, one.holder)?;
        }
        for operation in sharing.read(one.to)? {
            unsafe { ptxasw_share_permissions(operation.raw(), one.holder.raw()) };
        }
    }
    for one in &outline.guards {
        for &(_, to) in &one.otherwise {
            sharing.serve(to, one.load)?;
        }
    }
    sharing.rest()
}

fn is_load(value: Val) -> bool {
    value.is_instruction() && value.opcode() == LLVMLoad
}

/// What the new values of a patch are made of.
pub(super) struct Made<'a> {
    patch: &'a Patch,
    of: FxHashMap<NewValue, Vec<Ref>>,
}

impl<'a> Made<'a> {
    pub fn new(patch: &'a Patch) -> Self {
        let mut of = FxHashMap::default();
        for step in patch.insert.iter().flat_map(|insertion| &insertion.steps) {
            note(step, &mut of);
        }
        Made { patch, of }
    }

    /// All that values are made of, and these.
    pub fn sources(&self, mut work: Vec<Ref>) -> FxHashSet<Ref> {
        let mut seen = FxHashSet::default();
        while let Some(one) = work.pop() {
            if !seen.insert(one) {
                continue;
            }
            match one {
                Ref::New(new) => work.extend(self.of.get(&new).into_iter().flatten()),
                Ref::Variable(id) => {
                    let variable = self.patch.variables.get(id.0 as usize);
                    let sets = variable.into_iter().flat_map(|variable| &variable.sets);
                    work.extend(sets.map(|&(_, value)| value));
                }
                _ => {}
            }
        }
        seen
    }
}

struct Sharing<'a, 'm> {
    sites: &'a Sites<'a, 'm>,
    patch: &'a Patch,
    made: Made<'a>,
    /// New values, and variables, that nothing but loads which go are made of.
    serving: FxHashSet<Ref>,
}

impl<'a, 'm> Sharing<'a, 'm> {
    fn new(sites: &'a Sites<'a, 'm>, patch: &'a Patch) -> Self {
        Sharing {
            sites,
            patch,
            made: Made::new(patch),
            serving: FxHashSet::default(),
        }
    }

    /// All loads that a value is made of serve a load that goes.
    fn serve(&mut self, value: Ref, served: Val<'m>) -> Result<(), WriteError> {
        let seen = self.made.sources(vec![value]);
        for &one in &seen {
            self.shared(one, Some(served))?;
        }
        self.serving.extend(seen);
        Ok(())
    }

    /// The loads among what is read for a value of the function.
    fn shared(&self, value: Ref, served: Option<Val<'m>>) -> Result<(), WriteError> {
        let served = served.map_or(null_mut(), Val::raw);
        let read = self.read(value)?;
        for load in read.into_iter().filter(|&one| is_load(one)) {
            unsafe { ptxasw_share_load(load.raw(), served) };
        }
        Ok(())
    }

    /// What is read for a value of the function.
    fn read(&self, value: Ref) -> Result<Vec<Val<'m>>, WriteError> {
        let mut read = Vec::new();
        if let Ref::Value(value) = value {
            self.sites.readable(value, &mut read, &mut Vec::new())?;
        }
        Ok(read)
    }

    /// What is read by steps that serve no load.
    fn rest(&self) -> Result<(), WriteError> {
        let steps = self.patch.insert.iter().flat_map(|one| &one.steps);
        for step in steps {
            self.rest_of(step)?;
        }
        for (variable, number) in self.patch.variables.iter().zip(0..) {
            let id = ptxasw_ir::patch::VariableId(number);
            if !self.serving.contains(&Ref::Variable(id)) {
                let mut sets = variable.sets.iter();
                sets.try_for_each(|&(_, value)| self.shared(value, None))?;
            }
        }
        for clone in &self.patch.clones {
            let mut asked = clone.asked().into_iter();
            asked.try_for_each(|one| self.shared(one, None))?;
            let mut stays = clone.exits.iter().filter_map(|exit| exit.stay);
            stays.try_for_each(|stay| self.shared(stay, None))?;
        }
        for guarded in &self.patch.guard {
            self.shared(guarded.condition.0, None)?;
        }
        Ok(())
    }

    fn rest_of(&self, step: &Step) -> Result<(), WriteError> {
        match step {
            Step::Inst {
                args,
                results,
                guard,
                ..
            } => {
                let mut results = results.iter();
                if !results.any(|one| self.serving.contains(&Ref::New(one.value))) {
                    args.iter().try_for_each(|&arg| self.shared(arg, None))?;
                }
                guard.map_or(Ok(()), |(guard, _)| self.shared(guard, None))
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                ..
            } => {
                self.shared(*condition, None)?;
                for one in results {
                    if !self.serving.contains(&Ref::New(one.result.value)) {
                        self.shared(one.then, None)?;
                        self.shared(one.otherwise, None)?;
                    }
                }
                let mut both = then.iter().chain(otherwise);
                both.try_for_each(|step| self.rest_of(step))
            }
        }
    }
}

/// What the results of a step are made of: the operands of operations, what another lane hands over, and both sides of a
/// decision.
fn note(step: &Step, made: &mut FxHashMap<NewValue, Vec<Ref>>) {
    match step {
        Step::Inst {
            opcode: Opcode::Op(_),
            args,
            results,
            ..
        } => {
            for result in results {
                made.insert(result.value, args.to_vec());
            }
        }
        // The number of another lane's load is a number for this one's.
        Step::Inst {
            opcode: Opcode::Shuffle { .. },
            args,
            results,
            ..
        } => {
            if let (Some(&value), Some(result)) = (args.first(), results.first()) {
                made.insert(result.value, vec![value]);
            }
        }
        Step::Inst { .. } => {}
        Step::If {
            then,
            otherwise,
            results,
            ..
        } => {
            for one in results {
                made.insert(one.result.value, vec![one.then, one.otherwise]);
            }
            then.iter()
                .chain(otherwise)
                .for_each(|step| note(step, made));
        }
    }
}
