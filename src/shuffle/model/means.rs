//! By what the equality of bytes (C1) of proved shuffles was decided, for statistics.

use super::evidence::By;
use super::proved::Proved;

/// Counts of pairs of a source and a destination.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Means {
    /// Both addresses have one normal form.
    pub algebra: u64,
    /// Known bits, ranges and path conditions show besides that no index wraps.
    pub ranges: u64,
    /// The rest is checked at run time.
    pub checks: u64,
    /// A solver found it.
    pub solver: u64,
}

impl Means {
    /// Those of proved shuffles.
    pub(in crate::shuffle) fn of(proved: &[Proved]) -> Self {
        let mut means = Means::default();
        for part in proved.iter().flat_map(|one| &one.parts) {
            *match part.by {
                By::Algebra => &mut means.algebra,
                By::Ranges => &mut means.ranges,
                By::Checks => &mut means.checks,
                By::Solver => &mut means.solver,
            } += 1;
        }
        means
    }
}
