//! Shuffle synthesis: detect, prove, plan.
//!
//! For each load, in the order of the walk, [`candidate`](detect::candidate) proposes earlier loads that read the same bytes
//! in a neighbouring lane; the conditions of CONTRACT.md, "The claim", are then proved one by one. What is proved and, by
//! [`profit`], emitted on the target goes into the [`plan`]; what is not keeps its load and the [`refusal`] that explains why.
//!
//! | folder | what |
//! | --- | --- |
//! | [`model`] | data: options, verdicts, what is known of a pair, what proofs rest on |
//! | [`detect`] | loads that count at all, candidates, the search |
//! | [`prove`] | the conditions, each in a file of its own |
//! | [`region`] | lanes that converge, schemes, insertion points; from proved pairs to the plan |
//! | `certify` | proofs as texts that others can check |
//! | [`profit`] | which of the proved shuffles are emitted |
//! | [`refusal`] | why a load stays |
//! | [`synthesis`], [`plan`] | the sequence of all of them, and the result |
//! | `pass` | the [`Pass`](super::Pass): what is searched for on a target, and the patch |
//!
#![doc = include_str!("CONTRACT.md")]

mod certify;
pub mod detect;
pub mod lower;
pub mod model;
mod pass;
pub mod plan;
pub mod profit;
pub mod prove;
pub mod refusal;
pub mod region;
pub mod synthesis;

pub use pass::{Search, Shuffle};
