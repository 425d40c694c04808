//! One round of a pass, on all functions of a module.

use super::report::{Claim, Refused, Remark, Report};
use super::rounds::Rounds;
use crate::pipeline::front_end::{FrontEnd, ReadFunction};
use crate::pipeline::{Descent, Options, limit};
use ptxasw_ir::function::{Function, InstId};
use ptxasw_ir::patch::{Verified, verify};
use ptxasw_passes::shuffle::refusal::{self, Refusal};
use ptxasw_passes::shuffle::{Search, Shuffle};
use ptxasw_passes::{Limits, Pass, Rewrite, Session};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What one round of a pass did, and what carries out the patches of functions, by their numbers.
pub type Round<M, R = Report> = (Vec<R>, Vec<(usize, <M as FrontEnd>::Written)>);

/// Runs a pass on the functions of a round.
pub(super) fn on_functions<M: FrontEnd>(
    module: &M,
    pass: &'static dyn Pass,
    options: &Options,
    rounds: &Rounds,
) -> Result<Round<M, (usize, Report)>, M::Error> {
    let mut functions = module.functions();
    functions.retain(|&function| rounds.has(function));
    let mut reports: Vec<(usize, Report)> = Vec::new();
    functions.retain(|&function| match runs(module, function, pass, options) {
        Runs::Yes => true,
        Runs::No => false,
        Runs::Refused(why) => {
            let mut search = Search::skipped(why);
            search.plan.item = module.item(function);
            let report = Report::new(pass, module.name(function), module.is_entry(function));
            let search = Some(Box::new(search));
            reports.push((function, Report { search, ..report }));
            false
        }
    });
    let run = Run {
        pass,
        options,
        rounds,
    };
    let (jobs, all) = (options.jobs, functions.clone());
    let results = match pass.crosses_lanes() {
        true => module.each_linked(jobs, all, |module, one, read| run.on(module, one, read))?,
        false => module.each(jobs, all, |module, one| {
            Ok(run.on(module, one, module.reading(one)?))
        })?,
    };
    let mut changed = Vec::new();
    for (function, (mut report, written)) in functions.into_iter().zip(results) {
        to_input(module, &mut report);
        reports.push((function, report));
        changed.extend(written.map(|written| (function, written)));
    }
    reports.sort_by_key(|(function, _)| *function);
    Ok((reports, changed))
}

/// Places of the text that a pass has read, as places of the input.
fn to_input<M: FrontEnd>(module: &M, report: &mut Report) {
    let Some(origins) = module.origins() else {
        return;
    };
    for remark in &mut report.remarks {
        remark.descent = origins.origin(remark.place.at).1;
    }
    for place in report.places_mut().filter(|place| place.line > 0) {
        place.at = origins.before(place.at);
        place.line = module.input_line(place.at);
    }
}

/// Whether a pass runs on a function.
enum Runs {
    Yes,
    /// There is nothing to report.
    No,
    Refused(Refusal),
}

fn runs<M: FrontEnd>(module: &M, function: usize, pass: &dyn Pass, options: &Options) -> Runs {
    let name = module.name(function);
    let options = &options.of_function(name, module.target(function, options));
    if !options.kernels.has(name) {
        return Runs::No;
    }
    let is_chosen = options.passes.has(pass);
    if pass.crosses_lanes() {
        let off = || (!is_chosen).then(|| Refusal::new(&refusal::limit::PASS));
        let done = options.rewritten(name).or_else(off);
        let why = done.or_else(|| module.refusal(function, options));
        return why.map_or(Runs::Yes, Runs::Refused);
    }
    let arithmetic = pass.is_arithmetic() && !options.arithmetic.has(name);
    let places = options.places(name, pass.name());
    let nothing = places.is_some_and(|places| places.is_empty());
    match arithmetic || !is_chosen || nothing || !module.may_change(function) {
        true => Runs::No,
        false => Runs::Yes,
    }
}

/// A report, and what carries out the patch of the function.
type Written<M> = (Report, Option<<M as FrontEnd>::Written>);

/// A round of a pass.
struct Run<'r> {
    pass: &'static dyn Pass,
    options: &'r Options,
    rounds: &'r Rounds,
}

