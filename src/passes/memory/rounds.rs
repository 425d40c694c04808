//! Whether another round of the pass may find more.
//!
//! A loaded value is a number of which nothing is known. Where a register serves the load, it is what was stored, or what another
//! load has given: addresses that are computed from it may turn out to be of some object, or equal to others, and branches that
//! depend on it may say more.

use super::accesses::Accesses;
use super::plan::Plan;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{Function, Terminator, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;

/// Whether addresses, guards or branches depend on loads that go.
pub fn shows_more(
    function: &Function,
    analyses: &Analyses,
    accesses: &Accesses,
    plan: &Plan,
) -> bool {
    let served = &plan.decisions.served;
    if served.is_empty() {
        return false;
    }
    let deciding = deciding(function, analyses);
    let mut results = served
        .iter()
        .flat_map(|one| &function.inst(accesses.get(one.load).inst).results);
    results.any(|value| deciding[value.index()])
}

/// The values that addresses, guards and branches are computed from, back to what is loaded.
fn deciding(function: &Function, analyses: &Analyses) -> Vec<bool> {
    let mut found = vec![false; function.values.len()];
    let mut work: Vec<Value> = Vec::new();
    for block in &function.blocks {
        match &block.terminator {
            Terminator::Branch { condition, .. } => work.push(*condition),
            Terminator::Switch { index, .. } => work.push(*index),
            _ => {}
        }
        for inst in block.insts.iter().map(|&id| function.inst(id)) {
            work.extend(inst.guard.map(|(value, _)| value));
            let accesses = matches!(
                inst.opcode,
                Opcode::Load(_) | Opcode::Store(_) | Opcode::Atomic { .. }
            );
            work.extend(inst.args.first().filter(|_| accesses));
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut found[value.index()], true) {
            continue;
        }
        match function.value(value).def {
            ValueDef::Result(id, _) if matches!(function.inst(id).opcode, Opcode::Op(_)) => {
                work.extend(&function.inst(id).args);
            }
            ValueDef::Parameter(block, number) => {
                for before in analyses.cfg.predecessors(block) {
                    let targets = function.block(before).terminator.targets();
                    let targets = targets.into_iter().filter(|target| target.block == block);
                    work.extend(targets.filter_map(|one| one.args.get(usize::from(number))));
                }
            }
            _ => {}
        }
    }
    found
}
