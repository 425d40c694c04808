//! Replay of certificates: every claim again, by Z3 and by a second solver that shares no code with it, from the files
//! alone.
//!
//! A claim is proved if all solvers that are asked say `unsat`. Its hypotheses are asked about, too: where they contradict
//! each other the claim holds of nothing, which is reported, as no failure. Equal texts are asked once.

mod folder;
mod process;
mod replay;
mod report;
pub mod script;

pub use folder::{FolderError, Text, read_folder};
pub use process::{Second, Solver};
pub use replay::{Options, replay};
pub use report::{Answer, Replayed, Report};
