//! Loops with a constant trip count: no launch changes it.

use petgraph::algo::dominators::Dominators;
use petgraph::graph::NodeIndex;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::{Action, Instruction, Reg, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Registers that are followed back.
const MOST: usize = 64;

type Node = NodeIndex<u32>;

/// The instructions that write each register.
#[derive(Default)]
pub(super) struct Definitions(FxHashMap<Reg, Vec<usize>>);

impl Definitions {
    /// Of a kernel.
    pub(super) fn of(code: &[Instruction]) -> Self {
        let mut all = Definitions::default();
        for (number, instruction) in code.iter().enumerate() {
            for reg in instruction.results.iter().flatten() {
                all.0.entry(*reg).or_default().push(number);
            }
        }
        all
    }

    /// Every exit of the loop depends on constants alone: on registers that have at most one definition before the loop and one that each
    /// iteration executes. An inner loop is not told apart from its outer one: what it counts is taken for once an iteration.
    pub(super) fn is_fixed(
        &self,
        code: &[Instruction],
        tree: &Dominators<Node>,
        body: &BTreeSet<Node>,
        latches: &[Node],
    ) -> bool {
        let branches = body.iter().filter_map(|node| code.get(node.index()));
        let guards = branches.filter(|one| !matches!(one.action, Action::Do(_)));
        let mut open: Vec<Reg> = guards
            .filter_map(|one| one.guard)
            .map(|(reg, _)| reg)
            .collect();
        let mut seen: FxHashSet<Reg> = open.iter().copied().collect();
        while let Some(reg) = open.pop() {
            let Some(definitions) = self.0.get(&reg) else {
                return false;
            };
            let (inside, before): (Vec<usize>, Vec<usize>) = definitions
                .iter()
                .partition(|&&at| body.contains(&Node::new(at)));
            if inside.len() > 1 || before.len() > 1 || seen.len() > MOST {
                return false;
            }
            let each_time = |at: usize| {
                let mut latches = latches.iter();
                let over = |latch: &Node| tree.dominators(*latch);
                latches.all(|l| over(l).is_some_and(|mut all| all.any(|n| n == Node::new(at))))
            };
            if !inside.iter().all(|&at| each_time(at)) {
                return false;
            }
            for &at in definitions {
                let Some(used) = operands(&code[at]) else {
                    return false;
                };
                open.extend(used.into_iter().filter(|reg| seen.insert(*reg)));
            }
        }
        true
    }
}

/// The registers that a pure instruction computes from; none for others, and where a launch decides.
fn operands(instruction: &Instruction) -> Option<Vec<Reg>> {
    if instruction.guard.is_some() || !matches!(instruction.action, Action::Do(Opcode::Op(_))) {
        return None;
    }
    let mut used = Vec::new();
    for source in &instruction.operands {
        match source {
            Source::Reg(reg)
            | Source::NotReg(reg)
            | Source::Sum(reg, _)
            | Source::Part { reg, .. } => {
                used.push(*reg);
            }
            Source::Imm(_) | Source::Address(..) => {}
            Source::Special(_) => return None,
        }
    }
    Some(used)
}
