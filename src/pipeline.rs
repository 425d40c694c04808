//! The whole way of a module: text in, text out, with a verdict for every load.

use crate::emulator::{self, Emulation};
use crate::ir::analyses::Analyses;
use crate::ir::opcode::Opcode;
use crate::ir::types::Space;
use crate::ptx::ast;
use crate::ptx::decode::{self, DecodeError, DecodeErrors, form};
use crate::ptx::emit::{self, Variant};
use crate::ptx::error::SyntaxError;
use crate::ptx::lower::{self, Lowered};
use crate::ptx::{self, binding::Binding};
use crate::shuffle::plan::Plan;
use crate::shuffle::refusal::{ConditionName, Refusal};
use crate::shuffle::synthesis::{self, LoadReport, Outcome};
use crate::solver::{BRANCH_RLIMIT, Chain, QUERY_RLIMIT, Z3Solver};
use rayon::prelude::*;

/// `shfl.sync` needs PTX 6.0, `activemask` 6.2 (PTX ISA, "Release Notes").
const LEAST_VERSION: (u16, u16) = (6, 2);
/// The first target with warp shuffles.
const LEAST_TARGET: u32 = 30;

/// What the user chose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Detection, proof, wrapping.
    pub synthesis: synthesis::Options,
    /// Kernels to look at, as a glob of names; all if none.
    pub kernels: Option<glob::Pattern>,
    /// Normal output, or one of the paper's measuring variants.
    pub variant: Variant,
    /// The target in place of the module's own: the number of `sm_80`.
    pub arch: Option<u32>,
    /// Threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// What the solver may spend on one check, in a unit of its own that does not depend on the machine; its default if none.
    pub solver_limit: Option<u32>,
}

