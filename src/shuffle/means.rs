//! By what the equality of bytes (C1) of proved shuffles was decided, for statistics.

use super::proved::{Proved, ProvedPart};

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
    pub(super) fn of(proved: &[Proved]) -> Self {
        let mut means = Means::default();
        for part in proved.iter().flat_map(|one| &one.parts) {
            *means.counted(part) += 1;
        }
        means
    }

    fn counted(&mut self, part: &ProvedPart) -> &mut u64 {
        if !part.algebra {
            &mut self.solver
        } else if !part.wanted.is_empty() || part.distance.is_some() {
            &mut self.checks
        } else if !part.guards.is_empty() || !part.rests_on.facts.is_empty() {
            &mut self.ranges
        } else {
            &mut self.algebra
        }
    }
}
