//! The whole pipeline of a module: text in, text out, with a verdict for every load.

mod accesses;
mod analysis;
mod eligibility;
mod kept;
mod kernel;
pub mod limit;
pub mod mark;
mod module;
mod options;
mod origins;
pub mod record;
pub mod settings;
pub mod ssa;
pub mod tuned;

pub use accesses::{InputAccess, InputFunction, of_function as accesses_of};
pub use analysis::{Analysis, analyze_function, certify, has_loads};
pub use kept::Kept;
pub use kernel::{Edited, Kernel, Output};
pub use mark::{Mark, Marks};
pub use module::{Module, Reading};
pub use options::Options;
pub use origins::{Descent, Origins, Stretch};

use crate::emulator::Results;
use crate::ir::function::Function;
use crate::ir::module::graph::calls as calls_of;
use crate::ir::patch::{Target, verify};
use crate::ptx::ast;
use crate::ptx::binding::Binding;
use crate::ptx::calls::{self, Body};
use crate::ptx::decode::{DecodeError, DecodeErrors, form};
use crate::ptx::error::SyntaxError;
use crate::ptx::text::edit::{self, Edit};
use crate::ptx::write::{self, Signature, Stem, View, Written};
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
    let module = Module::read(text, options.jobs)?;
    let options = &module.options(options)?;
    let passed = ssa::run_in(module, options)?;
    let edited = rewrite(&passed.module, options)?;
    Ok(Output {
        passes: passed.reports,
        accesses: passed.module.accesses(options),
        origins: passed.module.origins().cloned(),
        ..edited.finish(passed.module.text())?
    })
}

/// Writes shuffles into a module, after all passes over its SSA IR ([`ssa::run`]): analyse each kernel, write.
///
/// # Errors
/// If a body uses what it does not declare.
pub fn rewrite(module: &Module, options: &Options) -> Result<Edited, Error> {
    let kernels = analyze(module, options)?;
    edited(module.tree(), kernels, options)
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
    Ok(edit::apply(module.text(), &edits(module, kernels))?)
}

/// The edits of a module's kernels, in the order of the text, with those that its header needs for them.
pub fn edits(module: &ast::Module, kernels: &[Kernel]) -> Vec<Edit> {
    write::together(module, kernels.iter().map(|kernel| &kernel.written))
}

/// Analyses all kernels and device functions of a module, on as many threads as the options say.
///
/// # Errors
/// The first error of each body that has one.
pub fn analyze(module: &Module, options: &Options) -> Result<Vec<Kernel>, DecodeErrors> {
    let options = &*options.marked(|| Marks::of(module.tree()));
    let functions = module.defined();
    let header = |index: usize| &module.headers().functions[index];
    let alone = functions.iter().all(|&index| header(index).entry);
    if alone {
        let one = |index| match skipped(module, header(index), options) {
            Some(kernel) => module.check(index).map(|()| kernel),
            None => module
                .reading(index)
                .map(|reading| analyzed(module, &reading, options)),
        };
        let size = |&index: &usize| module.size(index);
        return all(threads::each(options.jobs, functions, size, one))
            .map(|kernels| kernels.into_iter().flatten().collect());
    }
    let one = |reading: Reading| match skipped(module, header(reading.body.index), options) {
        Some(kernel) => kernel,
        None => analyzed(module, &reading, options),
    };
    let size = |reading: &Reading| module.size(reading.body.index);
    let kernels = threads::each(options.jobs, linked(module, options.jobs)?, size, one);
    Ok(kernels.into_iter().flatten().collect())
}

/// All functions of a module, completed by what they know of each other.
fn linked(module: &Module, jobs: usize) -> Result<Vec<Reading>, DecodeErrors> {
    let read = |index| module.reading(index);
    let size = |&index: &usize| module.size(index);
    let readings = all(threads::each(jobs, module.defined(), size, read))?;
    let parts = readings.into_iter().map(|one| (one.body, one.results));
    let (mut bodies, results): (Vec<Body>, Vec<Results>) = parts.unzip();
    calls::link(module.tree(), module.headers(), &mut bodies);
    let readings = bodies.into_iter().zip(results);
    let readings = readings.map(|(body, results)| match is_alone(&body) {
        true => Reading { body, results },
        // What is known of its callers and callees may have changed it.
        false => Reading::new(body),
    });
    Ok(readings.collect())
}

