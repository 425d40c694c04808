//! Arithmetic of one thread.
//!
//! | file | pass | what |
//! | --- | --- | --- |
//! | `division` | `division` | divisions of 64 bits whose operands fit into 32 |
//! | `straight` | `scalar` | what is computed again, or from far away, comes from an earlier value |

mod division;
mod straight;

pub use division::Division;
pub use straight::Scalar;
