//! PTX as a front end: all that the pipeline does to PTX in its own way.

use super::accesses::InputAccess;
use super::front_end::{FrontEnd, ReadFunction};
use super::mark::Mark;
use super::module::{Module, Reading};
use super::origins::Origins;
use super::ssa::Refused;
use super::{Error, Options, eligibility};
use crate::report::positions::{self, SourceFiles, SourcePosition};
use ptxasw_base::lines::LineIndex;
use ptxasw_base::threads;
use ptxasw_emulator::Results;
use ptxasw_ir::function::Function;
use ptxasw_ir::module::Fact;
use ptxasw_ir::module::graph::calls as calls_of;
use ptxasw_ir::patch::{Target, Verified};
use ptxasw_passes::Pass;
use ptxasw_passes::shuffle::refusal::Refusal;
use ptxasw_ptx::calls::{self, Body};
use ptxasw_ptx::decode::{DecodeError, DecodeErrors, unknown_word};
use ptxasw_ptx::text::edit;
use ptxasw_ptx::write::{self, Signature, Stem, View, Written};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

impl ReadFunction for Reading {
    fn function(&self) -> &Function {
        &self.body.lowered.function
    }

    fn results(&self) -> &Results {
        &self.results
    }

    fn facts(&self) -> &[Fact] {
        &self.body.facts
    }
}

impl<'t> FrontEnd for Module<'t> {
    type Error = Error;
    type Unreadable = DecodeError;
    type Reading<'m>
        = Reading
    where
        Self: 'm;
    type Text<'r>
        = View<'r>
    where
        Self: 'r;
    type Written = Written;

