//! The symbolic emulator: one walk over the IR that gives each value a bit-vector term, each block its path condition, and
//! the kernel its memory trace (section 4 of the paper, with merging in place of its enumeration of flows).
//!
//! A value's term describes one thread. Each loop has a counter symbol, the number of the current iteration from 0; after the
//! loop, the number of the last iteration. A value that no term expresses is a symbol, whose [`term::Variance`] says
//! whether a neighbouring lane has the same.
//!
//! | module | what |
//! | --- | --- |
//! | [`term`], [`symbols`], [`domains`] | terms of bit vectors, hash-consed; what is known of each |
//! | [`conditions`], [`trace`], `walk` | path conditions, accesses to memory, the walk that finds both |
//! | [`solver`] | claims about terms, decided by algebra, by values, by Z3 |
//! | [`certificate`] | what was proved, as texts that other solvers check |
//!
//! # Invariants
//! 1. It knows the IR alone: neither a text nor a pass.
//! 2. No type of Z3's is seen outside [`solver`].
//! 3. What may be spent is counted, not timed.

pub mod certificate;
pub mod conditions;
pub mod domains;
mod results;
pub mod solver;
pub mod symbols;
pub mod term;
pub mod trace;
mod walk;

pub use results::Results;

use conditions::PathConditions;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Value};
use ptxasw_ir::loops::LoopId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::{TermId, Terms, Variance};
use trace::Trace;

/// What emulation found out about a kernel.
pub struct Emulation {
    /// The arena of all terms.
    pub terms: Terms,
    /// The term of each value; none for values wider than 64 bits.
    pub values: Vec<Option<TermId>>,
    /// Facts that hold in each block.
    pub conditions: PathConditions,
    /// Memory events.
    pub trace: Trace,
    /// Branches of which one side is never taken.
    pub pruned: Vec<Pruned>,
    /// What holds at loop headers by induction.
    pub header_facts: Vec<HeaderFact>,
    /// The blocks in which the symbols of values and of loops' counters are defined: in a loop around that block they are other
    /// numbers in each iteration.
    pub defining_blocks: FxHashMap<TermId, BlockId>,
    /// The symbols that count the steps of loops, from 0.
    pub counters: FxHashMap<TermId, Counter>,
    /// Symbols that vary only because threads leave loops in different iterations, and how they vary among threads that are in
    /// the same iteration of every loop around the symbol's definition.
    pub lockstep_variance: FxHashMap<TermId, Variance>,
    /// Of symbols among them that also vary with the path on which a thread came to a join.
    pub join_paths: FxHashMap<TermId, JoinPaths>,
    /// A consumer has changed more than the arena: [`Results`] makes a new emulation for the next one.
    pub altered: bool,
}

/// What a loop's symbol counts: steps, of which each back edge makes a number of its own. Where a copy of several iterations goes back to the
/// header of the original, its back edge makes several; everywhere else the steps are the iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// The loop whose steps the symbol counts from 0, when its header is executed for the first time.
    pub inside: LoopId,
    /// The blocks that its back edges leave, and how many steps lie between the header's execution before that and the one after it.
    pub latches: SmallVec<[(BlockId, u32); 2]>,
}

impl Counter {
    /// The steps that the back edges of a block make.
    pub fn steps(&self, latch: BlockId) -> Option<u32> {
        let mut all = self.latches.iter();
        all.find(|(block, _)| *block == latch).map(|one| one.1)
    }

    /// Whether it counts iterations: every back edge makes one step.
    pub fn of_iterations(&self) -> bool {
        self.latches.iter().all(|&(_, steps)| steps == 1)
    }
}

/// The paths that lead to a join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinPaths {
    /// The join.
    pub join: BlockId,
    /// The blocks in front of it.
    pub from: Vec<BlockId>,
    /// Loops on these paths, in the order in which they were found: threads must have left them in the same iteration.
    pub loops: Vec<LoopId>,
}

/// A branch that always takes the same edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruned {
    /// The block that it ends.
    pub block: BlockId,
    /// Its condition.
    pub condition: TermId,
    /// What the condition always is, under the block's facts.
    pub always: bool,
}

/// A fact of a loop's header, and why it holds on every edge to the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeaderFact {
    /// The header.
    pub header: BlockId,
    /// The fact, of the header's parameters.
    pub fact: TermId,
    /// The edges from outside and from inside of the loop.
    pub edges: Vec<HeaderEdge>,
}

/// One edge to a loop's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeaderEdge {
    /// Where it comes from.
    pub from: BlockId,
    /// The condition of the edge, if it has one.
    pub condition: Option<TermId>,
    /// The fact, of what the edge passes for the parameters.
    pub claim: TermId,
}

impl Emulation {
    /// The term of a value.
    pub fn value(&self, value: Value) -> Option<TermId> {
        self.values.get(value.index()).copied().flatten()
    }
}

/// Emulates a kernel. Linear in its size but for the bounded rewriting of terms.
pub fn emulate(function: &Function, analyses: &Analyses) -> Emulation {
    walk::Walk::new(function, analyses).run()
}

/// As [`emulate`], as long as that takes no more than `most` terms.
pub fn emulate_within(function: &Function, analyses: &Analyses, most: usize) -> Option<Emulation> {
    walk::Walk::new(function, analyses).run_within(most)
}
