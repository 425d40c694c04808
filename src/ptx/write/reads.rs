//! What a patch reads: in its steps, and besides.

use super::RewriteContext;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{NewValue, Patch, Ref, Step};
use rustc_hash::FxHashSet;

/// All that a patch reads itself.
pub(super) fn read_by(patch: &Patch) -> Vec<Ref> {
    let mut refs: Vec<Ref> = Vec::new();
    for insertion in &patch.insert {
        read_by_steps(&insertion.steps, &mut refs);
    }
    read_beside_steps(patch, &mut refs);
    refs
}

/// What a patch reads apart from its steps.
pub(super) fn read_beside_steps(patch: &Patch, refs: &mut Vec<Ref>) {
    refs.extend(patch.redirect.iter().map(|redirect| redirect.to));
    for guarded in &patch.guard {
        refs.push(guarded.condition.0);
        refs.extend(guarded.otherwise.iter().map(|chosen| chosen.to));
    }
    for variable in &patch.variables {
        refs.extend(variable.sets.iter().map(|(_, value)| *value));
    }
    for clone in &patch.clones {
        refs.extend(clone.asked());
        refs.extend(clone.exits.iter().filter_map(|exit| exit.stay));
    }
}

pub(super) fn read_by_steps(steps: &[Step], refs: &mut Vec<Ref>) {
    for step in steps {
        match step {
            Step::Inst { args, guard, .. } => {
                refs.extend(args);
                refs.extend(guard.map(|(guard, _)| guard));
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                ..
            } => {
                refs.push(*condition);
                read_by_steps(then, refs);
                read_by_steps(otherwise, refs);
                refs.extend(results.iter().flat_map(|one| [one.then, one.otherwise]));
            }
        }
    }
}

/// Whether an instruction takes registers of any type for an operand: it looks at bits.
pub(super) fn is_untyped(opcode: &Opcode, operand: usize) -> bool {
    match opcode {
        Opcode::Shuffle { .. } => operand == 0,
        Opcode::Op(Op::Pack { .. } | Op::Unpack { .. }) => true,
        _ => false,
    }
}

/// The values of the function that something reads to which types matter.
pub(super) fn typed_reads(source: &RewriteContext) -> FxHashSet<Value> {
    let patch = source.verified.patch();
    let mut refs = Vec::new();
    read_beside_steps(patch, &mut refs);
    let mut rest: Vec<&Step> = patch.insert.iter().flat_map(|one| &one.steps).collect();
    while let Some(step) = rest.pop() {
        match step {
            Step::Inst {
                opcode,
                args,
                guard,
                ..
            } => {
                let args = args.iter().enumerate();
                let typed = args.filter(|(index, _)| !is_untyped(opcode, *index));
                refs.extend(typed.map(|(_, arg)| *arg));
                refs.extend(guard.map(|(guard, _)| guard));
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                ..
            } => {
                refs.push(*condition);
                refs.extend(results.iter().flat_map(|one| [one.then, one.otherwise]));
                rest.extend(then.iter().chain(otherwise));
            }
        }
    }
    let mut values: FxHashSet<Value> = refs.into_iter().filter_map(value_of).collect();
    for &(_, id) in source.agenda.moved.keys() {
        values.extend(source.view.reads(id));
    }
    values
}

/// The value of the function that is read, if it is one.
pub(super) fn value_of(read: Ref) -> Option<Value> {
    match read {
        Ref::Value(value) => Some(value),
        _ => None,
    }
}

/// The result of a step that is read, if it is one.
pub(super) fn new_of(read: Ref) -> Option<NewValue> {
    match read {
        Ref::New(value) => Some(value),
        _ => None,
    }
}