/// Whether a function calls nothing and nobody of the module calls it.
fn is_alone(body: &Body) -> bool {
    body.form.entry && calls_of(&body.lowered.function).next().is_none()
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

/// Reads all bodies of a module, each with what is known of those that it calls.
///
/// # Errors
/// The first error of each body that has one.
pub fn read_all(module: &Module) -> Result<Vec<Reading>, DecodeErrors> {
    linked(module, 1)
}

/// The number of the target that a function is compiled for.
fn target(headers: &form::Module, function: &form::Function, options: &Options) -> Option<u32> {
    let unit = headers.units.get(function.unit as usize);
    options.arch.or(unit.map(|unit| unit.target.sm))
}

/// The report on a function that is not looked at: nothing if nobody asked for it.
fn skipped(module: &Module, header: &form::Function, options: &Options) -> Option<Option<Kernel>> {
    let (tree, headers) = (module.tree(), module.headers());
    let options = &options.of_function(&header.name, target(headers, header, options));
    if !options.kernels.has(&header.name) {
        return Some(None);
    }
    eligibility::why(tree, headers, header, options)
        .map(|refusal| Some(Kernel::untouched(header, Some(refusal))))
}

/// Analyses one function; there is no report on a device function without loads.
fn analyzed(module: &Module, reading: &Reading, options: &Options) -> Option<Kernel> {
    let work = || analyzed_or_panic(module, reading, options);
    match options.keep_going {
        true => guarded(reading, work),
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
fn guarded(reading: &Reading, work: impl FnOnce() -> Option<Kernel>) -> Option<Kernel> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        reading.results.forget_emulation();
        let refusal = Refusal::new(&refusal::limit::FAULT);
        Some(Kernel {
            fault: Some(panic_message(&*panic)),
            ..Kernel::untouched(&reading.body.form, Some(refusal))
        })
    })
}

fn analyzed_or_panic(module: &Module, reading: &Reading, options: &Options) -> Option<Kernel> {
    let (tree, headers) = (module.tree(), module.headers());
    let Reading { body, results } = reading;
    let function = reading.function();
    if !has_loads(function, &options.synthesis) {
        return body.form.entry.then(|| Kernel::untouched(&body.form, None));
    }
    let binding = Binding::new(tree, &body.form, &body.lowered);
    let view = View::new(&binding, &body.form, &body.lowered);
    let target = target(headers, &body.form, options);
    let options = &options.of_function(&body.form.name, target);
    // Last: a limit decides exactly what is emitted.
    let options = &options.of_kernel(&body.form.name);
    let mut analysis = analyze_function(function, results, &view, target, options);
    results.forget_emulation();
    analysis.plan.item = body.form.item;
    certify(&mut analysis.plan, &body.facts);
    let loads = analysis.loads.iter();
    let places = loads.map(|load| module.place(body.form.item, load.origin));
    let mut kernel = Kernel {
        plan: analysis.plan,
        places: places.collect(),
        loads: analysis.loads,
        questions: analysis.questions,
        proofs: analysis.proofs,
        ..Kernel::untouched(&body.form, analysis.skipped)
    };
    let target = Target {
        architecture: target,
        ..Target::default()
    };
    let mark = marked(tree, body.form.item).with_passes(options, &body.form.name);
    let mark = mark.to_string();
    let how = (options.variant, Some(&*mark));
    match carried_out(&view, function, &kernel.plan, target, how) {
        Ok(written) if options.edits_apart => kernel.written = written,
        Ok(written) => {
            kernel.written = Written {
                edits: edit::join(tree.text(), written.edits),
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
    let function = module.function(item);
    let mark = function.and_then(|function| Mark::of(module, function));
    mark.unwrap_or_default()
}

/// What carries out a plan of a function, as one edit for each place. The function is marked then.
///
/// # Errors
/// What does not fit: an internal error.
pub fn carried_out(
    view: &View,
    function: &Function,
    plan: &Plan,
    target: Target,
    (variant, mark): (Variant, Option<&str>),
) -> Result<Written, String> {
    let patch = lower::lower(function, plan, target, variant);
    let patch = patch.map_err(|error| error.to_string())?;
    if patch.is_empty() {
        return Ok(Written::default());
    }
    let verified = verify(function, &patch);
    let verified = verified.map_err(|error| error.to_string())?;
    let signature = Signature {
        stem: Stem::Shuffle,
        mark,
    };
    let written = write::write(view, &verified, signature);
    written.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::{self, decode};

    #[test]
    fn a_kernel_whose_analysis_panics_is_left_alone() {
        let text = b".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n";
        let module = ptx::parse(text).unwrap();
        let headers = decode::headers(&module);
        let reading = Reading::read(&module, &headers, 0).unwrap();
        let kernel = guarded(&reading, || panic!("at line {}", 7)).unwrap();
        assert_eq!(
            (&*kernel.name, kernel.fault.as_deref()),
            ("k", Some("at line 7"))
        );
        assert!(kernel.plan.shuffles.is_empty() && kernel.skipped.is_some());
        assert!(guarded(&reading, || None).is_none());
    }
}
