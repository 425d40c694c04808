//! A module of LLVM IR as a front end of the driver: as it came, as the passes left it, and what is known of its functions.
//!
//! Everything is done to copies. The module itself changes at last, when it is decided what stays ([`Module::commit`]).

use crate::binding::Binding;
use crate::carry_out::{Patched, patch_target, valid, write_patches};
use crate::kernels::{self, Entry};
use crate::linkage;
use crate::lower::{self, Lowered};
use crate::mark;
use crate::origins::StatementOrigins;
use crate::outputs::{self, Kind};
use crate::read;
use crate::target;
use crate::text::{Text, printed_name};
use crate::view::View;
use crate::view::layout::Layout;
use crate::write::FunctionText;
use inkwell::module::Module as LlvmModule;
use ptxasw_driver::pipeline::Options;
use ptxasw_driver::pipeline::ssa::Refused;
use ptxasw_driver::pipeline::{FrontEnd, InputAccess, Kept, Mark, Origins, ReadFunction};
use ptxasw_driver::report::positions::SourcePosition;
use ptxasw_emulator::Results;
use ptxasw_ir::function::Function;
use ptxasw_ir::module::Fact;
use ptxasw_ir::patch::{Patch, Target, Verified};
use ptxasw_passes::Pass;
use ptxasw_passes::shuffle::refusal::Refusal;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// An internal error, or that of a tool.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A patch does not fit, or its text can't express it.
    #[error("internal error: {0}")]
    Unwritten(String),
    /// LLVM finds the result invalid.
    #[error("internal error: the rewritten module is invalid: {0}")]
    Invalid(String),
    /// Nothing could be compared.
    #[error("it cannot be compared with its original: {0}")]
    Uncompared(Box<ptxasw_driver::Error<Error>>),
    /// LLVM 15 or 16, by an option.
    #[error("{}", read::TYPED_POINTERS)]
    TypedPointers,
    /// No PTX can be made of it.
    #[error(transparent)]
    Output(#[from] outputs::Error),
}

impl From<ptxasw_driver::Error<Error>> for Error {
    fn from(error: ptxasw_driver::Error<Error>) -> Self {
        match error {
            ptxasw_driver::Error::FrontEnd(error) => error,
            other => Error::Uncompared(Box::new(other)),
        }
    }
}

/// A module that goes through the stage.
pub struct Module<'a, 'c> {
    /// As it came.
    input: &'a LlvmModule<'c>,
    /// The target in place of the module's own, of the PTX that is made of it: `sm_80`.
    arch: Option<&'a str>,
    /// A copy, which passes change.
    now: LlvmModule<'c>,
    /// What was written into the copy, round by round.
    rounds: Vec<Vec<Patched>>,
    /// The text of the copy.
    pub(crate) text: Text,
    /// The text of the module as it came, if that is another.
    input_text: Option<Text>,
    statements: StatementOrigins,
    /// Places of the text as places of the module as it came, if that is another.
    origins: Option<Origins>,
    /// The functions of the copy; they are only handed out for a borrow of it.
    entries: OnceCell<Vec<Entry<'static>>>,
    /// What was computed of functions that no pass changed.
    results: Kept<Results>,
    accesses: Vec<OnceLock<Vec<InputAccess>>>,
    /// The number of the target that its functions are compiled for, as far as they say.
    compiled_for: Option<u32>,
    /// Why that target, or the one in place of it, rules out shuffles.
    unsupported: OnceCell<Option<Refusal>>,
}

impl<'a, 'c> Module<'a, 'c> {
    /// Of a module that nobody changes in the meantime. `arch` is the target in place of its own, of the PTX that is made of it.
    ///
    /// # Errors
    /// Its pointers have types.
    pub fn new(input: &'a LlvmModule<'c>, arch: Option<&'a str>) -> Result<Self, Error> {
        let view = View::new(input);
        if view.has_typed_pointers() {
            return Err(Error::TypedPointers);
        }
        let functions = kernels::functions(view).len();
        let text = Text::new(view);
        Ok(Module {
            input,
            arch,
            now: input.clone(),
            rounds: Vec::new(),
            statements: StatementOrigins::new(&text),
            text,
            input_text: None,
            origins: None,
            entries: OnceCell::new(),
            results: Kept::new(functions),
            accesses: vec![OnceLock::new(); functions],
            compiled_for: target::compiled_for(view.functions()),
            unsupported: OnceCell::new(),
        })
    }

