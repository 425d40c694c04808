//! Terms of other lanes: by how much a term grows from lane to lane, and numbers of the lane that a map leads to.

use super::{Node, TermId, Terms, Variance, mask};
use ptxasw_ir::lanes::{LaneMap, WARP};

impl Terms {
    /// By how much a sum grows from each lane to the next, modulo 2^width: of a multiple of `%tid.x` or `%laneid` and what is the
    /// same in a row. None of any other term.
    pub fn lane_step(&self, t: TermId) -> Option<u64> {
        let own = [(t, 1)];
        let (_, atoms) = self.atoms(t, &own);
        let mut step = 0u64;
        for &(atom, coefficient) in atoms {
            match *self.node(atom) {
                _ if self.is_row_uniform(atom) => {}
                Node::Symbol(id)
                    if matches!(
                        self.symbol_data(id).variance,
                        Variance::TidX | Variance::LaneId
                    ) =>
                {
                    step = step.wrapping_add(coefficient);
                }
                _ => return None,
            }
        }
        Some(step & mask(self.width(t)))
    }

    /// `%tid.x` or `%laneid` in the other thread.
    pub(super) fn mapped_number(
        &mut self,
        number: TermId,
        variance: Variance,
        map: LaneMap,
    ) -> TermId {
        let width = self.width(number);
        match map {
            LaneMap::Shift(delta) => self.offset(number, i64::from(delta) as u64),
            LaneMap::Xor(mask) => {
                let mask = self.constant(width, mask.into());
                self.xor(number, mask)
            }
            LaneMap::Lane(lane) if variance == Variance::LaneId => {
                self.constant(width, lane.into())
            }
            LaneMap::Lane(lane) => {
                let group = self.constant(width, !u64::from(WARP - 1));
                let first = self.and(number, group);
                self.offset(first, lane.into())
            }
        }
    }
}
