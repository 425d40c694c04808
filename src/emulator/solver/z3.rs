//! Z3 as a prover of SMT-LIB text. No type of Z3 leaves this file.

use super::library::{self, Missing};
use super::query::{Proof, Query, Reading, Solver, Unknown, Verdict};
use super::size::gates;
use super::smtlib::{self, Part, Text};
use crate::term::{SymbolId, Terms};
use ::z3::ast::BV;
use ::z3::{Config, Params, SatResult, Solver as Z3, StatisticsValue, with_z3_config};
use rustc_hash::FxHashMap;

/// What Z3 may spend on one check, in its own reproducible unit; about half a second where every unit counts.
pub const QUERY_RLIMIT: u32 = 2_000_000;

/// Gates of the circuit that one check may be about: two seconds of Z3's where it is the hardest sort of arithmetic.
pub const QUERY_GATES: u64 = 100_000;

/// [`QUERY_GATES`] where a build waits: the first question alone costs as much as assembling a small module.
pub const QUICK_GATES: u64 = 500;

/// Gates of all checks of one kernel.
pub const KERNEL_GATES: u64 = 400_000;

/// A check that runs into its limit divides the limit of those that follow.
const LIMIT_DIVISOR: u32 = 8;

/// What may be spent in vain in any kernel is the limit of one check divided by this, some 20 ms.
const VAIN_PART: u64 = 16;

/// For each instruction that limit divided by this comes on top: about what assembling it costs.
const VAIN_INSTRUCTION_PART: u64 = 1 << 14;

/// For each instruction the gates of one check divided by this are added to those of all.
const GATES_PART: u64 = 256;

/// The least that a check may spend.
const LEAST_RLIMIT: u32 = 20_000;

/// What a solver may spend on one kernel. All of it is counted, not timed: the verdicts are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of the first check, in Z3's own unit.
    pub rlimit: u32,
    /// Gates of one check.
    pub gates: u64,
    /// Gates of all checks.
    pub kernel_gates: u64,
    /// Of all questions that end without a proof, in Z3's own unit: once it is spent, no more are asked. What proves something
    /// is not counted.
    pub vain: u64,
}

impl Limits {
    /// The usual ones, with so many gates of one check and as many times more of all.
    pub fn of_gates(gates: u64) -> Self {
        Limits {
            gates,
            kernel_gates: gates.saturating_mul(KERNEL_GATES / QUERY_GATES),
            ..Limits::default()
        }
    }

    /// Scales the limits for a kernel of so many instructions: one check is worth its limit in any kernel, and what is spent beyond
    /// that, or in vain, is in proportion to the kernel's size.
    pub fn of_kernel(self, instructions: usize) -> Self {
        let more = |limit: u64, part: u64| limit.saturating_mul(instructions as u64) / part;
        let rlimit = u64::from(self.rlimit);
        let gates = self.gates.saturating_add(more(self.gates, GATES_PART));
        Limits {
            kernel_gates: self.kernel_gates.min(gates),
            vain: match rlimit {
                0 => u64::MAX,
                _ => (rlimit / VAIN_PART).max(1) + more(rlimit, VAIN_INSTRUCTION_PART),
            },
            ..self
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            rlimit: QUERY_RLIMIT,
            gates: QUERY_GATES,
            kernel_gates: KERNEL_GATES,
            vain: u64::MAX,
        }
    }
}

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
enum Answer {
    Unsatisfiable,
    Satisfiable(Vec<(SymbolId, u64)>),
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
        let (answer, spent) = alone(|| ask(text, self.limits.rlimit)).unwrap_or(missing);
        self.spent += spent;
        if let Answer::Unknown(Unknown::Limit) = answer {
            let rlimit = &mut self.limits.rlimit;
            *rlimit = (*rlimit / LIMIT_DIVISOR).max(LEAST_RLIMIT.min(*rlimit));
        }
        answer
    }
}

/// Runs `check` in a context of its own: in one that has seen other terms Z3 orders its search differently, and spends more or
/// less on the same question, so that an answer would depend on what the thread did before.
fn alone<T: Send + Sync>(check: impl FnOnce() -> T + Send + Sync) -> Result<T, Missing> {
    library::load()?;
    Ok(with_z3_config(&Config::new(), check))
}

/// Limits what a check may spend. Ctrl-C ends this process: left to itself, Z3 takes it for the wish to hear "unknown".
fn limit(solver: &Z3, rlimit: u32) {
    let mut params = Params::new();
    params.set_u32("rlimit", rlimit);
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
}

/// The answer to a text, and what it cost in Z3's own unit.
fn ask(text: &Text, rlimit: u32) -> (Answer, u64) {
    let solver = Z3::new();
    limit(&solver, rlimit);
    solver.from_string(text.smt.as_str());
    if solver.get_assertions().len() < text.assertions {
        return (Answer::Unknown(Unknown::Rejected), 0);
    }
    let answer = match solver.check() {
        SatResult::Unsat => Answer::Unsatisfiable,
        SatResult::Sat => Answer::Satisfiable(model(&solver, text)),
        // Z3's own words for it differ from run to run.
        SatResult::Unknown => Answer::Unknown(Unknown::Limit),
    };
    // The context is this check's alone, and so is the count.
    let spent = match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(spent)) => spent.into(),
        _ => rlimit.into(),
    };
    (answer, spent)
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
    alone(|| decide(smt, assertions, rlimit))
        .unwrap_or_else(|missing| Decision::Unknown(missing.to_string()))
}

fn decide(smt: &str, assertions: usize, rlimit: u32) -> Decision {
    // Knowing the logic, Z3 simplifies before it searches.
    let logic = if smt.contains("QF_UFBV") {
        "QF_UFBV"
    } else {
        "QF_BV"
    };
    let solver = Z3::new_for_logic(logic).unwrap_or_default();
    limit(&solver, rlimit);
    solver.from_string(smt);
    if solver.get_assertions().len() < assertions {
        return Decision::Rejected;
    }
    match solver.check() {
        SatResult::Unsat => Decision::Unsatisfiable,
        SatResult::Sat => Decision::Satisfiable,
        SatResult::Unknown => Decision::Unknown(solver.get_reason_unknown().unwrap_or_default()),
    }
}

/// The values of a text's symbols in the solver's model.
fn model(solver: &Z3, text: &Text) -> Vec<(SymbolId, u64)> {
    let Some(model) = solver.get_model() else {
        return Vec::new();
    };
    let value = |name: &str, width: u8| {
        let symbol = BV::new_const(name, u32::from(width));
        model.eval(&symbol, true)?.as_u64()
    };
    text.symbols
        .iter()
        .filter_map(|(id, name, width)| Some((*id, value(name, *width)?)))
        .collect()
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
    match decide_text(smt, 1, 2 * QUERY_RLIMIT) {
        Decision::Unsatisfiable => Some(false),
        Decision::Satisfiable => Some(true),
        Decision::Unknown(_) | Decision::Rejected => None,
    }
}
