//! Promises of the producer that addresses rest on.

use super::place::Registers;
use crate::ir::analyses::Analyses;
use crate::ir::function::{Function, InstId, Value, ValueDef};
use rustc_hash::FxHashSet;

/// Values that are followed from one address.
const MAX_VALUES: usize = 256;

/// The lines of the instructions whose promise not to wrap takes part in the addresses of some accesses, in order.
pub(super) fn lines(
    function: &Function,
    analyses: &Analyses,
    registers: &dyn Registers,
    accesses: &[InstId],
) -> Vec<u32> {
    if function.promised.is_empty() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for &access in accesses {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut work: Vec<Value> = function
            .inst(access)
            .args
            .first()
            .copied()
            .into_iter()
            .collect();
        while let Some(value) = work.pop() {
            if seen.len() >= MAX_VALUES || !seen.insert(value) {
                continue;
            }
            if let Some(&origin) = function.promised.get(&value) {
                lines.push(registers.site(origin).line);
            }
            operands(function, analyses, value, &mut work);
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Adds what a value is made of.
fn operands(function: &Function, analyses: &Analyses, value: Value, work: &mut Vec<Value>) {
    match function.value(value).def {
        ValueDef::Result(inst, _) => work.extend(&function.inst(inst).args),
        ValueDef::Parameter(block, index) => {
            for from in analyses.cfg.predecessors(block) {
                let targets = function.block(from).terminator.targets();
                let here = targets.into_iter().filter(|target| target.block == block);
                work.extend(here.filter_map(|target| target.args.get(usize::from(index))));
            }
        }
        _ => {}
    }
}
