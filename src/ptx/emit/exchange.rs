//! One `shfl.sync`, and the predicates that tell covered lanes from corner lanes behind it.

use super::code::Code;
use super::region::{Corner, Setup};
use super::registers::{Class, Registers};
use crate::mutation::{Mutation, active};

/// A shuffle at a destination's place.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// Lane `i` takes the value of lane `i + delta`; not 0.
    pub delta: i8,
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
        if self.distance() > MAX_DISTANCE {
            return None;
        }
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
                let distance = self.distance();
                if self.delta > 0 {
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
            .filter(|_| self.distance() <= MAX_DISTANCE)
    }

    fn distance(&self) -> u8 {
        self.delta.unsigned_abs() + u8::from(active(Mutation::DeltaOffByOne))
    }

    /// The `shfl.sync` with the given result operand.
    fn line(&self, result: &str) -> Option<String> {
        let (value, distance, mask) = (self.value, self.distance(), &self.setup.mask);
        let down = self.delta > 0;
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
