//! What the passes over the SSA IR did to a module: counts, and the words for them.

use crate::passes::Kind;
use crate::pipeline::Lines;
use crate::pipeline::ssa::Report;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the passes did to a module before its loads were examined.
#[derive(Clone, Copy, Default)]
pub struct Before<'a> {
    /// What each did to each function.
    pub reports: &'a [Report],
    /// The text that they read, with the lines of the text that they left as lines of that; none if they changed nothing.
    pub input: Option<(&'a [u8], &'a Lines)>,
}

/// Remarks by pass and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<String, BTreeMap<Kind, u64>>);

impl Counts {
    /// Those of some reports.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Self {
        let mut counts = Counts::default();
        for report in reports {
            for remark in &report.remarks {
                let kinds = counts.0.entry(report.pass.to_owned()).or_default();
                *kinds.entry(remark.kind).or_default() += 1;
            }
        }
        counts
    }

    /// Whether anything was changed.
    pub fn is_done(&self) -> bool {
        let mut kinds = self.0.values().flat_map(BTreeMap::keys);
        kinds.any(|kind| kind.is_done())
    }

    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        for (pass, kinds) in &other.0 {
            let own = self.0.entry(pass.clone()).or_default();
            for (&kind, count) in kinds {
                let own = own.entry(kind).or_default();
                *own = own.saturating_add(*count);
            }
        }
    }

    /// With what was done among what stays: a function went back to its original.
    pub fn revert(&mut self) {
        for kinds in self.0.values_mut() {
            let all = kinds
                .values()
                .fold(0, |sum: u64, one| sum.saturating_add(*one));
            *kinds = BTreeMap::from_iter([(Kind::Kept, all)]);
        }
    }

    /// The passes, each with how often it did what, in words: `3 loads removed`.
    pub fn passes(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        self.0.iter().map(|(pass, kinds)| {
            let counted = Kind::ALL.into_iter().filter_map(|kind| {
                let count = kinds.get(&kind)?;
                Some(kind.counted(*count))
            });
            (&**pass, counted.collect())
        })
    }

    /// The passes by name, each with how often it did what, under the names that programs read.
    pub fn named(&self) -> BTreeMap<&str, BTreeMap<&'static str, u64>> {
        let passes = self.0.iter();
        let named = passes.map(|(pass, kinds)| {
            let kinds = kinds.iter().map(|(kind, &count)| (kind.name(), count));
            (&**pass, kinds.collect())
        });
        named.collect()
    }

    /// In one clause, `memory: 3 loads removed, 2 kept`, what passes did; nothing if none did anything.
    pub fn clause(&self) -> Option<String> {
        let done = |kinds: &BTreeMap<Kind, u64>| kinds.keys().any(|kind| kind.is_done());
        let passes = self.passes().filter(|&(pass, _)| done(&self.0[pass]));
        let clauses = passes.map(|(pass, counted)| format!("{pass}: {}", counted.join(", ")));
        let clauses: Vec<String> = clauses.collect();
        (!clauses.is_empty()).then(|| clauses.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::patch::Site;
    use crate::passes::memory::Loads;
    use crate::pipeline::ssa::Remark;

    fn report(pass: &'static str, kinds: &[Kind]) -> Report {
        let remarks = kinds.iter().map(|&kind| Remark {
            site: Site::default(),
            kind,
            what: String::new(),
            with: None,
            lift: None,
        });
        Report {
            pass,
            function: "k".into(),
            kernel: true,
            changed: true,
            remarks: remarks.collect(),
            claims: Vec::new(),
            obligations: Vec::new(),
            waits_for_none: false,
            again: false,
            refused: None,
            loads: Loads::Off,
            tried: Vec::new(),
        }
    }

    #[test]
    fn remarks_are_counted_by_pass_and_kind() {
        use Kind::{DeadStore, Forwarded, Kept, Removed};
        let reports = [
            report("memory", &[Kept, Removed, Removed, DeadStore]),
            report("memory", &[Kept, Forwarded]),
            report("other", &[Kept]),
        ];
        let mut counts = Counts::of(&reports);
        let clause = "memory: 2 loads removed, 1 load forwarded, 1 store removed, 2 kept";
        assert_eq!(counts.clause().as_deref(), Some(clause));
        assert!(counts.is_done());
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(serde_json::from_str::<Counts>(&json).unwrap(), counts);
        counts.add(&counts.clone());
        counts.revert();
        let reverted: Vec<_> = counts.passes().collect();
        let kept = |count: u64| vec![Kept.counted(count)];
        assert_eq!(reverted, [("memory", kept(12)), ("other", kept(2))]);
        assert!(!counts.is_done() && counts.clause().is_none());
    }
}
