//! What the functions of a module know of each other: what a call may do.
//!
//! A function by itself takes a call as something that may do whatever the callee's attributes do not rule out. [`link`] looks
//! at all bodies, callees before callers, and leaves a call what its callee's own instructions may do. Functions that another
//! module may replace, that call each other in a circle, or that are called by their address, stay as they are.

use crate::kernels::Entry;
use crate::lower::Lowered;
use crate::view::Val;
use inkwell::llvm_sys::LLVMLinkage;
use ptxasw::ir::analyses::Analyses;
use ptxasw::ir::effects;
use ptxasw::ir::function::{Function, InstId};
use ptxasw::ir::opcode::{Effects, Opcode};
use ptxasw::ptx::calls::{Fact, known_effects};
use rustc_hash::FxHashMap;

/// Gives calls the effects of their callees. Returns for each function what proofs in it rest on by that.
pub fn link<'m>(entries: &[Entry<'m>], bodies: &mut [Lowered<'m>]) -> Vec<Vec<Fact>> {
    let by_name: FxHashMap<&str, usize> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !entry.kernel && is_final(entry.function))
        .map(|(index, entry)| (entry.name.as_str(), index))
        .collect();
    let callees: Vec<Vec<(InstId, usize)>> = bodies
        .iter()
        .map(|body| direct(&body.function, &by_name))
        .collect();
    let mut summaries: Vec<Option<Effects>> = vec![None; bodies.len()];
    for number in callees_first(&callees) {
        for &(inst, callee) in &callees[number] {
            let Some(summary) = summaries[callee] else {
                continue;
            };
            let opcode = &mut bodies[number].function.insts[inst.index()].opcode;
            if let Opcode::Call { effects, .. } = opcode {
                *effects = both(*effects, summary);
            }
        }
        if by_name.get(entries[number].name.as_str()) == Some(&number) {
            let function = &bodies[number].function;
            summaries[number] = Some(effects::of_function(function, &Analyses::new(function)));
        }
    }
    bodies.iter().map(|body| facts(&body.function)).collect()
}

/// What is known of the calls of a function, by bodies or by attributes.
fn facts(function: &Function) -> Vec<Fact> {
    let calls = function.insts.iter();
    let mut facts: Vec<Fact> = calls
        .filter_map(|inst| match &inst.opcode {
            Opcode::Call { callee, effects } => known_effects(callee.as_deref(), *effects),
            _ => None,
        })
        .collect();
    facts.sort();
    facts.dedup();
    facts
}

/// The body that is here is the one that runs.
fn is_final(function: Val<'_>) -> bool {
    matches!(
        function.linkage(),
        LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
    )
}

/// Calls of functions that are known.
fn direct(function: &Function, by_name: &FxHashMap<&str, usize>) -> Vec<(InstId, usize)> {
    let calls = (0..).zip(&function.insts);
    calls
        .filter_map(|(index, inst)| match &inst.opcode {
            Opcode::Call {
                callee: Some(name), ..
            } => Some((InstId(index), *by_name.get(&**name)?)),
            _ => None,
        })
        .collect()
}

/// All functions, callees before their callers where there is no circle.
fn callees_first(callees: &[Vec<(InstId, usize)>]) -> Vec<usize> {
    let mut seen = vec![false; callees.len()];
    let mut order = Vec::new();
    for root in 0..callees.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.last_mut() {
            match callees[*function].get(*next) {
                Some(&(_, callee)) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[callee], true) {
                        stack.push((callee, 0));
                    }
                }
                None => {
                    order.push(*function);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// What neither rules out.
fn both(one: Effects, other: Effects) -> Effects {
    Effects {
        writes: one.writes && other.writes,
        waits: one.waits && other.waits,
        exits: one.exits && other.exits,
        convergent: one.convergent && other.convergent,
        polls: one.polls && other.polls,
        reads: one.reads && other.reads,
    }
}
