//! Data of the synthesis: what the user chose, what is known of a pair, and the verdicts.

pub(super) mod data;
pub(super) mod evidence;
pub mod limits;
pub mod means;
pub mod options;
pub mod pair;
pub(super) mod proved;
pub(super) mod run;
pub mod verdict;
