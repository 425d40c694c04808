//! Control dependence (Ferrante, Ottenstein, Warren, 1987), listed where it is asked for.
//!
//! A block in `n` loops depends on `n` branches, so lists of all blocks would be larger than the function. Kept is what they
//! are made of, one entry for each edge of a branch (Pingali and Bilardi, "Optimal Control Dependence Computation and the
//! Roman Chariots Problem", 1997): from its target the edge decides about the blocks up the post-dominator tree, as far as
//! the immediate post-dominator of the branch. So the edges that decide about a block lead into the block's subtree, from
//! branches whose immediate post-dominators are above the block.

use super::ancestors::Ancestors;
use super::cfg::Cfg;
use super::dominators::DominatorTree;
use super::function::{BlockId, Function};
use super::range_min::RangeMin;
use smallvec::SmallVec;
use std::ops::Range;

/// For each block the branches that decide whether it runs.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    /// Edges of branches, by their targets' places in the post-dominator tree.
    edges: Vec<Edge>,
    /// Where each edge stops: [`Edge::stop`].
    stops: RangeMin,
    /// The edges that lead into each block's subtree.
    into: Vec<Range<u32>>,
    /// The depth of each block in the post-dominator tree.
    depths: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The pre-order number of the target in the post-dominator tree.
    target: u32,
    /// The depth of the branch's immediate post-dominator; or of a block below it, from which another edge of the branch stands
    /// for both.
    stop: u32,
    /// The branch's position in the reverse post-order.
    position: u32,
    branch: BlockId,
}

impl ControlDependence {
    /// From the post-dominator tree. Linear in the function, but for sorting.
    pub fn new(function: &Function, cfg: &Cfg, post_dominators: &DominatorTree) -> Self {
        let place = |block| post_dominators.below(block).unwrap_or(0..0);
        let mut edges = Vec::new();
        let mut tree = None;
        for (position, &branch) in (0..).zip(cfg.reverse_post_order()) {
            if function.block(branch).terminator.targets().len() < 2 {
                continue;
            }
            let above = post_dominators.immediate(branch);
            let others = cfg.successors(branch).filter(|&to| Some(to) != above);
            let first = edges.len();
            edges.extend(others.map(|to| Edge {
                target: place(to).start,
                stop: above.map_or(0, |block| post_dominators.depth(block)),
                position,
                branch,
            }));
            // Two edges have no more than the immediate post-dominator in common, where the region has an exit.
            if edges.len() > first + 2 {
                tree.get_or_insert_with(|| Tree::new(function, post_dominators))
                    .part(&mut edges[first..]);
            }
        }
        edges.sort_unstable_by_key(|edge| (edge.target, edge.position));
        let first = |number| edges.partition_point(|edge| edge.target < number) as u32;
        let into = function.block_ids().map(|block| {
            let below = place(block);
            first(below.start)..first(below.end)
        });
        ControlDependence {
            into: into.collect(),
            depths: function
                .block_ids()
                .map(|block| post_dominators.depth(block))
                .collect(),
            stops: RangeMin::new(edges.iter().map(|edge| edge.stop)),
            edges,
        }
    }

    /// The blocks whose terminators `block` is directly control dependent on, in reverse post-order. The time it takes grows
    /// with their number and the logarithm of the function's size.
    pub fn branches(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        self.branches_up_to(block, usize::MAX).unwrap_or_default()
    }

    /// As [`ControlDependence::branches`].
    ///
    /// # Errors
    /// More than `most` branches decide about the block: one of them.
    pub fn branches_up_to(
        &self,
        block: BlockId,
        most: usize,
    ) -> Result<SmallVec<[BlockId; 4]>, BlockId> {
        let depth = self.depths[block.index()];
        let mut found: SmallVec<[(u32, BlockId); 4]> = SmallVec::new();
        let Range { start, end } = self.into[block.index()].clone();
        // The edges that come from below the block's depth.
        self.stops
            .below(start as usize..end as usize, depth, |index| {
                let edge = self.edges[index];
                found.push((edge.position, edge.branch));
                found.len() <= most
            });
        if let Some(&(_, more)) = found.get(most) {
            return Err(more);
        }
        found.sort_unstable();
        // Both edges of a branch that ends a region without an exit can lead here.
        found.dedup();
        Ok(found.into_iter().map(|(_, branch)| branch).collect())
    }
}

