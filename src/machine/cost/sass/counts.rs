//! What is counted.

use super::instruction::Instruction;
use super::opcode::{Kind, Space};

/// Instructions by the memory that they address.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Spaces {
    /// Global memory.
    pub global: u32,
    /// Memory that the address selects.
    pub generic: u32,
    /// Shared memory.
    pub shared: u32,
    /// The thread's stack.
    pub local: u32,
    /// Banks of constants.
    pub constant: u32,
    /// Textures and surfaces.
    pub texture: u32,
}

impl Spaces {
    /// Global and generic memory.
    pub fn device(&self) -> u32 {
        self.global + self.generic
    }

    fn add(&mut self, space: Space) {
        let count = match space {
            Space::Global => &mut self.global,
            Space::Generic => &mut self.generic,
            Space::Shared => &mut self.shared,
            Space::Local => &mut self.local,
            Space::Constant => &mut self.constant,
            Space::Texture => &mut self.texture,
        };
        *count += 1;
    }
}

/// Instructions of each thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// All but `NOP` and what the constant false guards.
    pub instructions: u32,
    /// Loads.
    pub loads: Spaces,
    /// Stores.
    pub stores: Spaces,
    /// Atomics that return a value.
    pub atomics: u32,
    /// Atomics that do not.
    pub reductions: u32,
    /// Copies from global to shared memory (`cp.async`).
    pub copies: u32,
    /// Bulk copies and other operations of memory that no scoreboard follows.
    pub asynchronous: u32,
    /// Bytes that a thread loads from global and generic memory, copies aside.
    pub loaded_bytes: u64,
    /// Bytes that it stores there.
    pub stored_bytes: u64,
    /// Warp shuffles.
    pub shuffles: u32,
    /// Votes and matches.
    pub votes: u32,
    /// Barriers of all kinds.
    pub barriers: u32,
    /// Calls; what the functions do is not counted.
    pub calls: u32,
    /// Times that the warp waits for device memory.
    pub rounds: u32,
    /// Times that it waits for shared memory.
    pub shared_rounds: u32,
}

impl Counts {
    /// Adds one instruction; rounds are up to the scoreboards.
    pub(super) fn add(&mut self, instruction: &Instruction) {
        if !instruction.is_executed() {
            return;
        }
        self.instructions += 1;
        let bytes = u64::from(instruction.width.unwrap_or(0) / 8);
        let device = |space| matches!(space, Space::Global | Space::Generic);
        match instruction.kind {
            Kind::Load(space) => {
                self.loads.add(space);
                self.loaded_bytes += if device(space) { bytes } else { 0 };
            }
            Kind::Store(space) => {
                self.stores.add(space);
                self.stored_bytes += if device(space) { bytes } else { 0 };
            }
            Kind::Atomic(_) => self.atomics += 1,
            Kind::Reduction(_) => self.reductions += 1,
            Kind::Copy => self.copies += 1,
            Kind::Asynchronous => self.asynchronous += 1,
            Kind::Shuffle => self.shuffles += 1,
            Kind::Vote => self.votes += 1,
            Kind::Barrier => self.barriers += 1,
            Kind::Call => self.calls += 1,
            _ => {}
        }
    }
}

/// The share of a loop in the counts of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopCounts {
    /// Byte offset of its first instruction.
    pub head: u32,
    /// How many loops it is in, itself included.
    pub depth: u32,
    /// What one iteration does in the steady state, loops inside of it taken once.
    pub counts: Counts,
}

/// What a thread executes along a path.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PathCounts {
    /// The whole path, every loop taken once.
    pub total: Counts,
    /// Each loop on the path, in the order in which the path comes to them.
    pub loops: Vec<LoopCounts>,
}

impl PathCounts {
    /// One iteration of the loop that does most of the work: of the loops that load from device memory, and that hold no other
    /// such loop, the one with the most loads, then the most instructions. Where no loop loads, the whole path.
    pub fn hot(&self) -> Counts {
        let loads = |one: &LoopCounts| one.counts.loads.device() > 0;
        let innermost = self.loops.iter().enumerate().filter(|&(index, one)| {
            let later = &self.loops[index + 1..];
            let mut inside = later.iter().take_while(|inner| inner.depth > one.depth);
            loads(one) && !inside.any(loads)
        });
        innermost
            .map(|(_, one)| one.counts)
            .max_by_key(|counts| (counts.loads.device(), counts.instructions))
            .unwrap_or(self.total)
    }
}
