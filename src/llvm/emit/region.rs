//! The set-up of a region: its member mask, and the operands that tell corner lanes from covered ones. What is computed is
//! what the PTX back end computes (`ptxasw::ptx::emit`); see CONTRACT.md, "Schemes".

use super::Error;
use super::checks::{self, Names};
use super::code::Code;
use super::halo;
use super::setup::{Corner, Ring, Setup};
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::shuffle::plan::{Region, Wrapping};

/// Writes the set-up of a region where `code` stands. `mask`: the region's mask, if that is made elsewhere.
pub fn set_up(
    region: &Region,
    mask: Option<LLVMValueRef>,
    code: &Code,
    names: Names,
) -> Result<Setup, Error> {
    let writer = Writer {
        region,
        code,
        names,
    };
    // In a copy all lanes are there.
    let whole = region.copy.is_some() || region.wrapping == Wrapping::Full;
    let mask = match (whole, mask) {
        (true, _) => code.word(u32::MAX),
        (false, Some(mask)) => mask,
        (false, None) => code.active_mask(),
    };
    let mut setup = Setup {
        mask,
        lane: None,
        corner: Corner::Clamp {
            down: None,
            up: None,
        },
        together: None,
        ring: None,
    };
    if region.down || region.up {
        let lane = code.special("laneid");
        setup.lane = Some(lane);
        setup.corner = match region.wrapping {
            Wrapping::Halo => {
                let whole = match region.copy {
                    Some(_) => None,
                    None => Some(writer.whole_in_rows(mask)?),
                };
                setup.ring = Some(Ring::new(region, whole, lane, code));
                writer.edges(lane, whole)
            }
            Wrapping::Full => writer.full(lane)?,
            Wrapping::Row => writer.row(mask, lane)?,
            Wrapping::AnyRow => writer.any_row(mask, lane)?,
            Wrapping::WholeRows => writer.whole_rows(mask, lane)?,
            Wrapping::Paper => writer.paper(mask)?,
        };
    }
    if let Some(group) = region.group {
        setup.together = Some(writer.together(mask, group)?);
    }
    Ok(setup)
}

struct Writer<'a> {
    region: &'a Region,
    code: &'a Code,
    names: Names<'a>,
}

