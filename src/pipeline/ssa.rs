//! The passes over the SSA IR, one after the other: each reads the text that the one before has left.

mod report;
mod rounds;

pub use report::{
    Refused, Remark, Report, Reverted, Tried, merged, revert, revert_arithmetic, settled_options,
    step_back, wait_for_none,
};
pub use rounds::{MAX_ROUNDS, Rounds};

use super::lines::Lines;
use super::{Error, Options, defined, eligibility, lowered, panic_message, size};
use crate::ir::function::{Function, InstId};
use crate::ir::patch::{Target, Verified, verify};
use crate::passes::memory::MemoryOptions;
use crate::passes::{Limits, Pass, Rewrite, Session};
use crate::ptx;
use crate::ptx::ast;
use crate::ptx::binding::Binding;
use crate::ptx::decode::{self, DecodeError, form};
use crate::ptx::text::edit::{self, Edit};
use crate::ptx::write::{self, Signature, Stem, View, Written};
use crate::support::threads;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A module after its SSA passes.
#[derive(Debug)]
pub struct Passed<'t> {
    /// The text; that of before if no pass changed it.
    pub text: Cow<'t, [u8]>,
    /// What each pass did to each function about which it has something to report.
    pub reports: Vec<Report>,
    /// The IR of the chosen functions after the pass of [`Options::print_after`].
    pub printed: String,
    /// The lines of the text as lines of the text of before; none if no pass changed it.
    pub lines: Option<Lines>,
}

/// Runs a pass on one function, up to what a back end makes of the verified patch. Whatever goes wrong, nothing is made, and the
/// report says why. A panic is caught if `keep_going`.
pub fn run_on<W, E: Display>(
    pass: &dyn Pass,
    session: &Session,
    keep_going: bool,
    write: impl FnOnce(&Verified) -> Result<W, E>,
) -> (Report, Option<W>) {
    let mut report = Report::new(pass, session.function);
    report.loads = session.memory.loads;
    let work = || {
        let rewrite = pass.run(session);
        let written = match rewrite.patch.is_empty() {
            true => Ok(None),
            false => written(session.function, &rewrite, write).map(Some),
        };
        (rewrite, written)
    };
    let result = match keep_going {
        true => catch_unwind(AssertUnwindSafe(work)).map_err(|panic| panic_message(&*panic)),
        false => Ok(work()),
    };
    let (rewrite, written) = match result {
        Ok(result) => result,
        Err(panic) => {
            report.refuse(Refused::Fault(panic));
            return (report, None);
        }
    };
    let site = |at: InstId| session.text.site(session.function.inst(at).origin);
    let remarks = rewrite.remarks.into_iter();
    let remarks = remarks.map(|one| Remark {
        site: site(one.at),
        kind: one.kind,
        what: one.what,
        with: one.with.map(site),
        lift: one.lift,
    });
    report.remarks = remarks.collect();
    let claims = rewrite.claims.into_iter();
    report.claims = claims.map(|one| (site(one.at), one.evidence)).collect();
    report.obligations = rewrite.obligations;
    report.again = rewrite.again;
    report.waits_for_none = rewrite.waits_for_none;
    match written {
        Ok(written) => {
            report.changed = written.is_some();
            (report, written)
        }
        Err(why) => {
            report.refuse(why);
            (report, None)
        }
    }
}

fn written<W, E: Display>(
    function: &Function,
    rewrite: &Rewrite,
    write: impl FnOnce(&Verified) -> Result<W, E>,
) -> Result<W, Refused> {
    let verified = verify(function, &rewrite.patch);
    let verified = verified.map_err(|error| Refused::Fault(error.to_string()))?;
    write(&verified).map_err(|error| Refused::Text(error.to_string()))
}

/// What a pass may spend on a function, under these options.
pub fn limits(options: &Options) -> Limits {
    Limits {
        terms: options.synthesis.limits.terms,
        solver: options.solver,
    }
}

/// What the memory pass may do to a function, under these options.
pub fn memory(options: &Options, function: &str) -> MemoryOptions {
    options.memory.below(options.kernels.steps_back(function))
}

