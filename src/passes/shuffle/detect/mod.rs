//! Detection: which loads count, which earlier loads may give their bytes, and the search through them.

pub mod candidate;
pub(super) mod covered;
pub(super) mod eligible;
mod exchanged;
pub(super) mod fallback;
pub(super) mod proposal;
pub(super) mod search;
