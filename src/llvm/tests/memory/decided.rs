//! What becomes of each access, and that results stay.

use crate::annotated::{compared, is_twin, passed_by, versions};
use crate::memory::{FILES, passed, text_of};
use ptxasw::passes::memory::{Loads, Memory};
use ptxasw::verify::Verdict;

#[test]
fn every_access_is_decided_as_its_line_says() {
    FILES.decided();
}

#[test]
fn twins_stay_as_they_are() {
    FILES.twins_stay(31);
}

/// As far as a file says, and to the end.
#[test]
fn results_stay() {
    for name in FILES.names() {
        let text = text_of(&name);
        for (passed, all) in [
            (passed(&text), !is_twin(&name)),
            (passed_by(&text, &[&Memory], Loads::Always), false),
        ] {
            let Some(ptx) = passed.ptx else {
                assert!(!all || !versions::reads_all(), "{name}");
                continue;
            };
            if versions::is_miscompiled(&format!("memory/{name}")) {
                continue;
            }
            let report = compared(&text, &ptx);
            assert_eq!(report.verdict, Verdict::Equal, "{name}");
            assert!(report.compared() > 0, "{name}: nothing was compared");
        }
    }
}
