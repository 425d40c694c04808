//! What becomes of each loop, as comments on the lines of its loads.

use super::FILES;
use crate::passes::annotated::{compared, passed_by, taken};
use ptxasw::passes::Pass;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::verify::Verdict;

#[test]
fn every_loop_is_decided_as_its_lines_say() {
    FILES.decided();
}

#[test]
fn twins_stay_as_they_are() {
    FILES.twins_stay(126);
}

/// The twins that comments name, and the files of the table of traps.
#[test]
fn what_is_named_is_there() {
    FILES.twins_are_there();
    FILES.table_is_right("shapes/README", str::to_owned);
}

/// By the pass alone, and where the memory pass does all that it can in the batches.
#[test]
fn results_stay() {
    let always = MemoryOptions {
        loads: Loads::Always,
        ..MemoryOptions::default()
    };
    let ways: [(&[&'static dyn Pass], MemoryOptions); 2] = [
        (&[&Batches], MemoryOptions::default()),
        (&[&Batches, &Memory], always),
    ];
    for name in FILES.names() {
        let text = FILES.text_of(&name);
        for (passes, memory) in &ways {
            let passed = passed_by(passes, &text, *memory);
            taken(&name, &passed.reports);
            let report = compared(&text, passed.text());
            assert_eq!(report.verdict, Verdict::Equal, "{name}");
            assert!(report.compared() > 0, "{name}: nothing was compared");
        }
    }
}
