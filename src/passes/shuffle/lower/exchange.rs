//! One shuffle, and the predicate that distinguishes corner lanes from covered ones after it.

use super::code::{Code, word};
use super::setup::{Corner, LAST, Ring, Setup};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::op::Comparison;
use ptxasw_ir::opcode::ShuffleMode;
use ptxasw_ir::patch::Ref;
use ptxasw_ir::types::Type;

/// What is true in corner lanes (or, with `true`, false there).
pub(super) type InCorner = (Ref, bool);

/// A value from another lane.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    /// From which; not the own one.
    pub lanes: LaneMap,
    /// What the source has.
    pub value: Ref,
    /// Mask and clamps.
    pub setup: &'a Setup,
}

impl Exchange<'_> {
    /// Writes the shuffle. None if the region has no shuffles of this direction, or no warp is that wide.
    pub fn write(&self, code: &mut Code) -> Option<(Ref, InCorner)> {
        let mask = self.setup.mask;
        let (mode, lane) = match self.lanes {
            LaneMap::Shift(_) => return self.shift(code),
            LaneMap::Xor(mask) => (ShuffleMode::Butterfly, mask),
            LaneMap::Lane(lane) => (ShuffleMode::Index, lane),
        };
        let covered = self.setup.together?;
        let lane = u32::from(lane);
        (lane <= LAST).then(|| {
            let from = (word(lane), word(LAST));
            let (value, _) = code.shuffle(mode, self.value, from, mask);
            (value, (covered, true))
        })
    }

    fn shift(&self, code: &mut Code) -> Option<(Ref, InCorner)> {
        let distance = u32::from(self.lanes.shift()?.unsigned_abs())
            + u32::from(active(Mutation::DeltaOffByOne));
        if distance > LAST {
            return None;
        }
        let higher = self.lanes.steps() > 0;
        let mode = match higher {
            true => ShuffleMode::Down,
            false => ShuffleMode::Up,
        };
        let mut corner = None;
        let clamp = match self.setup.corner {
            Corner::Clamp { down, up } => (if higher { down } else { up })?,
            Corner::Compare {
                all,
                lane,
                rest,
                tid,
            } => {
                let signed = Type::S32;
                let far = word(distance);
                corner = Some(if higher {
                    let last = word(LAST - distance);
                    let beyond = code.compare_or(Comparison::Gt, signed, (lane, last), all);
                    code.compare_or(Comparison::Le, signed, (rest?, far), beyond)
                } else {
                    let beyond = code.compare_or(Comparison::Lt, signed, (lane, far), all);
                    code.compare_or(Comparison::Lt, signed, (tid?, far), beyond)
                });
                word(if higher { LAST } else { 0 })
            }
        };
        let from = (word(distance), clamp);
        let (value, inside) = code.shuffle(mode, self.value, from, self.setup.mask);
        Some((
            value,
            corner.map_or((inside, true), |corner| (corner, false)),
        ))
    }

    /// The value that lane `lane + delta` loaded at the source; past the warp's end, the `halo` of lane `lane + delta` modulo 32.
    pub fn write_in_ring(&self, ring: &Ring, halo: Ref, code: &mut Code) -> Option<Ref> {
        let delta = self.lanes.shift()?;
        let beyond = (if delta > 0 { ring.down } else { ring.up })?;
        let bit = 1u32.checked_shl(delta.unsigned_abs().into())?;
        let one = code.and(32, beyond, word(bit));
        let gives = code.compare(Comparison::Ne, Type::S32, (one, word(0)), None);
        let given = code.select(32, halo, self.value, gives);
        let from = code.add(32, ring.lane, word(i32::from(delta) as u32));
        let from = (from, word(LAST));
        let (value, _) = code.shuffle(ShuffleMode::Index, given, from, self.setup.mask);
        Some(value)
    }
}

/// What is true in lanes that are corners for one or the other.
pub(super) fn either(one: InCorner, other: InCorner, code: &mut Code) -> InCorner {
    match (one, other) {
        ((one, true), (other, true)) => (code.and(1, one, other), true),
        (one, other) => {
            let (one, other) = (code.plain(one), code.plain(other));
            (code.or(1, one, other), false)
        }
    }
}
