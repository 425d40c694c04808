//! The control flow of a function, as its listing shows it.

use super::{Counts, Instruction, Listing, target};

/// A run of instructions that are executed one after the other.
#[derive(Default, Debug)]
pub struct Block {
    /// What it holds.
    pub counts: Counts,
    /// Blocks that a warp may come to from here, by number.
    pub next: Vec<usize>,
}

/// The blocks of a function in the order of its text; the first one is where it starts.
///
/// Left out are the paths that only a diverged warp takes: `BRA.DIV` jumps to code that goes on lane group by lane group. A call
/// goes on at the instruction after it. An exit or a return under a predicate goes on: some lanes stay.
pub fn blocks(listing: &Listing) -> Vec<Block> {
    let count = listing.instructions.len();
    let mut starts: Vec<usize> = listing.labels.iter().map(|&(_, at)| at).collect();
    let ends = listing.instructions.iter().enumerate();
    starts.extend(
        ends.filter(|(_, one)| !matches!(successors(one), Successors::On))
            .map(|(at, _)| at + 1),
    );
    starts.push(0);
    starts.retain(|&at| at < count);
    starts.sort_unstable();
    starts.dedup();
    let number = |at: usize| starts.binary_search(&at).ok();
    let block_of = |label: &str| {
        let found = listing.labels.iter().find(|(name, _)| *name == label);
        found.and_then(|&(_, at)| number(at))
    };
    let ranges = starts
        .iter()
        .enumerate()
        .map(|(index, &from)| from..starts.get(index + 1).copied().unwrap_or(count));
    ranges
        .map(|range| {
            let mut block = Block::default();
            let Some(last) = listing.instructions.get(range.end - 1) else {
                return block;
            };
            for instruction in &listing.instructions[range.clone()] {
                block.counts.add(instruction.counts());
            }
            let (falls_through, there) = match successors(last) {
                Successors::On => (true, None),
                Successors::Jump { both } => (both, target(last.operands)),
                Successors::End => (false, None),
            };
            block.next.extend(there.and_then(block_of));
            if falls_through {
                block.next.extend(number(range.end));
            }
            block.next.dedup();
            block
        })
        .collect()
}

/// Where an instruction leads a warp.
enum Successors {
    /// To the next instruction.
    On,
    /// To its target, and to the next instruction, too, if `both`.
    Jump { both: bool },
    /// Nowhere.
    End,
}

fn successors(instruction: &Instruction) -> Successors {
    let conditional = instruction.guarded || is_uniform_condition(instruction.operands);
    match instruction.base() {
        "BRA" if instruction.opcode.starts_with("BRA.DIV") => Successors::On,
        "BRA" | "JMP" => Successors::Jump { both: conditional },
        "EXIT" | "RET" | "KILL" | "BRX" | "JMX" if !instruction.guarded => Successors::End,
        _ => Successors::On,
    }
}

/// Whether a branch tests one of its operands: ``BRA.U UP0, `(.L)``, ``BRA P0, `(.L)``.
fn is_uniform_condition(operands: &str) -> bool {
    operands
        .split_once("`(")
        .is_some_and(|(before, _)| before.contains('P'))
}
