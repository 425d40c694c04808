//! The control flow graph of a function: distinct predecessors and successors, and a reverse post-order.

use super::function::{BlockId, Function};

/// Lists of neighbours (or of what else there is about each node) of all nodes in one array (compressed sparse rows).
#[derive(Clone, Debug, Default)]
pub struct Adjacency<T = u32> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Adjacency<T> {
    /// From edges `(from, to)` over `nodes` nodes; each list keeps the order of the edges.
    pub fn new(nodes: usize, edges: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); edges.len()];
        for &(from, to) in edges {
            items[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Adjacency { starts, items }
    }

    /// The neighbours of `node`.
    pub fn of(&self, node: u32) -> &[T] {
        let node = node as usize;
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// The nodes that `root` reaches, in depth-first post-order (successors in their order).
pub fn post_order(successors: &Adjacency, root: u32) -> Vec<u32> {
    let mut seen = vec![false; successors.nodes()];
    let mut order = Vec::with_capacity(seen.len());
    if seen.is_empty() {
        return order;
    }
    let mut stack = vec![(root, 0usize)];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        if let Some(&successor) = successors.of(*node).get(*next) {
            *next += 1;
            if !seen[successor as usize] {
                seen[successor as usize] = true;
                stack.push((successor, 0));
            }
        } else {
            order.push(*node);
            stack.pop();
        }
    }
    order
}

/// The control flow graph.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Adjacency,
    predecessors: Adjacency,
    order: Vec<BlockId>,
    position: Vec<u32>,
    /// For each block the targets that lead there, so that none of thousands of a `switch` is looked at for another: the
    /// terminator's block, and the number of the target.
    targets: Adjacency<(u32, u32)>,
}

/// [`Cfg::position`] of an unreachable block.
pub const UNREACHABLE: u32 = u32::MAX;

impl Cfg {
    /// Builds the graph. Two edges between the same blocks count as one.
    pub fn new(function: &Function) -> Self {
        let blocks = function.blocks.len();
        let mut forward = Vec::with_capacity(blocks * 2);
        let mut all = Vec::with_capacity(blocks * 2);
        for id in function.block_ids() {
            let first = forward.len();
            for (number, target) in (0..).zip(function.block(id).terminator.targets()) {
                forward.push((id.0, target.block.0));
                all.push((target.block.0, (id.0, number)));
            }
            dedup_tail(&mut forward, first);
        }
        let backward: Vec<_> = forward.iter().map(|&(from, to)| (to, from)).collect();
        Cfg {
            targets: Adjacency::new(blocks, &all),
            ..Cfg::of(
                Adjacency::new(blocks, &forward),
                Adjacency::new(blocks, &backward),
            )
        }
    }

    /// The graph of distinct edges, of no function.
    pub fn of(successors: Adjacency, predecessors: Adjacency) -> Self {
        let blocks = successors.nodes();
        let mut order: Vec<BlockId> = post_order(&successors, 0)
            .into_iter()
            .map(BlockId)
            .collect();
        order.reverse();
        let mut position = vec![UNREACHABLE; blocks];
        for (index, block) in order.iter().enumerate() {
            position[block.index()] = index as u32;
        }
        Cfg {
            successors,
            predecessors,
            order,
            position,
            targets: Adjacency::new(blocks, &[]),
        }
    }

    /// The numbers of the targets by which the terminator of `from` leads to `to`, ascending.
    pub fn targets_between(&self, from: BlockId, to: BlockId) -> impl Iterator<Item = usize> + '_ {
        let all = self.targets.of(to.0);
        let first = all.partition_point(|target| target.0 < from.0);
        let here = all[first..]
            .iter()
            .take_while(move |target| target.0 == from.0);
        here.map(|&(_, number)| number as usize)
    }

    /// Distinct successors, in the order of the terminator.
    pub fn successors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.successors.of(block.0).iter().map(|&b| BlockId(b))
    }

    /// Distinct predecessors, ascending.
    pub fn predecessors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.predecessors.of(block.0).iter().map(|&b| BlockId(b))
    }

    /// Reachable blocks in reverse post-order: each before its successors, back edges apart.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// Position in the reverse post-order, or [`UNREACHABLE`].
    pub fn position(&self, block: BlockId) -> u32 {
        self.position[block.index()]
    }

    /// Whether the entry reaches the block.
    pub fn reachable(&self, block: BlockId) -> bool {
        self.position(block) != UNREACHABLE
    }

    /// Number of blocks, unreachable ones included.
    pub fn blocks(&self) -> usize {
        self.position.len()
    }

    /// Successor lists by block number.
    pub fn forward(&self) -> &Adjacency {
        &self.successors
    }

    /// Predecessor lists by block number.
    pub fn backward(&self) -> &Adjacency {
        &self.predecessors
    }
}

/// Drops repeated edges after `first`, keeping the first of each. A long `brx.idx` table repeats its targets, so
/// this sorts instead of comparing pairwise.
fn dedup_tail(edges: &mut Vec<(u32, u32)>, first: usize) {
    match edges.len() - first {
        0 | 1 => {}
        2 => {
            if edges[first] == edges[first + 1] {
                edges.pop();
            }
        }
        _ => {
            let mut seen = rustc_hash::FxHashSet::default();
            let mut kept = first;
            for index in first..edges.len() {
                if seen.insert(edges[index].1) {
                    edges[kept] = edges[index];
                    kept += 1;
                }
            }
            edges.truncate(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::graph;

    #[test]
    fn order_and_neighbours_of_a_diamond_with_an_unreachable_block() {
        let function = graph(&[&[1, 2], &[3], &[3], &[], &[3]]);
        let cfg = Cfg::new(&function);
        assert_eq!(cfg.predecessors(BlockId(3)).count(), 3);
        assert_eq!(cfg.reverse_post_order().len(), 4);
        assert_eq!(cfg.position(BlockId(0)), 0);
        assert_eq!(cfg.position(BlockId(3)), 3);
        assert!(!cfg.reachable(BlockId(4)));
    }

    #[test]
    fn repeated_targets_are_one_edge() {
        let cfg = Cfg::new(&graph(&[&[1, 2, 1, 2, 1], &[], &[]]));
        let successors: Vec<_> = cfg.successors(BlockId(0)).collect();
        assert_eq!(successors, [BlockId(1), BlockId(2)]);
        assert_eq!(cfg.predecessors(BlockId(1)).count(), 1);
    }

    #[test]
    fn an_empty_function_has_no_order() {
        assert!(
            Cfg::new(&Function::default())
                .reverse_post_order()
                .is_empty()
        );
    }
}
