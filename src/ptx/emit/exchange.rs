//! One `shfl.sync`, and the predicates that tell covered lanes from corner lanes behind it.

use super::code::Code;
use super::registers::{Class, Registers};
use super::setup::{Corner, Setup};
use crate::ir::lanes::LaneMap;
use crate::support::mutation::{Mutation, active};

/// A shuffle at a destination's place.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// From which lane; not the own one.
    pub lanes: LaneMap,
    /// The register that holds the source's value.
    pub value: &'a str,
    /// The register that receives it.
    pub target: &'a str,
    /// Mask and clamps.
    pub setup: &'a Setup,
}

/// Guards of the two kinds of lanes, to be written behind an `@`.
#[derive(Clone, Debug)]
pub struct Guards {
    /// The shuffle gave the value.
    pub covered: String,
    /// The lane must load.
    pub corner: String,
}

/// The greatest distance between two lanes of a warp.
const MAX_DISTANCE: u8 = 31;

impl Exchange<'_> {
    /// Writes the shuffle. None if the region has no shuffles of this direction, or no warp is that wide.
    pub fn write(&self, code: &mut Code, registers: &mut Registers) -> Option<Guards> {
        if self.lanes.shift().is_none() {
            let covered = self.setup.together.clone()?;
            code.push(self.line(self.target)?);
            return Some(Guards {
                corner: format!("!{covered}"),
                covered,
            });
        }
        let distance = self.distance()?;
        match &self.setup.corner {
            Corner::Clamp { .. } => {
                let covered = registers.fresh(Class::Predicate);
                code.push(self.line(&format!("{}|{covered}", self.target))?);
                Some(Guards {
                    corner: format!("!{covered}"),
                    covered,
                })
            }
            Corner::Compare {
                all,
                lane,
                rest,
                tid,
            } => {
                let corner = registers.fresh(Class::Predicate);
                if self.lanes.steps() > 0 {
                    let last = MAX_DISTANCE - distance;
                    let rest = rest.as_ref()?;
                    code.push(format!("setp.gt.or.s32 {corner}, {lane}, {last}, {all};"));
                    code.push(format!(
                        "setp.le.or.s32 {corner}, {rest}, {distance}, {corner};"
                    ));
                } else {
                    let tid = tid.as_ref()?;
                    code.push(format!(
                        "setp.lt.or.s32 {corner}, {lane}, {distance}, {all};"
                    ));
                    code.push(format!(
                        "setp.lt.or.s32 {corner}, {tid}, {distance}, {corner};"
                    ));
                }
                code.push(self.line(self.target)?);
                Some(Guards {
                    covered: format!("!{corner}"),
                    corner,
                })
            }
        }
    }

    /// The shuffle without a way to tell its corner lanes. None as in [`Exchange::write`].
    pub fn bare(&self) -> Option<String> {
        self.line(self.target)
    }

    /// Of a shift within a warp.
    fn distance(&self) -> Option<u8> {
        let distance =
            self.lanes.shift()?.unsigned_abs() + u8::from(active(Mutation::DeltaOffByOne));
        (distance <= MAX_DISTANCE).then_some(distance)
    }

    /// The `shfl.sync` with the given result operand.
    fn line(&self, result: &str) -> Option<String> {
        let (value, mask) = (self.value, &self.setup.mask);
        let (mode, lane) = match self.lanes {
            LaneMap::Shift(_) => return self.shift(result),
            LaneMap::Xor(mask) => ("bfly", mask),
            LaneMap::Lane(lane) => ("idx", lane),
        };
        (lane <= MAX_DISTANCE).then(|| {
            format!("shfl.sync.{mode}.b32 {result}, {value}, {lane}, {MAX_DISTANCE}, {mask};")
        })
    }

    /// A shift with the given result operand.
    fn shift(&self, result: &str) -> Option<String> {
        let (value, distance, mask) = (self.value, self.distance()?, &self.setup.mask);
        let down = self.lanes.steps() > 0;
        let direction = if down { "down" } else { "up" };
        let clamp = match &self.setup.corner {
            Corner::Clamp {
                down: Some(last), ..
            } if down => last,
            Corner::Clamp {
                up: Some(first), ..
            } if !down => first,
            Corner::Clamp { .. } => return None,
            Corner::Compare { .. } if down => "31",
            Corner::Compare { .. } => "0",
        };
        Some(format!(
            "shfl.sync.{direction}.b32 {result}, {value}, {distance}, {clamp}, {mask};"
        ))
    }
}
