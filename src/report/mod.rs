//! What the tool tells its user.

pub mod execution;
pub mod explain;
pub mod lines;
pub mod snippet;
pub mod verify;
