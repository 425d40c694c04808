//! The textual form of a function: printed, and read back.
//!
//! ```text
//! kernel f(a: u64 ptr, n: u32) {
//!     variable global table
//! block0:
//!     v3: b64 = mul.wide.32.signed %tid.x, 8 ; 3
//!     @!v2 v5: b32, v6: b32 = load.global.nc.v2.f32[-8] &table+4 ; 4
//!     jump block1(v3) ; 5
//! block1(v7: b64):
//!     return ; 7
//! }
//! ```
//!
//! One line for each instruction: guard, results, operation, operands, and after `;` the origin. Constants, special
//! registers and addresses are written where they are used, with their width (`8:b16`) where it does not follow from the
//! operation. What a producer promises of a value follows its width (`v3: b64 nsw range(4)`), what it assumes of a block is its
//! first line.
//!
//! | file | what |
//! | --- | --- |
//! | `print` | a function as text |
//! | `parse` | the text as a function |
//! | `definition`, `operation`, `line` | values and parameters, operations, and characters of a line |
//! | `renumber` | the numbers of values in the text |
//! | `words` | operations as words |
//! | `names` | types and special registers as words |

mod definition;
mod line;
mod names;
mod operation;
mod parse;
mod print;
mod renumber;
#[cfg(test)]
mod tests;
mod words;

pub use parse::{ParseError, parse};
