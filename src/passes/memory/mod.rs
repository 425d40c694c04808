//! The memory pass: what a thread loads is loaded once.

mod options;

pub use options::{BadLoads, LEVELS, Loads, MAX_LIVE, MemoryOptions};
