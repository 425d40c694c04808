//! Wrapping `halo`: one more load behind the source serves the corner lanes of all its destinations, in a copy of what
//! follows a guard. Where there is no copy, every destination keeps its load for warps that are not whole, or whose rows are
//! not whole warps. What is computed is what the PTX back end computes.

use super::Error;
use super::checks::{self, Names};
use super::code::Code;
use super::destination::ptxasw_guard_load;
use super::setup::Ring;
use super::{Place, forget_promises};
use inkwell::llvm_sys::LLVMIntPredicate::*;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::shuffle::plan::{Halo, Region, Wrapping};

/// Threads of a warp.
const WARP: u32 = 32;

/// Rows are whole warps.
pub fn whole_rows(code: &Code) -> LLVMValueRef {
    let rest = code.and(code.special("ntid.x"), code.word(WARP - 1));
    code.compare(LLVMIntEQ, rest, code.word(0))
}

/// What must hold in all lanes of a warp that enters the region's copy, besides that all are there; none if nothing.
///
/// # Errors
/// A check names no value.
pub fn entry_condition(
    region: &Region,
    code: &Code,
    names: Names,
) -> Result<Option<LLVMValueRef>, Error> {
    if region.wrapping != Wrapping::Halo || !(region.down || region.up) {
        return Ok(None);
    }
    let rows = (!region.whole_rows).then(|| whole_rows(code));
    checks::holds(&region.checks, rows, None, code, names)
}

impl Ring {
    /// Of a region with shifts.
    pub fn new(
        region: &Region,
        whole: Option<LLVMValueRef>,
        lane: LLVMValueRef,
        code: &Code,
    ) -> Self {
        // Two's complement: -2.
        let beyond_first = code.word(u32::MAX - 1);
        let up = || code.shl_by(beyond_first, code.sub(code.word(WARP - 1), lane));
        Ring {
            whole,
            lane,
            down: region.down.then(|| code.shl_by(beyond_first, lane)),
            up: region.up.then(up),
        }
    }

    /// The halo load of a source, where `code` stands behind it: what lanes that load have. The others have nothing.
    pub fn load(&self, halo: &Halo, source: Place, code: &Code) -> LLVMValueRef {
        let (down, up) = (u32::from(halo.down), u32::from(halo.up));
        let far = halo.stride.wrapping_mul(i64::from(WARP));
        let distance = |bytes: i64| unsafe { LLVMConstInt(code.integer(64), bytes as u64, 1) };
        let (loads, bytes) = match (down > 0, up > 0) {
            (true, true) => {
                let turned = code.and(code.add(self.lane, code.word(up)), code.word(WARP - 1));
                let loads = code.compare(LLVMIntULT, turned, code.word(down + up));
                let low = code.compare(LLVMIntULT, self.lane, code.word(down));
                (loads, code.select(low, distance(far), distance(-far)))
            }
            (true, false) => {
                let loads = code.compare(LLVMIntULT, self.lane, code.word(down));
                (loads, distance(far))
            }
            (false, _) => {
                let loads = code.compare(LLVMIntUGE, self.lane, code.word(WARP - up));
                (loads, distance(-far))
            }
        };
        let loads = self.whole.map_or(loads, |whole| code.and(whole, loads));
        let passes = code.not(loads);
        unsafe {
            let address = code.beyond(LLVMGetOperand(source.value, 0), bytes);
            let again = code.again(source.value);
            LLVMSetOperand(again, 0, address);
            forget_promises(again);
            // So many strides away an address is aligned to no more than that.
            if !LLVMIsALoadInst(again).is_null() && LLVMGetAlignment(again) > WARP {
                LLVMSetAlignment(again, WARP);
            }
            let none = LLVMGetPoison(LLVMTypeOf(again));
            ptxasw_guard_load(again, passes, none)
        }
    }

    /// A word that lane `lane + delta` loaded at the source, or the `halo` of the lane that many behind the warp's other end.
    pub fn exchange(
        &self,
        delta: i8,
        word: LLVMValueRef,
        halo: LLVMValueRef,
        mask: LLVMValueRef,
        code: &Code,
    ) -> Option<LLVMValueRef> {
        let beyond = if delta > 0 { self.down } else { self.up }?;
        let bit = 1u32.checked_shl(delta.unsigned_abs().into())?;
        let bit = code.and(beyond, code.word(bit));
        let gives = code.compare(LLVMIntNE, bit, code.word(0));
        let given = code.select(gives, halo, word);
        let from = code.add(self.lane, code.word(i32::from(delta) as u32));
        let last = code.word(WARP - 1);
        let name = "llvm.nvvm.shfl.sync.idx.i32";
        Some(code.intrinsic(name, &mut [mask, given, from, last]))
    }
}
