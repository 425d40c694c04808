//! Rounds of one pass: what it leaves of a function may show it more.

use super::report::Report;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Most rounds of a pass on a function.
pub const MAX_ROUNDS: usize = 4;

/// The functions on which a pass runs again, by their places in the module, and what it did to each so far.
#[derive(Debug, Default)]
pub struct Rounds {
    /// Rounds that are over.
    over: usize,
    /// The functions of this round; in the first, these are all.
    functions: FxHashSet<usize>,
    /// Those whose last patch was refused: this round is their last.
    refused: FxHashSet<usize>,
    reports: IndexMap<usize, Report, FxBuildHasher>,
}

impl Rounds {
    /// Whether the pass runs on a function in this round.
    pub fn has(&self, function: usize) -> bool {
        self.over == 0 || self.functions.contains(&function)
    }

    /// Whether no round comes after this one.
    pub fn is_last(&self, function: usize) -> bool {
        self.over + 1 >= MAX_ROUNDS || self.refused.contains(&function)
    }

    /// Takes what a round did; whether there is another one.
    pub fn add(&mut self, reports: Vec<(usize, Report)>) -> bool {
        self.over += 1;
        self.functions.clear();
        for (function, report) in reports {
            if report.again {
                self.functions.insert(function);
                if report.refused.is_some() {
                    self.refused.insert(function);
                }
            }
            match self.reports.entry(function) {
                Entry::Occupied(mut before) => before.get_mut().follow(report),
                Entry::Vacant(new) => _ = new.insert(report),
            }
        }
        !self.functions.is_empty()
    }

    /// One report for each function about which there is something to report.
    pub fn finish(self) -> impl Iterator<Item = Report> {
        let reports = self.reports.into_values();
        reports.filter(|report| !report.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Descent;
    use crate::pipeline::ssa::{Refused, Remark};
    use ptxasw_ir::patch::Place;
    use ptxasw_passes::Fate;
    use ptxasw_passes::memory::Memory;

    fn report(again: bool, remarks: &[(u32, Fate)]) -> Report {
        let remark = |&(line, fate): &(u32, Fate)| Remark {
            place: Place { at: 0, line },
            fate,
            undone: None,
            what: "".into(),
            with: None,
            lift: None,
            descent: Descent::Kept,
            load: None,
        };
        Report {
            again,
            changed: remarks.iter().any(|(_, fate)| fate.is_done()),
            remarks: remarks.iter().map(remark).collect(),
            ..Report::new(&Memory, "k", true)
        }
    }

    #[test]
    fn only_what_asks_for_it_runs_again() {
        let mut rounds = Rounds::default();
        assert!(rounds.has(0) && rounds.has(1));
        let more = rounds.add(vec![(0, report(true, &[])), (1, report(false, &[]))]);
        assert!(more && rounds.has(0) && !rounds.has(1));
        assert!(!rounds.add(vec![(0, report(false, &[]))]));
    }

    #[test]
    fn rounds_are_bounded() {
        let mut rounds = Rounds::default();
        let mut count = 1;
        while !rounds.is_last(0) {
            assert!(rounds.add(vec![(0, report(true, &[]))]));
            count += 1;
        }
        assert_eq!(count, MAX_ROUNDS);
    }

    #[test]
    fn a_refused_round_is_followed_by_the_last() {
        let mut rounds = Rounds::default();
        let mut refused = report(true, &[]);
        refused.refuse(Refused::Text("no".to_owned()));
        assert!(rounds.add(vec![(0, refused)]));
        assert!(rounds.is_last(0) && !rounds.is_last(1));
    }

    #[test]
    fn reasons_are_those_of_the_last_round() {
        let mut rounds = Rounds::default();
        let first = [(3, Fate::Kept), (5, Fate::Removed), (7, Fate::Kept)];
        rounds.add(vec![(0, report(true, &first))]);
        rounds.add(vec![(
            0,
            report(false, &[(3, Fate::Space), (7, Fate::Kept)]),
        )]);
        let all: Vec<Report> = rounds.finish().collect();
        let [report] = &all[..] else {
            panic!("{all:?}");
        };
        let remarks = report.remarks.iter();
        let remarks: Vec<(u32, Fate)> = remarks.map(|one| (one.place.line, one.fate)).collect();
        assert_eq!(
            remarks,
            [(3, Fate::Space), (5, Fate::Removed), (7, Fate::Kept)]
        );
        assert!(report.changed);
    }
}
