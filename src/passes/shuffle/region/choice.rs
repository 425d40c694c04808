//! The choice of a wrapping: the one place of the rule.
//!
//! Where the user chose none, in this order:
//! 1. after divergent branches and in loops that lanes leave one by one, `full` in a copy for whole warps (`clone`);
//! 2. mask and rows proved to be whole: `full`; rows proved: `F31`;
//! 3. a row that is known to reach a warp's end: `R`; else `F`.
//!
//! If the user selects `R`, `F` or `F31`, no code is cloned: in divergent regions the member mask is tracked (`ballot_mask`).
//! `halo` and `paper` only on request; `halo` under a guard as a copy for whole warps, where there can be one. [`profit`](crate::shuffle::profit) prices what was chosen by name.

use crate::shuffle::model::options::Options;
use crate::shuffle::plan::Wrapping;
use crate::shuffle::refusal::{Refusal, c4, c5};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, Function};

/// Threads of a warp.
pub(in crate::shuffle) const WARP: u64 = 32;

/// The threads of a block, where they are known.
pub(in crate::shuffle) fn threads(function: &Function) -> Option<u64> {
    let shape = function.required_threads?;
    Some(shape.map(u64::from).iter().product())
}

/// Whether the block's threads, and whether its rows, are proved to be whole warps.
pub(in crate::shuffle) fn whole(function: &Function) -> (bool, bool) {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let threads = threads(function).is_some_and(|threads| threads % WARP == 0);
    let rows = match active(Mutation::FullInNarrowRows) {
        true => threads,
        false => shape.is_some_and(|[x, ..]| x > 0 && x % WARP == 0),
    };
    (threads, rows)
}

/// The rule of CONTRACT.md, "Choice of the scheme", for regions that converge, or the user's choice where it is proved.
pub(in crate::shuffle) fn wrapping(
    function: &Function,
    options: &Options,
    head: BlockId,
) -> Result<(Wrapping, bool), Refusal> {
    let shape = function.required_threads.map(|shape| shape.map(u64::from));
    let (whole_warps, whole_rows) = whole(function);
    let whole_mask = whole_warps && head == BlockId(0);
    let chosen = match options.wrapping {
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
        None if shape.is_some_and(|[x, ..]| x >= WARP) => Wrapping::Row,
        None => Wrapping::AnyRow,
    };
    Ok((chosen, whole_rows))
}
