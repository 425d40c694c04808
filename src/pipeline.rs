//! The whole pipeline of a module: text in, text out, with a verdict for every load.

mod analysis;
mod eligibility;
mod kernel;
pub mod limit;
mod lines;
pub mod mark;
mod options;
pub mod settings;
pub mod ssa;
pub mod tuned;

pub use analysis::{Analysis, analyze_function, certify, has_loads};
pub use kernel::{Edited, Kernel, Output};
pub use lines::Lines;
pub use mark::{Mark, Marks};
pub use options::Options;

use crate::emulator::{self, Emulation};
use crate::ir::analyses::Analyses;
use crate::ir::patch::{Target, verify};
use crate::ptx::ast;
use crate::ptx::calls::{self, Body};
use crate::ptx::decode::{self, DecodeError, DecodeErrors, form};
use crate::ptx::error::SyntaxError;
use crate::ptx::lower as ssa_form;
use crate::ptx::text::edit::{self, Edit};
use crate::ptx::write::{self, Signature, Stem, Written};
use crate::ptx::{self, binding::Binding};
use crate::shuffle::lower::{self, Variant};
use crate::shuffle::plan::Plan;
use crate::shuffle::refusal::{self, Refusal};
use crate::support::threads;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a module can't be rewritten.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A body does not make sense.
    #[error(transparent)]
    Decode(#[from] DecodeErrors),
    /// A plan can't be carried out in the text: an internal error.
    #[error("internal error: kernel '{0}': {1}")]
    Unwritten(Box<str>, String),
    /// The edits do not fit the text: an internal error.
    #[error("internal error: {0}")]
    Edit(#[from] edit::EditError),
}

/// Rewrites a module: the passes over its SSA IR, then the shuffles in what they left.
///
/// # Errors
/// If the text is not PTX, or a body uses what it does not declare.
pub fn optimize(text: &[u8], options: &Options) -> Result<Output, Error> {
    let options = &options.of_input(text);
    let passed = ssa::run(text, options)?;
    let edited = rewrite(&ptx::parse_on(&passed.text, options.jobs)?, options)?;
    Ok(Output {
        passes: passed.reports,
        lines: passed.lines,
        ..edited.finish(&passed.text)?
    })
}

/// Writes shuffles into a parsed module, after all passes over its SSA IR ([`ssa::run`]): analyse each kernel, write.
///
/// # Errors
/// If a body uses what it does not declare.
pub fn rewrite(module: &ast::Module, options: &Options) -> Result<Edited, Error> {
    let kernels = analyze(module, options)?;
    edited(module, kernels, options)
}

/// What becomes of a module whose kernels were analysed.
///
/// # Errors
/// An internal error: a plan can't be written. With [`Options::keep_going`] its kernel keeps the original instead.
pub fn edited(
    module: &ast::Module,
    kernels: Vec<Kernel>,
    options: &Options,
) -> Result<Edited, Error> {
    let fault = |kernel: &Kernel| Some((kernel.name.clone(), kernel.fault.clone()?));
    if let Some((name, fault)) = kernels
        .iter()
        .find_map(fault)
        .filter(|_| !options.keep_going)
    {
        return Err(Error::Unwritten(name, fault));
    }
    let edits = edits(module, &kernels);
    Ok(Edited { edits, kernels })
}

/// The text of a module with the plans of its kernels carried out.
///
/// # Errors
/// The edits do not fit the text: an internal error.
pub fn write(module: &ast::Module, kernels: &[Kernel]) -> Result<Vec<u8>, Error> {
    Ok(edit::apply(module.text, &edits(module, kernels))?)
}

/// The edits of a module's kernels, in the order of the text, with those that its header needs for them.
pub fn edits(module: &ast::Module, kernels: &[Kernel]) -> Vec<Edit> {
    write::together(module, kernels.iter().map(|kernel| &kernel.written))
}

/// Analyses all kernels and device functions of a parsed module, on as many threads as the options say.
///
/// # Errors
/// The first error of each body that has one.
pub fn analyze(module: &ast::Module, options: &Options) -> Result<Vec<Kernel>, DecodeErrors> {
    let options = &*options.marked(|| Marks::of(module));
    let options = options.limited(module.text, || analyze_all(module, options))?;
    analyze_all(module, &options)
}

/// As [`analyze`], without the limit on rewritings.
fn analyze_all(module: &ast::Module, options: &Options) -> Result<Vec<Kernel>, DecodeErrors> {
    let headers = decode::headers(module);
    let alone = headers
        .functions
        .iter()
        .all(|one| one.entry || !one.defined);
    if alone {
        let one = |index| match skipped(module, &headers, &headers.functions[index], options) {
            Some(kernel) => decode::body(module, &headers, index).map(|_| kernel),
            None => lowered(module, &headers, index)
                .map(|body| analyzed(module, &headers, Prepared::new(body), options)),
        };
        let size = |&index: &usize| size(module, &headers, index);
        return all(threads::each(options.jobs, defined(&headers), size, one))
            .map(|kernels| kernels.into_iter().flatten().collect());
    }
    let one = |body: Body| match skipped(module, &headers, &headers.functions[body.index], options)
    {
        Some(kernel) => kernel,
        None => analyzed(module, &headers, Prepared::new(body), options),
    };
    let bodies = linked(module, &headers, options.jobs)?;
    let size = |body: &Body| size(module, &headers, body.index);
    let kernels = threads::each(options.jobs, bodies, size, one);
    Ok(kernels.into_iter().flatten().collect())
}

/// The functions with a body.
fn defined(headers: &form::Module) -> Vec<usize> {
    (0..headers.functions.len())
        .filter(|&index| headers.functions[index].defined)
        .collect()
}

/// About how much work a function is: the length of its text.
fn size(module: &ast::Module, headers: &form::Module, index: usize) -> usize {
    match module.items.get(headers.functions[index].item as usize) {
        Some(ast::Item::Function(function)) => function.span.range().len(),
        _ => 0,
    }
}

/// All bodies of a module, completed by what they know of each other.
fn linked(
    module: &ast::Module,
    headers: &form::Module,
    jobs: usize,
) -> Result<Vec<Body>, DecodeErrors> {
    let lower = |index| lowered(module, headers, index);
    let size = |&index: &usize| size(module, headers, index);
    let mut bodies = all(threads::each(jobs, defined(headers), size, lower))?;
    calls::link(module, headers, &mut bodies);
    Ok(bodies)
}

/// All results, or all errors.
fn all<T>(results: Vec<Result<T, DecodeError>>) -> Result<Vec<T>, DecodeErrors> {
    let (mut good, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => good.push(one),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(good)
    } else {
        Err(DecodeErrors(errors))
    }
}

/// A lowered kernel with its analyses: what emulation starts from.
pub struct Prepared {
    /// Register form and SSA.
    pub body: Body,
    /// Dominators, loops, divergence.
    pub analyses: Analyses,
}

impl Prepared {
    fn new(body: Body) -> Self {
        let analyses = Analyses::new(&body.lowered.function);
        Prepared { body, analyses }
    }
}

/// Lowers one body, by itself: nothing is known of what it calls.
///
/// # Errors
/// If the body does not make sense.
pub fn prepare(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
) -> Result<Prepared, DecodeError> {
    lowered(module, headers, index).map(Prepared::new)
}

/// Lowers all bodies of a module, each with what is known of those that it calls.
///
/// # Errors
/// The first error of each body that has one.
pub fn prepare_all(
    module: &ast::Module,
    headers: &form::Module,
) -> Result<Vec<Prepared>, DecodeErrors> {
    let bodies = linked(module, headers, 1)?;
    Ok(bodies.into_iter().map(Prepared::new).collect())
}

fn lowered(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
) -> Result<Body, DecodeError> {
    let form = decode::body(module, headers, index)?;
    let lowered = ssa_form::lower(headers, &form).map_err(|error| DecodeError {
        span: form
            .instructions
            .first()
            .map_or_else(Default::default, |instruction| instruction.span),
        message: error.to_string(),
        second: None,
    })?;
    Ok(Body::new(index, form, lowered))
}

/// The number of the target that a function is compiled for.
fn target(headers: &form::Module, function: &form::Function, options: &Options) -> Option<u32> {
    let unit = headers.units.get(function.unit as usize);
    options.arch.or(unit.map(|unit| unit.target.sm))
}

/// The report on a function that is not looked at: nothing if nobody asked for it.
fn skipped(
    module: &ast::Module,
    headers: &form::Module,
    header: &form::Function,
    options: &Options,
) -> Option<Option<Kernel>> {
    let options = &options.of_function(&header.name, target(headers, header, options));
    if !options.kernels.has(&header.name) {
        return Some(None);
    }
    eligibility::why(module, headers, header, options)
        .map(|refusal| Some(Kernel::untouched(header, Some(refusal))))
}

/// Analyses one function; there is no report on a device function without loads.
fn analyzed(
    module: &ast::Module,
    headers: &form::Module,
    prepared: Prepared,
    options: &Options,
) -> Option<Kernel> {
    let work = || analyzed_or_panic(module, headers, &prepared, options);
    match options.keep_going {
        true => guarded(&prepared.body.form, work),
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
fn guarded(form: &form::Function, work: impl FnOnce() -> Option<Kernel>) -> Option<Kernel> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let refusal = Refusal::new(&refusal::limit::FAULT);
        Some(Kernel {
            fault: Some(panic_message(&*panic)),
            ..Kernel::untouched(form, Some(refusal))
        })
    })
}

