//! Arithmetic of one thread.
//!
//! | file | pass | what |
//! | --- | --- | --- |
//! | `division` | `division` | divisions of 64 bits whose operands fit into 32 |

mod division;
#[cfg(test)]
mod tests;

pub use division::Division;
