//! Dominator and post-dominator trees.
//!
//! The algorithm is Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005):
//! semidominators with path compression, then one walk per node up the tree. `petgraph`'s iterative algorithm is
//! quadratic where thousands of blocks share one trap or return block, which bounds-checked kernels do.

use super::cfg::{Adjacency, Cfg};
use super::function::{BlockId, Function};
use std::ops::Range;

/// No node.
const NONE: u32 = u32::MAX;

/// A dominator or post-dominator tree. Queries take constant time.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    /// Immediate dominator; `NONE` for the root and for unreachable blocks.
    parent: Vec<u32>,
    /// Pre-order number in the tree; `NONE` for unreachable blocks.
    enter: Vec<u32>,
    /// Largest pre-order number in the subtree.
    last: Vec<u32>,
    /// Distance from the root.
    depth: Vec<u32>,
    /// Number of blocks: nodes from here on are virtual.
    blocks: u32,
}

impl DominatorTree {
    /// Dominators: `a` dominates `b` if every path from the entry to `b` passes `a`.
    pub fn dominators(cfg: &Cfg) -> Self {
        Self::build(cfg.forward(), cfg.backward(), 0, cfg.blocks())
    }

    /// Post-dominators: `a` post-dominates `b` if every path from `b` to the end of the thread passes `a`.
    ///
    /// All ends lead to a virtual exit that is the root of the tree. A region without a path to an end (an infinite loop) is
    /// given one from its last block in reverse post-order, so every reachable block is in the tree.
    pub fn post_dominators(function: &Function, cfg: &Cfg) -> Self {
        let exit = cfg.blocks() as u32;
        let mut edges = Vec::new();
        for id in function.block_ids().filter(|&id| cfg.reachable(id)) {
            edges.extend(cfg.successors(id).map(|successor| (id.0, successor.0)));
        }
        for end in ends(cfg) {
            edges.push((end, exit));
        }
        let backward: Vec<_> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let nodes = cfg.blocks() + 1;
        let forward = Adjacency::new(nodes, &edges);
        let backward = Adjacency::new(nodes, &backward);
        Self::build(&backward, &forward, exit, cfg.blocks())
    }

    /// The immediate (post-)dominator; none for the root, for what only the virtual exit post-dominates, and for
    /// unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let parent = self.parent[block.index()];
        (parent < self.blocks).then_some(BlockId(parent))
    }

    /// Whether `a` (post-)dominates `b`; every reachable block does so itself. False if one is unreachable.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (outer, inner) = (self.enter[a.index()], self.enter[b.index()]);
        outer != NONE && inner != NONE && outer <= inner && inner <= self.last[a.index()]
    }

    /// The pre-order numbers of the blocks that a block (post-)dominates, its own first; none if it is unreachable.
    pub fn below(&self, block: BlockId) -> Option<Range<u32>> {
        let first = self.enter[block.index()];
        (first != NONE).then(|| first..self.last[block.index()] + 1)
    }

    /// Whether `a` (post-)dominates `b` and is not `b`.
    pub fn strictly_dominates(&self, a: BlockId, b: BlockId) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The nearest block that (post-)dominates both; none if only the virtual exit does.
    pub fn common(&self, a: BlockId, b: BlockId) -> Option<BlockId> {
        let mut node = a;
        while !self.dominates(node, b) {
            node = self.immediate(node)?;
        }
        Some(node)
    }

    /// Number of blocks (the virtual exit counts) that strictly (post-)dominate the block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.depth[block.index()]
    }

    fn build(successors: &Adjacency, predecessors: &Adjacency, root: u32, blocks: usize) -> Self {
        let nodes = successors.nodes();
        let mut tree = DominatorTree {
            parent: vec![NONE; nodes],
            enter: vec![NONE; nodes],
            last: vec![NONE; nodes],
            depth: vec![0; nodes],
            blocks: blocks as u32,
        };
        if (root as usize) < nodes {
            let spanning = Spanning::new(successors, root);
            let parents = spanning.immediate_dominators(predecessors);
            tree.number(&spanning.vertices, &parents);
        }
        tree
    }

    /// Fills the tree from immediate dominators in depth-first numbers (where parents come first).
    fn number(&mut self, vertices: &[u32], parents: &[u32]) {
        let mut sizes = vec![1u32; vertices.len()];
        for index in (1..vertices.len()).rev() {
            sizes[parents[index] as usize] += sizes[index];
        }
        // Each node hands its children consecutive ranges after its own number.
        let mut next = vec![0u32; vertices.len()];
        for (index, &vertex) in vertices.iter().enumerate() {
            let vertex = vertex as usize;
            let enter = if index == 0 {
                0
            } else {
                let parent = parents[index] as usize;
                let enter = next[parent];
                next[parent] += sizes[index];
                self.parent[vertex] = vertices[parent];
                self.depth[vertex] = self.depth[vertices[parent] as usize] + 1;
                enter
            };
            next[index] = enter + 1;
            self.enter[vertex] = enter;
            self.last[vertex] = enter + sizes[index] - 1;
        }
    }
}

