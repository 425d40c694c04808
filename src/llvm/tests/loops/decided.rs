//! What becomes of each loop, and that results stay.

use crate::annotated::{compared, is_twin, passed_by, versions};
use crate::loops::FILES;
use ptxasw::passes::Pass;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::{Loads, Memory};
use ptxasw::verify::Verdict;

#[test]
fn every_loop_is_decided_as_its_lines_say() {
    FILES.decided();
}

#[test]
fn twins_stay_as_they_are() {
    FILES.twins_stay(26);
}

/// By the pass alone, and where the memory pass does all that it can in the batches.
#[test]
fn results_stay() {
    let ways: [(&[&'static dyn Pass], Loads); 2] = [
        (&[&Batches], Loads::Batches),
        (&[&Batches, &Memory], Loads::Always),
    ];
    for name in FILES.names() {
        let text = FILES.text_of(&name);
        for (passes, loads) in ways {
            let Some(ptx) = passed_by(&text, passes, loads).ptx else {
                assert!(is_twin(&name) || !versions::reads_all(), "{name}");
                continue;
            };
            let report = compared(&text, &ptx);
            assert_eq!(report.verdict, Verdict::Equal, "{name}");
            assert!(report.compared() > 0, "{name}: nothing was compared");
        }
    }
}

/// A sum of a later iteration may wrap where the original has none, so it promises nothing: promises are those of the original and the
/// copies.
#[test]
fn sums_of_later_iterations_promise_nothing() {
    let text = FILES.text_of("wraps");
    let [before, after] = &FILES.passed(&text).texts;
    let count = |text: &str, what| text.matches(what).count();
    let iterations = count(after, "= load i32") / count(before, "= load i32");
    assert!(iterations > 2);
    let promises = [before, after].map(|text| count(text, " nsw i32 "));
    assert_eq!(promises[1], promises[0] * iterations, "{after}");
}
