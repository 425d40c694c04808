//! What the tool tells its user.

pub mod lines;
pub mod snippet;
