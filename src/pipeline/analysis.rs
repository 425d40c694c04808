//! What is found in one function, independent of the front end.

use super::Options;
use super::front_end::{FrontEnd, ReadFunction};
use super::kernel::Kernel;
use crate::certificate::Structural;
use crate::emulator::Results;
use crate::ir::function::Function;
use crate::ir::module::Fact;
use crate::ir::opcode::Opcode;
use crate::ir::patch::Text;
use crate::ir::types::Space;
use crate::passes::shuffle::model::proof_method::ProofCounts;
use crate::passes::shuffle::plan::Plan;
use crate::passes::shuffle::profit::{self, Profit, Rule};
use crate::passes::shuffle::refusal::{self, Refusal};
use crate::passes::shuffle::synthesis::{self, LoadReport};
use crate::solver::{Account, Chain, Limits, Z3Solver};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Analyses all kernels and device functions of a module.
///
/// # Errors
/// A body does not make sense.
pub fn analyze<M: FrontEnd>(module: &M, options: &Options) -> Result<Vec<Kernel>, M::Error> {
    module.analyze_all(&module.marked(options))
}

/// Analyses one function, if the options choose it; there is no report on a device function without loads.
pub fn analyzed<'m, M: FrontEnd>(
    module: &'m M,
    function: usize,
    reading: &M::Reading<'m>,
    options: &Options,
) -> Option<Kernel> {
    let kernel = module.kernel(function);
    let work = || analyzed_or_panic(module, function, reading, options);
    match options.keep_going {
        true => guarded(kernel, reading, work),
        false => work(),
    }
}

/// The message of a caught panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("panic").to_string()
}

/// The kernel as it was where its analysis panics. What a panic leaves is dropped: the result is built from what was
/// there before.
fn guarded(
    kernel: Kernel,
    reading: &impl ReadFunction,
    work: impl FnOnce() -> Option<Kernel>,
) -> Option<Kernel> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        reading.results().forget_emulation();
        Some(Kernel {
            fault: Some(panic_message(&*panic)),
            skipped: Some(Refusal::new(&refusal::limit::FAULT)),
            ..kernel
        })
    })
}

/// Why shuffles are not looked for in a function.
pub(super) fn refusal<M: FrontEnd>(
    module: &M,
    function: usize,
    options: &Options,
) -> Option<Refusal> {
    let off = || (!options.passes.shuffle).then(|| Refusal::new(&refusal::limit::PASS));
    let done = options.rewritten(module.name(function));
    done.or_else(off)
        .or_else(|| module.refusal(function, options))
}

fn analyzed_or_panic<'m, M: FrontEnd>(
    module: &'m M,
    number: usize,
    reading: &M::Reading<'m>,
    options: &Options,
) -> Option<Kernel> {
    let mut kernel = module.kernel(number);
    let target = module.target(number, options);
    let options = &options.of_function(&kernel.name, target);
    let (function, results) = (reading.function(), reading.results());
    if !options.kernels.has(&kernel.name) {
        return None;
    }
    if !has_loads(function, &options.synthesis) {
        return kernel.entry.then_some(kernel);
    }
    kernel.skipped = refusal(module, number, options);
    if kernel.skipped.is_some() {
        return Some(kernel);
    }
    let text = module.text_of(reading);
    // Last: a limit decides exactly what is emitted.
    let options = &options.of_kernel(&kernel.name);
    let analysis = analyze_function(function, results, &text, target, options);
    results.forget_emulation();
    let places = analysis.loads.iter();
    let places = places.map(|load| module.place(number, load.origin));
    kernel.places = places.collect();
    kernel.plan = analysis.plan;
    kernel.plan.item = kernel.item;
    certify(&mut kernel.plan, reading.facts());
    kernel.skipped = analysis.skipped;
    kernel.loads = analysis.loads;
    kernel.questions = analysis.questions;
    kernel.proofs = analysis.proofs;
    let mark = module.mark(number).with_passes(options, &kernel.name);
    module.carry_out(&mut kernel, reading, &text, mark, options);
    Some(kernel)
}

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
fn certify(plan: &mut Plan, facts: &[Fact]) {
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
fn has_loads(function: &Function, options: &synthesis::Options) -> bool {
    function.insts.iter().any(|inst| match &inst.opcode {
        Opcode::Load(access) => {
            matches!(access.space, Space::Global | Space::Generic | Space::Const)
                || options.shared && access.space == Space::Shared
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Module, Reading};

    #[test]
    fn a_kernel_whose_analysis_panics_is_left_alone() {
        let text = b".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n";
        let module = Module::read(text, 1).unwrap();
        let reading = Reading::read(module.tree(), module.headers(), 0).unwrap();
        let panics = || panic!("at line {}", 7);
        let kernel = guarded(module.kernel(0), &reading, panics).unwrap();
        assert_eq!(
            (&*kernel.name, kernel.fault.as_deref()),
            ("k", Some("at line 7"))
        );
        assert!(kernel.plan.shuffles.is_empty() && kernel.skipped.is_some());
        assert!(guarded(module.kernel(0), &reading, || None).is_none());
    }
}
