//! C3, same memory, as far as it looks into the callers of a device function.

use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Refusal, c3};
use ptxasw_emulator::trace::Event;

impl Run<'_> {
    /// What the thread wrote or ordered before it called this function must not be what the destination reads: a lane's own
    /// store is visible to itself only, until a barrier of the block. Of constant bytes there is no such store. (The lanes of
    /// the mask have all stored by then, and the executor's memory is one for all: no test can show it.)
    pub(in crate::shuffle) fn check_callers(&self, pair: &Pair) -> Result<(), Refusal> {
        let constant = pair.source.reads_constant() && pair.destination.reads_constant();
        let unknown = self.function.callers_may_write;
        if !unknown || constant || pair.lanes.is_own() || self.barrier_before(pair.source) {
            return Ok(());
        }
        Err(Refusal::new(&c3::BEFORE_CALL))
    }

    /// Whether every path from the function's start to a load passes a barrier of the whole block.
    fn barrier_before(&self, load: &Event) -> bool {
        let dominates = |event: &&Event| {
            let dominators = &self.analyses.dominators;
            match event.block == load.block {
                true => event.position < load.position,
                false => dominators.dominates(event.block, load.block),
            }
        };
        self.barriers.iter().any(dominates)
    }
}