    fn view(&self) -> View<'_> {
        View::new(&self.now)
    }

    /// The functions with a body, as they are now.
    pub(crate) fn entries<'m>(&'m self) -> &'m [Entry<'m>] {
        self.entries.get_or_init(|| {
            let entries: Vec<Entry<'m>> = kernels::functions(self.view());
            // SAFETY: they are dropped when the copy is another one, and never given out for longer than it is borrowed.
            unsafe { std::mem::transmute::<Vec<Entry<'m>>, Vec<Entry<'static>>>(entries) }
        })
    }

    /// The text of the module as it came.
    pub fn input_text(&self) -> &Text {
        self.input_text.as_ref().unwrap_or(&self.text)
    }

    /// A copy of the module as it is now, with what is pending, which LLVM finds valid.
    fn carried_out(&self, pending: &[Patched]) -> Result<LlvmModule<'c>, Error> {
        let copy = self.now.clone();
        written(&copy, pending)?;
        valid(&copy).map_err(Error::Invalid)?;
        Ok(copy)
    }

    /// Changes the module that came: it becomes what the passes have left, with what is pending.
    ///
    /// # Errors
    /// What is pending does not fit: the module is as it was. Or what was written into the copy can't be written here: a part of it
    /// may have changed.
    pub fn commit(&self, pending: &[Patched]) -> Result<(), Error> {
        if !pending.is_empty() {
            drop(self.carried_out(pending)?);
        }
        let mut rounds = self.rounds.iter().map(Vec::as_slice).chain([pending]);
        rounds.try_for_each(|patches| written(self.input, patches))
    }
}

/// Carries out patches that fit: an error is an internal one.
fn written(module: &LlvmModule, patches: &[Patched]) -> Result<(), Error> {
    let written = write_patches(module, patches, None);
    written.map_err(|errors| Error::Unwritten(errors[0].1.to_string()))
}

/// A function that was read.
pub struct Reading<'m> {
    lowered: Lowered<'m>,
    results: Results,
    facts: Vec<Fact>,
}

impl ReadFunction for Reading<'_> {
    fn function(&self) -> &Function {
        &self.lowered.function
    }

    fn results(&self) -> &Results {
        &self.results
    }

    fn facts(&self) -> &[Fact] {
        &self.facts
    }
}

impl<'a, 'c> FrontEnd for Module<'a, 'c> {
    type Error = Error;
    type Unreadable = Infallible;
    type Reading<'m>
        = Reading<'m>
    where
        Self: 'm;
    type Text<'r>
        = FunctionText<'r, 'r>
    where
        Self: 'r;
    type Written = (Patch, Mark);

