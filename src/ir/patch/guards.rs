//! A condition that replaces a load's own guard implies it: it is a conjunction with it.

use super::error::PatchError;
use super::{NewValue, Patch, Ref, Step};
use crate::function::{Function, Value};
use crate::op::Op;
use crate::opcode::Opcode;
use ptxasw_base::mutation::{Mutation, active};
use rustc_hash::FxHashMap;

/// What steps compute, by their results.
type Operations<'a> = FxHashMap<NewValue, (&'a Op, &'a [Ref])>;

/// Conjunctions that are looked into.
const MAX_DEPTH: u32 = 8;

/// Checks all guarded loads of a patch that have a guard of their own.
pub(super) fn check(function: &Function, patch: &Patch) -> Result<(), PatchError> {
    let mut operations = None;
    for guarded in &patch.guard {
        let inst = function.insts.get(guarded.inst.index());
        let inst = inst.ok_or_else(|| PatchError::Unknown(guarded.inst.to_string()))?;
        let Some(own) = inst.guard else { continue };
        let operations = operations.get_or_insert_with(|| operations_of(patch));
        let (condition, negated) = guarded.condition;
        let implied = !negated && implies(operations, condition, own, 0);
        if !implied && !active(Mutation::LostGuardUnchecked) {
            return Err(PatchError::GuardLost(guarded.inst));
        }
    }
    Ok(())
}

/// Whether what is read is true only where the guard lets a thread pass.
fn implies(operations: &Operations, condition: Ref, own: (Value, bool), depth: u32) -> bool {
    let (guard, negated) = own;
    if condition == Ref::Value(guard) {
        return !negated;
    }
    let Ref::New(new) = condition else {
        return false;
    };
    match operations.get(&new) {
        Some((Op::And { width: 1 }, args)) if depth < MAX_DEPTH => {
            let mut args = args.iter();
            args.any(|&arg| implies(operations, arg, own, depth + 1))
        }
        Some((Op::Not { width: 1 }, [Ref::Value(value)])) => *value == guard && negated,
        _ => false,
    }
}

/// The operations that every thread executes which comes to them: no step has a guard.
fn operations_of(patch: &Patch) -> Operations<'_> {
    let mut operations = Operations::default();
    let mut rest: Vec<&Step> = patch.insert.iter().flat_map(|one| &one.steps).collect();
    while let Some(step) = rest.pop() {
        match step {
            Step::Inst {
                opcode: Opcode::Op(op),
                args,
                results,
                guard: None,
                ..
            } => {
                if let [result] = results[..] {
                    operations.insert(result.value, (op, args));
                }
            }
            Step::Inst { .. } => {}
            Step::If {
                then, otherwise, ..
            } => rest.extend(then.iter().chain(otherwise)),
        }
    }
    operations
}
