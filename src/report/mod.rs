//! Messages and reports for the user.

pub mod execution;
pub mod explain;
pub mod html;
pub mod passes;
pub mod positions;
pub mod record;
pub mod remarks;
pub mod stats;
pub mod verify;
