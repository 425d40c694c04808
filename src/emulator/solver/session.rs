//! One question to Z3. No type of Z3 leaves this file.

use super::library::{self, Missing};
use super::query::Unknown;
use super::smtlib::Text;
use super::z3::{Answer, Decision};
use crate::term::SymbolId;
use z3::ast::BV;
use z3::{Config, Params, SatResult, Solver, StatisticsValue, with_z3_config};

/// The answer to a text, and what it cost in Z3's own unit.
///
/// # Errors
/// The library is not there.
pub fn ask(text: &Text, rlimit: u32) -> Result<(Answer, u64), Missing> {
    alone(|| asked(text, rlimit))
}

/// Whether a text of so many assertions is satisfiable.
///
/// # Errors
/// The library is not there.
pub fn decide(smt: &str, assertions: usize, rlimit: u32) -> Result<Decision, Missing> {
    alone(|| decided(smt, assertions, rlimit))
}

/// Runs `check` in a context of its own: in one that has seen other terms Z3 orders its search differently, and spends more or
/// less on the same question, so that an answer would depend on what the thread did before.
fn alone<T: Send + Sync>(check: impl FnOnce() -> T + Send + Sync) -> Result<T, Missing> {
    library::load()?;
    Ok(with_z3_config(&Config::new(), check))
}

/// Limits what a check may spend. Ctrl-C ends this process: left to itself, Z3 takes it for the wish to hear "unknown".
fn limit(solver: &Solver, rlimit: u32) {
    let mut params = Params::new();
    params.set_u32("rlimit", rlimit);
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
}

fn asked(text: &Text, rlimit: u32) -> (Answer, u64) {
    let solver = Solver::new();
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

fn decided(smt: &str, assertions: usize, rlimit: u32) -> Decision {
    // Knowing the logic, Z3 simplifies before it searches.
    let logic = if smt.contains("QF_UFBV") {
        "QF_UFBV"
    } else {
        "QF_BV"
    };
    let solver = Solver::new_for_logic(logic).unwrap_or_default();
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
fn model(solver: &Solver, text: &Text) -> Vec<(SymbolId, u64)> {
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
