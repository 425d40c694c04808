//! Certificates: what was proved for a shuffle, as an SMT-LIB text that any solver can check again.
//!
//! The obligation is C1: under the path conditions of every lane from the destination's to the source's, and the checks
//! that are made at run time, both addresses are equal. `unsat` means proved.

use super::place::Wanted;
use crate::emulator::term::{TermId, Terms};
use crate::solver::smtlib::{self, Part};
use crate::solver::{Query, Reading};

/// A C1 obligation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obligation<'a> {
    /// Address of the source, in its own lane.
    pub source: TermId,
    /// Address of the destination.
    pub destination: TermId,
    /// Distance in lanes.
    pub delta: i32,
    /// Path conditions of the destination.
    pub facts: &'a [TermId],
    /// Run-time checks of the destination's lane.
    pub wanted: &'a [Wanted],
}

impl Obligation<'_> {
    /// The query: hypotheses of all lanes in between, and the equality.
    pub fn query(&self, terms: &mut Terms, name: String) -> Query {
        let mut hypotheses = Vec::new();
        let (low, high) = (self.delta.min(0), self.delta.max(0));
        for lane in low..=high {
            for &fact in self.facts {
                let moved = terms.shift_lane(fact, lane);
                if !hypotheses.contains(&moved) {
                    hypotheses.push(moved);
                }
            }
        }
        for wanted in self.wanted {
            let moved = terms.offset(wanted.term, wanted.offset);
            let limit = terms.constant(terms.width(wanted.term), wanted.limit);
            let above = terms.less(false, limit, moved);
            hypotheses.push(terms.not(above));
        }
        let source = terms.shift_lane(self.source, self.delta);
        let goal = terms.equal(source, self.destination);
        Query {
            name,
            hypotheses,
            goal,
        }
    }

    /// The query as SMT-LIB 2.
    pub fn text(&self, terms: &mut Terms, name: String, reading: Reading) -> String {
        let query = self.query(terms, name);
        smtlib::print(terms, &query, reading, Part::Claim).smt
    }
}
