//! The stage as a whole, once for every entry point of the program: `ptxasw opt` and `explain`, the drop-in, `ptxasw clang`,
//! the plugin; of PTX and of LLVM IR, by what [`FrontEnd`](crate::pipeline::FrontEnd) says of both.
//!
//! A module goes through two halves: the passes within lanes, then those across lanes. After each half, what was changed is
//! examined in the same order: kernels that do not compare equal go back, then those that lose by their registers.
//!
//! | file | what |
//! | --- | --- |
//! | `examine` | what is examined after either half, and what was found |
//! | `stage` | both halves |

mod examine;
mod stage;

pub use examine::{Comparison, Examination, Wanted};
pub use stage::{Error, run, settled};
