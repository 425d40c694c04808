//! The passes over the SSA IR, one after the other, on a module that each hands on to the next ([`FrontEnd`]).

pub(in crate::pipeline) mod report;
mod rounds;

pub use report::{
    Refused, Remark, Report, Reverted, TakeBack, Tried, revert, revert_arithmetic, settled_options,
    step_back, wait_for_none,
};
pub use rounds::MAX_ROUNDS;

use super::accesses::InputFunction;
use super::front_end::{FrontEnd, ReadFunction};
use super::module::Module;
use super::{Error, Options, limit, panic_message};
use crate::ir::function::{Function, InstId};
use crate::ir::patch::{Verified, verify};
use crate::passes::{Limits, Pass, Rewrite, Session};
use report::merged;
use rounds::Rounds;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A module after its SSA passes.
pub struct Passed<M> {
    /// The module as they left it.
    pub module: M,
    /// What each pass did to each function about which it has something to report.
    pub reports: Vec<Report>,
    /// The IR of the chosen functions after the pass of [`Options::print_after`].
    pub printed: String,
}

/// Runs a pass on one function, up to what a back end makes of the verified patch. Whatever goes wrong, nothing is made, and the
/// report says why. A panic is caught if `keep_going`.
fn run_on<W>(
    pass: &dyn Pass,
    session: &Session,
    keep_going: bool,
    write: impl FnOnce(&Verified) -> Result<W, String>,
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

fn written<W>(
    function: &Function,
    rewrite: &Rewrite,
    write: impl FnOnce(&Verified) -> Result<W, String>,
) -> Result<W, Refused> {
    let verified = verify(function, &rewrite.patch);
    let verified = verified.map_err(|error| Refused::Fault(error.to_string()))?;
    write(&verified).map_err(Refused::Text)
}

/// What a pass may spend on a function, under these options.
pub fn limits(options: &Options) -> Limits {
    Limits {
        terms: options.synthesis.limits.terms,
        solver: options.solver,
    }
}

/// Runs the SSA passes of the options on a text of PTX.
///
/// # Errors
/// The text is not PTX, or a body does not make sense.
pub fn run<'t>(text: &'t [u8], options: &Options) -> Result<Passed<Module<'t>>, Error> {
    run_in(Module::read(text, options.jobs)?, options)
}

/// Runs the SSA passes of the options on a module.
///
/// # Errors
/// A body does not make sense.
pub fn run_in<M: FrontEnd>(module: M, options: &Options) -> Result<Passed<M>, M::Error> {
    let options = &module.marked(options).into_owned();
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
            passed.printed = passed.module.print(options)?;
        }
    }
    Ok(passed)
}

impl<M: FrontEnd> Passed<M> {
    /// The text that they left.
    pub fn text(&self) -> &[u8] {
        self.module.text()
    }

    /// The functions that some pass changed; one that several changed comes several times.
    pub fn changed(&self) -> impl Iterator<Item = &str> {
        let changed = self.reports.iter().filter(|report| report.changed);
        changed.map(|report| &*report.function)
    }

    /// The loads and stores of the functions that the options choose, as they came; none of those that were not read.
    pub fn accesses(&self, options: &Options) -> Vec<InputFunction> {
        let module = &self.module;
        let functions = module.functions().into_iter();
        let chosen = functions.filter(|&function| {
            let options =
                options.of_function(module.name(function), module.target(function, options));
            options.kernels.has(module.name(function))
        });
        let accesses = chosen.map(|function| {
            let kernel = module.kernel(function);
            let accesses = module.input_accesses()[function].get();
            InputFunction {
                name: kernel.name,
                entry: kernel.entry,
                accesses: accesses.cloned().unwrap_or_default(),
            }
        });
        accesses.collect()
    }

    /// The passes once more, with each function as far as its reports say after something is taken back. `options` are those that
    /// the passes ran under. A pass does to a function the same whatever becomes of others.
    ///
    /// # Errors
    /// An internal error: the input was read before.
    pub fn again(
        &self,
        take_back: TakeBack,
        back: &[(String, Reverted)],
        options: &Options,
    ) -> Result<Self, M::Error> {
        let mut reports = self.reports.clone();
        let stepped = take_back(&mut reports, back);
        let again = self.under(&settled_options(&reports, options))?;
        Ok(Passed {
            reports: merged(reports, again.reports, &stepped),
            printed: self.printed.clone(),
            ..again
        })
    }

