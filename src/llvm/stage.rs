//! Our stage on a module of a compiler's: analysis, then the plans carried out. It is rewritten as a whole or not at all.

use crate::analyze::{self, Statements};
use crate::examined::{self, Copied};
use crate::kernels;
use crate::lower::{self, Lowered};
use crate::mark;
use crate::outputs;
use crate::read;
use crate::ssa::{self, Passed};
use crate::target;
use crate::view::View;
use crate::write;
use inkwell::context::Context;
use inkwell::module::Module;
use ptxasw::Options;
use ptxasw::driver::{Comparison, Examination, Wanted, examine_passes, examine_plans};
use ptxasw::guard::Revertible;
use ptxasw::ir::patch::{PatchError, Target, verify as verify_patch};
use ptxasw::passes::Entry;
use ptxasw::pipeline::limit::Found;
use ptxasw::pipeline::settings::Settings;
use ptxasw::pipeline::{InputFunction, Kernel, Origins, record};
use ptxasw::ptx::decode::form;
use ptxasw::report::explain::{InInput, Placed, Places, Subject, language};
use ptxasw::report::function::Decisions;
use ptxasw::report::remarks::{self, Format, Language};
use ptxasw::shuffle::lower::Variant;
use ptxasw::shuffle::plan::Plan;
use ptxasw::support::lines::LineIndex;
use ptxasw::toolchain::Arch;
use ptxasw::verify;
use rustc_hash::FxHashMap;
use std::path::Path;

