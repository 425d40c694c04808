//! Shuffle synthesis: detect, prove, plan.
//!
//! For each load, in the order of the walk, [`candidate`] proposes earlier loads that read the same bytes in a neighbouring
//! lane; the conditions of CONTRACT.md, "The claim", are then proved one by one, each in a file of its own: [`address`], [`wrap`],
//! `cases`, `rows`, `uniform` and `same_bytes` (C1), `instance` and `carried` (C2), [`memory`] (C3), `participation`, [`convergence`], `copies` and `tracked` (C4),
//! `hole` (C6); `eligible` tells which loads count at all and which bytes they have, `proposal` puts candidates for all bytes
//! of a destination together. `search` goes through them. What is `proved` and, by [`profit`], emitted on the target goes into the
//! [`plan`], under the wrapping of `choice`; what is not keeps its load and the [`refusal`] that says why.
//!
#![doc = include_str!("CONTRACT.md")]

pub mod address;
mod assemble;
mod builder;
mod callers;
pub mod candidate;
mod carried;
mod cases;
mod certificate;
mod choice;
pub mod convergence;
mod copies;
mod covered;
mod data;
mod eligible;
mod evidence;
mod exchanged;
mod halo;
mod hole;
mod instance;
mod kernel;
mod lanes;
pub mod limits;
pub mod means;
pub mod memory;
pub mod options;
pub mod pair;
mod participation;
pub mod place;
pub mod plan;
pub mod profit;
mod promised;
mod proposal;
mod proved;
pub mod refusal;
mod rows;
mod run;
mod same_bytes;
mod search;
pub mod synthesis;
#[cfg(test)]
mod tests;
mod tracked;
mod uniform;
pub mod verdict;
pub mod wrap;
