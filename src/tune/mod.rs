//! Which choices are best for each kernel of a module: `ptxasw tune`.
//!
//! | file | what |
//! | --- | --- |
//! | `candidates` | the choices that are tried: each by itself, then those that gain together |
//! | `examine` | what a choice makes of the module: rewritten, assembled, compared with the original, estimated |
//! | `halving` | which of them a GPU is fastest with, in as few samples as that takes |
//! | `choose` | the choice for each kernel, by what was measured, else by what was estimated |
//! | `data` | all of it, as `--json` has it and `--resume` reads it |
//! | `table`, `settings` | for people; for `ptxasw.toml` |

mod candidates;
mod choose;
pub mod data;
mod examine;
mod halving;
mod settings;
mod table;

pub use candidates::{COMBINED, single};
pub use choose::choose;
pub use examine::{Examined, NotTuned, Wanted, examine};
pub use halving::{Bench, Budget, halve};
pub use settings::{NotMerged, merged};
pub use table::{csv, table};