    fn marked<'o>(&self, options: &'o Options) -> Cow<'o, Options> {
        mark::of_input(self.view(), options)
    }

    fn as_it_came(&self, _: usize) -> Result<Self, Error> {
        Module::new(self.input, self.arch)
    }

    fn as_ptx(&self, pending: &[Patched]) -> Result<Cow<'_, [u8]>, Error> {
        let copy = match pending {
            [] => None,
            _ => Some(self.carried_out(pending)?),
        };
        let module = copy.as_ref().unwrap_or(&self.now);
        Ok(outputs::write(module, Kind::Ptx, self.arch)?.into())
    }

    fn text(&self) -> &[u8] {
        self.text.text.as_bytes()
    }

    fn origins(&self) -> Option<&Origins> {
        self.origins.as_ref()
    }

    fn input_line(&self, at: u32) -> u32 {
        self.input_text().line(at)
    }

    fn input_accesses(&self) -> &[OnceLock<Vec<InputAccess>>] {
        &self.accesses
    }

    fn print(&self, options: &Options) -> Result<String, Error> {
        let mut out = String::new();
        for entry in self.entries() {
            if options.kernels.has(&entry.name) {
                let _ = write!(out, "{}", lower::lower(self.view(), entry).function);
            }
        }
        Ok(out)
    }

    fn functions(&self) -> Vec<usize> {
        (0..self.accesses.len()).collect()
    }

    fn name(&self, function: usize) -> &str {
        &self.entries()[function].name
    }

    fn sources(&self) -> FxHashMap<usize, SourcePosition> {
        let entries = self.entries().iter().enumerate();
        let placed = entries.map(|(number, entry)| (number, entry.function.function_line()));
        placed
            .filter_map(|(number, line)| Some((number, line?)))
            .collect()
    }

    fn is_entry(&self, function: usize) -> bool {
        self.entries()[function].kernel
    }

    fn item(&self, function: usize) -> u32 {
        function as u32
    }

    fn target(&self, _: usize, options: &Options) -> Option<u32> {
        options.arch.or(self.compiled_for)
    }

    fn statement(&self, function: usize, statement: u32) -> Option<u32> {
        let name = printed_name(self.name(function));
        Some(self.text.span(&name, statement)?.start)
    }

    fn reading(&self, function: usize) -> Result<Reading<'_>, Infallible> {
        let lowered = lower::lower(self.view(), &self.entries()[function]);
        self.note_accesses(function, &lowered.function);
        Ok(Reading {
            lowered,
            results: self.results.take(function).unwrap_or_default(),
            facts: Vec::new(),
        })
    }

    /// What was lowered leads to values of LLVM's, which are others after the next change.
    fn keep(&self, function: usize, reading: Reading<'_>) {
        let results = reading.results;
        self.results.keep(function, results.bytes(), results);
    }

    fn text_of<'r, 'm: 'r>(&'m self, reading: &'r Reading<'m>) -> FunctionText<'r, 'r> {
        let view = self.view();
        let binding = Binding::new(&reading.lowered, Layout::new(view), &self.text);
        FunctionText::new(view, &reading.lowered, binding)
    }

    /// A context of LLVM's is for one thread.
    fn each<T: Send>(
        &self,
        _: usize,
        functions: Vec<usize>,
        work: impl Fn(&Self, usize) -> Result<T, Infallible> + Sync,
    ) -> Result<Vec<T>, Error> {
        let results = functions.into_iter().map(|function| {
            let Ok(result) = work(self, function);
            result
        });
        Ok(results.collect())
    }

    fn may_change(&self, function: usize) -> bool {
        target::untouchable(self.entries()[function].function).is_none()
    }

    fn patch_target(&self, _: usize, architecture: Option<u32>) -> Target {
        patch_target(architecture)
    }

    fn mark(&self, function: usize) -> Mark {
        mark::of(self.entries()[function].function).unwrap_or_default()
    }

    /// Whether LLVM has a form for it shows when it is written into a copy.
    fn write(
        &self,
        _: usize,
        _: &FunctionText<'_, '_>,
        verified: &Verified,
        (_, mark): (&dyn Pass, Mark),
        _: &Options,
    ) -> Result<(Patch, Mark), String> {
        Ok((verified.patch().clone(), mark))
    }

    fn change(&mut self, patches: &[Patched], _: usize) -> Result<(), Vec<(usize, Refused)>> {
        let copy = self.now.clone();
        let mut statements = self.statements.clone();
        write_patches(&copy, patches, Some(&mut statements))?;
        valid(&copy).map_err(|why| {
            let fault = Refused::Fault(format!("the rewritten module is invalid: {why}"));
            let all = patches
                .iter()
                .map(|(function, _)| (*function, fault.clone()));
            all.collect::<Vec<_>>()
        })?;
        let text = std::mem::replace(&mut self.text, Text::new(View::new(&copy)));
        self.input_text.get_or_insert(text);
        self.origins = Some(statements.of(&self.text));
        self.entries = OnceCell::new();
        (self.now, self.statements) = (copy, statements);
        self.rounds.push(patches.to_vec());
        Ok(())
    }

    fn each_linked<T: Send>(
        &self,
        _: usize,
        functions: Vec<usize>,
        work: impl for<'m> Fn(&'m Self, usize, Reading<'m>) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        let (view, entries) = (self.view(), self.entries());
        let bodies = entries.iter().map(|entry| lower::lower(view, entry));
        let mut bodies: Vec<Lowered> = bodies.collect();
        let facts = linkage::link(view, entries, &mut bodies);
        let all = entries.iter().zip(bodies).zip(facts).enumerate();
        let results = all.filter_map(|(function, ((entry, lowered), facts))| {
            self.note_accesses(function, &lowered.function);
            functions.binary_search(&function).ok()?;
            let results = self.results.take(function);
            let results = results.filter(|_| linkage::is_alone(entry, &lowered));
            let reading = Reading {
                lowered,
                results: results.unwrap_or_default(),
                facts,
            };
            Some(work(self, function, reading))
        });
        Ok(results.collect())
    }

    fn refusal(&self, function: usize, options: &Options) -> Option<Refusal> {
        let untouchable = target::untouchable(self.entries()[function].function);
        untouchable.or_else(|| {
            let why = || target::unsupported(self.view().functions(), options.arch);
            self.unsupported.get_or_init(why).clone()
        })
    }
}
