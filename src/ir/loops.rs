//! The natural loop nest.

mod exits;

use super::ancestors::Ancestors;
use super::cfg::Cfg;
use super::dominators::DominatorTree;
use super::function::BlockId;
use exits::Exits;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// A loop, by index of [`LoopNest::loops`]. Outer loops have smaller numbers than the loops in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A natural loop: all blocks that reach one of its back edges without passing the header.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block that dominates all others.
    pub header: BlockId,
    /// The innermost loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Sources of the back edges.
    pub latches: Vec<BlockId>,
    /// Predecessors of the header outside the loop.
    pub entries: Vec<BlockId>,
    /// Blocks of it form a cycle of several entries: iterations cannot be counted in it.
    pub irreducible: bool,
}

/// All natural loops of a function.
#[derive(Clone, Debug, Default)]
pub struct LoopNest {
    /// Loops, by reverse post-order of the headers.
    pub loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
    irreducible: Vec<bool>,
    /// Largest number of a loop inside, by loop: with parents before children in depth-first order a range test.
    last_inside: Vec<u32>,
    /// Blocks in loops, by the number of the innermost one, then in reverse post-order: those of a loop and the loops in it
    /// are a range, which takes no more room in deep nests.
    blocks: Vec<BlockId>,
    /// Where the blocks of each loop begin; after the last one the end of all.
    starts: Vec<u32>,
    /// The loops around each.
    around: Ancestors,
    exits: Exits,
}

impl LoopNest {
    /// Finds the loops.
    pub fn new(cfg: &Cfg, dominators: &DominatorTree) -> Self {
        let mut nest = LoopNest {
            innermost: vec![None; cfg.blocks()],
            irreducible: vec![false; cfg.blocks()],
            ..LoopNest::default()
        };
        let mut crossing = false;
        for &header in cfg.reverse_post_order() {
            let (mut latches, mut entries) = (Vec::new(), Vec::new());
            for predecessor in cfg.predecessors(header).filter(|&p| cfg.reachable(p)) {
                if dominators.dominates(header, predecessor) {
                    latches.push(predecessor);
                } else {
                    entries.push(predecessor);
                    crossing |= cfg.position(predecessor) >= cfg.position(header);
                }
            }
            if !latches.is_empty() {
                nest.loops.push(Loop {
                    header,
                    parent: None,
                    depth: 0,
                    latches,
                    entries,
                    irreducible: false,
                });
            }
        }
        nest.nest(cfg);
        nest.fill(cfg);
        if crossing {
            nest.mark_irreducible(cfg, dominators);
        }
        nest
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// All loops, outer before inner.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }

    /// The blocks of a loop, those of inner loops included; the header is the first.
    pub fn blocks(&self, id: LoopId) -> &[BlockId] {
        let end = self.last_inside[id.0 as usize] as usize + 1;
        &self.blocks[self.starts[id.0 as usize] as usize..self.starts[end] as usize]
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loops around a block, from the innermost outwards.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |&id| self.get(id).parent)
    }

