//! Whether a kernel survives its rewriting.

use crate::random::case::Case;
pub use crate::random::compare::Verdict;
use crate::random::compare::compare;
use ptxasw::passes::Fate;
use ptxasw::pipeline::Output;
use ptxasw::pipeline::ssa::{self, Report};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks a kernel under the launches and options of a case: what becomes of it with shuffles.
pub fn check(case: &Case, text: &str) -> Verdict {
    let output = match optimized(case, text) {
        Ok(output) => output,
        Err(verdict) => return verdict,
    };
    match output.shuffles() {
        0 => Verdict::Untouched,
        count => compare(&case.launches, text, &output.text, count),
    }
}

/// Checks what all passes make of a kernel, and counts batches and tests over iterations in it.
pub fn check_optimized(case: &Case, text: &str) -> Verdict {
    let output = match optimized(case, text) {
        Ok(output) => output,
        Err(verdict) => return verdict,
    };
    if let Some(refusal) = output.passes.iter().find_map(Report::refusal) {
        return Verdict::Wrong(refusal, String::new());
    }
    if output.text == text.as_bytes() {
        return Verdict::Untouched;
    }
    let remarks = output.passes.iter().flat_map(|report| &report.remarks);
    let batched = remarks.filter(|one| one.fate == Fate::Batched).count();
    let found = batched + usize::from(tests_iterations(case, text, &output.text));
    compare(&case.launches, text, &output.text, found)
}

/// Whether a rewritten kernel tests something for all iterations of a loop: another text comes out where such tests are too short.
#[cfg(debug_assertions)]
fn tests_iterations(case: &Case, text: &str, rewritten: &[u8]) -> bool {
    use ptxasw::support::mutation::{Mutation, with};
    let short = with(Mutation::HullShort, || optimized(case, text));
    short.is_ok_and(|short| short.text != rewritten)
}

#[cfg(not(debug_assertions))]
fn tests_iterations(_: &Case, _: &str, _: &[u8]) -> bool {
    false
}

/// A kernel as all passes leave it.
fn optimized(case: &Case, text: &str) -> Result<Output, Verdict> {
    let rewritten = catch_unwind(AssertUnwindSafe(|| {
        ptxasw::optimize(text.as_bytes(), &case.options)
    }));
    match rewritten {
        Err(_) => Err(Verdict::Wrong("panic".into(), String::new())),
        Ok(Err(error)) if error.to_string().starts_with("internal") => {
            Err(Verdict::Wrong(error.to_string(), String::new()))
        }
        Ok(Err(_)) => Err(Verdict::Unfit),
        Ok(Ok(output)) => Ok(output),
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
