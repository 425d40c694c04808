//! The tools: what users call, and what is called in place of a compiler's own tools.
//!
//! | module | what |
//! | --- | --- |
//! | [`cli`] | the command line: one file for each command |
//! | [`dropin`] | in place of `ptxas` and of what calls it; bundles |
//! | [`mod@clang`] | a whole build of `clang`, its steps rewritten |
//! | [`page`] | `ptxasw report`: a page about modules |
//! | [`tune`] | settings tried on a program's own kernels |
//! | [`corpus`] | many modules, with what is counted of them kept |
//! | [`recording`] | launches that a program made |
//! | [`certificates`] | the replay of what was proved, from files alone |
//! | [`estimates`] | how much faster rewritten kernels are, by their machine code |
//! | [`json`] | what `--json` prints of any command |
//! | [`doctor`] | whether all of it works on this machine |
//!
//! What they do to a module is done by [`ptxasw_driver`], for all of them in the same way.
//!
//! # Invariants
//! 1. What takes the place of another tool never breaks a build: whatever goes wrong, that tool gets the original input.
//! 2. An error has a place, and leaves no output file touched.

pub mod certificates;
pub mod clang;
pub mod cli;
pub mod corpus;
pub mod doctor;
pub mod dropin;
pub mod estimates;
pub mod json;
#[cfg(feature = "report")]
pub mod page;
pub mod recording;
pub mod tune;
