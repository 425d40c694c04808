//! The choice of a wrapping: the one place of the rule.
//!
//! Where the user chose none, in this order:
//! 1. behind divergent branches and in loops that lanes leave one by one, a copy for whole warps (`copies`): `hoist`, `fastloop`;
//! 2. mask and rows proved to be whole: `full`; rows proved: `F31`;
//! 3. a block that is known to leave partial warps: `C`;
//! 4. a row that is known to reach a warp's end: `R`; else `F`.
//!
//! Under `R`, `F`, `F31` or `C` by the user's choice there are no copies: where lanes part, masks are tracked (`tracked`).
//! `hoist` on request is for whole rows alone, and has no clamps.
//! `early`, `halo`, `paper` and `versioned` only on request; `halo` behind a guard as a copy for whole warps, where there can be one. [`super::profit`] prices what was chosen by name.

use super::plan::Wrapping;
use super::refusal::{Refusal, c4, c5};
use super::synthesis::Options;
use crate::ir::function::{BlockId, Function};
use crate::mutation::{Mutation, active};

/// Threads of a warp.
const WARP: u64 = 32;

/// Whether the block's threads, and whether its rows, are proved to be whole warps.
pub(super) fn whole(function: &Function) -> (bool, bool) {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let threads = shape.is_some_and(|shape| shape.iter().product::<u64>() % WARP == 0);
    let rows = match active(Mutation::FullInNarrowRows) {
        true => threads,
        false => shape.is_some_and(|[x, ..]| x > 0 && x % WARP == 0),
    };
    (threads, rows)
}

/// Whether a copy of this kind is for whole rows alone, which one instruction tests: `hoist` on request. Chosen by the rule it is
/// for rows of any width, at the price of its clamps.
pub(super) fn tests_rows(options: &Options, kind: Wrapping) -> bool {
    options.wrapping == Some(Wrapping::Hoist) && kind == Wrapping::Hoist
}

/// The rule of CONTRACT.md, "Choice of the scheme", for regions that converge, or the user's choice where it is proved.
pub(super) fn wrapping(
    function: &Function,
    options: &Options,
    head: BlockId,
) -> Result<(Wrapping, bool), Refusal> {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let (whole_warps, whole_rows) = whole(function);
    let whole_mask = whole_warps && head == BlockId(0);
    let chosen = match options.wrapping.filter(|wrapping| !wrapping.copies()) {
        Some(Wrapping::Full) if !whole_mask => {
            return Err(Refusal::new(&c4::WHOLE_WARP));
        }
        Some(Wrapping::WholeRows) if !whole_rows => {
            return Err(Refusal::new(&c5::WHOLE_ROWS));
        }
        Some(Wrapping::Halo) if shape.is_some() && !whole_rows => {
            return Err(Refusal::new(&c5::HALO));
        }
        Some(chosen) => chosen,
        None if whole_mask && whole_rows => Wrapping::Full,
        None if whole_rows => Wrapping::WholeRows,
        None if shape.is_some() && !whole_warps => Wrapping::Contiguous,
        None if shape.is_some_and(|[x, ..]| x >= WARP) => Wrapping::Row,
        None => Wrapping::AnyRow,
    };
    Ok((chosen, whole_rows))
}