/// Why a module can't be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A body does not make sense.
    #[error(transparent)]
    Decode(#[from] DecodeErrors),
    /// The plan does not fit the text: a fault of ours.
    #[error("internal error: {0}")]
    Emit(#[from] emit::Error),
    /// The edits do not fit the text: a fault of ours.
    #[error("internal error: {0}")]
    Edit(#[from] emit::edit::EditError),
}

/// What became of a kernel.
#[derive(Debug)]
pub struct Kernel {
    /// Its name.
    pub name: Box<str>,
    /// Its item in the syntax tree.
    pub item: u32,
    /// What is done to it.
    pub plan: Plan,
    /// A verdict for every load of global or constant memory, in the order of the text.
    pub loads: Vec<LoadReport>,
    /// Why nothing was tried, if so.
    pub skipped: Option<Refusal>,
    /// Queries that went to Z3.
    pub queries: u64,
}

/// A rewritten module.
#[derive(Debug)]
pub struct Output {
    /// The text.
    pub text: Vec<u8>,
    /// Its kernels, in order.
    pub kernels: Vec<Kernel>,
}

impl Output {
    /// Shuffles in all kernels.
    pub fn shuffles(&self) -> usize {
        self.kernels
            .iter()
            .map(|kernel| kernel.plan.shuffles.len())
            .sum()
    }
}

/// Rewrites a module: parse, analyse each kernel, emit.
///
/// # Errors
/// If the text is not PTX, or a body uses what it does not declare.
pub fn optimize(text: &[u8], options: &Options) -> Result<Output, Error> {
    let module = ptx::parse(text)?;
    let kernels = analyze(&module, options)?;
    let text = write(&module, &kernels, options.variant)?;
    Ok(Output { text, kernels })
}

/// The text of a module with the plans of its kernels carried out.
///
/// # Errors
/// A plan does not fit the text: a fault of ours.
pub fn write(module: &ast::Module, kernels: &[Kernel], variant: Variant) -> Result<Vec<u8>, Error> {
    let plans: Vec<Plan> = kernels
        .iter()
        .filter(|kernel| !kernel.plan.shuffles.is_empty())
        .map(|kernel| kernel.plan.clone())
        .collect();
    let edits = emit::emit(module, &plans, variant)?;
    Ok(emit::edit::apply(module.text, &edits)?)
}

/// Analyses all kernels of a parsed module, on as many threads as the options say.
///
/// # Errors
/// The first error of each body that has one.
pub fn analyze(module: &ast::Module, options: &Options) -> Result<Vec<Kernel>, DecodeErrors> {
    let headers = decode::headers(module);
    let bodies: Vec<usize> = (0..headers.functions.len())
        .filter(|&index| headers.functions[index].defined)
        .collect();
    let one = |&index: &usize| function(module, &headers, index, options);
    let results: Vec<Result<Option<Kernel>, DecodeError>> = if options.jobs == 1 || bodies.len() < 2
    {
        bodies.iter().map(one).collect()
    } else {
        match rayon::ThreadPoolBuilder::new()
            .num_threads(options.jobs.min(bodies.len()))
            .build()
        {
            Ok(pool) => pool.install(|| bodies.par_iter().map(one).collect()),
            Err(_) => bodies.iter().map(one).collect(),
        }
    };
    let (mut kernels, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(kernel) => kernels.extend(kernel),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(kernels)
    } else {
        Err(DecodeErrors(errors))
    }
}

/// A lowered kernel with its analyses: what emulation starts from.
pub struct Prepared {
    /// Register form.
    pub form: form::Function,
    /// SSA.
    pub lowered: Lowered,
    /// Dominators, loops, divergence.
    pub analyses: Analyses,
}

/// Lowers one body.
///
/// # Errors
/// If the body does not make sense.
pub fn prepare(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
) -> Result<Prepared, DecodeError> {
    let form = decode::body(module, headers, index)?;
    let lowered = lower::lower(headers, &form).map_err(|error| DecodeError {
        span: form
            .instructions
            .first()
            .map_or_else(Default::default, |instruction| instruction.span),
        message: error.to_string(),
        second: None,
    })?;
    let analyses = Analyses::new(&lowered.function);
    Ok(Prepared {
        form,
        lowered,
        analyses,
    })
}

/// Analyses one function: none for device functions, whose errors count all the same.
fn function(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
    options: &Options,
) -> Result<Option<Kernel>, DecodeError> {
    let header = &headers.functions[index];
    let wanted = options
        .kernels
        .as_ref()
        .is_none_or(|glob| glob.matches(&header.name));
    if !header.entry || !wanted {
        decode::body(module, headers, index)?;
        return Ok(None);
    }
    let kernel = |skipped| Kernel {
        name: header.name.clone(),
        item: header.item,
        plan: Plan::default(),
        loads: Vec::new(),
        skipped,
        queries: 0,
    };
    if let Some(refusal) = unsupported(headers, header, options) {
        decode::body(module, headers, index)?;
        return Ok(Some(kernel(Some(refusal))));
    }
    let prepared = prepare(module, headers, index)?;
    if !has_loads(&prepared) {
        return Ok(Some(kernel(None)));
    }
    let limit = options.solver_limit.unwrap_or(QUERY_RLIMIT);
    let mut branches = Chain::new(Z3Solver::with_limit(limit.min(BRANCH_RLIMIT)));
    let mut emulation = emulator::emulate(
        &prepared.lowered.function,
        &prepared.analyses,
        &mut branches,
    );
    let mut solver = Chain::new(Z3Solver::with_limit(limit));
    let binding = Binding::new(module, &prepared.form, &prepared.lowered);
    let synthesis = synthesis::synthesize(
        &prepared.lowered.function,
        &prepared.analyses,
        &mut emulation,
        &binding,
        &mut solver,
        &options.synthesis,
    );
    let mut plan = synthesis.plan;
    plan.item = header.item;
    Ok(Some(Kernel {
        plan,
        loads: synthesis.loads,
        queries: branches.solved().queries + solver.solved().queries,
        ..kernel(None)
    }))
}

/// Emulates a prepared kernel, for its trace.
pub fn emulate(prepared: &Prepared) -> Emulation {
    let mut solver = Chain::new(Z3Solver::with_limit(BRANCH_RLIMIT));
    emulator::emulate(&prepared.lowered.function, &prepared.analyses, &mut solver)
}

/// Whether there is anything to find.
fn has_loads(prepared: &Prepared) -> bool {
    prepared
        .lowered
        .function
        .insts
        .iter()
        .any(|inst| match &inst.opcode {
            Opcode::Load(access) => {
                matches!(access.space, Space::Global | Space::Generic | Space::Const)
            }
            _ => false,
        })
}

/// Why a module's header rules out shuffles.
fn unsupported(
    headers: &form::Module,
    header: &form::Function,
    options: &Options,
) -> Option<Refusal> {
    let unit = headers.units.get(header.unit as usize)?;
    let target = options.arch.unwrap_or(unit.target.sm);
    let refuse = |reason: String| Some(Refusal::new(ConditionName::Limit, reason));
    if unit.version < LEAST_VERSION {
        let (major, minor) = unit.version;
        return refuse(format!(
            "`.version {major}.{minor}`: `activemask` needs PTX 6.2"
        ));
    }
    if target < LEAST_TARGET {
        return refuse(format!("`sm_{target}` has no warp shuffles"));
    }
    None
}

/// Covered and kept loads of a kernel.
impl Kernel {
    /// Loads that became shuffles.
    pub fn covered(&self) -> usize {
        self.loads
            .iter()
            .filter(|load| matches!(load.outcome, Outcome::Covered(_)))
            .count()
    }

    /// Loads whose shuffles are proved, but not worth their cost.
    pub fn declined(&self) -> usize {
        self.plan.declined.len()
    }
}