    /// Whether the block is in the loop (or in one inside it).
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.innermost(block)
            .is_some_and(|inner| self.encloses(id, inner))
    }

    /// Whether `outer` is `inner` or around it.
    pub fn encloses(&self, outer: LoopId, inner: LoopId) -> bool {
        outer <= inner && inner.0 <= self.last_inside[outer.0 as usize]
    }

    /// Number of loops around a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }

    /// Whether the block is part of a cycle of several entries: what it does per iteration is not known.
    pub fn irreducible(&self, block: BlockId) -> bool {
        self.irreducible[block.index()]
    }

    /// Whether any block is.
    pub fn any_irreducible(&self) -> bool {
        self.irreducible.contains(&true)
    }

    /// Finds parents and innermost loops: inner loops first, a walk backwards from the latches that steps over loops
    /// already found. Then renumbers loops depth-first.
    fn nest(&mut self, cfg: &Cfg) {
        let mut stack = Vec::new();
        // For each loop the outermost around it found so far, or one further in.
        let mut outermost: Vec<LoopId> = self.ids().collect();
        for index in (0..self.loops.len()).rev() {
            let (id, header) = (LoopId(index as u32), self.loops[index].header);
            stack.extend_from_slice(&self.loops[index].latches);
            while let Some(block) = stack.pop() {
                let entry = match self.innermost(block).map(|id| top(&mut outermost, id)) {
                    None => {
                        self.innermost[block.index()] = Some(id);
                        block
                    }
                    Some(found) if found == id => continue,
                    Some(inner) => {
                        self.loops[inner.0 as usize].parent = Some(id);
                        outermost[inner.0 as usize] = id;
                        self.loops[inner.0 as usize].header
                    }
                };
                if entry != header {
                    stack.extend(
                        cfg.predecessors(entry)
                            .filter(|&p| cfg.reachable(p) && self.innermost(p) != Some(id)),
                    );
                }
            }
        }
        self.renumber();
    }

    /// Orders loops depth-first, so that the loops in a loop are a range of numbers.
    fn renumber(&mut self) {
        let count = self.loops.len();
        let mut size = vec![1u32; count];
        for index in (0..count).rev() {
            if let Some(parent) = self.loops[index].parent {
                size[parent.0 as usize] += size[index];
            }
        }
        let mut next_root = 0;
        let mut next = vec![0u32; count];
        let mut number = vec![0u32; count];
        for index in 0..count {
            let slot = match self.loops[index].parent {
                Some(parent) => &mut next[parent.0 as usize],
                None => &mut next_root,
            };
            number[index] = *slot;
            *slot += size[index];
            next[index] = number[index] + 1;
        }
        let rename = |id: LoopId| LoopId(number[id.0 as usize]);
        let mut ordered: Vec<(u32, Loop)> = number
            .iter()
            .copied()
            .zip(std::mem::take(&mut self.loops))
            .collect();
        ordered.sort_unstable_by_key(|(number, _)| *number);
        self.loops = ordered.into_iter().map(|(_, one)| one).collect();
        for one in &mut self.loops {
            one.parent = one.parent.map(rename);
        }
        for id in self.innermost.iter_mut().flatten() {
            *id = rename(*id);
        }
        self.last_inside = vec![0; count];
        for index in 0..count {
            self.last_inside[number[index] as usize] = number[index] + size[index] - 1;
        }
    }

    /// Fills depths, blocks and exits.
    fn fill(&mut self, cfg: &Cfg) {
        for index in 0..self.loops.len() {
            let parent = self.loops[index].parent;
            self.loops[index].depth = 1 + parent.map_or(0, |id| self.get(id).depth);
        }
        self.blocks = cfg.reverse_post_order().to_vec();
        let innermost = &self.innermost;
        self.blocks
            .retain(|block| innermost[block.index()].is_some());
        self.blocks.sort_by_key(|block| innermost[block.index()]);
        self.starts = vec![0; self.loops.len() + 1];
        for block in &self.blocks {
            if let Some(id) = self.innermost[block.index()] {
                self.starts[id.0 as usize + 1] += 1;
            }
        }
        for index in 0..self.loops.len() {
            self.starts[index + 1] += self.starts[index];
        }
        let parents = self.loops.iter().map(|one| one.parent.map(|id| id.0));
        self.around = Ancestors::new(parents);
        self.exits = Exits::new(self, cfg);
    }

    /// Marks cycles that remain without the back edges, and all loops in and around them.
    fn mark_irreducible(&mut self, cfg: &Cfg, dominators: &DominatorTree) {
        let mut graph = DiGraph::<(), (), u32>::new();
        let nodes: Vec<_> = (0..cfg.blocks()).map(|_| graph.add_node(())).collect();
        for &block in cfg.reverse_post_order() {
            for successor in cfg.successors(block) {
                if !dominators.dominates(successor, block) {
                    graph.add_edge(nodes[block.index()], nodes[successor.index()], ());
                }
            }
        }
        for component in kosaraju_scc(&graph) {
            if component.len() > 1 {
                for node in component {
                    self.irreducible[node.index()] = true;
                }
            }
        }
        for index in 0..self.loops.len() {
            // A loop whose header is in such a cycle runs as part of it; outer loops come first, so marks spread inwards.
            let inside = self.irreducible(self.loops[index].header);
            let blocks = self.blocks(LoopId(index as u32)).to_vec();
            self.loops[index].irreducible = blocks.iter().any(|b| self.irreducible[b.index()]);
            if inside {
                for block in blocks {
                    self.irreducible[block.index()] = true;
                }
            }
        }
    }
}

