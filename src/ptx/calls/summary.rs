//! What a call may do, from the callees up, and whether memory was written before a function was called.

use super::graph::Graph;
use super::{Body, Fact};
use crate::ir::analyses::Analyses;
use crate::ir::cfg::Cfg;
use crate::ir::effects;
use crate::ir::opcode::{Effects, Opcode};

/// Gives every call the effects of its callee. Indirect calls, recursion, and functions that are not known or may be
/// replaced keep all effects.
///
/// Shuffles that this tool adds to a callee are none of them, on purpose: the lanes of their masks executed one
/// `activemask` of the callee together, and nothing between it and the last shuffle waits. Whoever waits there waits for
/// lanes that are on their way and wait for nobody else, so a call returns as surely as without the shuffles.
pub(super) fn effects(graph: &Graph, bodies: &mut [Body]) {
    let mut summaries: Vec<Option<Effects>> = vec![None; bodies.len()];
    for number in graph.bottom_up() {
        let body = &mut bodies[number as usize];
        for site in &graph.sites[number as usize] {
            let known = site.callee.and_then(|callee| summaries[callee as usize]);
            if let Opcode::Call { callee, effects } =
                &mut body.lowered.function.insts[site.inst.index()].opcode
                && let Some(summary) = known
            {
                *effects = summary;
                body.facts.extend(known_effects(callee.as_deref(), summary));
            }
        }
        if !body.form.entry {
            let function = &body.lowered.function;
            let analyses = Analyses::new(function);
            summaries[number as usize] = Some(effects::of_function(function, &analyses));
        }
    }
    for body in bodies {
        body.facts.sort();
        body.facts.dedup();
    }
}

/// What a proof may rest on where a callee is known to do no more than this.
pub fn known_effects(callee: Option<&str>, effects: Effects) -> Option<Fact> {
    let callee = callee?;
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

/// Finds the functions before whose calls no thread has written or ordered memory.
pub(super) fn entries(graph: &Graph, bodies: &mut [Body]) {
    let device = |number: usize| !bodies[number].form.entry;
    let mut dirty: Vec<bool> = (0..bodies.len())
        .map(|number| graph.open[number] && device(number))
        .collect();
    let mut called = vec![false; bodies.len()];
    let mut clean_calls: Vec<Vec<u32>> = vec![Vec::new(); bodies.len()];
    for (caller, body) in bodies.iter().enumerate() {
        if graph.sites[caller].is_empty() {
            continue;
        }
        let function = &body.lowered.function;
        let mut clean = effects::calls_before_writes(function, &Cfg::new(function));
        clean.sort_unstable();
        for site in &graph.sites[caller] {
            let Some(callee) = site.callee else { continue };
            called[callee as usize] = true;
            match clean.binary_search(&site.inst) {
                Ok(_) => clean_calls[caller].push(callee),
                Err(_) => dirty[callee as usize] = true,
            }
        }
    }
    // A function that is called after a write passes that on to those that it calls.
    let mut work: Vec<u32> = (0..bodies.len() as u32)
        .filter(|&number| dirty[number as usize])
        .collect();
    while let Some(number) = work.pop() {
        for &callee in &clean_calls[number as usize] {
            if !std::mem::replace(&mut dirty[callee as usize], true) {
                work.push(callee);
            }
        }
    }
    for (number, body) in bodies.iter_mut().enumerate() {
        body.lowered.function.callers_may_write =
            !body.form.entry && (dirty[number] || !called[number]);
    }
}
