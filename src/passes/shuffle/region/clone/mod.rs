//! Copies for whole warps: shuffles where lanes may diverge.
//!
//! After a divergent branch, or in a loop that lanes leave in different iterations, no member mask is known without a vote at
//! every step. So the text has the *part* of the kernel that the branch decides about, or the whole loop, twice. Only a warp
//! whose 32 lanes are all there enters the copy, and it leaves the copy as soon as lanes diverge: at each branch on which a
//! shuffle of the copy depends, a vote of all 32 lanes shows whether they all take the same edge, and if they don't, all of
//! them go on in front of that very branch in the original. Copy and original work on the same registers, so that every point
//! of the one may go on at the same point of the other.
//!
//! # Why it is sound
//! - *All lanes are together* (C4). By induction over what a warp executes in the copy. It enters with all lanes: they execute
//!   the test in front of it, and the mask that is tested (and that votes) is -1. In the copy, a branch is of one of three
//!   kinds. Its condition is uniform: threads that execute the same instance of it take the same edge. It is voted: the lanes
//!   take the same edge (by a table: have the same index) or leave. Or no shuffle and no vote is control dependent on it,
//!   directly or through other branches, and both edges stay in the copy: then all lanes meet again before the next shuffle or
//!   vote, which waits for them. Nothing in a copy can wait for another thread or end one (no barrier, no `.sync` instruction
//!   of the kernel's own, no spinning loop, no call of what does so or is not known), so no lane waits for one that waits for
//!   it. A source whose guard is voted on counts as a shuffle here.
//! - *Same iteration* (C1, C2). The loops of a copy that hold a shuffle are left by uniform and by voted branches only,
//!   and the copy is entered outside of them, so all lanes are in the same iteration of each. So are they in the loops
//!   around the copy: the mask is older than those loops, and their control is uniform. Therefore a loop's counter, and
//!   every symbol that varies only because lanes leave loops in different iterations, is the same in all lanes *inside
//!   the copy* ([`lockstep`]). Outside of it nothing of the kind is assumed: facts and terms of other blocks are as they
//!   were, and no source of a copy serves a destination outside of it.
//! - *Same path* (C1). At a join, phi inputs that differ by a uniform amount keep that difference in lanes that took the same
//!   path. The blocks in front of such a join count as shuffles do: every branch that decides whether lanes come to them, or go
//!   on to the join, is uniform or voted, and the loops on the path are left in lockstep. So all lanes that are still in the copy
//!   have come equally far. A copy goes on after such joins, where it can.
//! - *The loops of a copy without a shuffle* may be left one by one; their counters are not taken as equal.
//! - *Neighbour* (C5): the clamp holds the ends of the row; it is computed by every lane, once, before the copy. For `halo`
//!   the copy is entered only where rows are whole warps and all run-time checks of its region hold in all lanes.

mod find;
pub(in crate::shuffle) mod lockstep;
pub(in crate::shuffle) mod outline;
mod part;

pub(in crate::shuffle) use find::Finder;
pub(in crate::shuffle) use part::{DivergentRegion, DivergentRegions};
