//! A source and a destination: what the conditions are about.

use crate::shuffle::region::placement::Wanted;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::lanes::LaneMap;

/// Lane `t` takes at the destination what lane `map(t)` loaded at the source.
#[derive(Clone, Copy)]
pub struct Pair<'e> {
    /// The source.
    pub source: &'e Event,
    /// The destination.
    pub destination: &'e Event,
    /// From which lane.
    pub lanes: LaneMap,
    /// Where the bytes begin in the source's, less where they begin in the destination's: C1 claims
    /// `addr_S(map(t)) + skip = addr_D(t)`.
    pub skip: i64,
}

impl Pair<'_> {
    /// `addr_S + skip` in the own lane.
    pub fn from(&self, terms: &mut Terms) -> Option<TermId> {
        let address = self.source.address?;
        Some(terms.offset(address, self.skip as u64))
    }

    /// `addr_S(map(t)) + skip`.
    pub fn moved(&self, terms: &mut Terms) -> Option<TermId> {
        let from = self.from(terms)?;
        Some(terms.map_lane(from, self.lanes))
    }

    /// `addr_D - addr_S` in one lane, where a check of `addr_D - (addr_S + skip)` passes.
    pub fn distance(&self, check: Wanted) -> u64 {
        check.offset.wrapping_neg().wrapping_add(self.skip as u64)
    }
}