impl Writer<'_> {
    /// The mask names the whole warp, and the region's checks hold.
    fn whole_warp(&self, mask: LLVMValueRef) -> Result<LLVMValueRef, Error> {
        let code = self.code;
        let whole = code.compare(LLVMIntEQ, mask, code.word(u32::MAX));
        let holds = checks::holds(&self.region.checks, Some(whole), None, code, self.names)?;
        Ok(holds.unwrap_or(whole))
    }

    /// As [`Self::whole_warp`], and rows are whole warps: the same in all lanes.
    fn whole_in_rows(&self, mask: LLVMValueRef) -> Result<LLVMValueRef, Error> {
        let code = self.code;
        let mut whole = self.whole_warp(mask)?;
        if !self.region.whole_rows {
            whole = code.and(whole, halo::whole_rows(code));
        }
        // A chain of neighbours leads from the halo to the lane that it stands for: checks are made by all lanes for all.
        Ok(match self.region.checks.is_empty() {
            true => whole,
            false => code.intrinsic("llvm.nvvm.vote.all.sync", &mut [mask, whole]),
        })
    }

    /// The region's checks hold; none if there are none.
    fn checked(&self) -> Result<Option<LLVMValueRef>, Error> {
        checks::holds(&self.region.checks, None, None, self.code, self.names)
    }

    /// Clamps of the directions that the region has; the own lane where `holds` is false.
    fn clamps(
        &self,
        lane: LLVMValueRef,
        holds: Option<LLVMValueRef>,
        down: impl FnOnce() -> LLVMValueRef,
        up: impl FnOnce() -> LLVMValueRef,
    ) -> Corner {
        let narrowed = |clamp| match holds {
            Some(holds) => self.code.select(holds, clamp, lane),
            None => clamp,
        };
        Corner::Clamp {
            down: self.region.down.then(|| narrowed(down())),
            up: self.region.up.then(|| narrowed(up())),
        }
    }

    /// The clamps of rows that are whole warps.
    fn edges(&self, lane: LLVMValueRef, holds: Option<LLVMValueRef>) -> Corner {
        let code = self.code;
        self.clamps(lane, holds, || code.word(31), || code.word(0))
    }

    /// The clamps of rows of any shape, in a warp that is here as a whole.
    fn row_ends(&self, lane: LLVMValueRef, holds: Option<LLVMValueRef>) -> Corner {
        let code = self.code;
        self.clamps(
            lane,
            holds,
            || code.smaller(self.last_of_row(lane), code.word(31)),
            || code.greater(self.first_of_row(lane), code.word(0)),
        )
    }

    /// The lane of the last thread of my row: `laneid - tid.x + ntid.x - 1`.
    fn last_of_row(&self, lane: LLVMValueRef) -> LLVMValueRef {
        let code = self.code;
        let last = code.add(self.first_of_row(lane), code.special("ntid.x"));
        code.add(last, code.word(u32::MAX))
    }

    /// The lane of the first thread of my row: `laneid - tid.x`.
    fn first_of_row(&self, lane: LLVMValueRef) -> LLVMValueRef {
        self.code.sub(lane, self.code.special("tid.x"))
    }

    /// All lanes are here.
    fn full(&self, lane: LLVMValueRef) -> Result<Corner, Error> {
        let holds = self.checked()?;
        Ok(match self.region.whole_rows {
            true => self.edges(lane, holds),
            false => self.row_ends(lane, holds),
        })
    }

    /// R: all lanes are here and my row reaches both ends of the warp that matter.
    fn row(&self, mask: LLVMValueRef, lane: LLVMValueRef) -> Result<Corner, Error> {
        let code = self.code;
        let tid = code.special("tid.x");
        let mut holds = self.whole_warp(mask)?;
        if self.region.down {
            // tid.x of lane 31, were it in my row.
            let last = code.add(code.sub(tid, lane), code.word(31));
            let inside = code.compare(LLVMIntSLT, last, code.special("ntid.x"));
            holds = code.and(holds, inside);
        }
        if self.region.up {
            holds = code.and(holds, code.compare(LLVMIntSGE, tid, lane));
        }
        Ok(self.edges(lane, Some(holds)))
    }

    /// F: all lanes are here; the clamps are the ends of my row.
    fn any_row(&self, mask: LLVMValueRef, lane: LLVMValueRef) -> Result<Corner, Error> {
        let holds = self.whole_warp(mask)?;
        Ok(self.row_ends(lane, Some(holds)))
    }

    /// F31: all lanes are here, and rows are whole warps.
    fn whole_rows(&self, mask: LLVMValueRef, lane: LLVMValueRef) -> Result<Corner, Error> {
        let holds = self.whole_warp(mask)?;
        Ok(self.edges(lane, Some(holds)))
    }

    /// The paper's wrapping: lanes of an incomplete warp are corners for every distance.
    fn paper(&self, mask: LLVMValueRef) -> Result<Corner, Error> {
        let code = self.code;
        let all = code.not(self.whole_warp(mask)?);
        let tid = code.special("tid.x");
        let rest = self
            .region
            .down
            .then(|| code.sub(code.special("ntid.x"), tid));
        Ok(Corner::Compare {
            all,
            rest,
            tid: self.region.up.then_some(tid),
        })
    }

    /// The warp is here as a whole, in rows of whole groups of so many lanes.
    fn together(&self, mask: LLVMValueRef, group: u8) -> Result<LLVMValueRef, Error> {
        let code = self.code;
        let whole = self.whole_warp(mask)?;
        if group <= 1 {
            return Ok(whole);
        }
        let rest = code.and(code.special("ntid.x"), code.word(u32::from(group) - 1));
        let groups = code.compare(LLVMIntEQ, rest, code.word(0));
        Ok(code.and(whole, groups))
    }
}
