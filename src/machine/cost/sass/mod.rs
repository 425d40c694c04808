//! Machine code of NVIDIA GPUs since sm_70, decoded as far as memory and control flow go, and the *load rounds* of a warp.
//!
//! # Rounds
//! A warp issues its instructions in order. A load does not stop it: `ptxas` lets one of six scoreboards count the load, and
//! the instruction that needs the result waits for that scoreboard. So a *round* is all the loads that are issued up to the
//! first wait for one of them, along a path, and the number of rounds is the number of times that the warp waits for memory. A
//! wait for a load of an earlier round, which has travelled as long as that round, is none.
//! Rounds count loads from global, generic, local and texture memory, atomics that return a value, and groups of `cp.async`;
//! those of shared memory are counted apart. Waits for constants, for operands that are still being read, for barriers, and for
//! bulk copies (`SYNCS` loops) are none.
//!
//! # The path
//! Nothing is executed. A kernel's path is read off its control flow, and is that of a full warp whose lanes are together:
//! 1. `BRA.DIV` is not taken, `BRA.CONV` is; an exit under a predicate goes on; a call is a step to the instruction after it;
//!    predicated instructions count in full but under the constant false, or where they are known not to be executed.
//! 2. Of the paths that are left it is the one with the fewest instructions of blocks most of which is known not to be executed
//!    (see [`KernelCode::path_counts_where`]), then the most shuffles, then the most loads from device memory, then the most
//!    instructions; of equal ones, the one that goes on rather than jumps.
//! 3. A loop is gone through three times, and the second iteration counts: it finds the loads of the first one in flight, as
//!    in a steady state, and what it leaves in flight the third one waits for. The iteration goes from the loop's header to a
//!    jump back. The loop is left by the edge after which rule 2 finds most; where that is not at the end of the iteration,
//!    one more iteration, which does not count, leads there.
//! 4. A round counts where one of the loads that are waited for first counts.
//!
//! Of nested loops so one iteration of each counts: the figures are those of the kernel with every loop taken once.
//! [`PathCounts::loops`] has each loop's share.

mod counts;
mod elf;
mod executed;
mod flow;
mod instruction;
mod lines;
mod opcode;
pub mod order;
mod path;
mod scoreboard;

use crate::toolchain::occupancy;
use rustc_hash::FxHashSet;

pub use counts::{Counts, LoopCounts, PathCounts, Spaces};
pub use executed::Executed;
pub use instruction::{BYTES, Control, Guard, Instruction};
pub use opcode::{Condition, Kind, Space};

/// Why bytes are no cubin.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// Not an ELF file of 64 bits, or one whose tables lead out of it.
    #[error("no cubin: {0}")]
    Elf(#[from] object::read::Error),
    /// It does not have the section `.nv.info`, which each cubin has.
    #[error("no cubin: no .nv.info")]
    NoResources,
}

/// Why nothing is known about a kernel's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Its instructions have another form: sm_62 and older.
    #[error("instructions of sm_{0} are not known")]
    Target(u32),
    /// The section's length in bytes is not a multiple of an instruction's.
    #[error("{0} bytes are no whole number of instructions")]
    Cut(usize),
    /// An opcode that may be one of memory or control flow.
    #[error("unknown instruction {word:#034x} at {at:#x}")]
    Opcode {
        /// Byte offset in the section.
        at: u32,
        /// The instruction.
        word: u128,
    },
    /// A jump to an address in a register: its targets are not known.
    #[error("jump to a computed address at {0:#x}")]
    IndirectBranch(u32),
    /// A jump to a place that holds no instruction.
    #[error("jump out of the code at {0:#x}")]
    TargetOutside(u32),
    /// A loop with two entries.
    #[error("a loop with more than one entry at {0:#x}")]
    Irreducible(u32),
    /// More loops, or more loops within loops, than any kernel has.
    #[error("too many loops")]
    Loops,
    /// No path leads from the start to an exit.
    #[error("no path leads to an exit")]
    NoExit,
}

/// The machine code of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCode {
    /// Its name, as the linker knows it.
    pub name: String,
    /// The target's number: 80 for sm_80, 90 for sm_90a.
    pub target: u32,
    /// Registers of each thread.
    pub registers: u32,
    /// Bytes of the largest stack frame that the file names.
    pub frame: u32,
    /// Bytes of shared memory of each block, but for dynamic ones.
    pub shared: u64,
    /// Where `ptxas -lineinfo` made it: byte offsets, in order, each with the line of the PTX, from 1, of what begins there.
    pub lines: Vec<(u32, u32)>,
    /// XXH3 of its section: equal where the machine code is, but for what relocations fill in.
    pub digest: u64,
    /// All instructions of its section, padding and internal functions included, in the order of their addresses.
    pub instructions: Result<Vec<Instruction>, Refusal>,
}

