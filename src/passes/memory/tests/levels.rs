//! What the levels of `--loads` do to one kernel.

use super::{passed, taken, text_of};
use crate::passes::Kind;
use crate::passes::memory::{Loads, MemoryOptions};

/// Loads that are removed, and accesses that are widened.
fn done(name: &str, loads: Loads) -> [usize; 2] {
    let memory = MemoryOptions {
        loads,
        ..MemoryOptions::default()
    };
    let text = text_of(name);
    let passed = passed(&text, memory);
    taken(name, &passed.reports);
    [Kind::Removed, Kind::Widened].map(|kind| {
        let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
        remarks.filter(|remark| remark.kind == kind).count()
    })
}

/// Where tests for all that they can serve are too dear, those for wide accesses alone are tried.
#[test]
fn a_level_does_what_the_one_before_does() {
    let levels = [Loads::Off, Loads::Proofs, Loads::Checked, Loads::Bulk];
    let found = levels.map(|level| done("tested/dear", level));
    assert_eq!(found, [[0, 0], [0, 0], [0, 4], [0, 4]]);
    assert_eq!(done("tested/dear", Loads::Always), [1, 4]);
    assert_eq!(done("cuda/lattice.nvcc.ptx", Loads::Checked)[0], 0);
    assert_eq!(done("cuda/lattice.nvcc.ptx", Loads::Bulk)[0], 18);
}
