//! Original and rewritten kernels under the executor.

use crate::case::Case;
use crate::compare::{all_equal, all_equal_by_themselves};
use crate::rewrite::{by_itself, executed};

/// Every launch runs, and every rewriting leaves the same memory behind, on every schedule.
pub fn equal(case: &Case) -> Result<(), String> {
    all_equal(case, case.text.as_bytes(), &executed(case)?)
}

/// Under launches that are made up no rewriting differs.
pub fn equal_by_itself(case: &Case) -> Result<(), String> {
    all_equal_by_themselves(case.text.as_bytes(), &by_itself(case)?)
}