impl Run<'_> {
    /// Runs the pass on one function as the text has it.
    fn on<'m, M: FrontEnd>(
        &self,
        module: &'m M,
        function: usize,
        reading: M::Reading<'m>,
    ) -> Written<M> {
        let Run {
            pass,
            options,
            rounds,
        } = *self;
        let name = module.name(function);
        let architecture = module.target(function, options);
        let options = &options.of_function(name, architecture);
        let (body, results) = (reading.function(), reading.results());
        if body.insts.len() > options.synthesis.limits.instructions && !pass.crosses_lanes() {
            return (Report::new(pass, name, module.is_entry(function)), None);
        }
        let limited_to = options.places(name, pass.name()).map(|places| {
            let origin = |statement| Some(module.place(function, statement)?.0);
            limit::statements(body, &places, origin)
        });
        let (mut report, written) = {
            let text = module.text_of(&reading);
            let target = module.patch_target(function, architecture);
            let memory = options.memory_of(name);
            let session = Session::new(body, results, &text, target, limits(options), memory)
                .certified(options.synthesis.certificates)
                .saturated(options.saturation)
                .across_lanes(&options.synthesis, reading.facts())
                .with_more_rounds(!rounds.is_last(function))
                .with_limit(limited_to.as_ref());
            run_on(pass, &session, options.keep_going, |verified| {
                let mut run = options.clone();
                if module.refusal(function, options).is_some() {
                    run.to_mut().passes.leave_out(|name| name == Shuffle.name());
                }
                let mark = module.mark(function).with_passes(&run, name);
                module.write(function, &text, verified, (pass, mark), options)
            })
        };
        if let Some(search) = &mut report.search {
            search.plan.item = module.item(function);
        }
        // No pass comes after: a report that needs the function reads it again.
        if written.is_none() && !pass.crosses_lanes() {
            module.keep(function, reading);
        }
        (report, written)
    }
}

/// What a pass may spend on a function, under these options.
pub fn limits(options: &Options) -> Limits {
    Limits {
        terms: options.synthesis.limits.terms,
        solver: options.solver,
    }
}

/// The message of a caught panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("panic").to_string()
}

/// Runs a pass on one function, up to what a back end makes of the verified patch. Whatever goes wrong, nothing is made, and the
/// report says why. A panic is caught if `keep_going`.
fn run_on<W>(
    pass: &dyn Pass,
    session: &Session,
    keep_going: bool,
    write: impl FnOnce(&Verified) -> Result<W, String>,
) -> (Report, Option<W>) {
    let function = session.function;
    let mut report = Report::new(pass, &function.name, function.entry);
    report.loads = session.memory.loads;
    let work = || {
        let rewrite = pass.run(session);
        if !rewrite.patch.is_empty() {
            // The function will be another one: the writer gets the memory.
            session.forget_emulation();
        }
        let written = match (&rewrite.fault, rewrite.patch.is_empty()) {
            (Some(fault), _) => Err(Refused::Fault(fault.clone())),
            (None, true) => Ok(None),
            // The search asks the text before it plans a shuffle: one that cannot be written is an internal error.
            (None, false) => written(function, &rewrite, write)
                .map_err(|why| match why {
                    Refused::Text(why) if pass.crosses_lanes() => Refused::Fault(why),
                    why => why,
                })
                .map(Some),
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
            if pass.crosses_lanes() {
                let fault = Refusal::new(&refusal::limit::FAULT);
                report.search = Some(Box::new(Search::skipped(fault)));
            }
            return (report, None);
        }
    };
    let site = |at: InstId| session.text.site(function.inst(at).origin);
    let place = |at: InstId| session.text.place(function.inst(at).origin);
    let remarks = rewrite.remarks.into_iter();
    let remarks = remarks.map(|one| Remark {
        place: place(one.at),
        fate: one.fate,
        undone: None,
        what: one.what,
        with: one.with.map(place),
        lift: one.lift,
        descent: Descent::Kept,
        load: one.load,
    });
    report.remarks = remarks.collect();
    let claims = rewrite.claims.into_iter();
    let claims = claims.map(|one| Claim {
        site: site(one.at),
        condition: one.condition,
        evidence: one.evidence,
    });
    report.claims = claims.collect();
    report.obligations = rewrite.obligations;
    report.again = rewrite.again;
    report.waits_for_none = rewrite.waits_for_none;
    report.least = rewrite.least;
    report.tested = rewrite.tested;
    report.search = rewrite.search;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Module;

    const KERNEL: &[u8] = b".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n";

    struct Panics;
    impl Pass for Panics {
        fn name(&self) -> &'static str {
            "shuffle"
        }
        fn crosses_lanes(&self) -> bool {
            true
        }
        fn run(&self, session: &Session) -> Rewrite {
            panic!("in {}", session.function.name)
        }
    }

    #[test]
    fn a_kernel_whose_analysis_panics_is_left_alone() {
        let module = Module::read(KERNEL, 1).expect("a module");
        let options = Options {
            keep_going: true,
            ..Options::of_passes(&[&Panics])
        };
        let (reports, changed) =
            on_functions(&module, &Panics, &options, &Rounds::default()).expect("a round");
        let [(0, report)] = &reports[..] else {
            panic!("{reports:?}");
        };
        assert_eq!(report.fault(), Some("in k"));
        let skipped = report.search.as_ref().and_then(|one| one.skipped.as_ref());
        assert_eq!(
            skipped.map(|why| why.reason.code),
            Some(refusal::limit::FAULT.code)
        );
        assert!(changed.is_empty());
    }
}