fn analyzed_or_panic(
    module: &ast::Module,
    headers: &form::Module,
    prepared: &Prepared,
    options: &Options,
) -> Option<Kernel> {
    let Prepared { body, analyses } = prepared;
    let function = &body.lowered.function;
    if !has_loads(function, &options.synthesis) {
        return body.form.entry.then(|| Kernel::untouched(&body.form, None));
    }
    let binding = Binding::new(module, &body.form, &body.lowered);
    let target = target(headers, &body.form, options);
    let options = &options.of_function(&body.form.name, target);
    // Last: a limit decides exactly what is emitted.
    let options = &options.of_kernel(&body.form.name);
    let mut analysis = analyze_function(function, analyses, &binding, target, options);
    analysis.plan.item = body.form.item;
    certify(&mut analysis.plan, &body.facts);
    let mut kernel = Kernel {
        plan: analysis.plan,
        loads: analysis.loads,
        questions: analysis.questions,
        proofs: analysis.proofs,
        ..Kernel::untouched(&body.form, analysis.skipped)
    };
    let target = Target {
        architecture: target,
        ..Target::default()
    };
    let mark = marked(module, body.form.item).with_passes(options, &body.form.name);
    let mark = mark.to_string();
    let how = (options.variant, Some(&*mark));
    match carried_out(module, body, &kernel.plan, target, how) {
        Ok(written) if options.edits_apart => kernel.written = written,
        Ok(written) => {
            kernel.written = Written {
                edits: edit::join(module.text, written.edits),
                ..written
            }
        }
        Err(fault) => {
            kernel.fault = Some(fault);
            kernel.drop_plan(UNWRITTEN);
        }
    }
    Some(kernel)
}

