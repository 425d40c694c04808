//! Which instructions an execution reaches.

use super::launch::Launch;
use super::observer::Observer;
use super::program::Inst;
use super::state::Block;
use super::{ExecutionError, Options, Outcome, Schedule, observed};
use crate::ptx::decode::form::{Function, Module};

/// The instructions that several lanes of a warp have executed together, by the number that [`super::instruction_at`]
/// takes: a shuffle of a single lane moves nothing. A guarded one counts where its guard holds; branches, calls and exits
/// do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    executed: Vec<bool>,
}

impl Coverage {
    /// Whether lanes have executed an instruction together.
    pub fn has(&self, instruction: u32) -> bool {
        let executed = self.executed.get(instruction as usize);
        executed.is_some_and(|&executed| executed)
    }

    /// Adds what another run of the same kernel has executed.
    pub fn merge(&mut self, other: &Coverage) {
        if self.executed.len() < other.executed.len() {
            self.executed.resize(other.executed.len(), false);
        }
        for (own, other) in self.executed.iter_mut().zip(&other.executed) {
            *own |= other;
        }
    }
}

impl Observer for Coverage {
    #[inline]
    fn executed(&mut self, _: &Block, _: usize, pc: u32, _: &Inst, on: u32) {
        let pc = pc as usize;
        if self.executed.len() <= pc {
            self.executed.resize(pc + 1, false);
        }
        self.executed[pc] |= on.count_ones() > 1;
    }
}

/// As [`super::run_with`], and tells what was reached. `jobs` is not looked at.
///
/// # Errors
/// As [`super::run`].
pub fn run_covered(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
) -> Result<(Outcome, Coverage), ExecutionError> {
    let mut coverage = Coverage::default();
    let outcome = observed(module, function, launch, schedule, options, &mut coverage)?;
    Ok((outcome, coverage))
}
