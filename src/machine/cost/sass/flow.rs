//! The control flow of a kernel: blocks, and the loops that they form.

use super::Refusal;
use super::instruction::Instruction;
use super::opcode::{Condition, Kind, Space};
use super::order::depth_first;
use std::ops::Range;

/// Most loops, times blocks: what they take is the product.
const MOST_PAIRS: usize = 1 << 27;
/// Most loops around one block: what they take doubles with each.
const MOST_DEPTH: usize = 12;

/// What a path is chosen by: see the module. The order of the derived comparison is that of rule 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Rank {
    /// Instructions of blocks that are known not to be executed, as a negative number.
    unexecuted: i64,
    shuffles: i64,
    loads: i64,
    instructions: i64,
}

impl Rank {
    pub(super) fn and(self, other: Rank) -> Rank {
        Rank {
            unexecuted: self.unexecuted + other.unexecuted,
            shuffles: self.shuffles + other.shuffles,
            loads: self.loads + other.loads,
            instructions: self.instructions + other.instructions,
        }
    }

    /// Of a block. It is known not to be executed where most of its instructions are: single ones come from other places of the
    /// text, from where `ptxas` has moved them up or merged them.
    fn of_block(code: &[Instruction], executed: &impl Fn(u32) -> bool) -> Rank {
        let worth = code.iter().map(|one| Rank::of(one, executed(one.at)));
        let mut rank = worth.fold(Rank::default(), Rank::and);
        if rank.unexecuted.saturating_mul(-2) <= rank.instructions {
            rank.forget_unexecuted();
        }
        rank
    }

    pub(super) fn is_executed(self) -> bool {
        self.unexecuted == 0
    }

    pub(super) fn forget_unexecuted(&mut self) {
        self.unexecuted = 0;
    }

    fn of(instruction: &Instruction, executed: bool) -> Rank {
        if !instruction.is_executed() {
            return Rank::default();
        }
        Rank {
            unexecuted: if executed { 0 } else { -1 },
            shuffles: i64::from(instruction.kind == Kind::Shuffle),
            loads: i64::from(matches!(
                instruction.kind,
                Kind::Load(Space::Global | Space::Generic)
            )),
            instructions: 1,
        }
    }
}

/// Instructions that are executed one after the other.
#[derive(Debug)]
pub(super) struct Block {
    /// The numbers of its instructions.
    pub instructions: Range<usize>,
    /// Blocks that a warp may come to from here, the next one in the text first.
    pub next: Vec<usize>,
    /// Whether the warp may end here.
    pub ends: bool,
    /// What it is worth.
    pub rank: Rank,
}

/// A natural loop; back edges to one header make one loop.
#[derive(Debug)]
pub(super) struct Loop {
    /// The block that each iteration begins with.
    pub head: usize,
    /// Whether a block is in it, by number.
    pub body: Vec<bool>,
    /// The innermost loop around it.
    pub parent: Option<usize>,
}

/// The part of a kernel that its start leads to, calls aside.
#[derive(Debug)]
pub(super) struct Graph<'i> {
    pub code: &'i [Instruction],
    pub blocks: Vec<Block>,
    /// Blocks that can be reached, each before those that it leads to, back edges aside.
    pub order: Vec<usize>,
    /// The loops, inner ones before those around them.
    pub loops: Vec<Loop>,
    /// The innermost loop that each block is in.
    pub inner: Vec<Option<usize>>,
}

impl<'i> Graph<'i> {
    pub(super) fn new(
        code: &'i [Instruction],
        executed: &impl Fn(u32) -> bool,
    ) -> Result<Self, Refusal> {
        let blocks = blocks(code, executed)?;
        let (order, back) = depth_first(blocks.len(), |block| &blocks[block].next);
        let mut graph = Graph {
            code,
            inner: vec![None; blocks.len()],
            blocks,
            order,
            loops: Vec::new(),
        };
        graph.find_loops(&back)?;
        graph.refuse_computed_jumps()?;
        Ok(graph)
    }

    fn find_loops(&mut self, back: &[(usize, usize)]) -> Result<(), Refusal> {
        let mut heads: Vec<usize> = back.iter().map(|&(_, head)| head).collect();
        heads.sort_unstable();
        heads.dedup();
        if heads.len().saturating_mul(self.blocks.len()) > MOST_PAIRS {
            return Err(Refusal::Loops);
        }
        let before = self.before();
        for head in heads {
            let latches = back.iter().filter(|&&(_, to)| to == head);
            let mut body = vec![false; self.blocks.len()];
            body[head] = true;
            let mut open: Vec<usize> = latches.map(|&(latch, _)| latch).collect();
            while let Some(block) = open.pop() {
                if !std::mem::replace(&mut body[block], true) {
                    // The start has nothing in front of it that would have to be in the loop.
                    if block == 0 {
                        return Err(Refusal::Irreducible(self.address(head)));
                    }
                    open.extend(&before[block]);
                }
            }
            self.loops.push(Loop {
                head,
                body,
                parent: None,
            });
        }
        let size = |one: &Loop| one.body.iter().filter(|&&inside| inside).count();
        self.loops.sort_by_key(|one| (size(one), one.head));
        for index in (0..self.loops.len()).rev() {
            let head = self.loops[index].head;
            let around = index + 1..self.loops.len();
            self.loops[index].parent = around.into_iter().find(|&one| self.loops[one].body[head]);
            for (block, &inside) in self.loops[index].body.iter().enumerate() {
                if inside {
                    self.inner[block] = Some(index);
                }
            }
        }
        let depth = |one: &Loop| self.around(one.head).count();
        if self.loops.iter().any(|one| depth(one) > MOST_DEPTH) {
            return Err(Refusal::Loops);
        }
        self.refuse_other_entries(&before)
    }

