//! The passes over the SSA IR, one after the other, on a module that each hands on to the next ([`FrontEnd`]).

pub(in crate::pipeline) mod report;
mod rounds;
mod run;

pub use report::{
    Claim, Refused, Remark, Report, Reversions, Reverted, Stepped, Tried, least, settled_options,
    take_back, wait_for_none,
};
pub use rounds::MAX_ROUNDS;
pub use run::{Round, limits, panic_message};

use super::accesses::InputFunction;
use super::front_end::FrontEnd;
use super::module::Module;
use super::{Error, Options};
use ptxasw_passes::Pass;
use ptxasw_passes::shuffle::Shuffle;
use report::merged;
use rounds::Rounds;
use run::on_functions;

/// A module after its passes.
pub struct Passed<M: FrontEnd> {
    /// The module as those within lanes left it.
    pub module: M,
    /// What each pass did to each function about which it has something to report.
    pub reports: Vec<Report>,
    /// What the one across lanes changes, by the numbers of the functions: it is not part of the module yet.
    pub pending: Vec<(usize, M::Written)>,
    /// The IR of the chosen functions after the pass of [`Options::print_after`].
    pub printed: String,
}

/// Runs the passes within lanes that the options choose on a text of PTX.
///
/// # Errors
/// The text is not PTX, or a body does not make sense.
pub fn run<'t>(text: &'t [u8], options: &Options) -> Result<Passed<Module<'t>>, Error> {
    run_in(Module::read(text, options.jobs)?, options)
}

/// Runs the passes within lanes that the options choose on a module.
///
/// # Errors
/// A body does not make sense.
pub fn run_in<M: FrontEnd>(module: M, options: &Options) -> Result<Passed<M>, M::Error> {
    let options = &module.marked(options).into_owned();
    let mut passed = Passed {
        module,
        reports: Vec::new(),
        pending: Vec::new(),
        printed: String::new(),
    };
    for pass in options.within_lanes() {
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
        let mut sources = module.sources();
        let accesses = chosen.map(|function| {
            let accesses = module.input_accesses()[function].get();
            InputFunction {
                name: module.name(function).into(),
                entry: module.is_entry(function),
                source: sources.remove(&function),
                is_read: accesses.is_some(),
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
        take_back: impl FnOnce(&mut [Report]) -> Stepped,
        options: &Options,
    ) -> Result<Self, M::Error> {
        debug_assert!(
            self.pending.is_empty(),
            "it goes back before lanes are crossed"
        );
        let mut reports = self.reports.clone();
        let stepped = take_back(&mut reports);
        let again = self.under(&settled_options(&reports, options))?;
        Ok(Passed {
            reports: merged(reports, again.reports, &stepped),
            printed: self.printed.clone(),
            ..again
        })
    }

    /// The passes once more, without all that they did to some functions.
    ///
    /// # Errors
    /// As for [`Self::again`].
    pub fn reverted(
        &self,
        back: &[(String, Reverted)],
        options: &Options,
    ) -> Result<Self, M::Error> {
        let revert = |reports: &mut [Report]| {
            report::revert(reports, back);
            Stepped::default()
        };
        self.again(revert, options)
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
        let (mut reports, changed) = on_functions(&self.module, pass, options, rounds)?;
        if !changed.is_empty() {
            self.module.check_all(options.jobs)?;
        }
        self.change(changed, &mut reports, options.jobs);
        Ok(rounds.add(reports))
    }

    /// Runs the pass across lanes on what all others have left ([`across_lanes`]). What it changes is pending then.
    ///
    /// # Errors
    /// A body does not make sense.
    pub fn run_across_lanes(&mut self, options: &Options) -> Result<(), M::Error> {
        let (reports, changed) = across_lanes(&self.module, options)?;
        self.reports.extend(reports);
        self.pending = changed;
        Ok(())
    }

    /// The functions for which something is pending, each with whether it is a kernel.
    pub fn pending(&self) -> impl Iterator<Item = (&str, bool)> {
        let functions = self.pending.iter().map(|(function, _)| *function);
        functions.map(|one| (self.module.name(one), self.module.is_entry(one)))
    }

    /// Drops what is pending for some functions.
    pub fn drop_pending(&mut self, back: &[(String, Reverted)]) {
        let is_back = |name: &str| back.iter().any(|(one, _)| one == name);
        let module = &self.module;
        self.pending
            .retain(|(function, _)| !is_back(module.name(*function)));
        report::revert_search(&mut self.reports, back);
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
}

/// Runs the pass across lanes on a module that all others have left: what it did, and what it changes.
///
/// # Errors
/// A body does not make sense.
pub fn across_lanes<M: FrontEnd>(module: &M, options: &Options) -> Result<Round<M>, M::Error> {
    let options = &module.marked(options);
    let (reports, changed) = on_functions(module, &Shuffle, options, &Rounds::default())?;
    let reports = reports.into_iter().map(|(_, report)| report);
    let reports = reports.filter(|one| one.search.is_some() || !one.is_empty());
    Ok((reports.collect(), changed))
}