/// Runs the SSA passes of the options on a module of PTX. Without one, nothing is read.
///
/// # Errors
/// The text is not PTX, or a body does not make sense.
pub fn run<'t>(text: &'t [u8], options: &Options) -> Result<Passed<'t>, Error> {
    let options = &*options.of_input(text);
    let mut passed = Passed {
        text: Cow::Borrowed(text),
        reports: Vec::new(),
        printed: String::new(),
        lines: None,
    };
    for pass in options.ssa_passes() {
        let mut rounds = Rounds::default();
        while passed.round(pass, options, &mut rounds)? {}
        passed.reports.extend(rounds.finish());
        if options.print_after == Some(pass.name()) {
            passed.printed = print(&passed.text, options)?;
        }
    }
    Ok(passed)
}

/// The IR of all functions of a text that the options choose.
///
/// # Errors
/// The text is not PTX, or a body does not make sense.
pub fn print(text: &[u8], options: &Options) -> Result<String, Error> {
    let module = ptx::parse_on(text, options.jobs)?;
    let mut out = String::new();
    for prepared in super::prepare_all(&module, &decode::headers(&module))? {
        let function = &prepared.body.lowered.function;
        if options.kernels.has(&function.name) {
            let _ = write!(out, "{function}");
        }
    }
    Ok(out)
}

impl Passed<'_> {
    /// The functions that some pass changed; one that several changed comes several times.
    pub fn changed(&self) -> impl Iterator<Item = &str> {
        let changed = self.reports.iter().filter(|report| report.changed);
        changed.map(|report| &*report.function)
    }

    /// Without what was done to some functions: they are as the input has them. `options` are those that the passes ran under.
    ///
    /// # Errors
    /// An internal error: the text of the passes does not parse.
    pub fn without<'t>(
        &self,
        input: &'t [u8],
        back: &[(String, Reverted)],
        options: &Options,
    ) -> Result<Passed<'t>, Error> {
        self.reverted(input, options, |reports| revert(reports, back))
    }

    /// Without what passes over the arithmetic did to some functions. `options` are those that the passes ran under.
    ///
    /// # Errors
    /// An internal error: the text of the passes does not parse.
    pub fn without_arithmetic<'t>(
        &self,
        input: &'t [u8],
        back: &[(String, Reverted)],
        options: &Options,
    ) -> Result<Passed<'t>, Error> {
        self.reverted(input, options, |reports| revert_arithmetic(reports, back))
    }

    /// The passes once more, without what `mark` takes back in the reports.
    fn reverted<'t>(
        &self,
        input: &'t [u8],
        options: &Options,
        mark: impl FnOnce(&mut [Report]),
    ) -> Result<Passed<'t>, Error> {
        let mut reports = self.reports.clone();
        mark(&mut reports);
        self.again(input, reports, &FxHashSet::default(), options)
    }

    /// With some functions a level of the memory pass further down, and without what was done to them where there is none.
    /// `options` are those that the passes ran under.
    ///
    /// # Errors
    /// An internal error: the text of the passes does not parse.
    pub fn stepped_back<'t>(
        &self,
        input: &'t [u8],
        back: &[(String, Reverted)],
        options: &Options,
    ) -> Result<Passed<'t>, Error> {
        let mut reports = self.reports.clone();
        let stepped = step_back(&mut reports, back);
        self.again(input, reports, &stepped, options)
    }

    /// The passes once more, with each function as far as its reports say; of those that were `stepped` back there are new ones. A
    /// pass does to a function the same whatever becomes of others.
    fn again<'t>(
        &self,
        input: &'t [u8],
        reports: Vec<Report>,
        stepped: &FxHashSet<Box<str>>,
        options: &Options,
    ) -> Result<Passed<'t>, Error> {
        let mut again = run(input, &settled_options(&reports, options))?;
        let reports = merged(reports, std::mem::take(&mut again.reports), stepped);
        Ok(Passed {
            reports,
            printed: self.printed.clone(),
            ..again
        })
    }

    /// Runs one pass on all functions of a round; whether there is another one.
    fn round(
        &mut self,
        pass: &'static dyn Pass,
        options: &Options,
        rounds: &mut Rounds,
    ) -> Result<bool, Error> {
        let module = ptx::parse_on(&self.text, options.jobs)?;
        let headers = decode::headers(&module);
        let one = |index| on_function(&module, &headers, index, pass, options, rounds);
        let size = |&index: &usize| size(&module, &headers, index);
        let mut functions = defined(&headers);
        functions.retain(|&index| rounds.has(index as u32));
        let results = threads::each(options.jobs, functions.clone(), size, one);
        let (mut reports, changed): (Vec<(u32, Report)>, Vec<Option<Written>>) = functions
            .into_iter()
            .zip(super::all(results)?)
            .filter_map(|(index, result)| {
                result.map(|(report, written)| ((index as u32, report), written))
            })
            .unzip();
        let edits = write::together(&module, changed.iter().flatten());
        let after = match edits.is_empty() {
            true => None,
            false => match readable(&module, &edits) {
                Ok(text) => Some((text, Lines::after_edits(module.text, &edits))),
                Err(error) => {
                    let fault = Refused::Fault(error);
                    let reports = reports.iter_mut().map(|(_, report)| report);
                    let changed = reports.filter(|report| report.changed);
                    changed.for_each(|report| report.refuse(fault.clone()));
                    None
                }
            },
        };
        drop(module);
        for (_, report) in &mut reports {
            self.to_input(report);
        }
        if let Some((text, lines)) = after {
            self.text = Cow::Owned(text);
            self.lines = Some(match self.lines.take() {
                Some(before) => lines.of(&before),
                None => lines,
            });
        }
        Ok(rounds.add(reports))
    }

    /// Lines of the text that a pass has read, as lines of the input.
    fn to_input(&self, report: &mut Report) {
        let Some(lines) = &self.lines else { return };
        for site in report.sites_mut() {
            site.line = lines.before(site.line);
        }
    }
}

