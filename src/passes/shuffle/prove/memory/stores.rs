//! Whether a store shares a byte with a load of a pair.

use super::{Memory, Reason, Side};
use crate::shuffle::model::pair::Pair;
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::solver::disjoint::Disjoint;
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::Event;
use ptxasw_ir::loops::LoopId;

impl Memory<'_> {
    /// Why a store shares no byte with one of the loads. `other`: the outermost loop of which it may be in another iteration.
    pub(super) fn apart(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        other: Option<LoopId>,
        pair: &Pair,
        side: Side,
    ) -> Option<Reason> {
        let load = match side {
            Side::Source => pair.source,
            Side::Destination => pair.destination,
        };
        let later = (&load.bytes(), pair.destination.block);
        let how = self.separation.prove(terms, solver, event, other, later)?;
        Some(match how {
            Disjoint::Structure(how) => Reason::Harmless(side, how),
            Disjoint::Terms(apart) => Reason::Apart(side, apart),
        })
    }
}
