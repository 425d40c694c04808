//! What tests over the iterations of a loop allow in kernels of nvcc, where each store may change what the next statement reads.

use super::{passed, taken, text_of};
use ptxasw::passes::Fate;
use ptxasw::passes::memory::MemoryOptions;

/// Loads that go, stores that go, and loads that move up, by default settings.
fn done(name: &str) -> [usize; 3] {
    let text = text_of(name);
    let passed = passed(&text, MemoryOptions::default());
    taken(name, &passed.reports);
    let fates: [&[Fate]; 3] = [
        &[Fate::Removed, Fate::Forwarded],
        &[Fate::DeadStore],
        &[Fate::Moved],
    ];
    fates.map(|fates| {
        let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
        remarks.filter(|one| fates.contains(&one.fate)).count()
    })
}

/// Four elements an iteration: of 32 loads 8 are left, of 16 stores 4.
#[test]
fn sums_in_memory_are_stored_once_for_four_elements() {
    assert_eq!(done("cuda/reduction.nvcc.ptx"), [24, 12, 0]);
}

#[test]
fn an_event_is_loaded_in_front_of_the_stores_of_its_histogram() {
    assert_eq!(done("cuda/histogram.nvcc.ptx"), [2, 0, 7]);
}
