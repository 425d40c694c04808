//! What is found in one function, independent of the front end.

use super::Options;
use crate::certificate::Structural;
use crate::emulator::Results;
use crate::ir::function::Function;
use crate::ir::module::Fact;
use crate::ir::opcode::Opcode;
use crate::ir::patch::Text;
use crate::ir::types::Space;
use crate::shuffle::model::proof_method::ProofCounts;
use crate::shuffle::plan::Plan;
use crate::shuffle::profit::{self, Profit, Rule};
use crate::shuffle::refusal::Refusal;
use crate::shuffle::synthesis::{self, LoadReport};
use crate::solver::{Account, Chain, Limits, Z3Solver};

/// What was found in one function.
#[derive(Debug, Default)]
pub struct Analysis {
    /// Why nothing was tried, if so.
    pub skipped: Option<Refusal>,
    /// What is done to it.
    pub plan: Plan,
    /// A verdict for every load of global or constant memory.
    pub loads: Vec<LoadReport>,
    /// What became of questions to the solver.
    pub questions: Account,
    /// By what its shuffles were proved.
    pub proofs: ProofCounts,
}

impl Analysis {
    fn skipped(refusal: Refusal) -> Self {
        Analysis {
            skipped: Some(refusal),
            ..Analysis::default()
        }
    }
}

/// Looks for the shuffles of a function, as far as they may be emitted, independent of the front end. `target` is the number
/// of the target that machine code is made for, if it is known.
pub fn analyze_function(
    function: &Function,
    results: &Results,
    text: &dyn Text,
    target: Option<u32>,
    options: &Options,
) -> Analysis {
    let limits = options.synthesis.limits;
    if let Some(refusal) = limits.refuse_size(function.insts.len()) {
        return Analysis::skipped(refusal);
    }
    let rule = Rule::new(function, target, &options.synthesis);
    let chosen = match rule {
        Rule::Synthesis => options.synthesis.clone(),
        Rule::AtLeast(_) | Rule::Own(_) => synthesis::Options {
            profit: Profit::Always,
            ..options.synthesis.clone()
        },
    };
    let search = |chosen: &synthesis::Options| {
        let found = searched(function, results, text, chosen, options.solver);
        found.unwrap_or_else(|| Analysis::skipped(limits.refuse_terms()))
    };
    // What the thread itself has loaded is searched for alone, so that the text depends on nothing else.
    let own = synthesis::Options {
        max_delta: 0,
        ..chosen.clone()
    };
    if options.only_text && matches!(rule, Rule::Own(_)) {
        return search(&own);
    }
    let all = search(&chosen);
    match rule.declines(&all.plan) {
        Some(refusal) if all.skipped.is_none() => {
            let Analysis { plan, loads, .. } = search(&own);
            let (plan, loads) = profit::without_shuffles((plan, loads), all.loads, &refusal);
            Analysis { plan, loads, ..all }
        }
        _ => all,
    }
}

/// Emulates a function and looks for its shuffles. None if the limit of terms is too low.
fn searched(
    function: &Function,
    results: &Results,
    text: &dyn Text,
    chosen: &synthesis::Options,
    limits: Limits,
) -> Option<Analysis> {
    let mut emulation = results.emulation(function, chosen.limits.terms)?;
    let limits = limits.of_kernel(function.insts.len());
    let mut solver = Chain::new(Z3Solver::with_limits(limits));
    let synthesis = synthesis::synthesize(
        function,
        results.analyses(function),
        &mut emulation,
        text,
        &mut solver,
        chosen,
    );
    Some(Analysis {
        skipped: None,
        plan: synthesis.plan,
        loads: synthesis.loads,
        questions: solver.account(),
        proofs: synthesis.proofs,
    })
}

/// Adds what the proofs of a function rest on besides its own text.
pub fn certify(plan: &mut Plan, facts: &[Fact]) {
    let certificates = plan
        .shuffles
        .iter_mut()
        .flat_map(|one| &mut one.certificate);
    for certificate in certificates {
        certificate
            .structural
            .extend(facts.iter().map(|fact| Structural {
                condition: fact.condition.into(),
                line: None,
                how: fact.how.clone(),
            }));
    }
}

/// Whether there is anything to find.
pub fn has_loads(function: &Function, options: &synthesis::Options) -> bool {
    function.insts.iter().any(|inst| match &inst.opcode {
        Opcode::Load(access) => {
            matches!(access.space, Space::Global | Space::Generic | Space::Const)
                || options.shared && access.space == Space::Shared
        }
        _ => false,
    })
}
