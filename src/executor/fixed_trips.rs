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
        head: Node,
        latches: &[Node],
        body: &BTreeSet<Node>,
    ) -> bool {
        let mut seen: FxHashSet<Reg> = FxHashSet::default();
        for instruction in body.iter().filter_map(|node| code.get(node.index())) {
            match instruction.action {
                Action::Do(_) => {}
                Action::BranchIndexed { .. } => return false,
                _ => seen.extend(instruction.guard.map(|(reg, _)| reg)),
            }
        }
        let each_time = over_all(tree, head, latches);
        let mut open: Vec<Reg> = seen.iter().copied().collect();
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
            if !inside.iter().all(|&at| each_time.contains(&Node::new(at))) {
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

/// The instructions of a loop that dominate all its latches: each iteration executes them.
fn over_all(tree: &Dominators<Node>, head: Node, latches: &[Node]) -> FxHashSet<Node> {
    let chain = |from: Node| {
        let all = tree.dominators(from).into_iter().flatten();
        all.take_while(move |&node| node != head).chain([head])
    };
    let mut latches = latches.iter();
    let first = latches.next().map(|&latch| chain(latch).collect());
    // From a latch up to the first that dominates all before: what is below it dominates not all.
    latches.fold(
        first.unwrap_or_default(),
        |common: FxHashSet<Node>, &latch| match chain(latch).find(|node| common.contains(node)) {
            Some(meet) => chain(meet).collect(),
            None => FxHashSet::default(),
        },
    )
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
