//! Whether a kernel survives its rewriting.

use crate::random::case::Case;
pub use crate::random::compare::Verdict;
use crate::random::compare::compare;
use ptxasw::pipeline::ssa::{self, Report};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks a kernel under the launches and options of a case.
pub fn check(case: &Case, text: &str) -> Verdict {
    let rewritten = catch_unwind(AssertUnwindSafe(|| {
        ptxasw::optimize(text.as_bytes(), &case.options)
    }));
    let output = match rewritten {
        Err(_) => return Verdict::Wrong("panic".into(), String::new()),
        Ok(Err(error)) if error.to_string().starts_with("internal") => {
            return Verdict::Wrong(error.to_string(), String::new());
        }
        Ok(Err(_)) => return Verdict::Unfit,
        Ok(Ok(output)) => output,
    };
    match output.shuffles() {
        0 => Verdict::Untouched,
        count => compare(&case.launches, text, &output.text, count),
    }
}

/// Checks what the SSA passes alone make of a kernel; a patch that is refused is wrong, too.
pub fn check_passed(case: &Case, text: &str) -> Verdict {
    let passed = catch_unwind(AssertUnwindSafe(|| {
        ssa::run(text.as_bytes(), &case.options)
    }));
    let passed = match passed {
        Err(_) => return Verdict::Wrong("panic".into(), String::new()),
        Ok(Err(_)) => return Verdict::Unfit,
        Ok(Ok(passed)) => passed,
    };
    if let Some(refusal) = passed.reports.iter().find_map(Report::refusal) {
        return Verdict::Wrong(refusal, String::new());
    }
    let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
    match remarks.filter(|remark| remark.fate.is_done()).count() {
        0 => Verdict::Untouched,
        count => compare(&case.launches, text, passed.text(), count),
    }
}