    /// The passes once more on the module as it came, under other options.
    ///
    /// # Errors
    /// As for [`Self::again`].
    pub fn under(&self, options: &Options) -> Result<Self, M::Error> {
        let again = run_in(self.module.as_it_came(options.jobs)?, options)?;
        // Functions that went back are not read any more.
        let known = self.module.input_accesses().iter();
        for (own, known) in again.module.input_accesses().iter().zip(known) {
            if let Some(accesses) = known.get() {
                own.get_or_init(|| accesses.clone());
            }
        }
        Ok(again)
    }

    /// Runs one pass on all functions of a round; whether there is another one.
    fn round(
        &mut self,
        pass: &'static dyn Pass,
        options: &Options,
        rounds: &mut Rounds,
    ) -> Result<bool, M::Error> {
        let mut functions = self.module.functions();
        functions.retain(|&function| rounds.has(function));
        let one = |module: &M, function| on_function(module, function, pass, options, rounds);
        let results = self.module.each(options.jobs, functions.clone(), one)?;
        let (mut reports, mut changed) = (Vec::new(), Vec::new());
        for (function, result) in functions.into_iter().zip(results) {
            let Some((mut report, written)) = result else {
                continue;
            };
            self.to_input(&mut report);
            reports.push((function, report));
            changed.extend(written.map(|written| (function, written)));
        }
        if !changed.is_empty() {
            self.module.check_all(options.jobs)?;
        }
        self.change(changed, &mut reports, options.jobs);
        Ok(rounds.add(reports))
    }

    /// Changes functions; those that can't be changed stay as they are, and their reports say so.
    fn change(
        &mut self,
        mut changed: Vec<(usize, M::Written)>,
        reports: &mut [(usize, Report)],
        jobs: usize,
    ) {
        while !changed.is_empty()
            && let Err(refused) = self.module.change(&changed, jobs)
        {
            let why = |function| refused.iter().find(|(one, _)| *one == function);
            for (function, report) in reports.iter_mut() {
                if let Some((_, why)) = why(*function) {
                    report.refuse(why.clone());
                }
            }
            changed.retain(|(function, _)| why(*function).is_none());
        }
    }

    /// Places of the text that a pass has read, as places of the input.
    fn to_input(&self, report: &mut Report) {
        let Some(origins) = self.module.origins() else {
            return;
        };
        for site in report.sites_mut().filter(|site| site.line > 0) {
            site.at = origins.before(site.at);
            site.line = self.module.input_line(site.at);
        }
    }
}

/// A report, and what carries out the patch of the function.
type Written<M> = (Report, Option<<M as FrontEnd>::Written>);

/// Runs a pass on one function as the text has it, without facts from its callers and callees: those are not part of any
/// statement.
fn on_function<M: FrontEnd>(
    module: &M,
    function: usize,
    pass: &dyn Pass,
    options: &Options,
    rounds: &Rounds,
) -> Result<Option<Written<M>>, M::Unreadable> {
    let name = module.name(function);
    let architecture = module.target(function, options);
    let options = &options.of_function(name, architecture);
    let arithmetic = pass.is_arithmetic() && !options.arithmetic.has(name);
    let runs = options.passes.has(pass) && options.kernels.has(name);
    let places = options.places(name, pass.name());
    let nothing = places.as_ref().is_some_and(|places| places.is_empty());
    if arithmetic || !runs || nothing || !module.may_change(function) {
        return Ok(None);
    }
    let reading = module.reading(function)?;
    if reading.function().insts.len() > options.synthesis.limits.instructions {
        return Ok(None);
    }
    let limited_to = places.map(|places| {
        let origin = |statement| Some(module.place(function, statement)?.0);
        limit::statements(reading.function(), &places, origin)
    });
    let (report, written) = {
        let text = module.text_of(&reading);
        let target = module.patch_target(function, architecture);
        let memory = options.memory_of(name);
        let (body, results) = (reading.function(), reading.results());
        let session = Session::new(body, results, &text, target, limits(options), memory)
            .certified(options.synthesis.certificates)
            .saturated(options.saturation)
            .with_more_rounds(!rounds.is_last(function))
            .with_limit(limited_to.as_ref());
        run_on(pass, &session, options.keep_going, |verified| {
            let mut run = options.clone();
            if module.refusal(function, options).is_some() {
                run.to_mut().passes.shuffle = false;
            }
            let mark = module.mark(function).with_passes(&run, name);
            module.write(function, &text, verified, mark, options)
        })
    };
    if written.is_none() {
        module.keep(function, reading);
    }
    Ok(Some((report, written)))
}
