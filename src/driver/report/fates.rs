//! How many loads and stores of the input had which fate, and the words for it.

use super::function::{AccessReport, FunctionReport};
use ptxasw_passes::Fate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers of accesses by their fates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fates {
    /// Loads of the input.
    pub loads: BTreeMap<Fate, u64>,
    /// Stores of the input.
    pub stores: BTreeMap<Fate, u64>,
    /// Statements that are no accesses, and compute their results in another form.
    pub statements: u64,
}

impl Fates {
    /// Those of a function.
    pub fn of(function: &FunctionReport) -> Self {
        let others = function.others.iter();
        let done = others.filter(|(_, remark)| remark.fate.is_done());
        Fates::each(function, |access| access.fate(), done.count())
    }

    /// Those that a function had before it went back to its original.
    pub fn undone(function: &FunctionReport) -> Self {
        let others = function.others.iter();
        let undone = others.filter(|(_, remark)| remark.undone.is_some());
        let fate = |access: &AccessReport| {
            let decisions = access.decisions.iter();
            let undone = decisions.filter_map(|one| one.remark.undone).min();
            undone.unwrap_or(Fate::Kept)
        };
        Fates::each(function, fate, undone.count())
    }

    fn each(
        function: &FunctionReport,
        fate: impl Fn(&AccessReport) -> Fate,
        statements: usize,
    ) -> Self {
        let mut fates = Fates {
            statements: statements as u64,
            ..Fates::default()
        };
        for access in &function.accesses {
            let own = match access.is_store {
                true => &mut fates.stores,
                false => &mut fates.loads,
            };
            *own.entry(fate(access)).or_default() += 1;
        }
        fates
    }

    /// Adds others.
    pub fn add(&mut self, other: &Fates) {
        for (own, others) in [
            (&mut self.loads, &other.loads),
            (&mut self.stores, &other.stores),
        ] {
            for (&fate, count) in others {
                let own = own.entry(fate).or_default();
                *own = own.saturating_add(*count);
            }
        }
        self.statements = self.statements.saturating_add(other.statements);
    }

    /// Without those that were only declined: what a function loses when it goes back.
    pub fn done(&self) -> Self {
        let mut done = self.clone();
        for own in [&mut done.loads, &mut done.stores] {
            if let Some(declined) = own.remove(&Fate::Declined) {
                *own.entry(Fate::Kept).or_default() += declined;
            }
        }
        done
    }

    /// With all accesses among what stays: a function went back to its original.
    pub fn revert(&mut self) {
        for own in [&mut self.loads, &mut self.stores] {
            let all = total(own);
            own.clear();
            if all > 0 {
                own.insert(Fate::Kept, all);
            }
        }
        self.statements = 0;
    }

    /// All loads.
    pub fn all_loads(&self) -> u64 {
        total(&self.loads)
    }

    /// All stores.
    pub fn all_stores(&self) -> u64 {
        total(&self.stores)
    }

    /// Loads and stores of a fate.
    pub fn count(&self, fate: Fate) -> u64 {
        let of = |own: &BTreeMap<Fate, u64>| own.get(&fate).copied().unwrap_or(0);
        of(&self.loads).saturating_add(of(&self.stores))
    }

    /// Loads of the input that are executed no more: removed, or replaced by shuffles.
    pub fn gone(&self) -> u64 {
        let gone = self.loads.iter();
        let gone = gone.filter(|(fate, _)| fate.is_gone() || **fate == Fate::Shuffled);
        gone.map(|(_, count)| *count).sum()
    }

    /// Loads and stores of the input that are executed no more.
    pub fn all_gone(&self) -> u64 {
        self.gone().saturating_add(self.count(Fate::DeadStore))
    }

    /// Whether anything was changed.
    pub fn is_done(&self) -> bool {
        let mut fates = self.loads.keys().chain(self.stores.keys());
        self.statements > 0 || fates.any(|fate| fate.is_done())
    }