    fn marked<'o>(&self, options: &'o Options) -> Cow<'o, Options> {
        options.of_module(self.tree())
    }

    fn as_it_came(&self, jobs: usize) -> Result<Self, Error> {
        Ok(Module::read(self.input(), jobs)?)
    }

    fn as_ptx(&self, pending: &[(usize, Written)]) -> Result<Cow<'_, [u8]>, Error> {
        Ok(match pending {
            [] => self.text().into(),
            _ => edit::apply(self.text(), &super::edits(self, pending))?.into(),
        })
    }

    fn text(&self) -> &[u8] {
        self.text()
    }

    fn origins(&self) -> Option<&Origins> {
        self.origins()
    }

    fn input_line(&self, at: u32) -> u32 {
        self.lines
            .get_or_init(|| LineIndex::new(self.input()))
            .line(at)
    }

    fn input_accesses(&self) -> &[OnceLock<Vec<InputAccess>>] {
        &self.accesses
    }

    fn print(&self, options: &Options) -> Result<String, Error> {
        let mut out = String::new();
        for reading in read_all(self)? {
            let function = reading.function();
            if options.kernels.has(&function.name) {
                let _ = write!(out, "{function}");
            }
        }
        Ok(out)
    }

    fn functions(&self) -> Vec<usize> {
        let functions = self.headers().functions.iter().enumerate();
        let defined = functions.filter(|(_, function)| function.defined);
        defined.map(|(index, _)| index).collect()
    }

    fn name(&self, function: usize) -> &str {
        &self.header(function).name
    }

    fn sources(&self) -> FxHashMap<usize, SourcePosition> {
        let tree = self.tree();
        let files = SourceFiles::of(tree);
        let first = |function: usize| {
            let body = tree.function(self.item(function))?.body.as_ref()?;
            Some((function, files.position(positions::first(body)?)))
        };
        self.functions().into_iter().filter_map(first).collect()
    }

    fn is_entry(&self, function: usize) -> bool {
        self.header(function).entry
    }

    fn item(&self, function: usize) -> u32 {
        self.header(function).item
    }

    fn target(&self, function: usize, options: &Options) -> Option<u32> {
        let unit = self.unit(function);
        options.arch.or(unit.map(|unit| unit.target.sm))
    }

    fn statement(&self, function: usize, statement: u32) -> Option<u32> {
        let function = self.tree().function(self.header(function).item)?;
        let statements = &function.body.as_ref()?.statements;
        Some(statements.get(statement as usize)?.span.start)
    }

    fn reading(&self, function: usize) -> Result<Reading, DecodeError> {
        match self.readings.take(function) {
            Some(reading) => Ok(reading),
            None => {
                let reading = Reading::read(self.tree(), self.headers(), function)?;
                self.sound[function].store(true, Ordering::Relaxed);
                self.note_accesses(function, reading.function());
                Ok(reading)
            }
        }
    }

    fn keep(&self, function: usize, reading: Reading) {
        self.readings.keep(function, reading.bytes(), reading);
    }

    fn text_of<'r, 'm: 'r>(&'m self, reading: &'r Reading) -> View<'r> {
        View::new(self.tree(), &reading.body.form, &reading.body.lowered)
    }

    fn each<T: Send>(
        &self,
        jobs: usize,
        functions: Vec<usize>,
        work: impl Fn(&Self, usize) -> Result<T, DecodeError> + Sync,
    ) -> Result<Vec<T>, Error> {
        let size = |&function: &usize| self.size(function);
        let results = threads::each(jobs, functions, size, |function| work(self, function));
        Ok(all(results)?)
    }

    /// What a debugger shows is what the source has; what nobody knows may do anything.
    fn may_change(&self, function: usize) -> bool {
        let debug = self.unit(function).is_some_and(|unit| unit.target.debug);
        !debug && unknown_word(self.tree(), self.header(function).item).is_none()
    }

    fn patch_target(&self, function: usize, architecture: Option<u32>) -> Target {
        Target {
            architecture,
            merges_arms: false,
            bypasses_division: false,
            contracts: true,
            optimizes_scalars: false,
            // By what the module declares: the target of an option may be an older one.
            has_32_bytes: self.unit(function).is_some_and(|unit| {
                unit.target.sm >= 100 && unit.version >= write::VECTORS_OF_32_BYTES
            }),
        }
    }

    fn mark(&self, function: usize) -> Mark {
        let function = self.tree().function(self.header(function).item);
        let mark = function.and_then(|function| Mark::of(self.tree(), function));
        mark.unwrap_or_default()
    }

    fn write(
        &self,
        function: usize,
        text: &View<'_>,
        verified: &Verified,
        (pass, mark): (&dyn Pass, Mark),
        options: &Options,
    ) -> Result<Written, String> {
        let unit = self.unit(function);
        let version = write::needed_version(verified.patch());
        let old = version.filter(|version| unit.is_some_and(|unit| unit.version < *version));
        if let Some((major, minor)) = old.filter(|_| !options.raise_version) {
            return Err(format!("it needs PTX {major}.{minor} (`--raise-version`)"));
        }
        let signature = Signature {
            stem: match pass.crosses_lanes() {
                true => Stem::Shuffle,
                false => Stem::Pass,
            },
            mark: Some(&mark.to_string()),
        };
        let written = write::write(text, verified, signature);
        let mut written = written.map_err(|error| error.to_string())?;
        if pass.crosses_lanes() && !options.edits_apart {
            written.edits = edit::join(self.text(), written.edits);
        }
        Ok(written)
    }

    fn check_all(&self, jobs: usize) -> Result<(), Error> {
        self.each(jobs, self.functions(), Module::check).map(|_| ())
    }

    fn change(
        &mut self,
        changed: &[(usize, Written)],
        jobs: usize,
    ) -> Result<(), Vec<(usize, Refused)>> {
        self.edit(changed, jobs).map_err(|errors| {
            let fault = |error| Refused::Fault(format!("the new text: {error}"));
            let faults = errors.into_iter().map(|(at, error)| (at, fault(error)));
            faults.collect()
        })
    }

    fn each_linked<T: Send>(
        &self,
        jobs: usize,
        functions: Vec<usize>,
        work: impl Fn(&Self, usize, Reading) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let all = self.functions();
        let is_wanted = |function| functions.binary_search(&function).is_ok();
        if all.iter().all(|&function| self.is_entry(function)) {
            let results = self.each(jobs, all, |_, function| match is_wanted(function) {
                true => Ok(Some(work(self, function, self.reading(function)?))),
                false => self.check(function).map(|()| None),
            });
            return Ok(results?.into_iter().flatten().collect());
        }
        let mut readings = linked(self, jobs)?;
        readings.retain(|one| is_wanted(one.body.index));
        let size = |reading: &Reading| self.size(reading.body.index);
        let one = |reading: Reading| work(self, reading.body.index, reading);
        Ok(threads::each(jobs, readings, size, one))
    }

    fn refusal(&self, function: usize, options: &Options) -> Option<Refusal> {
        eligibility::why(self, function, options)
    }
}

/// All functions of a module, completed by what they know of each other.
fn linked(module: &Module, jobs: usize) -> Result<Vec<Reading>, Error> {
    let readings = module.each(jobs, module.functions(), |module, function| {
        module.reading(function)
    })?;
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
pub fn read_all(module: &Module) -> Result<Vec<Reading>, Error> {
    linked(module, 1)
}
