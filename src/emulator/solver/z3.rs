//! Z3 as a prover of SMT-LIB text.

use super::limits::Limits;
use super::query::{Proof, Query, Reading, Solver, Unknown, Verdict};
use super::session;
use super::size::gates;
use super::smtlib::{self, Part, Text};
use crate::term::{SymbolId, Terms};
use rustc_hash::FxHashMap;

/// A check that runs into its limit divides the limit of those that follow.
const LIMIT_DIVISOR: u32 = 8;

/// The least that a check may spend.
const LEAST_RLIMIT: u32 = 20_000;

/// Z3. Its context is made at the first query, once for each thread. Each check that runs into its limit divides the
/// limit of those that follow, so that all hopeless queries of a kernel together cost little more than the first.
///
/// A query whose circuit is too large is not asked: the limit does not hold Z3 up while it builds that.
///
/// A query is first read with its products and quotients as unknowns; where that gives a counterexample that is none,
/// exactly, unless they are wider than [`smtlib::WIDEST_SPELLED`] or may be quotients by 0. Counterexamples are checked by evaluation, proofs by a second query: whether the hypotheses can hold at all.
#[derive(Clone, Debug)]
pub struct Z3Solver {
    /// What is left: each check takes its gates from those of the kernel, and one that runs into its limit lowers that.
    pub limits: Limits,
    /// Checks so far, of claims and of hypotheses.
    pub checks: u64,
    /// What they cost, in Z3's own unit.
    pub spent: u64,
}

impl Default for Z3Solver {
    fn default() -> Self {
        Z3Solver::with_limits(Limits::default())
    }
}

impl Z3Solver {
    /// A solver for one kernel.
    pub fn with_limits(limits: Limits) -> Self {
        Z3Solver {
            limits,
            checks: 0,
            spent: 0,
        }
    }
}

/// What a check found.
#[cfg_attr(not(feature = "z3"), expect(dead_code))]
pub(super) enum Answer {
    /// The assertions contradict each other.
    Unsatisfiable,
    /// They hold for these values of the symbols.
    Satisfiable(Vec<(SymbolId, u64)>),
    /// Not decided.
    Unknown(Unknown),
}

impl Solver for Z3Solver {
    fn prove(&mut self, terms: &Terms, query: &Query) -> Verdict {
        if self.limits.vain == 0 {
            return Verdict::Unknown(Unknown::Spent);
        }
        let before = self.spent;
        let verdict = self.decided(terms, query);
        if !verdict.proved() {
            let vain = self.spent - before;
            self.limits.vain = self.limits.vain.saturating_sub(vain);
        }
        verdict
    }
}

impl Z3Solver {
    fn decided(&mut self, terms: &Terms, query: &Query) -> Verdict {
        for reading in [Reading::Abstract, Reading::Exact] {
            if !self.affords(gates(terms, query, reading, self.limits.gates)) {
                return Verdict::Unknown(Unknown::TooLarge);
            }
            let text = smtlib::print(terms, query, reading, Part::Claim);
            match self.check(&text) {
                Answer::Unsatisfiable => return self.proved(terms, query, reading),
                Answer::Satisfiable(model) if refutes(terms, query, &model) => {
                    return Verdict::Refuted(model);
                }
                Answer::Satisfiable(_) if text.wide && reading == Reading::Abstract => {
                    return Verdict::Unknown(Unknown::Limit);
                }
                Answer::Satisfiable(_) if text.abstracted && !by_zero(terms, query) => {}
                Answer::Satisfiable(_) => return Verdict::Unknown(Unknown::Spurious),
                Answer::Unknown(reason) => return Verdict::Unknown(reason),
            }
        }
        Verdict::Unknown(Unknown::Spurious)
    }
}

/// Whether the claim is about quotients or remainders that may be by 0.
pub(super) fn by_zero(terms: &Terms, query: &Query) -> bool {
    let mut roots = query.hypotheses.to_vec();
    roots.push(query.goal);
    let mut all = terms.reachable(&roots).into_iter();
    all.any(|t| terms.may_divide_by_zero(t))
}

impl Z3Solver {
    /// Whether a check about so many gates may be made; it is paid for.
    fn affords(&mut self, gates: u64) -> bool {
        let left = self.limits.kernel_gates.checked_sub(gates);
        match left.filter(|_| gates <= self.limits.gates) {
            Some(left) => {
                self.limits.kernel_gates = left;
                true
            }
            None => false,
        }
    }

    /// A proof, unless the hypotheses exclude each other. Whoever asks whether they do has the goal `false`.
    fn proved(&mut self, terms: &Terms, query: &Query, reading: Reading) -> Verdict {
        let proof = Verdict::Proved(Proof::Solver(reading));
        if query.hypotheses.is_empty() || terms.as_const(query.goal) == Some(0) {
            return proof;
        }
        let text = smtlib::print(terms, query, reading, Part::Hypotheses);
        match self.check(&text) {
            Answer::Unsatisfiable => Verdict::Unknown(Unknown::Vacuous),
            Answer::Satisfiable(_) | Answer::Unknown(_) => proof,
        }
    }

    /// Runs one check on a text.
    fn check(&mut self, text: &Text) -> Answer {
        self.checks += 1;
        let missing = (Answer::Unknown(Unknown::NoLibrary), 0);
        let (answer, spent) = session::ask(text, self.limits.rlimit).unwrap_or(missing);
        self.spent += spent;
        if let Answer::Unknown(Unknown::Limit) = answer {
            let rlimit = &mut self.limits.rlimit;
            *rlimit = (*rlimit / LIMIT_DIVISOR).max(LEAST_RLIMIT.min(*rlimit));
        }
        answer
    }
}

/// What a text says, asked about on its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Its assertions contradict each other.
    Unsatisfiable,
    /// They do not.
    Satisfiable,
    /// Not decided within the limit, with the reason.
    Unknown(String),
    /// It is not understood, or not all of its assertions are.
    Rejected,
}

/// Decides whether a text of `assertions` assertions is satisfiable; `rlimit` is what that may spend, in Z3's own
/// reproducible unit.
pub fn decide_text(smt: &str, assertions: usize, rlimit: u32) -> Decision {
    session::decide(smt, assertions, rlimit)
        .unwrap_or_else(|missing| Decision::Unknown(missing.to_string()))
}

/// Whether the hypotheses hold and the goal does not, with each symbol within its range.
fn refutes(terms: &Terms, query: &Query, model: &[(SymbolId, u64)]) -> bool {
    let values: FxHashMap<SymbolId, u64> = model.iter().copied().collect();
    let value = |id: SymbolId| {
        let least = terms.symbol_data(id).unsigned_range.0;
        values.get(&id).copied().unwrap_or(least)
    };
    let in_range = model.iter().all(|&(id, bits)| {
        let (least, greatest) = terms.symbol_data(id).unsigned_range;
        (least..=greatest).contains(&bits)
    });
    let mut roots = query.hypotheses.clone();
    roots.push(query.goal);
    let results = terms.evaluate_all(&roots, &value);
    let Some((goal, hypotheses)) = results.split_last() else {
        return false;
    };
    in_range && *goal == 0 && hypotheses.iter().all(|&bit| bit == 1)
}

/// Whether a text is satisfiable, or nothing within the limit.
#[cfg(test)]
pub(super) fn satisfiable(smt: &str) -> Option<bool> {
    match decide_text(smt, 1, 2 * super::QUERY_RLIMIT) {
        Decision::Unsatisfiable => Some(false),
        Decision::Satisfiable => Some(true),
        Decision::Unknown(_) | Decision::Rejected => None,
    }
}
