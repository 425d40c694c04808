//! One shuffle, and the condition that tells covered lanes from corner lanes behind it.

use super::code::Code;
use super::setup::{Corner, Setup};
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::ir::lanes::LaneMap;

/// The greatest distance between two lanes of a warp.
const MAX_DISTANCE: u8 = 31;

/// A shuffle at a destination's place.
#[derive(Clone, Copy)]
pub struct Exchange<'a> {
    /// From which lane; not the own one.
    pub lanes: LaneMap,
    /// Mask and clamps.
    pub setup: &'a Setup,
    /// Where it stands.
    pub code: &'a Code,
}

impl Exchange<'_> {
    /// The other lane's word, and the condition of lanes that it is for. None if the region has no shuffles of this
    /// direction, or no warp is that wide.
    pub fn write(&self, word: LLVMValueRef) -> Option<(LLVMValueRef, LLVMValueRef)> {
        let code = self.code;
        let Some(distance) = self.distance() else {
            return Some((self.bare(word)?, self.setup.together?));
        };
        match &self.setup.corner {
            Corner::Clamp { .. } => {
                let both = self.call("p", word)?;
                Some((code.part(both, 0), code.part(both, 1)))
            }
            Corner::Compare { all, rest, tid } => {
                let lane = self.setup.lane?;
                let near = if self.lanes.steps() > 0 {
                    let last = code.word((MAX_DISTANCE - distance).into());
                    let edge = code.compare(LLVMIntSGT, lane, last);
                    let row = code.compare(LLVMIntSLE, (*rest)?, code.word(distance.into()));
                    code.or(edge, row)
                } else {
                    let edge = code.compare(LLVMIntSLT, lane, code.word(distance.into()));
                    let row = code.compare(LLVMIntSLT, (*tid)?, code.word(distance.into()));
                    code.or(edge, row)
                };
                let covered = code.not(code.or(near, *all));
                Some((self.bare(word)?, covered))
            }
        }
    }

    /// The other lane's word alone.
    pub fn bare(&self, word: LLVMValueRef) -> Option<LLVMValueRef> {
        self.call("", word)
    }

    /// Of a shift within a warp.
    fn distance(&self) -> Option<u8> {
        let distance = self.lanes.shift()?.unsigned_abs();
        (1..=MAX_DISTANCE).contains(&distance).then_some(distance)
    }

    /// The intrinsic, which gives the word, or the word and its predicate (`p`).
    fn call(&self, kind: &str, word: LLVMValueRef) -> Option<LLVMValueRef> {
        let code = self.code;
        let last = code.word(MAX_DISTANCE.into());
        let (mode, lane, clamp) = match self.lanes {
            LaneMap::Xor(lanes) => ("bfly", lanes, last),
            LaneMap::Lane(lane) => ("idx", lane, last),
            LaneMap::Shift(_) => {
                let down = self.lanes.steps() > 0;
                let clamp = match &self.setup.corner {
                    Corner::Clamp { down: clamp, .. } if down => (*clamp)?,
                    Corner::Clamp { up: clamp, .. } => (*clamp)?,
                    Corner::Compare { .. } if down => last,
                    Corner::Compare { .. } => code.word(0),
                };
                (if down { "down" } else { "up" }, self.distance()?, clamp)
            }
        };
        (lane <= MAX_DISTANCE).then(|| {
            let name = format!("llvm.nvvm.shfl.sync.{mode}.i32{kind}");
            let lane = code.word(lane.into());
            code.intrinsic(&name, &mut [self.setup.mask, word, lane, clamp])
        })
    }
}
