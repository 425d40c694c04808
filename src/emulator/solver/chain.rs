//! Provers that wrap others: algebra, a cache, counters.

use super::query::{Proof, Query, Solver, Unknown, Verdict};
use super::sampling::Sampling;
use super::z3::Z3Solver;
use crate::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Decides what simplification has already decided and asks the next prover otherwise.
#[derive(Debug, Default)]
pub struct Structural<S> {
    /// Asked for the rest.
    pub next: S,
}

impl<S: Solver> Solver for Structural<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        if terms.as_const(query.goal) == Some(1) || query.hypotheses.contains(&query.goal) {
            return Verdict::Proved(Proof::Algebra);
        }
        let value = |t: &TermId| terms.as_const(*t);
        if query.hypotheses.iter().any(|t| value(t) == Some(0)) {
            return match value(&query.goal) {
                // The question was whether the hypotheses can hold together.
                Some(0) => Verdict::Proved(Proof::Algebra),
                _ => Verdict::Unknown(Unknown::Vacuous),
            };
        }
        if value(&query.goal) == Some(0) && query.hypotheses.iter().all(|t| value(t) == Some(1)) {
            return Verdict::Refuted(Vec::new());
        }
        self.next.prove(terms, query)
    }
}

/// Remembers verdicts by hypotheses (in any order) and goal. For one arena only.
#[derive(Debug, Default)]
pub struct Cached<S> {
    /// Asked once for each query.
    pub next: S,
    known: FxHashMap<(Vec<TermId>, TermId), Verdict>,
}

impl<S> Cached<S> {
    /// An empty cache in front of `next`.
    pub fn new(next: S) -> Self {
        Cached {
            next,
            known: FxHashMap::default(),
        }
    }
}

impl<S: Solver> Solver for Cached<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        let mut hypotheses = query.hypotheses.clone();
        hypotheses.sort_unstable();
        hypotheses.dedup();
        let key = (hypotheses, query.goal);
        if let Some(verdict) = self.known.get(&key) {
            return verdict.clone();
        }
        let verdict = self.next.prove(terms, query);
        self.known.insert(key, verdict.clone());
        verdict
    }
}

/// How often a prover was asked and what it answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Queries.
    pub queries: u64,
    /// Proved.
    pub proved: u64,
    /// Refuted.
    pub refuted: u64,
    /// Not decided.
    pub unknown: u64,
    /// Of these, because their hypotheses contradict each other.
    pub vacuous: u64,
    /// Of those not decided, too large to be asked.
    pub too_large: u64,
    /// Of those not decided, by lack of the solver's library.
    pub no_library: u64,
}

/// What became of the questions about one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Account {
    /// Refuted by a few values, before the solver was asked.
    pub by_values: u64,
    /// What came to the solver.
    pub solver: Counts,
    /// The time that it took: the only figure that differs from run to run.
    pub time: Duration,
}

/// Counts the queries to the next prover and its verdicts.
#[derive(Debug, Default)]
pub struct Counting<S> {
    /// The prover.
    pub next: S,
    /// The counts.
    pub counts: Counts,
    /// Time in the prover.
    pub time: Duration,
}

impl<S> Counting<S> {
    /// Counts from zero.
    pub fn new(next: S) -> Self {
        Counting {
            next,
            counts: Counts::default(),
            time: Duration::ZERO,
        }
    }
}

impl<S: Solver> Solver for Counting<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        let start = Instant::now();
        let verdict = self.next.prove(terms, query);
        self.time += start.elapsed();
        let counts = &mut self.counts;
        counts.queries += 1;
        match &verdict {
            Verdict::Proved(_) => counts.proved += 1,
            Verdict::Refuted(_) => counts.refuted += 1,
            Verdict::Unknown(reason) => {
                counts.unknown += 1;
                counts.vacuous += u64::from(*reason == Unknown::Vacuous);
                counts.too_large += u64::from(*reason == Unknown::TooLarge);
                counts.no_library += u64::from(*reason == Unknown::NoLibrary);
            }
        }
        verdict
    }
}

/// The usual row of provers for one arena: algebra, cache, sampling, solver, with counters before and after.
#[derive(Debug)]
pub struct Chain<S = Z3Solver> {
    row: Counting<Structural<Cached<Sampling<Counting<S>>>>>,
}

impl<S> Chain<S> {
    /// A row that ends in `solver`.
    pub fn new(solver: S) -> Self {
        Chain {
            row: Counting::new(Structural {
                next: Cached::new(Sampling::new(Counting::new(solver))),
            }),
        }
    }

    /// What the row was asked.
    pub fn asked(&self) -> Counts {
        self.row.counts
    }

    /// What became of all questions.
    pub fn account(&self) -> Account {
        let sampling = &self.row.next.next.next;
        Account {
            by_values: sampling.refuted,
            solver: sampling.next.counts,
            time: sampling.next.time,
        }
    }

    /// What the solver at its end was asked.
    pub fn solved(&self) -> Counts {
        self.row.next.next.next.next.counts
    }
}

impl<S: Solver> Solver for Chain<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        self.row.prove(terms, query)
    }
}