/// Blocks that get an edge to the virtual exit: ends of the thread, and one block of each region that reaches none.
fn ends(cfg: &Cfg) -> Vec<u32> {
    let mut ends = Vec::new();
    let mut reaches = vec![false; cfg.blocks()];
    let mut stack = Vec::new();
    let order = cfg.reverse_post_order();
    let leaves = order
        .iter()
        .filter(|&&block| cfg.successors(block).next().is_none());
    for &block in leaves.chain(order.iter().rev()) {
        if reaches[block.index()] {
            continue;
        }
        ends.push(block.0);
        reaches[block.index()] = true;
        stack.push(block);
        while let Some(node) = stack.pop() {
            for predecessor in cfg.predecessors(node) {
                if !reaches[predecessor.index()] {
                    reaches[predecessor.index()] = true;
                    stack.push(predecessor);
                }
            }
        }
    }
    ends
}

/// A depth-first spanning tree; all arrays but `number` are indexed by depth-first number.
struct Spanning {
    /// Node of each number.
    vertices: Vec<u32>,
    /// Number of the parent.
    parents: Vec<u32>,
    /// Number of each node, or `NONE`.
    number: Vec<u32>,
}

impl Spanning {
    fn new(successors: &Adjacency, root: u32) -> Self {
        let mut spanning = Spanning {
            vertices: Vec::new(),
            parents: Vec::new(),
            number: vec![NONE; successors.nodes()],
        };
        let mut stack = vec![(root, 0usize)];
        spanning.visit(root, 0);
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if let Some(&successor) = successors.of(node).get(*next) {
                *next += 1;
                if spanning.number[successor as usize] == NONE {
                    let parent = spanning.number[node as usize];
                    spanning.visit(successor, parent);
                    stack.push((successor, 0));
                }
            } else {
                stack.pop();
            }
        }
        spanning
    }

    fn visit(&mut self, node: u32, parent: u32) {
        self.number[node as usize] = self.vertices.len() as u32;
        self.vertices.push(node);
        self.parents.push(parent);
    }

    /// Immediate dominators, as numbers.
    fn immediate_dominators(&self, predecessors: &Adjacency) -> Vec<u32> {
        let count = self.vertices.len();
        let mut semi: Vec<u32> = (0..count as u32).collect();
        let mut label = semi.clone();
        let mut ancestor = self.parents.clone();
        let mut path = Vec::new();
        for node in (1..count as u32).rev() {
            for &predecessor in predecessors.of(self.vertices[node as usize]) {
                let predecessor = self.number[predecessor as usize];
                if predecessor == NONE {
                    continue;
                }
                let best = evaluate(
                    predecessor,
                    node,
                    &mut ancestor,
                    &mut label,
                    &semi,
                    &mut path,
                );
                semi[node as usize] = semi[node as usize].min(semi[best as usize]);
            }
            // `node` keeps its own label: its semidominator is final now.
            label[node as usize] = node;
        }
        let mut dominator = self.parents.clone();
        for node in 1..count {
            let mut candidate = dominator[node];
            while candidate > semi[node] {
                candidate = dominator[candidate as usize];
            }
            dominator[node] = candidate;
        }
        dominator
    }
}

