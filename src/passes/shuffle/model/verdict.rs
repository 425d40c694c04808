//! What became of the loads of a kernel.

use crate::shuffle::refusal::Refusal;
use ptxasw_ir::function::InstId;

/// What became of a load.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Its number among the plan's shuffles.
    Covered(u32),
    /// It stays, and why.
    Kept(Box<Refusal>),
}

/// A load of global or constant memory, or of shared memory where that was chosen.
#[derive(Clone, Debug)]
pub struct LoadReport {
    /// The front end's statement.
    pub origin: u32,
    /// The instruction.
    pub inst: InstId,
    /// What became of it.
    pub outcome: Outcome,
    /// Other loads take its value.
    pub source: bool,
}
