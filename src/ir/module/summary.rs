//! What a call may do, from the callees up, and whether memory was written before a function was called.

use super::Fact;
use super::graph::{CallGraph, calls};
use crate::analyses::Analyses;
use crate::cfg::Cfg;
use crate::effects;
use crate::function::Function;
use crate::opcode::{Effects, Opcode};

/// Leaves every call what its callee's own instructions may do, of what its attributes allow. Indirect calls, recursion,
/// and functions that are not known or may be replaced keep what they have.
///
/// Shuffles that this tool adds to a callee are none of them, on purpose: the lanes of their masks executed one
/// `activemask` of the callee together, and nothing between it and the last shuffle waits. Whoever waits there waits for
/// lanes that are running and wait for nobody else, so a call returns as surely as without the shuffles.
pub(super) fn effects(graph: &CallGraph, functions: &mut [&mut Function]) {
    let mut summaries: Vec<Option<Effects>> = vec![None; functions.len()];
    let called = graph.called();
    for number in graph.callees_first() {
        let function = &mut *functions[number as usize];
        for site in &graph.sites[number as usize] {
            let known = site.callee.and_then(|callee| summaries[callee as usize]);
            if let Opcode::Call { effects, .. } = &mut function.insts[site.inst.index()].opcode
                && let Some(summary) = known
            {
                *effects = effects.both(summary);
            }
        }
        if called[number as usize] {
            let analyses = Analyses::new(function);
            summaries[number as usize] = Some(effects::of_function(function, &analyses));
        }
    }
}

/// Finds the functions before whose calls no thread has written or ordered memory. Of kernels that is known.
pub(super) fn entries(graph: &CallGraph, functions: &mut [&mut Function]) {
    let mut dirty: Vec<bool> = (graph.open.iter().zip(functions.iter()))
        .map(|(&open, function)| open && function.callers_may_write)
        .collect();
    let called = graph.called();
    let mut clean_calls: Vec<Vec<u32>> = vec![Vec::new(); functions.len()];
    for (caller, function) in functions.iter().enumerate() {
        if graph.sites[caller].is_empty() {
            continue;
        }
        let mut clean = effects::calls_before_writes(function, &Cfg::new(function));
        clean.sort_unstable();
        for site in &graph.sites[caller] {
            let Some(callee) = site.callee else { continue };
            match clean.binary_search(&site.inst) {
                Ok(_) => clean_calls[caller].push(callee),
                Err(_) => dirty[callee as usize] = true,
            }
        }
    }
    // A function that is called after a write passes that on to those that it calls.
    let mut work: Vec<u32> = (0..functions.len() as u32)
        .filter(|&number| dirty[number as usize])
        .collect();
    while let Some(number) = work.pop() {
        for &callee in &clean_calls[number as usize] {
            if !std::mem::replace(&mut dirty[callee as usize], true) {
                work.push(callee);
            }
        }
    }
    for (number, function) in functions.iter_mut().enumerate() {
        function.callers_may_write &= dirty[number] || !called[number];
    }
}

/// What proofs in a function may rest on, of what its calls do not do.
pub(super) fn facts(function: &Function) -> Vec<Fact> {
    let mut facts: Vec<Fact> = calls(function)
        .filter_map(|(inst, callee)| match function.inst(inst).opcode {
            Opcode::Call { effects, .. } => known_effects(callee?, effects),
            _ => None,
        })
        .collect();
    facts.sort();
    facts.dedup();
    facts
}

/// What a proof may rest on where a callee is known to do no more than this.
fn known_effects(callee: &str, effects: Effects) -> Option<Fact> {
    let missing = [
        (effects.writes, "writes or orders memory"),
        (effects.waits, "waits for other threads"),
        (effects.exits, "ends a thread"),
    ];
    let missing: Vec<&str> = missing
        .iter()
        .filter(|(there, _)| !there)
        .map(|(_, what)| *what)
        .collect();
    (!missing.is_empty()).then(|| Fact {
        condition: if effects.writes { "C4" } else { "C3" },
        how: format!(
            "no instruction of `{callee}` and its callees {}",
            missing.join(" or ")
        ),
    })
}
