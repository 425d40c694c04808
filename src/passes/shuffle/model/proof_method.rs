//! By what the equality of bytes (C1) of proved shuffles was decided, for statistics.

use super::evidence::ProofMethod;
use super::proved::Proved;

/// Counts of pairs of a source and a destination.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProofCounts {
    /// Both addresses have one normal form.
    pub algebra: u64,
    /// Known bits, ranges and path conditions show besides that no index wraps.
    pub ranges: u64,
    /// The rest is checked at run time.
    pub checks: u64,
    /// A solver found it.
    pub solver: u64,
}

impl ProofCounts {
    /// Those of proved shuffles.
    pub(in crate::shuffle) fn of(proved: &[Proved]) -> Self {
        let mut counts = ProofCounts::default();
        for part in proved.iter().flat_map(|one| &one.parts) {
            *match part.by {
                ProofMethod::Algebra => &mut counts.algebra,
                ProofMethod::Ranges => &mut counts.ranges,
                ProofMethod::Checks => &mut counts.checks,
                ProofMethod::Solver => &mut counts.solver,
            } += 1;
        }
        counts
    }
}
