//! Data of the synthesis: what the user chose, what is known of a pair, and the verdicts.

pub(super) mod data;
pub(super) mod evidence;
pub mod limits;
pub mod options;
pub mod pair;
pub mod proof_method;
pub(super) mod proved;
pub(super) mod run;
pub mod verdict;
