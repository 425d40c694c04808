//! The path through a kernel's blocks, by the rules of the module.
//!
//! Loops are solved from the inside out. For what is around it, a loop that is solved is one step, which is worth one
//! iteration, and which can be left by each edge out of it. What is left has no cycle, so the best path to its end is found
//! block by block against the order.

use super::Refusal;
use super::flow::{Graph, Rank};

/// A part of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathElement {
    Block(usize),
    /// A loop, and the block in it from which the path goes on; none where it never ends.
    Loop(usize, Option<usize>),
}

/// The path through a kernel.
#[derive(Debug)]
pub(super) struct Path {
    /// From the start to an exit.
    pub whole: Vec<PathElement>,
    /// One iteration of each loop, from its header to a jump back.
    pub iterations: Vec<Vec<PathElement>>,
}

/// Where a path must end.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    /// The thread ends there.
    Exit,
    /// At an edge to the header of a loop.
    Again(usize),
}

/// The best path on from a block or a loop: what it is worth, the element that is taken here, and the block after it.
type Onward = (Rank, PathElement, Option<usize>);

impl Path {
    /// The path of most loads, and then of most instructions, through the whole kernel and each loop.
    ///
    /// # Errors
    /// No exit can be reached.
    pub(super) fn best(graph: &Graph) -> Result<Self, Refusal> {
        let mut solver = Solver {
            graph,
            ranks: Vec::new(),
        };
        let mut iterations = Vec::new();
        for index in 0..graph.loops.len() {
            let head = graph.loops[index].head;
            let (mut rank, path) = solver.solve(Some(index), head).ok_or(Refusal::NoExit)?;
            // A loop that is come to, and left at once.
            if graph.blocks[head].rank.is_executed() {
                rank.forget_unexecuted();
            }
            solver.ranks.push(rank);
            iterations.push(path);
        }
        let (_, whole) = solver.solve(None, 0).ok_or(Refusal::NoExit)?;
        Ok(Path { whole, iterations })
    }

    /// The last block of a path, in which loops are left where the path goes on.
    pub(super) fn last(&self, path: &[PathElement]) -> Option<usize> {
        match path.last()? {
            PathElement::Block(block) => Some(*block),
            PathElement::Loop(_, from) => *from,
        }
    }
}

struct Solver<'g> {
    graph: &'g Graph<'g>,
    /// What one iteration of each loop is worth, of those that are solved.
    ranks: Vec<Rank>,
}

impl Solver<'_> {
    /// The best path through a loop's body, or through the whole, from a block on.
    fn solve(&self, region: Option<usize>, start: usize) -> Option<(Rank, Vec<PathElement>)> {
        let graph = self.graph;
        let goal = match region {
            Some(one) => Goal::Again(graph.loops[one].head),
            None => Goal::Exit,
        };
        let inside = |block: usize| region.is_none_or(|one| graph.loops[one].body[block]);
        let mut best: Vec<Option<Onward>> = vec![None; graph.blocks.len()];
        for &block in graph.order.iter().rev().filter(|&&block| inside(block)) {
            best[block] = match self.child(region, block) {
                None => self.onward(region, goal, &best, block).map(|(rank, next)| {
                    let rank = rank.and(graph.blocks[block].rank);
                    (rank, PathElement::Block(block), next)
                }),
                Some(child) if graph.loops[child].head == block => {
                    self.through(region, goal, &best, child)
                }
                // A block in the middle of a loop that is one step.
                Some(_) => None,
            };
        }
        let (rank, ..) = best.get(start).copied().flatten()?;
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some((_, step, next)) = at.and_then(|block| best[block]) {
            path.push(step);
            at = next;
        }
        Some((rank, path))
    }

    /// The outermost loop within a region that a block is in.
    fn child(&self, region: Option<usize>, block: usize) -> Option<usize> {
        let around = self.graph.around(block);
        around.take_while(|&one| Some(one) != region).last()
    }

    /// The best path on from a block, without itself: what it is worth, and the next block, if it is not at the goal.
    fn onward(
        &self,
        region: Option<usize>,
        goal: Goal,
        best: &[Option<Onward>],
        block: usize,
    ) -> Option<(Rank, Option<usize>)> {
        let from = &self.graph.blocks[block];
        let inside = |next: usize| region.is_none_or(|one| self.graph.loops[one].body[next]);
        let mut found: Option<(Rank, Option<usize>)> = match goal {
            Goal::Exit if from.ends => Some((Rank::default(), None)),
            Goal::Again(head) if from.next.contains(&head) => Some((Rank::default(), None)),
            _ => None,
        };
        for &next in &from.next {
            if goal == Goal::Again(next) || !inside(next) {
                continue;
            }
            if let Some((rank, ..)) = best[next]
                && found.is_none_or(|(known, _)| rank > known)
            {
                found = Some((rank, Some(next)));
            }
        }
        found
    }

    /// The best path on through a loop that is one step.
    fn through(
        &self,
        region: Option<usize>,
        goal: Goal,
        best: &[Option<Onward>],
        child: usize,
    ) -> Option<Onward> {
        let body = &self.graph.loops[child].body;
        let mut found: Option<(Rank, usize, Option<usize>)> = None;
        for block in self
            .graph
            .order
            .iter()
            .copied()
            .filter(|&block| body[block])
        {
            // No path begins in the middle of a loop that is one step: only edges out of it are found.
            if let Some((rank, next)) = self.onward(region, goal, best, block)
                // The latest block of equal ones: most of an iteration is before it.
                && found.is_none_or(|(known, ..)| rank >= known)
            {
                found = Some((rank, block, next));
            }
        }
        let own = self.ranks[child];
        match found {
            Some((rank, from, next)) => {
                Some((rank.and(own), PathElement::Loop(child, Some(from)), next))
            }
            // A loop that never ends is an end only where there is no other.
            None if goal == Goal::Exit => Some((own, PathElement::Loop(child, None), None)),
            None => None,
        }
    }
}
