//! Control dependence (Ferrante, Ottenstein, Warren, 1987).

use super::cfg::{Adjacency, Cfg};
use super::dominators::DominatorTree;
use super::function::{BlockId, Function};

/// For each block the branches that decide whether it runs.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    branches: Adjacency,
}

impl ControlDependence {
    /// From the post-dominator tree.
    ///
    /// A block depends on a branch if it post-dominates one of its successors, but not strictly the branch's block. The
    /// result can be larger than linear: a block inside `n` nested loops depends on `n` branches.
    pub fn new(function: &Function, cfg: &Cfg, post_dominators: &DominatorTree) -> Self {
        let mut edges = Vec::new();
        for &branch in cfg.reverse_post_order() {
            if function.block(branch).terminator.targets().len() < 2 {
                continue;
            }
            let stop = post_dominators.immediate(branch);
            let first = edges.len();
            for successor in cfg.successors(branch) {
                let mut next = Some(successor);
                while let Some(block) = next.filter(|_| next != stop) {
                    edges.push((block.0, branch.0));
                    next = post_dominators.immediate(block);
                }
            }
            // Two successors can share post-dominators below `stop` (switches).
            edges[first..].sort_unstable();
            let mut kept = first;
            for index in first..edges.len() {
                if index == first || edges[index] != edges[kept - 1] {
                    edges[kept] = edges[index];
                    kept += 1;
                }
            }
            edges.truncate(kept);
        }
        ControlDependence {
            branches: Adjacency::new(cfg.blocks(), &edges),
        }
    }

    /// The blocks whose terminators `block` is directly control dependent on, in reverse post-order.
    pub fn branches(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.branches.of(block.0).iter().map(|&b| BlockId(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::graph;

    fn branches(successors: &[&[u32]], block: u32) -> Vec<u32> {
        let function = graph(successors);
        let cfg = Cfg::new(&function);
        let post = DominatorTree::post_dominators(&function, &cfg);
        let control = ControlDependence::new(&function, &cfg, &post);
        control.branches(BlockId(block)).map(|b| b.0).collect()
    }

    #[test]
    fn arms_depend_on_the_branch_and_the_join_does_not() {
        let diamond: &[&[u32]] = &[&[1, 2], &[3], &[3], &[]];
        assert_eq!(branches(diamond, 1), [0]);
        assert_eq!(branches(diamond, 2), [0]);
        assert_eq!(branches(diamond, 3), [0; 0]);
    }

    #[test]
    fn a_loop_depends_on_its_own_exit_and_on_the_guard() {
        // 0: guard, 1: header and latch, 2: end.
        let guarded: &[&[u32]] = &[&[1, 2], &[1, 2], &[]];
        assert_eq!(branches(guarded, 1), [0, 1]);
    }

    #[test]
    fn a_switch_counts_once() {
        let switch: &[&[u32]] = &[&[1, 2, 3], &[4], &[4], &[5], &[5], &[]];
        assert_eq!(branches(switch, 4), [0]);
    }
}
