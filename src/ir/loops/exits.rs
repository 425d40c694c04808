//! Edges that leave loops.
//!
//! An edge may leave any number of loops, and all edges of a nest may leave all of its loops: so each is kept once, and the
//! exits of a loop are looked up.

use super::{LoopId, LoopNest};
use crate::cfg::Cfg;
use crate::function::BlockId;
use crate::range_min::RangeMin;

/// The edges that leave loops, by the innermost loop around their beginnings.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    /// Ascending.
    from_loops: Vec<LoopId>,
    /// With their places in the order of all: reverse post-order.
    edges: Vec<(u32, BlockId, BlockId)>,
    /// Depths of the innermost loops around both ends.
    depths: RangeMin,
}

impl Exits {
    pub(super) fn new(nest: &LoopNest, cfg: &Cfg) -> Self {
        let mut found = Vec::new();
        for &from in cfg.reverse_post_order() {
            let Some(from_loop) = nest.innermost(from) else {
                continue;
            };
            for to in cfg.successors(from) {
                if let Some(left) = nest.outermost_left(from_loop, to) {
                    let place = found.len() as u32;
                    found.push((from_loop, nest.get(left).depth - 1, (place, from, to)));
                }
            }
        }
        found.sort_by_key(|&(from_loop, ..)| from_loop);
        Exits {
            from_loops: found.iter().map(|&(from_loop, ..)| from_loop).collect(),
            depths: RangeMin::new(found.iter().map(|&(_, depth, _)| depth)),
            edges: found.into_iter().map(|(.., edge)| edge).collect(),
        }
    }
}

impl LoopNest {
    /// The outermost of the loops around the inside of `from_loop` that a path to `block` leaves; none if it leaves none.
    pub fn outermost_left(&self, from_loop: LoopId, block: BlockId) -> Option<LoopId> {
        let outside = |id| !self.contains(LoopId(id), block);
        self.around.last(from_loop.0, outside).map(LoopId)
    }

    /// The edges that leave a loop, a block inside and a block outside, in reverse post-order.
    pub fn exits(&self, id: LoopId) -> Vec<(BlockId, BlockId)> {
        let Exits {
            from_loops,
            edges,
            depths,
        } = &self.exits;
        let first = from_loops.partition_point(|&from_loop| from_loop < id);
        let inside = from_loops[first..].partition_point(|&from_loop| self.encloses(id, from_loop));
        let mut found = Vec::new();
        depths.below(first..first + inside, self.get(id).depth, |index| {
            found.push(edges[index]);
            true
        });
        found.sort_unstable();
        found.into_iter().map(|(_, from, to)| (from, to)).collect()
    }

    /// For each loop whether it is left by an edge for which `counts` holds.
    pub fn left_where(&self, counts: impl Fn(BlockId, BlockId) -> bool) -> Vec<bool> {
        let mut left = vec![false; self.loops.len()];
        // For each loop the innermost around it that is not known to be left, or one further in.
        let mut next: Vec<Option<LoopId>> = self.ids().map(Some).collect();
        for (&from_loop, &(_, from, to)) in self.exits.from_loops.iter().zip(&self.exits.edges) {
            if !counts(from, to) {
                continue;
            }
            let mut outer = Some(from_loop);
            while let Some(id) = unmarked(&mut next, outer).filter(|&id| !self.contains(id, to)) {
                left[id.0 as usize] = true;
                outer = self.get(id).parent;
                next[id.0 as usize] = outer;
            }
        }
        left
    }
}

/// Follows `next` from a loop to one that links to itself, and shortens the path.
fn unmarked(next: &mut [Option<LoopId>], mut id: Option<LoopId>) -> Option<LoopId> {
    loop {
        let here = id?.0 as usize;
        let up = next[here];
        if up == id {
            return id;
        }
        // Half of the steps next time.
        next[here] = match up {
            Some(up) => next[up.0 as usize],
            None => None,
        };
        id = up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::graph;
    use crate::dominators::DominatorTree;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn exits_are_the_edges_from_inside_to_outside(
            lists in (2u32..16).prop_flat_map(|blocks| {
                let one = prop::collection::vec(0..blocks, 0..4);
                prop::collection::vec(one, blocks as usize)
            }),
            odd in any::<bool>(),
        ) {
            let slices: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            let cfg = Cfg::new(&graph(&slices));
            let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
            let counts = |from: BlockId, to: BlockId| (from.0 + to.0) % 2 == u32::from(odd);
            let left = nest.left_where(counts);
            for id in nest.ids() {
                let edges = cfg.reverse_post_order().iter().flat_map(|&from| {
                    cfg.successors(from).map(move |to| (from, to))
                });
                let expected: Vec<_> = edges
                    .filter(|&(from, to)| nest.contains(id, from) && !nest.contains(id, to))
                    .collect();
                prop_assert_eq!(left[id.0 as usize], expected.iter().any(|&(a, b)| counts(a, b)));
                prop_assert_eq!(nest.exits(id), expected);
            }
        }
    }
}
