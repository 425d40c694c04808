//! The passes over the SSA IR, one after the other, on a module that each hands on to the next ([`Module`]).

mod report;
mod rounds;

pub use report::{
    Refused, Remark, Report, Reverted, Tried, merged, revert, revert_arithmetic, settled_options,
    step_back, wait_for_none,
};
pub use rounds::{MAX_ROUNDS, Rounds};

use super::module::Module;
use super::{Error, Options, eligibility, limit, panic_message};
use crate::ir::function::{Function, InstId};
use crate::ir::patch::{Target, Verified, verify};
use crate::passes::memory::MemoryOptions;
use crate::passes::{Limits, Pass, Rewrite, Session};
use crate::ptx::binding::Binding;
use crate::ptx::decode::{self, DecodeError};
use crate::ptx::write::{self, Signature, Stem, View, Written};
use crate::support::threads;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A module after its SSA passes.
pub struct Passed<'t> {
    /// The module as they left it.
    pub module: Module<'t>,
    /// What each pass did to each function about which it has something to report.
    pub reports: Vec<Report>,
    /// The IR of the chosen functions after the pass of [`Options::print_after`].
    pub printed: String,
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
        if !rewrite.patch.is_empty() {
            // The function will be another one: the writer gets the memory.
            session.forget_emulation();
        }
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
            session.forget_emulation();
            report.refuse(Refused::Fault(panic));
            return (report, None);
        }
    };
    let site = |at: InstId| session.text.site(session.function.inst(at).origin);
    let remarks = rewrite.remarks.into_iter();
    let remarks = remarks.map(|one| Remark {
        site: site(one.at),
        fate: one.fate,
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

/// Runs the SSA passes of the options on a text of PTX.
///
/// # Errors
/// The text is not PTX, or a body does not make sense.
pub fn run<'t>(text: &'t [u8], options: &Options) -> Result<Passed<'t>, Error> {
    run_in(Module::read(text, options.jobs)?, options)
}

/// Runs the SSA passes of the options on a module of PTX.
///
/// # Errors
/// A body does not make sense.
pub fn run_in<'t>(module: Module<'t>, options: &Options) -> Result<Passed<'t>, Error> {
    let options = &*options.of_module(module.tree());
    let mut passed = Passed {
        module,
        reports: Vec::new(),
        printed: String::new(),
    };
    for pass in options.ssa_passes() {
        let mut rounds = Rounds::default();
        while passed.round(pass, options, &mut rounds)? {}
        passed.reports.extend(rounds.finish());
        if options.print_after == Some(pass.name()) {
            passed.printed = print(&passed.module, options)?;
        }
    }
    Ok(passed)
}

/// The IR of all functions of a module that the options choose.
///
/// # Errors
/// A body does not make sense.
pub fn print(module: &Module, options: &Options) -> Result<String, Error> {
    let mut out = String::new();
    for reading in super::read_all(module)? {
        let function = reading.function();
        if options.kernels.has(&function.name) {
            let _ = write!(out, "{function}");
        }
    }
    Ok(out)
}

impl Passed<'_> {
    /// The text that they left.
    pub fn text(&self) -> &[u8] {
        self.module.text()
    }

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
        // Functions that went back are not read any more.
        again.module.know_accesses_of(&self.module);
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
        let module = &self.module;
        let one = |index| on_function(module, index, pass, options, rounds);
        let mut functions = module.defined();
        functions.retain(|&index| rounds.has(index as u32));
        let results = threads::each(
            options.jobs,
            functions.clone(),
            |&index| module.size(index),
            one,
        );
        let (mut reports, mut changed) = (Vec::new(), Vec::new());
        for (index, result) in functions.into_iter().zip(super::all(results)?) {
            let Some((report, written)) = result else {
                continue;
            };
            reports.push((index as u32, report));
            changed.extend(written.map(|written| (index, written)));
        }
        if !changed.is_empty() {
            self.module.check_all(options.jobs)?;
        }
        for (_, report) in &mut reports {
            self.to_input(report);
        }
        self.apply(changed, &mut reports, options.jobs);
        Ok(rounds.add(reports))
    }

    /// Changes functions; those of which the new text can't be read stay as they are, and their reports say so.
    fn apply(
        &mut self,
        mut changed: Vec<(usize, Written)>,
        reports: &mut [(u32, Report)],
        jobs: usize,
    ) {
        while let Err(errors) = self.module.apply(&changed, jobs) {
            for (index, error) in &errors {
                let fault = Refused::Fault(format!("the new text: {error}"));
                let refused = reports
                    .iter_mut()
                    .filter(|(one, _)| *one as usize == *index);
                refused.for_each(|(_, report)| report.refuse(fault.clone()));
            }
            changed.retain(|(index, _)| errors.iter().all(|(one, _)| one != index));
        }
    }

    /// Places of the text that a pass has read, as places of the input.
    fn to_input(&self, report: &mut Report) {
        if self.module.origins().is_none() {
            return;
        }
        for site in report.sites_mut().filter(|site| site.line > 0) {
            site.at = self.module.origin(site.at).0;
            site.line = self.module.input_line(site.at);
        }
    }
}

/// Runs a pass on one function as the text has it, without facts from its callers and callees: those are not part of any
/// statement.
fn on_function(
    module: &Module,
    index: usize,
    pass: &dyn Pass,
    options: &Options,
    rounds: &Rounds,
) -> Result<Option<(Report, Option<Written>)>, DecodeError> {
    let (tree, headers) = (module.tree(), module.headers());
    let header = &headers.functions[index];
    let unit = headers.units.get(header.unit as usize);
    let architecture = super::target(headers, header, options);
    let options = &options.of_function(&header.name, architecture);
    // What a debugger shows is what the source has.
    let debug = unit.is_some_and(|unit| unit.target.debug);
    let arithmetic = pass.is_arithmetic() && !options.arithmetic.has(&header.name);
    let runs = options.passes.has(pass) && options.kernels.has(&header.name);
    let nothing = options.places(&header.name, pass.name());
    let nothing = nothing.is_some_and(|places| places.is_empty());
    if debug || arithmetic || !runs || nothing || decode::unknown_word(tree, header.item).is_some()
    {
        return Ok(None);
    }
    let reading = module.reading(index)?;
    let (body, function) = (&reading.body, reading.function());
    if function.insts.len() > options.synthesis.limits.instructions {
        return Ok(None);
    }
    let limited_to = options.places(&function.name, pass.name());
    let limited_to = limited_to.map(|places| {
        let origin = |statement| module.place(body.form.item, statement).map(|(at, _)| at);
        limit::statements(function, &places, origin)
    });
    let binding = Binding::new(tree, &body.form, &body.lowered);
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
    let results = &reading.results;
    let session = Session::new(function, results, &text, target, limits(options), memory)
        .certified(options.synthesis.certificates)
        .saturated(options.saturation)
        .with_more_rounds(!rounds.is_last(index as u32))
        .with_limit(limited_to.as_ref());
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
        let mark = super::marked(tree, body.form.item).with_passes(&run, &header.name);
        let signature = Signature {
            stem: Stem::Pass,
            mark: Some(&mark.to_string()),
        };
        let written = write::write(&text, verified, signature);
        written.map_err(|error| error.to_string())
    };
    let (report, written) = run_on(pass, &session, options.keep_going, write);
    if written.is_none() {
        module.keep(index, reading);
    }
    Ok(Some((report, written)))
}
