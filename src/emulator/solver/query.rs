//! Queries, their answers, and the interface of a prover.

use crate::term::{SymbolId, TermId, Terms};

/// A claim over an arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Query {
    /// For reports and certificates.
    pub name: String,
    /// One-bit terms that are taken as true.
    pub hypotheses: Vec<TermId>,
    /// The one-bit term to prove.
    pub goal: TermId,
}

/// How far a query's text spells out the arithmetic that is costly for solvers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// Products, quotients and remainders of two non-constants are unknowns within their known ranges. It claims more, so
    /// a proof holds, and a counterexample may be spurious.
    Abstract,
    /// They are spelled out.
    Exact,
}

/// What proved a query.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// Simplification of terms, without a solver.
    Algebra,
    /// A solver, on the text that [`print`](super::smtlib::print) gives for this reading.
    Solver(Reading),
}

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The goal follows from the hypotheses.
    Proved(Proof),
    /// It does not: under these values of the symbols, checked by evaluation, the hypotheses hold and the goal does
    /// not. Symbols that are not listed do not matter.
    Refuted(Vec<(SymbolId, u64)>),
    /// Not decided, with the reason.
    Unknown(Unknown),
}

impl Verdict {
    /// Whether the goal was proved.
    pub fn proved(&self) -> bool {
        matches!(self, Verdict::Proved(_))
    }
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unknown {
    /// The hypotheses exclude each other: the claim holds, but of nothing.
    #[error("the hypotheses contradict each other")]
    Vacuous,
    /// The solver's counterexample is none: it depends on the values of abstracted terms.
    #[error("no counterexample without a choice of unknown functions")]
    Spurious,
    /// The resource limit was reached, or the solver gave up otherwise.
    #[error("undecided within the limit")]
    Limit,
    /// Before it was asked, its circuit was seen to be too large: [`gates`](super::Limits::gates), or what is left of
    /// [`kernel_gates`](super::Limits::kernel_gates).
    #[error("too large for the solver")]
    TooLarge,
    /// Earlier questions about the kernel ended without a proof and spent what they may: [`vain`](super::Limits::vain).
    #[error("it may spend no more on a kernel of this size")]
    Spent,
    /// The solver did not understand the query's text.
    #[error("the solver did not accept the query")]
    Rejected,
    /// The solver's library could not be loaded.
    #[error("the solver's library cannot be loaded")]
    NoLibrary,
    /// No solver was asked.
    #[error("no solver is available")]
    NotAsked,
}

/// What decides queries over terms that algebra left open.
pub trait Solver {
    /// Decides a query over `terms`.
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        (**self).prove(terms, query)
    }
}

/// A prover that leaves every query undecided: after [`Structural`](super::Structural), algebra alone.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoSolver;

impl Solver for NoSolver {
    fn prove(&mut self, _: &Terms, _: &Query) -> Verdict {
        Verdict::Unknown(Unknown::NotAsked)
    }
}
