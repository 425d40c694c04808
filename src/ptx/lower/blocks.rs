//! Cutting the instructions of a function into basic blocks.

use super::BlockText;
use crate::decode::form::{Action, Function};
use ptxasw_ir::cfg::{Adjacency, post_order};
use ptxasw_ir::function::BlockId;
use std::ops::Range;

/// A basic block of the register form. Successors are numbers of other blocks.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its instructions, without the one that ends it.
    pub body: Range<usize>,
    /// How it ends.
    pub end: End,
    /// The end of a guarded `ret` or the like: its instruction belongs to the block with the guard.
    pub counted_by_branch: bool,
}

impl Block {
    /// Its position in the text.
    pub(super) fn text(&self) -> BlockText {
        let Range { start, end } = self.body;
        let (end, taken, next) = match &self.end {
            End::Fall(to) => (end, None, Some(*to)),
            End::Guarded { taken, next, .. } => (end + 1, Some(*taken), Some(*next)),
            End::Jump(_, to) => (end + 1, Some(*to), None),
            End::Switch(..) => (end + 1, None, None),
            End::Leave(_) if self.counted_by_branch => (end, None, None),
            End::Leave(_) => (end + 1, None, None),
            End::Text => (end, None, None),
        };
        BlockText {
            instructions: start..end,
            taken: taken.map(BlockId),
            next: next.map(BlockId),
        }
    }
}

/// How a block ends.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Runs into another.
    Fall(u32),
    /// The guarded control instruction: where it is taken, where not.
    Guarded {
        /// Index of the instruction.
        instruction: usize,
        /// Block if the guard holds.
        taken: u32,
        /// Block if not.
        next: u32,
    },
    /// `bra`
    Jump(usize, u32),
    /// `brx.idx`
    Switch(usize, Vec<u32>),
    /// `ret`, `exit`, `trap`.
    Leave(usize),
    /// The end of the text: an implicit return.
    Text,
}

/// The blocks that are reachable, in the order of the text; the first is the entry and has no predecessors.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub blocks: Vec<Block>,
    /// Reverse post-order.
    pub order: Vec<u32>,
    /// Distinct predecessors.
    pub predecessors: Adjacency,
    /// Distinct successors.
    pub successors: Adjacency,
}

impl Layout {
    /// Cuts a function whose branch targets are checked.
    pub(super) fn new(function: &Function) -> Self {
        let blocks = cut(function);
        let order = post_order(&successors(&blocks), 0);
        Layout::of(reachable(blocks, &order))
    }

    fn of(blocks: Vec<Block>) -> Self {
        let successors = successors(&blocks);
        let mut edges = Vec::new();
        for block in 0..blocks.len() as u32 {
            edges.extend(successors.of(block).iter().map(|&to| (to, block)));
        }
        // A stable order by target, then source; two edges between the same blocks count once.
        edges.sort_unstable();
        edges.dedup();
        let mut order = post_order(&successors, 0);
        order.reverse();
        let forward: Vec<(u32, u32)> = edges.iter().map(|&(to, from)| (from, to)).collect();
        Layout {
            predecessors: Adjacency::new(blocks.len(), &edges),
            successors: Adjacency::new(blocks.len(), &forward),
            blocks,
            order,
        }
    }
}

/// Whether an instruction ends its block.
fn ends_block(action: &Action) -> bool {
    !matches!(action, Action::Do(_))
}