/// The kernels of a cubin, in the order of its sections; functions that no host can launch are left out.
///
/// # Errors
/// The bytes are no cubin of 64 bits. A kernel whose code is not understood is no error: [`KernelCode::instructions`] has the
/// reason.
pub fn kernels(cubin: &[u8]) -> Result<Vec<KernelCode>, CodeError> {
    elf::kernels(cubin)
}

impl KernelCode {
    /// Warps that a multiprocessor holds, as far as registers decide.
    pub fn resident_warps(&self) -> u32 {
        occupancy::warps(self.target, self.registers)
    }

    /// The line of the PTX, from 1, that the instruction at a byte offset comes from; none without `ptxas -lineinfo`. `ptxas`
    /// gives an instruction that serves several statements to one of them.
    pub fn line(&self, at: u32) -> Option<u32> {
        let end = self.lines.partition_point(|&(begin, _)| begin <= at);
        Some(self.lines[..end].last()?.1)
    }

    /// All instructions of the section once, padding left out; no rounds, which only a path has.
    ///
    /// # Errors
    /// The code is not understood.
    pub fn static_counts(&self) -> Result<Counts, Refusal> {
        self.static_counts_where(|_| true)
    }

    /// As [`Self::static_counts`], of those that are executed at all, by their byte offsets.
    ///
    /// # Errors
    /// As [`Self::static_counts`].
    pub fn static_counts_where(&self, executed: impl Fn(u32) -> bool) -> Result<Counts, Refusal> {
        let instructions = self.instructions.as_ref().map_err(|&refusal| refusal)?;
        let mut counts = Counts::default();
        let executed = instructions
            .iter()
            .filter(|one| !one.is_endless() && executed(one.at));
        executed.for_each(|one| counts.add(one));
        Ok(counts)
    }

    /// The byte offsets of the instructions of blocks that are executed, where it is known of some instructions (of none that has no
    /// statement's line). A block is executed unless most of those that are known are not: single ones come from elsewhere. A block
    /// of which nothing is known is executed if one in front of it is.
    ///
    /// # Errors
    /// The code or its control flow is not understood.
    pub fn executed_blocks(
        &self,
        known: impl Fn(u32) -> Option<bool>,
    ) -> Result<FxHashSet<u32>, Refusal> {
        let instructions = self.instructions.as_ref().map_err(|&refusal| refusal)?;
        let graph = flow::Graph::new(instructions, &|_| true)?;
        let mut reached = vec![false; graph.blocks.len()];
        let mut executed = FxHashSet::default();
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        for &block in &graph.order {
            let code = &instructions[graph.blocks[block].instructions.clone()];
            let (mut yes, mut no) = (0, 0);
            for one in code.iter().filter(|one| one.is_executed()) {
                match known(one.at) {
                    Some(true) => yes += 1,
                    Some(false) => no += 1,
                    None => {}
                }
            }
            let is_executed = match yes + no {
                0 => reached[block],
                _ => yes >= no,
            };
            if is_executed {
                executed.extend(code.iter().map(|one| one.at));
                let next = &graph.blocks[block].next;
                next.iter().for_each(|&next| reached[next] = true);
            }
        }
        Ok(executed)
    }

    /// What a thread executes along the path, with every loop taken once: see the module.
    ///
    /// # Errors
    /// The code or its control flow is not understood.
    pub fn path_counts(&self) -> Result<PathCounts, Refusal> {
        self.path_counts_where(|_| true)
    }

    /// As [`Self::path_counts`], where it is known which instructions are executed at all, by their byte offsets: a fallback
    /// that no run reaches is then not on the path, however much it holds. An executor of PTX knows it by [`Self::line`].
    ///
    /// # Errors
    /// As [`Self::path_counts`].
    pub fn path_counts_where(&self, executed: impl Fn(u32) -> bool) -> Result<PathCounts, Refusal> {
        let instructions = self.instructions.as_ref().map_err(|&refusal| refusal)?;
        // `ptxas` puts short sides of a branch under predicates.
        let mut instructions = instructions.clone();
        for one in &mut instructions {
            if !executed(one.at) && !matches!(one.kind, Kind::Branch(_)) && !one.guard.is_always() {
                one.guard = Guard::NEVER;
            }
        }
        let graph = flow::Graph::new(&instructions, &executed)?;
        let path = path::Path::best(&graph)?;
        Ok(scoreboard::count(&graph, &path))
    }
}

#[cfg(test)]
mod tests;
