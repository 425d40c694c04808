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
/// Left out are the ways that only a warp takes whose lanes are not together: `BRA.DIV` jumps to code that goes on lane
/// group by lane group. A call is a step to the instruction behind it. An exit or a return under a predicate goes on: some
/// lanes stay.
pub fn blocks(listing: &Listing) -> Vec<Block> {
    let count = listing.instructions.len();
    let mut starts: Vec<usize> = listing.labels.iter().map(|&(_, at)| at).collect();
    let ends = listing.instructions.iter().enumerate();
    starts.extend(
        ends.filter(|(_, one)| !matches!(step(one), Step::On))
            .map(|(at, _)| at + 1),
    );
    starts.push(0);
    starts.retain(|&at| at < count);
    starts.sort_unstable();
    starts.dedup();
    let number = |at: usize| starts.binary_search(&at).ok();
    let place = |label: &str| {
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
            let (behind, there) = match step(last) {
                Step::On => (true, None),
                Step::Jump { both } => (both, target(last.operands)),
                Step::End => (false, None),
            };
            block.next.extend(there.and_then(place));
            if behind {
                block.next.extend(number(range.end));
            }
            block.next.dedup();
            block
        })
        .collect()
}

/// Where an instruction leads a warp.
enum Step {
    /// To the next instruction.
    On,
    /// To its target, and to the next instruction, too, if `both`.
    Jump { both: bool },
    /// Nowhere.
    End,
}

fn step(instruction: &Instruction) -> Step {
    let conditional = instruction.guarded || is_uniform_condition(instruction.operands);
    match instruction.base() {
        "BRA" if instruction.opcode.starts_with("BRA.DIV") => Step::On,
        "BRA" | "JMP" => Step::Jump { both: conditional },
        "EXIT" | "RET" | "KILL" | "BRX" | "JMX" if !instruction.guarded => Step::End,
        _ => Step::On,
    }
}

/// Whether a branch tests one of its operands: ``BRA.U UP0, `(.L)``, ``BRA P0, `(.L)``.
fn is_uniform_condition(operands: &str) -> bool {
    operands
        .split_once("`(")
        .is_some_and(|(before, _)| before.contains('P'))
}