/// The new text, if it is one that the next stage reads.
fn readable(module: &ast::Module, edits: &[Edit]) -> Result<Vec<u8>, String> {
    let read = || -> Result<Vec<u8>, Error> {
        let text = edit::apply(module.text, edits)?;
        decode::decode(&ptx::parse(&text)?)?;
        Ok(text)
    };
    read().map_err(|error| format!("the new text: {error}"))
}

/// Runs a pass on one function as the text has it, without facts from its callers and callees: those are not part of any
/// statement.
fn on_function(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
    pass: &dyn Pass,
    options: &Options,
    rounds: &Rounds,
) -> Result<Option<(Report, Option<Written>)>, DecodeError> {
    let header = &headers.functions[index];
    let unit = headers.units.get(header.unit as usize);
    let architecture = super::target(headers, header, options);
    let options = &options.of_function(&header.name, architecture);
    // What a debugger shows is what the source has.
    let debug = unit.is_some_and(|unit| unit.target.debug);
    let arithmetic = pass.is_arithmetic() && !options.arithmetic.has(&header.name);
    let runs = options.passes.has(pass) && options.kernels.has(&header.name);
    if debug || arithmetic || !runs || decode::unknown_word(module, header.item).is_some() {
        return Ok(None);
    }
    let body = lowered(module, headers, index)?;
    let function = &body.lowered.function;
    if function.insts.len() > options.synthesis.limits.instructions {
        return Ok(None);
    }
    let binding = Binding::new(module, &body.form, &body.lowered);
    let text = View::new(&binding, &body.form, &body.lowered);
    let target = Target {
        architecture,
        merges_arms: false,
        bypasses_division: false,
        contracts: true,
        optimizes_scalars: false,
        // By what the module declares: the target of an option may be an older one.
        has_32_bytes: unit.is_some_and(|unit| {
            unit.target.sm >= 100 && unit.version >= write::VECTORS_OF_32_BYTES
        }),
    };
    let memory = memory(options, &function.name);
    let session = Session::new(function, &text, target, limits(options), memory)
        .certified(options.synthesis.certificates)
        .saturated(options.saturation)
        .with_more_rounds(!rounds.is_last(index as u32));
    let write = |verified: &Verified| -> Result<Written, String> {
        let version = write::needed_version(verified.patch());
        let old = version.filter(|version| unit.is_some_and(|unit| unit.version < *version));
        if let Some((major, minor)) = old.filter(|_| !options.raise_version) {
            return Err(format!("it needs PTX {major}.{minor} (`--raise-version`)"));
        }
        let mut run = Cow::Borrowed(&**options);
        if eligibility::unsupported(headers, header, options).is_some() {
            run.to_mut().passes.shuffle = false;
        }
        let mark = super::marked(module, body.form.item).with_passes(&run, &header.name);
        let signature = Signature {
            stem: Stem::Pass,
            mark: Some(&mark.to_string()),
        };
        let written = write::write(module, &body.form, &body.lowered, verified, signature);
        written.map_err(|error| error.to_string())
    };
    Ok(Some(run_on(pass, &session, options.keep_going, write)))
}