/// The outermost loop that the links from a loop lead to. Halves the path for the next call.
fn top(outer: &mut [LoopId], mut id: LoopId) -> LoopId {
    while outer[id.0 as usize] != id {
        let next = outer[id.0 as usize];
        outer[id.0 as usize] = outer[next.0 as usize];
        id = next;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::graph;

    fn nest(successors: &[&[u32]]) -> LoopNest {
        let cfg = Cfg::new(&graph(successors));
        LoopNest::new(&cfg, &DominatorTree::dominators(&cfg))
    }

    #[test]
    fn two_inner_loops_in_one() {
        // 0 -> 1{ 2{3} 4{} 5 } -> 6
        let nest = nest(&[&[1], &[2], &[3, 4], &[2], &[4, 5], &[1, 6], &[]]);
        assert_eq!(nest.loops.len(), 3);
        let outer = &nest.loops[0];
        assert_eq!(
            (outer.header, outer.depth, outer.parent),
            (BlockId(1), 1, None)
        );
        assert_eq!(nest.blocks(LoopId(0)).len(), 5);
        assert_eq!(nest.blocks(LoopId(0))[0], BlockId(1));
        assert_eq!(nest.exits(LoopId(0)), [(BlockId(5), BlockId(6))]);
        assert_eq!(outer.entries, [BlockId(0)]);
        assert_eq!(outer.latches, [BlockId(5)]);
        assert_eq!(nest.loops[1].header, BlockId(2));
        assert_eq!(nest.blocks(LoopId(1)), [BlockId(2), BlockId(3)]);
        assert_eq!(nest.blocks(LoopId(2)), [BlockId(4)]);
        assert_eq!(nest.loops[2].parent, Some(LoopId(0)));
        assert_eq!(nest.depth(BlockId(3)), 2);
        assert_eq!(nest.depth(BlockId(6)), 0);
        assert!(nest.contains(LoopId(0), BlockId(4)) && !nest.contains(LoopId(1), BlockId(4)));
        assert!(!nest.any_irreducible());
    }

    #[test]
    fn two_latches_are_one_loop() {
        let nest = nest(&[&[1], &[2, 3], &[1], &[1, 4], &[]]);
        assert_eq!(nest.loops.len(), 1);
        assert_eq!(nest.loops[0].latches, [BlockId(2), BlockId(3)]);
        assert_eq!(nest.blocks(LoopId(0)).len(), 3);
    }

    #[test]
    fn a_cycle_of_two_entries_is_flagged_with_the_loops_in_and_around_it() {
        // 1 { 2 <-> 3, both entered from 1; 3 holds the loop 3-6 } 4 -> 1, 5
        let nest = nest(&[&[1], &[2, 3], &[3, 4], &[2, 6], &[1, 5], &[], &[3]]);
        assert!(nest.irreducible(BlockId(2)) && nest.irreducible(BlockId(3)));
        assert!(nest.irreducible(BlockId(6)));
        assert!(!nest.irreducible(BlockId(4)));
        assert!(nest.loops.iter().all(|one| one.irreducible));
    }

    #[test]
    fn a_deep_nest_is_numbered_outside_in() {
        // Headers 1..=n, latches in reverse.
        let depth = 40u32;
        let mut lists: Vec<Vec<u32>> = vec![vec![1]];
        lists.extend((1..=depth).map(|n| vec![n + 1]));
        for level in (1..=depth).rev() {
            let here = lists.len() as u32;
            lists.push(vec![level, here + 1]);
        }
        lists.push(vec![]);
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let nest = nest(&lists);
        assert_eq!(nest.loops.len(), depth as usize);
        for (index, one) in nest.loops.iter().enumerate() {
            assert_eq!(one.depth as usize, index + 1);
            assert_eq!(one.header.index(), index + 1);
        }
    }
}