/// Completes "the original is kept, since ...".
const UNWRITTEN: &str = "what was found can't be written into its text";

/// What a function records about earlier passes, of this run and of others.
fn marked(module: &ast::Module, item: u32) -> Mark {
    let mark = match module.items.get(item as usize) {
        Some(ast::Item::Function(function)) => Mark::of(module, function),
        _ => None,
    };
    mark.unwrap_or_default()
}

/// What carries out a plan of a function, as one edit for each place. The function is marked then.
///
/// # Errors
/// What does not fit: an internal error.
pub fn carried_out(
    module: &ast::Module,
    body: &Body,
    plan: &Plan,
    target: Target,
    (variant, mark): (Variant, Option<&str>),
) -> Result<Written, String> {
    let patch = lower::lower(&body.lowered.function, plan, target, variant);
    let patch = patch.map_err(|error| error.to_string())?;
    if patch.is_empty() {
        return Ok(Written::default());
    }
    let verified = verify(&body.lowered.function, &patch);
    let verified = verified.map_err(|error| error.to_string())?;
    let signature = Signature {
        stem: Stem::Shuffle,
        mark,
    };
    let written = write::write(module, &body.form, &body.lowered, &verified, signature);
    written.map_err(|error| error.to_string())
}

/// Emulates a prepared kernel, for its trace.
pub fn emulate(prepared: &Prepared) -> Emulation {
    emulator::emulate(&prepared.body.lowered.function, &prepared.analyses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_whose_analysis_panics_is_left_alone() {
        let text = b".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n";
        let module = ptx::parse(text).unwrap();
        let headers = decode::headers(&module);
        let form = decode::body(&module, &headers, 0).unwrap();
        let kernel = guarded(&form, || panic!("at line {}", 7)).unwrap();
        assert_eq!(
            (&*kernel.name, kernel.fault.as_deref()),
            ("k", Some("at line 7"))
        );
        assert!(kernel.plan.shuffles.is_empty() && kernel.skipped.is_some());
        assert!(guarded(&form, || None).is_none());
    }
}