/// The post-dominator tree by pre-order numbers.
struct Tree {
    ancestors: Ancestors,
    /// The end of each one's subtree.
    ends: Vec<u32>,
    depths: Vec<u32>,
}

impl Tree {
    fn new(function: &Function, post_dominators: &DominatorTree) -> Self {
        let mut places = Vec::with_capacity(function.blocks.len());
        for block in function.block_ids() {
            places.extend(post_dominators.below(block).map(|place| (place, block)));
        }
        let nodes = places.iter().map(|(place, _)| place.start as usize + 1);
        let nodes = nodes.max().unwrap_or(0);
        let (mut ends, mut depths) = (vec![0; nodes], vec![0; nodes]);
        let mut parents = vec![None; nodes];
        for (place, block) in places {
            let node = place.start as usize;
            (ends[node], depths[node]) = (place.end, post_dominators.depth(block));
            let parent = post_dominators.immediate(block);
            let parent = parent.and_then(|block| post_dominators.below(block));
            parents[node] = parent.map(|place| place.start);
        }
        Tree {
            ancestors: Ancestors::new(parents.into_iter()),
            ends,
            depths,
        }
    }

    /// Keeps for each block one of the edges of one branch: where the paths of two edges up the tree meet, one of them goes on.
    fn part(&self, edges: &mut [Edge]) {
        edges.sort_unstable_by_key(|edge| edge.target);
        for index in 1..edges.len() {
            let (other, edge) = (edges[index - 1].target, &mut edges[index]);
            let apart = |node: u32| other < node || other >= self.ends[node as usize];
            if let Some(last) = self.ancestors.last(edge.target, apart) {
                edge.stop = edge.stop.max(self.depths[last as usize].saturating_sub(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::graph;
    use proptest::prelude::*;

    fn branches(successors: &[&[u32]], block: u32) -> Vec<u32> {
        let function = graph(successors);
        let cfg = Cfg::new(&function);
        let post = DominatorTree::post_dominators(&function, &cfg);
        let control = ControlDependence::new(&function, &cfg, &post);
        let branches = control.branches(BlockId(block));
        branches.into_iter().map(|b| b.0).collect()
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

    #[test]
    fn edges_of_a_switch_that_fall_through_are_one_branch() {
        let switch: &[&[u32]] = &[&[1, 2, 3, 4], &[2], &[3], &[4], &[5], &[]];
        let function = graph(switch);
        let cfg = Cfg::new(&function);
        let post = DominatorTree::post_dominators(&function, &cfg);
        let control = ControlDependence::new(&function, &cfg, &post);
        let found = control.branches_up_to(BlockId(3), 1);
        assert_eq!(found.as_deref(), Ok(&[BlockId(0)][..]));
    }

    /// Each block has one or two successors, or up to five, or none.
    fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
        (2u32..14).prop_flat_map(|blocks| {
            let one = proptest::collection::vec(0..blocks, 0..6);
            proptest::collection::vec(one, blocks as usize)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn a_block_depends_on_a_branch_that_it_post_dominates_on_one_side_only(graph_of in graphs()) {
            let lists: Vec<&[u32]> = graph_of.iter().map(Vec::as_slice).collect();
            let function = graph(&lists);
            let cfg = Cfg::new(&function);
            let post = DominatorTree::post_dominators(&function, &cfg);
            let control = ControlDependence::new(&function, &cfg, &post);
            for block in function.block_ids().filter(|&block| cfg.reachable(block)) {
                let decides = |&branch: &BlockId| {
                    graph_of[branch.index()].len() > 1
                        && cfg.successors(branch).any(|next| post.dominates(block, next))
                        && !post.strictly_dominates(block, branch)
                };
                let expected: Vec<BlockId> =
                    cfg.reverse_post_order().iter().copied().filter(decides).collect();
                prop_assert_eq!(control.branches(block).to_vec(), expected);
            }
        }
    }
}
