//! The function that a patch makes of another, and whether it makes one.

use super::emit::Emitter;
use super::error::PatchError;
use super::position::{Position, Positions};
use super::{CloneId, NewValue, Patch};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::DominatorTree;
use crate::ir::function::{Function, InstId, Value, ValueDef};
use crate::ir::opcode::Opcode;
use crate::ir::prune::prune_parameters;
use crate::ir::verify;
use rustc_hash::FxHashMap;

/// A changed function, and what became of values.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The function.
    pub function: Function,
    /// What the instructions of the old function give, in each copy of the code.
    pub values: FxHashMap<(Option<CloneId>, Value), Value>,
    /// The results of steps.
    pub new: FxHashMap<NewValue, Value>,
    /// What is read in place of values, each with the place at which the value was defined.
    pub(super) redirected: Vec<(Value, Position)>,
}

/// A patch that makes a well-formed function of the one that it is for. Back ends take nothing else.
#[derive(Clone, Debug)]
pub struct Verified<'a> {
    patch: &'a Patch,
    /// The function that it makes.
    pub applied: Applied,
}

impl<'a> Verified<'a> {
    /// The patch.
    pub fn patch(&self) -> &'a Patch {
        self.patch
    }
}

/// Applies a patch. That memory allows a load to be elsewhere is for the pass to prove: here only values count.
///
/// # Errors
/// The patch does not fit the function. Whether the result is well formed is for [`verify`](fn@verify) to tell.
pub fn apply(function: &Function, patch: &Patch) -> Result<Applied, PatchError> {
    check(function, patch)?;
    let mut applied = Emitter::new(function, patch)?.run()?;
    let renaming = prune_parameters(&mut applied.function);
    let redirected = applied.redirected.iter_mut().map(|(value, _)| value);
    let named = applied.values.values_mut().chain(applied.new.values_mut());
    for value in named.chain(redirected) {
        *value = renaming.new[value.index()];
    }
    Ok(applied)
}

/// Applies a patch and checks what comes out.
///
/// # Errors
/// As [`apply`], or the changed function is not well formed: something is read where it is not there, say.
pub fn verify<'a>(function: &Function, patch: &'a Patch) -> Result<Verified<'a>, PatchError> {
    let applied = apply(function, patch)?;
    match verify::verify(&applied.function).into_iter().next() {
        Some(violation) => return Err(PatchError::Violation(violation)),
        None => there(&applied)?,
    }
    Ok(Verified { patch, applied })
}

/// That what is read in place of a value is there where the value was defined: the text defines it there.
fn there(applied: &Applied) -> Result<(), PatchError> {
    let function = &applied.function;
    if applied.redirected.is_empty() {
        return Ok(());
    }
    let dominators = DominatorTree::dominators(&Cfg::new(function));
    let positions = Positions::new(function);
    for &(value, (block, behind)) in &applied.redirected {
        let (home, index) = match function.value(value).def {
            ValueDef::Result(id, _) => (function.inst(id).block, positions.of[id.index()] + 1),
            ValueDef::Parameter(home, _) => (home, 0),
            _ => continue,
        };
        let holds = match home == block {
            true => index <= behind,
            false => dominators.dominates(home, block),
        };
        if !holds {
            return Err(PatchError::NotThere(value));
        }
    }
    Ok(())
}

/// That the patch speaks of what is there.
fn check(function: &Function, patch: &Patch) -> Result<(), PatchError> {
    let inst = |id: InstId| match id.index() < function.insts.len() {
        true => Ok(function.inst(id)),
        false => Err(PatchError::Unknown(id.to_string())),
    };
    for removal in &patch.remove {
        if !is_free(&inst(removal.inst)?.opcode) {
            return Err(PatchError::Effect(removal.inst));
        }
    }
    for relocation in &patch.relocate {
        if !is_free(&inst(relocation.inst)?.opcode) {
            return Err(PatchError::Effect(relocation.inst));
        }
    }
    for amendment in &patch.amend {
        inst(amendment.inst)?;
    }
    for redirect in &patch.redirect {
        if redirect.value.index() >= function.values.len() {
            return Err(PatchError::Unknown(redirect.value.to_string()));
        }
    }
    Ok(())
}

/// Whether an instruction has no effect but its results: that of an ordered load is that others see it.
fn is_free(opcode: &Opcode) -> bool {
    match opcode {
        Opcode::Op(_) | Opcode::Nop => true,
        Opcode::Load(access) => access.order.is_weak(),
        _ => false,
    }
}
