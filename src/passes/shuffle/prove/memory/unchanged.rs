//! C3 for a value that stays in a register of its own thread: nothing may have changed its bytes since.

use super::{Memory, Passed, ProofSummary};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::refusal::Refusal;
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::lanes::LaneMap;

impl Memory<'_> {
    /// What of the events from a load to a later point may touch its bytes: all that were passed, where they are wanted, or the
    /// refusal for the first that may. `later` is the load as if it were there.
    pub fn unchanged(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        load: &Event,
        later: &Event,
    ) -> Result<Vec<Passed>, Refusal> {
        let pair = Pair {
            source: load,
            destination: later,
            lanes: LaneMap::OWN,
            skip: 0,
        };
        let mut found = ProofSummary::new(&self.choice);
        self.check_between(terms, solver, &pair, &mut found)?;
        Ok(found.passed)
    }
}