/// The node of least semidominator on the path from `node` up to, without, the root of its tree, in the forest where
/// the nodes numbered above `linked` hang below their parents; compresses the path.
fn evaluate(
    node: u32,
    linked: u32,
    ancestor: &mut [u32],
    label: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) -> u32 {
    if node <= linked {
        return node;
    }
    path.clear();
    let mut root = node;
    while ancestor[root as usize] > linked {
        path.push(root);
        root = ancestor[root as usize];
    }
    // `root` is the topmost linked node now: it hangs directly below the root of the tree.
    while let Some(below) = path.pop() {
        let above = ancestor[below as usize];
        if semi[label[above as usize] as usize] < semi[label[below as usize] as usize] {
            label[below as usize] = label[above as usize];
        }
        ancestor[below as usize] = ancestor[above as usize];
    }
    label[node as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::graph;
    use crate::cfg::post_order;
    use proptest::prelude::*;

    fn block(n: u32) -> BlockId {
        BlockId(n)
    }

    #[test]
    fn diamond() {
        let function = graph(&[&[1, 2], &[3], &[3], &[]]);
        let cfg = Cfg::new(&function);
        let tree = DominatorTree::dominators(&cfg);
        assert_eq!(tree.immediate(block(3)), Some(block(0)));
        assert_eq!(tree.immediate(block(0)), None);
        assert_eq!(tree.common(block(1), block(2)), Some(block(0)));
        assert!(tree.dominates(block(0), block(3)) && !tree.dominates(block(1), block(3)));
        let post = DominatorTree::post_dominators(&function, &cfg);
        assert_eq!(post.immediate(block(0)), Some(block(3)));
        assert_eq!(post.immediate(block(3)), None);
        assert!(post.strictly_dominates(block(3), block(1)));
    }

    #[test]
    fn an_infinite_loop_is_in_the_post_dominator_tree() {
        let function = graph(&[&[1, 2], &[1], &[]]);
        let cfg = Cfg::new(&function);
        let post = DominatorTree::post_dominators(&function, &cfg);
        assert!(post.dominates(block(1), block(1)));
        assert_eq!(post.immediate(block(0)), None);
    }

    /// Dominance by definition: without `a`, the root does not reach `b`.
    fn naive(successors: &Adjacency, root: u32, a: u32, b: u32) -> bool {
        let mut edges = Vec::new();
        for from in (0..successors.nodes() as u32).filter(|&node| node != a) {
            edges.extend(successors.of(from).iter().map(|&to| (from, to)));
        }
        let cut = Adjacency::new(successors.nodes(), &edges);
        a == b || !(post_order(&cut, root).contains(&b) && root != a)
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            lists in prop::collection::vec(prop::collection::vec(0u32..9, 0..4), 9)
        ) {
            let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            let function = graph(&lists);
            let cfg = Cfg::new(&function);
            let tree = DominatorTree::dominators(&cfg);
            let post = DominatorTree::post_dominators(&function, &cfg);
            let exit = cfg.blocks() as u32;
            let mut reversed: Vec<_> = ends(&cfg).into_iter().map(|end| (exit, end)).collect();
            for &id in cfg.reverse_post_order() {
                reversed.extend(cfg.successors(id).map(|to| (to.0, id.0)));
            }
            let reversed = Adjacency::new(cfg.blocks() + 1, &reversed);
            for &a in cfg.reverse_post_order() {
                for &b in cfg.reverse_post_order() {
                    prop_assert_eq!(tree.dominates(a, b), naive(cfg.forward(), 0, a.0, b.0));
                    prop_assert_eq!(post.dominates(a, b), naive(&reversed, exit, a.0, b.0));
                }
            }
        }
    }

    #[test]
    fn thousands_of_checks_that_share_a_trap_are_quick() {
        let count = 20_000u32;
        let lists: Vec<Vec<u32>> = (0..count)
            .map(|n| match n {
                1 => vec![],
                0 => vec![1, 2],
                n if n + 1 == count => vec![],
                n => vec![1, n + 1],
            })
            .collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let function = graph(&lists);
        let cfg = Cfg::new(&function);
        let tree = DominatorTree::dominators(&cfg);
        assert_eq!(tree.immediate(block(1)), Some(block(0)));
        assert_eq!(tree.depth(block(count - 1)), count - 2);
    }
}
