//! A path, gone through with the scoreboards: what it executes, and how often the warp waits for memory.

use super::counts::{Counts, LoopCounts, PathCounts};
use super::flow::Graph;
use super::instruction::Instruction;
use super::opcode::{Kind, Space};
use super::path::{Path, PathElement};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Scoreboards of a warp.
const SCOREBOARDS: usize = 6;

/// The memory whose waits make a round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Device,
    Shared,
}

/// A load in flight.
#[derive(Clone, Copy)]
struct Load {
    class: Class,
    /// The round that it belongs to.
    round: u32,
    /// The block that contains it, if it counts.
    counted: Option<usize>,
}

/// What the path executes, by the rules of the module.
pub(super) fn count(graph: &Graph, path: &Path) -> PathCounts {
    let mut walk = Walk {
        graph,
        path,
        boards: Default::default(),
        copies: None,
        rounds: [0; 2],
        total: Counts::default(),
        loops: vec![Counts::default(); graph.loops.len()],
        seen: Vec::new(),
    };
    walk.steps(&path.whole, true);
    let depth = |one: usize| graph.around(graph.loops[one].head).count() as u32;
    let loops = walk.seen.iter().map(|&one| LoopCounts {
        head: graph.address(graph.loops[one].head),
        depth: depth(one),
        counts: walk.loops[one],
    });
    PathCounts {
        total: walk.total,
        loops: loops.collect(),
    }
}

struct Walk<'g> {
    graph: &'g Graph<'g>,
    path: &'g Path,
    /// What each scoreboard counts, the oldest first; none is a group of no copies.
    boards: [VecDeque<Option<Load>>; SCOREBOARDS],
    /// A copy that no group has closed yet.
    copies: Option<Load>,
    /// The number of the round that is open, by class.
    rounds: [u32; 2],
    total: Counts,
    loops: Vec<Counts>,
    /// Loops on the path.
    seen: Vec<usize>,
}

impl Walk<'_> {
    fn steps(&mut self, steps: &[PathElement], counted: bool) {
        for &step in steps {
            match step {
                PathElement::Block(block) => self.block(block, counted),
                PathElement::Loop(one, from) => self.iterate(one, from, counted),
            }
        }
    }

    fn iterate(&mut self, one: usize, from: Option<usize>, counted: bool) {
        let path = self.path;
        let iteration = &path.iterations[one];
        self.steps(iteration, false);
        if counted {
            self.seen.push(one);
            self.steps(iteration, true);
            // Here it is waited for what the iteration that counts has left in flight.
            self.steps(iteration, false);
        }
        if let Some(from) = from
            && path.last(iteration) != Some(from)
        {
            self.leave(iteration, from);
        }
    }

    /// The last iteration, up to the block from which the loop is left. One that lies beside the iteration leaves it at once.
    fn leave(&mut self, iteration: &[PathElement], from: usize) {
        let body = |one: usize| &self.graph.loops[one].body;
        let at = iteration.iter().position(|&step| match step {
            PathElement::Block(block) => block == from,
            PathElement::Loop(one, _) => body(one)[from],
        });
        let Some(at) = at else { return };
        self.steps(&iteration[..at], false);
        match iteration[at] {
            PathElement::Block(block) => self.block(block, false),
            PathElement::Loop(one, _) => self.iterate(one, Some(from), false),
        }
    }

    fn block(&mut self, block: usize, counted: bool) {
        let graph = self.graph;
        let around: SmallVec<[usize; 4]> = graph.around(block).collect();
        for instruction in &graph.code[graph.blocks[block].instructions.clone()] {
            self.wait(instruction);
            self.issue(instruction, counted.then_some(block));
            if counted {
                self.total.add(instruction);
                for &one in &around {
                    self.loops[one].add(instruction);
                }
            }
        }
    }

    /// The waits of an instruction. Its guard does not matter: they stop the warp before it is looked at.
    fn wait(&mut self, instruction: &Instruction) {
        let mut arrived: SmallVec<[Load; 8]> = SmallVec::new();
        for (board, flight) in self.boards.iter_mut().enumerate() {
            let left = match instruction.kind {
                _ if instruction.control.waits >> board & 1 != 0 => 0,
                Kind::ScoreboardWait { scoreboard, left }
                    if usize::from(scoreboard) == board && instruction.is_executed() =>
                {
                    usize::from(left)
                }
                _ => continue,
            };
            let done = flight.len().saturating_sub(left);
            arrived.extend(flight.drain(..done).flatten());
        }
        for class in [Class::Device, Class::Shared] {
            self.close(class, &arrived);
        }
    }

    /// Ends the round that is open if one of its loads is among those that an instruction has waited for.
    fn close(&mut self, class: Class, arrived: &[Load]) {
        let open = &mut self.rounds[class as usize];
        let mut waited = arrived
            .iter()
            .filter(|load| load.class == class && load.round == *open)
            .peekable();
        if waited.peek().is_none() {
            return;
        }
        let counted = waited.find_map(|load| load.counted);
        *open += 1;
        let Some(block) = counted else { return };
        let graph = self.graph;
        self.total.close(class);
        for one in graph.around(block) {
            self.loops[one].close(class);
        }
    }

    fn issue(&mut self, instruction: &Instruction, counted: Option<usize>) {
        if !instruction.is_executed() {
            return;
        }
        let class = match instruction.kind {
            Kind::Load(Space::Constant) => return,
            Kind::Load(Space::Shared) | Kind::Atomic(Space::Shared) => Class::Shared,
            Kind::Load(_) | Kind::Atomic(_) | Kind::Copy | Kind::CopyGroup => Class::Device,
            _ => return,
        };
        let round = self.rounds[class as usize];
        let load = Load {
            class,
            round,
            counted,
        };
        match (instruction.kind, instruction.control.write_barrier) {
            // A group travels as long as its oldest copy.
            (Kind::Copy, _) => {
                self.copies.get_or_insert(load);
            }
            (Kind::CopyGroup, Some(board)) => {
                let group = self.copies.take();
                self.boards[usize::from(board)].push_back(group);
            }
            (Kind::CopyGroup, None) => {}
            (_, Some(board)) => self.boards[usize::from(board)].push_back(Some(load)),
            // Nobody waits for it.
            (_, None) => {}
        }
    }
}

impl Counts {
    fn close(&mut self, class: Class) {
        match class {
            Class::Device => self.rounds += 1,
            Class::Shared => self.shared_rounds += 1,
        }
    }
}
