//! Original and rewritten kernels under the executor.

use crate::files::compare::{Rewritten, all_equal, all_equal_by_themselves, soak};
use crate::files::rewrite::Subject;

/// Every launch runs, and every rewriting leaves the same memory, on every schedule.
pub fn equal(subject: &Subject) -> Result<(), String> {
    let text = subject.case.text.as_bytes();
    all_equal(&subject.case, text, subject.rewritings()?)
}

/// Under launches that are made up the rule's own choice does not differ; nor does any other in a soak test.
pub fn equal_by_itself(subject: &Subject) -> Result<(), String> {
    let rewritings = subject.rewritings()?;
    let rewritings: Vec<&Rewritten> = match soak() {
        true => rewritings.iter().collect(),
        false => rewritings.iter().take(1).collect(),
    };
    all_equal_by_themselves(subject.case.text.as_bytes(), &rewritings)
}
