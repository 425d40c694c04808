//! The control flow of one function, instruction by instruction: where lanes that diverge meet again.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;
use ptxasw_ptx::decode::form::{Action, Instruction};

/// The instructions, by number, and one more node for the end; an edge from each to those that may follow.
pub(super) fn control_flow(code: &[Instruction]) -> DiGraph<(), (), u32> {
    let end = code.len();
    let mut graph = DiGraph::<(), (), u32>::with_capacity(end + 1, end + 1);
    for _ in 0..=end {
        graph.add_node(());
    }
    let node = |i: usize| NodeIndex::<u32>::new(i.min(end));
    for (i, instruction) in code.iter().enumerate() {
        let falls_through = match &instruction.action {
            Action::Do(_) => true,
            Action::Branch { target, .. } => {
                graph.add_edge(node(i), node(*target as usize), ());
                instruction.guard.is_some()
            }
            Action::BranchIndexed { targets, .. } => {
                for &target in targets.iter() {
                    graph.add_edge(node(i), node(target as usize), ());
                }
                instruction.guard.is_some()
            }
            Action::Return | Action::Exit | Action::Trap => {
                graph.add_edge(node(i), node(end), ());
                instruction.guard.is_some()
            }
        };
        if falls_through {
            graph.add_edge(node(i), node(i + 1), ());
        }
    }
    graph
}

/// The immediate post-dominator of each instruction; of one that only the exit post-dominates, the number of instructions.
pub(super) fn post_dominators(code: &[Instruction]) -> Vec<u32> {
    let end = code.len();
    let graph = control_flow(code);
    let node = |i: usize| NodeIndex::<u32>::new(i.min(end));
    let tree = simple_fast(Reversed(&graph), node(end));
    (0..end)
        .map(|i| {
            tree.immediate_dominator(node(i))
                .map_or(end, NodeIndex::index) as u32
        })
        .collect()
}
