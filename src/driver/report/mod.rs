//! Messages and reports for the user.

pub mod execution;
pub mod explain;
pub mod fates;
pub mod files;
pub mod function;
pub mod positions;
pub mod remarks;
pub mod stats;
pub mod verdict;
pub mod verify;
