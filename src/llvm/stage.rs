//! Our stage on a module of a compiler's. It is rewritten as a whole or not at all.

use crate::carry_out::Patched;
use crate::mark;
use crate::module::Module;
use crate::numbering::Numbering;
use crate::outputs;
use crate::read;
use crate::text::{Text, printed_name};
use crate::view::View;
use inkwell::context::Context;
use inkwell::module::Module as LlvmModule;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::ssa::Report;
use ptxasw_driver::pipeline::{Decisions, FrontEnd, InputFunction};
use ptxasw_driver::report::explain::{Places, Subject, Texts, with_places};
use ptxasw_driver::report::positions::SourcePosition;
use ptxasw_driver::report::remarks::{self, Format, Language};
use ptxasw_driver::{Comparison, Examination, Wanted};
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::Pass;
use ptxasw_passes::shuffle::{Search, Shuffle};
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form;
use std::borrow::Cow;
use std::path::Path;

pub use crate::module::Error;

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
    /// What the passes did.
    pub passes: Vec<Report>,
    /// What is not part of the module yet.
    pending: Vec<Patched>,
    /// The IR after a pass, where that is asked for.
    pub printed: String,
    /// The loads and stores of the module as it came.
    pub accesses: Vec<InputFunction>,
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
            passes: &self.passes,
        }
    }

    /// What was found for shuffles, by functions in the order of the text.
    pub fn searches(&self) -> impl Iterator<Item = &Search> {
        self.decisions().searches().map(|(_, search)| search)
    }

    /// Whether anything of the module is another.
    pub fn is_rewritten(&self) -> bool {
        self.passes.iter().any(|report| report.changed)
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
/// The module is as it was.
pub fn rewrite(module: &LlvmModule, options: &Options) -> Result<Done, Error> {
    rewrite_with(module, options, &Extras::default())
}

/// Analyses a module and rewrites it under the user's settings. `name` is how remarks name the module.
///
/// # Errors
/// The module is as it was.
pub fn rewrite_by(module: &LlvmModule, settings: &Settings, name: &str) -> Result<Done, Error> {
    let options = ptxasw_verify::Options {
        jobs: settings.options.jobs,
        ..ptxasw_verify::Options::default()
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
pub fn arch(module: &LlvmModule, given: Option<&str>) -> Result<Arch, String> {
    outputs::target(module, given).map_err(|error| error.to_string())
}

/// Analyses a module and rewrites it, with the comparison, remarks and records that `extras` asks for.
///
/// # Errors
/// The module is as it was.
pub fn rewrite_with(input: &LlvmModule, options: &Options, extras: &Extras) -> Result<Done, Error> {
    let options = &*mark::of_input(View::new(input), options);
    let (module, mut done) = decided(input, options, extras)?;
    if let Some((format, name)) = extras.remarks {
        done.remarks = explained(&module, name, done.decisions(), |subject| {
            remarks::write(format, subject)
        });
    }
    module.commit(&done.pending)?;
    if options.print_after == Some(Shuffle.name()) {
        done.printed = Module::new(input, None)?.print(options)?;
    }
    Ok(done)
}

/// Decides what is done to a module, which stays as it is.
///
/// # Errors
/// An internal error, or nothing could be compared.
pub fn decided<'a, 'c>(
    input: &'a LlvmModule<'c>,
    options: &Options,
    extras: &Extras<'a>,
) -> Result<(Module<'a, 'c>, Done), Error> {
    let module = Module::new(input, extras.arch)?;
    let record = (extras.record, "ll");
    let options = &ptxasw_driver::settled(&module, options, record)?;
    let (passed, found) = ptxasw_driver::run(module, options, &extras.wanted)?;
    let done = Done {
        accesses: passed.accesses(options),
        passes: passed.reports,
        pending: passed.pending,
        printed: passed.printed,
        remarks: Vec::new(),
        found,
    };
    Ok((passed.module, done))
}

/// The PTX of a module as it came, and as it was decided.
///
/// # Errors
/// There is no `llc`, or it fails.
pub fn both_as_ptx(
    input: &LlvmModule,
    (module, done): (&Module, &Done),
    arch: Option<&str>,
) -> Result<[Vec<u8>; 2], Error> {
    let original = Module::new(input, arch)?;
    let texts = [original.as_ptx(&[])?, module.as_ptx(&done.pending)?];
    Ok(texts.map(Cow::into_owned))
}

/// What reports say of the functions of a module, in the text of the module as it came.
pub fn explained<R>(
    module: &Module,
    name: &str,
    decisions: Decisions,
    work: impl FnOnce(&mut Subject) -> R,
) -> R {
    let searches = decisions.searches();
    let places = searches.map(|(name, search)| {
        let function = search.plan.item as usize;
        (name, Statements::new(module, name, function))
    });
    let texts = Texts {
        path: name,
        input: module.input_text().text.as_bytes(),
        left: module.text(),
        origins: module.origins(),
        form: Language::Ir,
    };
    with_places(&texts, decisions, places, work)
}

/// The statements of a function of a module as it is now.
struct Statements<'m> {
    text: &'m Text,
    name: String,
    numbering: Numbering<'m>,
}

impl<'m> Statements<'m> {
    fn new(module: &'m Module, name: &str, function: usize) -> Self {
        Statements {
            text: &module.text,
            name: printed_name(name),
            numbering: Numbering::new(module.entries()[function].function),
        }
    }
}

impl Places for Statements<'_> {
    fn span(&self, statement: u32) -> Option<Span> {
        self.text.span(&self.name, statement)
    }

    fn source(&self, statement: u32) -> Option<SourcePosition> {
        self.numbering.instruction(statement)?.source_line()
    }
}