/// Why a module stays as it is: a fault of ours.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A plan does not fit its function.
    #[error("internal error: {0}")]
    Lower(#[from] ptxasw::shuffle::lower::Error),
    /// The patch of a plan does not fit its function.
    #[error("internal error: {0}")]
    Patch(#[from] PatchError),
    /// The text can't say what the patch of a plan asks for.
    #[error("internal error: {0}")]
    Write(#[from] write::WriteError),
    /// The module has no such function with a body.
    #[error("internal error: the module has no function {0} with a body")]
    NoFunction(u32),
    /// LLVM finds the result invalid.
    #[error("internal error: the rewritten module is invalid: {0}")]
    Invalid(String),
    /// A pass over the SSA IR: unlike after all other errors, it may have changed a part of the module.
    #[error(transparent)]
    Pass(#[from] ssa::Error),
    /// Nothing could be compared.
    #[error("it cannot be compared with its original: {0}")]
    Verify(#[from] Box<examined::Error>),
    /// LLVM 15 or 16, by an option.
    #[error("{}", read::TYPED_POINTERS)]
    TypedPointers,
    /// No PTX can be made of it.
    #[error(transparent)]
    Output(#[from] outputs::Error),
}

/// What is wanted besides a rewritten module.
#[derive(Default)]
pub struct Extras<'a> {
    /// Which checks send kernels back to their originals.
    pub wanted: Wanted<'a>,
    /// The target in place of the module's own, of the PTX that is made for that: `sm_80`.
    pub arch: Option<&'a str>,
    /// Remarks in a format, which name the module so.
    pub remarks: Option<(Format, &'a str)>,
    /// A folder for a list of what was rewritten.
    pub record: Option<&'a Path>,
}

/// What was done to a module.
pub struct Done {
    /// What the passes over its SSA IR did.
    pub passed: Passed,
    /// The loads and stores of the module as it came.
    pub accesses: Vec<InputFunction>,
    /// Its functions.
    pub kernels: Vec<Kernel>,
    /// Remarks, if they were wanted.
    pub remarks: Vec<u8>,
    /// What these checks found.
    pub found: Examination,
}

impl Done {
    /// All decisions about it.
    pub fn decisions(&self) -> Decisions<'_> {
        Decisions {
            input: &self.accesses,
            passes: &self.passed.reports,
            kernels: &self.kernels,
        }
    }

    /// Whether anything of the module is another.
    pub fn is_rewritten(&self) -> bool {
        let passed = self.passed.reports.iter().any(|report| report.changed);
        passed || self.kernels.iter().any(Kernel::is_rewritten)
    }
}

/// Why a text is not rewritten.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// It is not LLVM IR.
    #[error(transparent)]
    Read(#[from] read::Error),
    /// It could not be.
    #[error(transparent)]
    Rewrite(#[from] Error),
}

/// Rewrites a module of LLVM IR, as text or bitcode; the result is text.
///
/// # Errors
/// The text is not LLVM IR, or rewriting fails by an internal error.
pub fn optimize(text: &[u8], options: &Options) -> Result<Vec<u8>, TextError> {
    let context = Context::create();
    let module = read::read(&context, text, "module")?;
    rewrite(&module, options)?;
    Ok(View::new(&module).print_bytes())
}

/// Analyses a module and rewrites it.
///
/// # Errors
/// The module is as it was, or as the passes over its SSA IR left it, which were examined.
pub fn rewrite(module: &Module, options: &Options) -> Result<Vec<Kernel>, Error> {
    rewrite_with(module, options, &Extras::default()).map(|done| done.kernels)
}

/// Analyses a module and rewrites it under the user's settings. `name` is how remarks name the module.
///
/// # Errors
/// The module is as it was, or as the passes over its SSA IR left it, which were examined.
pub fn rewrite_by(module: &Module, settings: &Settings, name: &str) -> Result<Done, Error> {
    let options = verify::Options {
        jobs: settings.options.jobs,
        ..verify::Options::default()
    };
    let how = |_: &form::Module| Ok(options.clone());
    let format = settings.remarks.as_deref().map(Format::of);
    let registers = !settings.no_register_check;
    let extras = Extras {
        wanted: Wanted {
            comparison: settings.verify.then_some(Comparison {
                strict: false,
                options: &how,
            }),
            registers: registers.then(|| arch(module, None)),
        },
        arch: None,
        remarks: format.map(|format| (format, name)),
        record: settings.record_dir.as_deref(),
    };
    rewrite_with(module, &settings.options(None, false), &extras)
}

/// The target that machine code is made for: `given`, else the module's own.
///
/// # Errors
/// In words.
pub fn arch(module: &Module, given: Option<&str>) -> Result<Arch, String> {
    outputs::target(module, given).map_err(|error| error.to_string())
}

/// Analyses a module and rewrites it, with the comparison, remarks and records that `extras` asks for.
///
/// # Errors
/// The module is as it was, or as the passes over its SSA IR left it, which were examined.
pub fn rewrite_with(module: &Module, options: &Options, extras: &Extras) -> Result<Done, Error> {
    let options = &settled(module, options)?;
    // What goes back is no rewriting of its own.
    if let Some(folder) = extras.record.filter(|_| options.counted.is_none()) {
        self::found(module, options, |text, found| {
            record::write(folder, text, "ll", found);
        })?;
    }
    let (mut passed, mut found) = run_passes(module, options, extras)?;
    let analyzed = analyze::Module::new(View::new(module));
    let (mut kernels, lowered) = analyzed.analyze(options, &mut passed);
    found.add(examine(module, &mut kernels, extras)?);
    let accesses: Vec<InputFunction> = passed.accesses.values().cloned().collect();
    let remarks = extras.remarks.map_or_else(Vec::new, |(format, name)| {
        let decisions = Decisions {
            input: &accesses,
            passes: &passed.reports,
            kernels: &kernels,
        };
        let input = passed.input.as_ref();
        explained(&analyzed, input, name, decisions, &lowered, |subject| {
            remarks::write(format, subject)
        })
    });
    carry_out(module, &kernels, options.variant)?;
    if options.print_after == Some(Entry::Shuffle.name()) {
        passed.printed = ssa::print(module, options);
    }
    Ok(Done {
        passed,
        accesses,
        kernels,
        remarks,
        found,
    })
}

/// The first half: the passes over the SSA IR, and what goes back of it. Where anything may, they run on a copy of the module
/// first.
///
/// # Errors
/// An internal error, or nothing could be compared.
pub fn run_passes(
    module: &Module,
    options: &Options,
    extras: &Extras,
) -> Result<(Passed, Examination), Error> {
    if View::new(module).has_typed_pointers() {
        return Err(Error::TypedPointers);
    }
    let Wanted {
        comparison,
        registers,
    } = &extras.wanted;
    if comparison.is_none() && registers.is_none() || options.ssa_passes().is_empty() {
        return Ok((ssa::run(module, options)?, Examination::default()));
    }
    let copy = module.clone();
    let passed = ssa::run(&copy, options)?;
    let mut copied = Copied {
        module,
        copy,
        passed,
        options,
        arch: extras.arch,
    };
    if copied.changed().is_empty() {
        return Ok((copied.passed, Examination::default()));
    }
    let found = examine_passes(&mut copied, &extras.wanted)?;
    Ok((ssa::again(module, copied.passed, options)?, found))
}

/// Drops the plans that go back.
///
/// # Errors
/// Nothing could be compared.
pub fn examine(
    module: &Module,
    kernels: &mut [Kernel],
    extras: &Extras,
) -> Result<Examination, Error> {
    let planned = examined::PlannedModule {
        module,
        arch: extras.arch,
    };
    examine_plans(&planned, kernels, &extras.wanted)
}

/// The options under which a module is rewritten: these, with what it records about earlier runs, and with what a limit leaves.
///
/// # Errors
/// An internal error.
pub fn settled(module: &Module, options: &Options) -> Result<Options, Error> {
    let options = mark::of_input(View::new(module), options).into_owned();
    let Some((limit, all)) = options.counting() else {
        return Ok(options);
    };
    let shares = found(module, &all, |text, found| limit.shares(text, found))?;
    Ok(options.with_shares(shares))
}

/// What is done to a module under these options, if nothing goes back; with the text of the module.
fn found<R>(
    module: &Module,
    options: &Options,
    use_it: impl FnOnce(&[u8], Found) -> R,
) -> Result<R, Error> {
    let copy = module.clone();
    let mut passed = ssa::run(&copy, options)?;
    let analyzed = analyze::Module::new(View::new(&copy));
    let (kernels, _) = analyzed.analyze(options, &mut passed);
    let found = Found {
        input: &passed.accesses.into_values().collect::<Vec<_>>(),
        passes: &passed.reports,
        kernels: &kernels,
    };
    Ok(use_it(View::new(module).print().as_bytes(), found))
}

/// What reports say of the functions of a module, in the text of the module as it came, which is `input` where passes changed it.
/// `lowered` are the functions of the kernels.
pub fn explained<'m, R>(
    module: &analyze::Module<'m>,
    input: Option<&(String, Origins)>,
    name: &str,
    decisions: Decisions,
    lowered: &[Lowered<'m>],
    work: impl FnOnce(&Subject) -> R,
) -> R {
    let left = module.text.text.as_bytes();
    let text = input.map_or(left, |(text, _)| text.as_bytes());
    let lines = LineIndex::new(text);
    let kernels = decisions.kernels.iter().zip(lowered);
    let places = kernels.map(|(kernel, lowered)| {
        let places = Statements::new(module, kernel, lowered);
        (&*kernel.name, places)
    });
    let places: Vec<(&str, Statements)> = places.collect();
    let moved = places.iter().map(|(name, places)| {
        let moved = input.map(|(_, origins)| InInput {
            places,
            left,
            input: &lines,
            origins,
        });
        (*name, (places, moved))
    });
    let moved: FxHashMap<&str, (&Statements, Option<InInput>)> = moved.collect();
    let functions = decisions.functions().into_iter();
    let placed = functions.map(|function| {
        let places = moved.get(function.name).map(|(places, moved)| match moved {
            Some(moved) => moved as &dyn Places,
            None => *places as &dyn Places,
        });
        Placed { function, places }
    });
    work(&Subject {
        path: name,
        text,
        lines: &lines,
        form: Language::Ir,
        language: language(left),
        functions: placed.collect(),
    })
}

/// Carries out the plans of a module's functions: on a copy first, which LLVM verifies.
///
/// # Errors
/// The module is as it was.
pub fn carry_out(module: &Module, kernels: &[Kernel], variant: Variant) -> Result<(), Error> {
    if kernels.iter().all(|kernel| kernel.plan.shuffles.is_empty()) {
        return Ok(());
    }
    drop(carried_out(module, kernels, variant)?);
    write_all(module, kernels, variant)
}

/// A copy of a module, with the plans of its functions carried out, which LLVM finds valid.
///
/// # Errors
/// A plan does not fit, or LLVM finds the copy invalid.
pub fn carried_out<'c>(
    module: &Module<'c>,
    kernels: &[Kernel],
    variant: Variant,
) -> Result<Module<'c>, Error> {
    let copy = module.clone();
    write_all(&copy, kernels, variant)?;
    copy.verify().map_err(|message| {
        let message = message.to_string_lossy();
        Error::Invalid(message.lines().next().unwrap_or_default().to_owned())
    })?;
    Ok(copy)
}

fn write_all(module: &Module, kernels: &[Kernel], variant: Variant) -> Result<(), Error> {
    let view = View::new(module);
    let functions = kernels::functions(view);
    let rewritten = kernels
        .iter()
        .filter(|kernel| !kernel.plan.shuffles.is_empty());
    for kernel in rewritten {
        let entry = functions.get(kernel.item as usize);
        let entry = entry.ok_or(Error::NoFunction(kernel.item))?;
        write_one(view, &lower::lower(view, entry), &kernel.plan, variant)?;
        mark::write(entry, &kernel.mark);
    }
    Ok(())
}

/// Carries out the plan of one function.
///
/// # Errors
/// The plan does not fit the function.
pub fn write_one<'m>(
    view: View<'m>,
    lowered: &Lowered<'m>,
    plan: &Plan,
    variant: Variant,
) -> Result<(), Error> {
    let target = Target {
        architecture: target::compiled_for(view.functions()),
        merges_arms: true,
        has_32_bytes: false,
        bypasses_division: true,
        contracts: false,
        optimizes_scalars: true,
    };
    let patch = ptxasw::shuffle::lower::lower(&lowered.function, plan, target, variant)?;
    write::write(view, lowered, &verify_patch(&lowered.function, &patch)?)?;
    Ok(())
}
