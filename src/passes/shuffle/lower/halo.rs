//! One more load after the source serves the corner lanes of all its destinations. Warps that are not there as a whole, or
//! whose rows are not whole warps, do without: in the original where there is a copy, else by their own loads.

use super::code::{Code, word};
use super::setup::{Ring, WARP};
use crate::shuffle::plan::Halo;
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::op::Comparison;
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::patch::Ref;
use ptxasw_ir::types::Type;

/// The halo load of a source: lanes at one end of the warp load what those at the other end will ask for. None if the source is
/// no load through a register.
pub(super) fn load(
    function: &Function,
    source: InstId,
    halo: &Halo,
    ring: &Ring,
    code: &mut Code,
) -> Option<Ref> {
    let inst = function.inst(source);
    let Opcode::Load(access) = inst.opcode else {
        return None;
    };
    let base = Ref::Value(*inst.args.first()?);
    let lane = ring.lane;
    let far = halo.stride.checked_mul(i64::from(WARP))?;
    let (down, up) = (u32::from(halo.down), u32::from(halo.up));
    let below = |code: &mut Code, lane: Ref, bound: u32, held: Option<Ref>| {
        code.compare(Comparison::Lt, Type::U32, (lane, word(bound)), held)
    };
    let (loads, address, offset) = match (down > 0, up > 0) {
        (true, true) => {
            let turned = code.add(32, lane, word(up));
            let turned = code.and(32, turned, word(WARP - 1));
            let loads = below(code, turned, down + up, ring.whole);
            let low = below(code, lane, down, None);
            let distance = |bytes: i64| Ref::Constant(64, bytes as u64);
            let sum = code.select(64, distance(far), distance(far.checked_neg()?), low);
            (loads, code.add(64, sum, base), access.offset)
        }
        (true, false) => {
            let loads = below(code, lane, down, ring.whole);
            (loads, base, access.offset.checked_add(far)?)
        }
        (false, _) => {
            let first = (lane, word(WARP - up));
            let loads = code.compare(Comparison::Ge, Type::U32, first, ring.whole);
            (loads, base, access.offset.checked_sub(far)?)
        }
    };
    // Hints make no difference to the value, and no instruction is written with some.
    let access = Access {
        offset,
        hints: false,
        ..access
    };
    let width = access.ty.bits;
    Some(code.inst(
        Opcode::Load(access),
        &[address],
        width,
        Some((loads, false)),
    ))
}