    /// Each loop is entered at its header, and lies in its parent as a whole.
    fn refuse_other_entries(&self, before: &[Vec<usize>]) -> Result<(), Refusal> {
        for one in &self.loops {
            let parent = one.parent.map(|parent| &self.loops[parent].body);
            for block in (0..self.blocks.len()).filter(|&block| one.body[block]) {
                let entered =
                    block != one.head && before[block].iter().any(|&from| !one.body[from]);
                if entered || parent.is_some_and(|around| !around[block]) {
                    return Err(Refusal::Irreducible(self.address(one.head)));
                }
            }
        }
        Ok(())
    }

    fn refuse_computed_jumps(&self) -> Result<(), Refusal> {
        for &block in &self.order {
            let code = &self.code[self.blocks[block].instructions.clone()];
            let computed = |one: &&Instruction| one.kind == Kind::IndirectBranch;
            if let Some(jump) = code.iter().filter(|one| one.is_executed()).find(computed) {
                return Err(Refusal::IndirectBranch(jump.at));
            }
        }
        Ok(())
    }

    /// The blocks from which each block can be reached in one step, of those that can be reached themselves.
    fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.blocks.len()];
        for &block in &self.order {
            for &next in &self.blocks[block].next {
                before[next].push(block);
            }
        }
        before
    }

    /// Byte offset of a block.
    pub(super) fn address(&self, block: usize) -> u32 {
        self.code[self.blocks[block].instructions.start].at
    }

    /// The loops around a block, from the inside out.
    pub(super) fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.inner[block], |&one| self.loops[one].parent)
    }
}

/// Where an instruction leads a warp.
#[derive(Clone, Copy, PartialEq)]
enum Transfer {
    On,
    /// To the next instruction, if the warp does not end here.
    Pass,
    /// To the target, and to the next instruction, too, if `both`.
    Jump {
        both: bool,
    },
    End,
}

fn step(instruction: &Instruction) -> Transfer {
    if instruction.guard.is_never() {
        return Transfer::On;
    }
    let always = instruction.guard.is_always();
    match instruction.kind {
        Kind::Branch(condition) => match condition {
            Condition::Diverged => Transfer::On,
            Condition::Converged => Transfer::Jump { both: !always },
            Condition::Lane(second) | Condition::Uniform(second) => match second.is_never() {
                true => Transfer::On,
                false => Transfer::Jump {
                    both: !always || !second.is_always(),
                },
            },
        },
        Kind::Exit | Kind::Return | Kind::IndirectBranch if always => Transfer::End,
        // What comes after it may be executed less often.
        Kind::Exit | Kind::Return => Transfer::Pass,
        _ => Transfer::On,
    }
}

fn blocks(code: &[Instruction], executed: &impl Fn(u32) -> bool) -> Result<Vec<Block>, Refusal> {
    // Instructions lie side by side: the index of one is its place.
    let index = |at: u32| code.binary_search_by_key(&at, |one| one.at).ok();
    let mut starts = vec![0];
    for (number, instruction) in code.iter().enumerate() {
        let step = step(instruction);
        if let Transfer::Jump { .. } = step {
            let target = instruction.target.and_then(index);
            starts.push(target.ok_or(Refusal::TargetOutside(instruction.at))?);
        }
        if step != Transfer::On {
            starts.push(number + 1);
        }
    }
    starts.retain(|&start| start < code.len());
    starts.sort_unstable();
    starts.dedup();
    let number = |start: usize| starts.binary_search(&start).ok();
    let ends = starts.iter().skip(1).copied().chain([code.len()]);
    let ranges = starts.iter().zip(ends);
    let blocks = ranges.map(|(&start, end)| {
        let last = &code[end - 1];
        let (on, there) = match step(last) {
            Transfer::On | Transfer::Pass => (true, None),
            Transfer::Jump { both } => (both, last.target),
            Transfer::End => (false, None),
        };
        let mut next: Vec<usize> = Vec::new();
        next.extend(on.then(|| number(end)).flatten());
        next.extend(there.and_then(index).and_then(number));
        next.dedup();
        Block {
            instructions: start..end,
            ends: step(last) == Transfer::End,
            next,
            rank: Rank::of_block(&code[start..end], executed),
        }
    });
    Ok(blocks.collect())
}