    /// In one sentence: `36 of 54 loads and 27 of 36 stores removed, 12 loads moved`.
    pub fn line(&self) -> String {
        let mut clauses = Vec::new();
        for (word, fates) in WORDS {
            let sum = |own: &BTreeMap<Fate, u64>| -> u64 {
                fates.iter().filter_map(|fate| own.get(fate)).sum()
            };
            let counts = [
                (sum(&self.loads), self.all_loads(), "load"),
                (sum(&self.stores), self.all_stores(), "store"),
            ];
            let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
            let first = clauses.is_empty();
            let counts: Vec<String> = counts
                .map(|(count, all, noun)| match first {
                    true => format!("{count} of {}", counted(all, noun)),
                    false => counted(count, noun),
                })
                .collect();
            if !counts.is_empty() {
                clauses.push(format!("{} {word}", counts.join(" and ")));
            }
        }
        if self.statements > 0 {
            clauses.push(format!(
                "{} rewritten",
                counted(self.statements, "statement")
            ));
        }
        let nothing = self.all_loads() + self.all_stores() == 0;
        match (clauses.is_empty(), nothing) {
            (false, _) => clauses.join(", "),
            (true, true) => self.all(),
            (true, false) => format!("none of {} changed", self.all()),
        }
    }

    /// How many there are: `4 loads and 2 stores`.
    pub fn all(&self) -> String {
        let all = [(self.all_loads(), "load"), (self.all_stores(), "store")];
        let all = all.into_iter().filter(|(count, _)| *count > 0);
        let all: Vec<String> = all.map(|(count, noun)| counted(count, noun)).collect();
        match all.is_empty() {
            true => "no loads and no stores".to_owned(),
            false => all.join(" and "),
        }
    }
}

/// What the sentence says of which fates, in its order.
pub const WORDS: [(&str, &[Fate]); 9] = [
    (
        "removed",
        &[Fate::Removed, Fate::Forwarded, Fate::DeadStore],
    ),
    ("shuffled", &[Fate::Shuffled]),
    ("widened", &[Fate::Widened]),
    ("batched", &[Fate::Batched]),
    ("moved", &[Fate::Moved]),
    ("of a known space", &[Fate::Space]),
    ("non-coherent", &[Fate::NonCoherent]),
    ("rewritten", &[Fate::Rewritten]),
    ("declined", &[Fate::Declined]),
];

/// A number of things: `1 load`, `2 loads`.
pub fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn total(counts: &BTreeMap<Fate, u64>) -> u64 {
    let counts = counts.values();
    counts.fold(0, |sum: u64, one| sum.saturating_add(*one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fates(loads: &[(Fate, u64)], stores: &[(Fate, u64)]) -> Fates {
        Fates {
            loads: loads.iter().copied().collect(),
            stores: stores.iter().copied().collect(),
            statements: 0,
        }
    }

    #[test]
    fn the_sentence_has_the_totals_once() {
        let loads = [
            (Fate::Removed, 35),
            (Fate::Forwarded, 1),
            (Fate::Moved, 12),
            (Fate::Kept, 6),
        ];
        let all = fates(&loads, &[(Fate::DeadStore, 27), (Fate::Kept, 9)]);
        let line = "36 of 54 loads and 27 of 36 stores removed, 12 loads moved";
        assert_eq!(all.line(), line);
        let none = fates(&[(Fate::Kept, 1)], &[(Fate::Kept, 2)]);
        assert_eq!(none.line(), "none of 1 load and 2 stores changed");
        assert_eq!(Fates::default().line(), "no loads and no stores");
        let declined = fates(&[(Fate::Declined, 6), (Fate::Kept, 3)], &[]);
        assert_eq!(declined.line(), "6 of 9 loads declined");
        assert!(!declined.is_done() && all.is_done());
    }

    #[test]
    fn what_went_back_stays() {
        let mut all = fates(
            &[(Fate::Removed, 3), (Fate::Kept, 1)],
            &[(Fate::Widened, 2)],
        );
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Fates>(&json).unwrap(), all);
        all.add(&all.clone());
        all.revert();
        assert_eq!(all, fates(&[(Fate::Kept, 8)], &[(Fate::Kept, 4)]));
        assert_eq!(all.count(Fate::Kept), 12);
    }
}
