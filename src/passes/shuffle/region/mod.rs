//! Regions: where lanes converge, the scheme and the insertion point of each region, and the plan that is made of them.
//!
//! `convergence` (with `ending`), `clone` and `ballot_mask` find the lanes in which a shuffle can be placed, `choice` the
//! scheme, `placement` the insertion point of the set-up; `assemble` and `builder` make the plan, to which `halo` adds its loads.

pub(super) mod assemble;
pub(super) mod ballot_mask;
mod builder;
pub(super) mod choice;
pub(super) mod clone;
pub mod convergence;
mod ending;
mod halo;
pub(super) mod kernel;
mod last_uses;
pub mod placement;