/// All blocks, unreachable ones included.
fn cut(function: &Function) -> Vec<Block> {
    let instructions = &function.instructions;
    let count = instructions.len();
    let mut leader = vec![false; count + 1];
    let mut entry_is_target = false;
    for (index, instruction) in instructions.iter().enumerate() {
        if ends_block(&instruction.action) {
            leader[index + 1] = true;
        }
        for &target in targets(&instruction.action) {
            leader[target as usize] = true;
            entry_is_target |= target == 0;
        }
    }
    leader[0] = true;
    leader[count] = true;
    // The block that starts at each leader. A guarded end that is no branch gets a block of its own after its block.
    let mut number = vec![0u32; count + 1];
    let mut next = u32::from(entry_is_target);
    for index in 0..=count {
        if leader[index] {
            number[index] = next;
            next += 1;
        }
        if let Some(instruction) = instructions.get(index) {
            next += u32::from(needs_block(
                instruction.guard.is_some(),
                &instruction.action,
            ));
        }
    }
    let mut blocks = Vec::with_capacity(next as usize);
    if entry_is_target {
        blocks.push(Block {
            body: 0..0,
            end: End::Fall(1),
            counted_by_branch: false,
        });
    }
    let mut start = 0;
    for index in 0..count {
        let ends = ends_block(&instructions[index].action);
        if !ends && !leader[index + 1] {
            continue;
        }
        if ends {
            finish(function, &mut blocks, &number, start, index);
        } else {
            blocks.push(Block {
                body: start..index + 1,
                end: End::Fall(number[index + 1]),
                counted_by_branch: false,
            });
        }
        start = index + 1;
    }
    blocks.push(Block {
        body: count..count,
        end: End::Text,
        counted_by_branch: false,
    });
    blocks
}

fn needs_block(guarded: bool, action: &Action) -> bool {
    guarded && ends_block(action) && !matches!(action, Action::Branch { .. })
}

/// Adds the block from `start` that instruction `index` ends.
fn finish(
    function: &Function,
    blocks: &mut Vec<Block>,
    number: &[u32],
    start: usize,
    index: usize,
) {
    let instruction = &function.instructions[index];
    let end = match &instruction.action {
        Action::Branch { target, .. } => End::Jump(index, number[*target as usize]),
        Action::BranchIndexed { targets, .. } => {
            End::Switch(index, targets.iter().map(|&t| number[t as usize]).collect())
        }
        _ => End::Leave(index),
    };
    if instruction.guard.is_none() {
        blocks.push(Block {
            body: start..index,
            end,
            counted_by_branch: false,
        });
        return;
    }
    let own = blocks.len() as u32 + 1;
    let taken = match end {
        End::Jump(_, target) => target,
        _ => own,
    };
    blocks.push(Block {
        body: start..index,
        end: End::Guarded {
            instruction: index,
            taken,
            next: number[index + 1],
        },
        counted_by_branch: false,
    });
    if taken == own && needs_block(true, &instruction.action) {
        blocks.push(Block {
            body: index..index,
            end,
            counted_by_branch: true,
        });
    }
}

fn targets(action: &Action) -> &[u32] {
    match action {
        Action::Branch { target, .. } => std::slice::from_ref(target),
        Action::BranchIndexed { targets, .. } => targets,
        _ => &[],
    }
}

fn successors(blocks: &[Block]) -> Adjacency {
    let mut edges = Vec::with_capacity(blocks.len() * 2);
    for (from, block) in (0u32..).zip(blocks) {
        match &block.end {
            End::Fall(to) | End::Jump(_, to) => edges.push((from, *to)),
            End::Guarded { taken, next, .. } => edges.extend([(from, *taken), (from, *next)]),
            End::Switch(_, targets) => edges.extend(targets.iter().map(|&to| (from, to))),
            End::Leave(_) | End::Text => {}
        }
    }
    Adjacency::new(blocks.len(), &edges)
}

/// Keeps the blocks that `found` lists, in their order, and renumbers their successors.
fn reachable(blocks: Vec<Block>, found: &[u32]) -> Vec<Block> {
    let mut keep = vec![false; blocks.len()];
    for &block in found {
        keep[block as usize] = true;
    }
    let mut number = vec![0u32; blocks.len()];
    let mut next = 0;
    for (index, &kept) in keep.iter().enumerate() {
        number[index] = next;
        next += u32::from(kept);
    }
    let mut kept: Vec<Block> = blocks
        .into_iter()
        .zip(keep)
        .filter_map(|(block, keep)| keep.then_some(block))
        .collect();
    for block in &mut kept {
        let rename = |to: &mut u32| *to = number[*to as usize];
        match &mut block.end {
            End::Fall(to) | End::Jump(_, to) => rename(to),
            End::Guarded { taken, next, .. } => {
                rename(taken);
                rename(next);
            }
            End::Switch(_, targets) => targets.iter_mut().for_each(rename),
            End::Leave(_) | End::Text => {}
        }
    }
    kept
}
