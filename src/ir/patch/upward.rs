//! Where a block has from what several blocks define: joins are passed that nothing different comes together in.
//!
//! A parameter in every join on the path would make as many parameters as there are values and joins, of which none but the
//! first few is of any use.

use crate::ancestors::Ancestors;
use crate::cfg::{Adjacency, Cfg};
use crate::dominators::DominatorTree;
use crate::function::BlockId;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The blocks that define something, in the dominator tree.
pub(super) struct Upward<K> {
    dominators: DominatorTree,
    /// Reachable blocks in the tree's pre-order.
    blocks: Vec<BlockId>,
    /// By their numbers in it.
    around: Ancestors,
    /// For each key the numbers of the blocks that define it, ascending.
    defined: FxHashMap<K, Vec<u32>>,
}

impl<K: Copy + Eq + Hash> Upward<K> {
    /// Of a graph with these edges, and where what is defined.
    pub fn new(
        blocks: usize,
        edges: &[(u32, u32)],
        definitions: impl Iterator<Item = (K, BlockId)>,
    ) -> Self {
        let backward: Vec<(u32, u32)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let graphs = (
            Adjacency::new(blocks, edges),
            Adjacency::new(blocks, &backward),
        );
        let dominators = DominatorTree::dominators(&Cfg::of(graphs.0, graphs.1));
        let number = |block: BlockId| Some(dominators.below(block)?.start);
        let all = (0..blocks as u32).map(BlockId);
        let mut order: Vec<BlockId> = all.filter(|&block| number(block).is_some()).collect();
        order.sort_unstable_by_key(|&block| number(block));
        let parents = order
            .iter()
            .map(|&block| number(dominators.immediate(block)?));
        let around = Ancestors::new(parents);
        let mut defined: FxHashMap<K, Vec<u32>> = FxHashMap::default();
        for (key, block) in definitions {
            let numbers = defined.entry(key).or_default();
            numbers.extend(number(block));
        }
        defined
            .values_mut()
            .for_each(|numbers| numbers.sort_unstable());
        Upward {
            blocks: order,
            around,
            defined,
            dominators,
        }
    }

    /// The furthest dominator of a block from whose end on no block that can come in between defines the key; none where the
    /// nearest one is none.
    pub fn from(&self, key: K, block: BlockId) -> Option<BlockId> {
        let defined = self.defined.get(&key).map_or(&[][..], Vec::as_slice);
        // All that comes between a dominator and the block is strictly below the dominator.
        let passes = |number: u32| {
            let below = self.dominators.below(self.blocks[number as usize]);
            let next = defined.partition_point(|&one| one <= number);
            let next = defined.get(next);
            below.is_some_and(|below| next.is_none_or(|next| !below.contains(next)))
        };
        let nearest = self
            .dominators
            .below(self.dominators.immediate(block)?)?
            .start;
        let furthest = self.around.last(nearest, passes)?;
        Some(self.blocks[furthest as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three diamonds in a row and a loop around the last.
    #[test]
    fn joins_are_passed_where_nothing_comes_together() {
        let edges = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (3, 5),
            (4, 6),
            (5, 6),
            (6, 7),
            (6, 8),
            (7, 9),
            (8, 9),
            (9, 6),
        ];
        let at = |list: &[u32]| list.iter().map(|&block| ((), BlockId(block))).collect();
        let from = |defined: &[u32], block: u32| {
            let defined: Vec<((), BlockId)> = at(defined);
            let upward = Upward::new(10, &edges, defined.into_iter());
            upward.from((), BlockId(block)).map(|block| block.0)
        };
        assert_eq!(from(&[1, 2], 3), None);
        assert_eq!(from(&[1, 2], 6), Some(3));
        assert_eq!(from(&[1, 2], 9), Some(3));
        assert_eq!(from(&[0], 9), Some(0));
        assert_eq!(from(&[1, 4], 6), None);
        // What the loop defines comes together in front of it, with what was before.
        assert_eq!(from(&[1, 9], 6), None);
        assert_eq!(from(&[1, 9], 8), None);
        assert_eq!(from(&[1, 9], 3), None);
        assert_eq!(from(&[1], 0), None);
    }
}
