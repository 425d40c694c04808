//! Which choices are best for each kernel of a module: `ptxasw tune`.
//!
//! | file | what |
//! | --- | --- |
//! | `candidates` | the choices that are tried: each by itself, then those that gain together |
//! | `modules` | what choices make of the module: rewritten, assembled |
//! | `examine` | each kernel of these: compared with the original, estimated |
//! | `effort` | how much of that may be done |
//! | `halving` | which of them a GPU is fastest with, in as few samples as that takes |
//! | `choose` | the choice for each kernel, by what was measured, else by what was estimated |
//! | `data` | all of it, as `--json` has it and `--resume` reads it |
//! | `table`, `settings` | for people; for `ptxasw.toml` |

mod candidates;
mod choose;
pub mod data;
mod effort;
mod examine;
mod halving;
mod modules;
mod settings;
mod table;

pub use candidates::{COMBINED, single};
pub use choose::choose;
pub use effort::EFFORT;
pub use examine::{Examined, examine};
pub use halving::{Bench, Budget, halve};
pub use modules::{NotTuned, Wanted};
pub use settings::{NotMerged, merged};
pub use table::{csv, table};
