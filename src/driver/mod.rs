//! The stage as a whole, once for every entry point of the program: `ptxasw opt` and `explain`, the drop-in, `ptxasw clang`,
//! the plugin; of PTX (`ptx`) and of LLVM IR (the crate of the LLVM front end).
//!
//! A module goes through two halves: the passes over its SSA IR, then the shuffles. After each half, what was changed is
//! examined in the same order: kernels that do not compare equal go back, then those that lose by their registers.
//!
//! | file | what |
//! | --- | --- |
//! | `examine` | what goes back after either half |
//! | `ptx` | both halves of a module of PTX |

mod examine;
pub mod ptx;

pub use examine::{
    Comparison, Examinable, Examination, Planned, Wanted, examine_passes, examine_plans,
};
