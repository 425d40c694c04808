//! The function that a patch makes of another, and whether it makes one.

use super::Patch;
use super::applied::{Applied, NewPosition};
use super::convergence;
use super::emit::Emitter;
use super::error::PatchError;
use super::guards;
use super::position::{Position, Positions};
use crate::cfg::Cfg;
use crate::dominators::DominatorTree;
use crate::function::{Function, InstId, Value, ValueDef};
use crate::opcode::{Opcode, Order};
use crate::redundant_params::prune_parameters;
use crate::verify;
use ptxasw_base::mutation::{Mutation, active};

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
/// The patch does not fit the function. Whether the result is well formed is checked by [`verify`](fn@verify).
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
    if let Some(violation) = verify::verify(&applied.function).into_iter().next() {
        return Err(PatchError::Violation(violation));
    }
    there(&applied)?;
    convergence::check(function, patch, &applied)?;
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
    let passed = |(def_site, index): Position, place: NewPosition| match def_site == place.block {
        true => index <= place.index,
        false => dominators.dominates(def_site, place.block),
    };
    for &(value, place) in &applied.redirected {
        let def_site = match function.value(value).def {
            ValueDef::Result(id, _) => (function.inst(id).block, positions.index(id) + 1),
            ValueDef::Parameter(def_site, _) => (def_site, 0),
            _ => continue,
        };
        if !passed(def_site, place) && !active(Mutation::NotThereUnchecked) {
            return Err(PatchError::NotThere(value));
        }
    }
    let early = |(from, to): &&(NewPosition, NewPosition)| match from.block == to.block {
        true => from.time > to.time,
        false => !dominators.dominates(from.block, to.block),
    };
    match applied.orders.iter().find(early) {
        Some((from, _)) => Err(PatchError::Early(from.block)),
        None => Ok(()),
    }
}

/// That the patch speaks of what is there.
fn check(function: &Function, patch: &Patch) -> Result<(), PatchError> {
    let inst = |id: InstId| match id.index() < function.insts.len() {
        true => Ok(function.inst(id)),
        false => Err(PatchError::Unknown(id.to_string())),
    };
    let positions = Positions::new(function);
    for removal in &patch.remove {
        for &id in positions.statement(removal.inst)? {
            let opcode = &inst(id)?.opcode;
            if !is_free(opcode) && !is_weak_store(opcode) {
                return Err(PatchError::Effect(id));
            }
        }
    }
    for relocation in &patch.relocate {
        for &id in positions.statement(relocation.inst)? {
            if !is_free(&inst(id)?.opcode) {
                return Err(PatchError::Effect(id));
            }
        }
    }
    for amendment in &patch.amend {
        inst(amendment.inst)?;
    }
    if !patch.guard.is_empty() {
        guards::check(function, patch)?;
    }
    for redirect in &patch.redirect {
        if redirect.value.index() >= function.values.len() {
            return Err(PatchError::Unknown(redirect.value.to_string()));
        }
        leaves_its_statement(function, &positions, redirect.value)?;
    }
    Ok(())
}

/// That a value is not completed by other instructions of its statement.
fn leaves_its_statement(
    function: &Function,
    positions: &Positions,
    value: Value,
) -> Result<(), PatchError> {
    let ValueDef::Result(def_site, _) = function.value(value).def else {
        return Ok(());
    };
    let reads = |id: &InstId| {
        let inst = function.inst(*id);
        inst.args.contains(&value) || inst.guard.is_some_and(|(guard, _)| guard == value)
    };
    let mut statement = positions.statement(def_site)?.iter();
    match statement.any(reads) && !active(Mutation::InsideUnchecked) {
        true => Err(PatchError::InsideValue(value)),
        false => Ok(()),
    }
}

/// Whether an instruction has no effect but its results: that of an ordered load is that others see it.
fn is_free(opcode: &Opcode) -> bool {
    match opcode {
        Opcode::Op(_) | Opcode::Nop => true,
        Opcode::Load(access) => access.order.is_weak(),
        _ => false,
    }
}

/// A store that others need not see: that nobody misses it is for the pass to prove.
fn is_weak_store(opcode: &Opcode) -> bool {
    let weak = |order: Order| order.is_weak() || active(Mutation::VolatileRemoved);
    matches!(opcode, Opcode::Store(access) if weak(access.order))
}
