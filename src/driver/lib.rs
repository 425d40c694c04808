//! The stage as a whole, once for every entry point of the program: `ptxasw opt` and `explain`, the drop-in, `ptxasw clang`,
//! the plugin; of PTX and of LLVM IR, by what [`FrontEnd`](pipeline::FrontEnd) says of both.
//!
//! A module goes through two halves: the passes within lanes, then those across lanes. After each half, what was changed is
//! examined in the same order: kernels that do not compare equal go back, then those that lose by their registers.
//!
//! | module | what |
//! | --- | --- |
//! | [`pipeline`] | a module, its passes one after the other, settings |
//! | `stage` | both halves |
//! | `examine` | what is examined after either half, and what was found |
//! | `judged` | kernels that do not compare equal with their originals |
//! | [`guard`] | kernels that lose by their registers |
//! | [`report`] | what became of every access, for people and for programs |
//!
//! It knows all that rewrites and all that judges, and joins them; neither command line nor file is of it.
//!
//! # Invariants
//! 1. What an entry point does to a module is done here: two of them differ in no rewritten byte.
//! 2. Whatever goes wrong, the original text is still there.

mod examine;
pub mod guard;
mod judged;
pub mod pipeline;
pub mod report;
mod stage;

pub use examine::{Comparison, Examination, Wanted};
pub use judged::{Judged, NOT_EQUAL, compare};
pub use stage::{Error, run, settled};
