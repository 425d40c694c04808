//! A module of PTX between two stages: its text, what was parsed of it, and what is known of its functions.

use super::accesses::InputAccess;
use super::kept::Kept;
use super::origins::Origins;
use ptxasw_base::lines::LineIndex;
use ptxasw_base::threads;
use ptxasw_emulator::Results;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ptx::ast;
use ptxasw_ptx::calls::Body;
use ptxasw_ptx::decode::{self, DecodeError, form};
use ptxasw_ptx::error::SyntaxError;
use ptxasw_ptx::lower as ssa_form;
use ptxasw_ptx::text::edit::{self, Shifts};
use ptxasw_ptx::write::{self, Written};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that an instruction takes in register form, in SSA form and in analyses, about.
const BYTES_OF_INSTRUCTION: usize = 512;

/// A function as it was read, with all that was computed of it: what passes and the emulation start from.
pub struct Reading {
    /// Register form and SSA.
    pub body: Body,
    /// Analyses and emulation.
    pub results: Results,
}

impl Reading {
    /// Reads a function of a module by itself: nothing is known of what it calls.
    ///
    /// # Errors
    /// If the body does not make sense.
    pub fn read(
        module: &ast::Module,
        headers: &form::Module,
        index: usize,
    ) -> Result<Self, DecodeError> {
        let form = decode::body(module, headers, index)?;
        let lowered = ssa_form::lower(headers, &form).map_err(|error| DecodeError {
            span: form
                .instructions
                .first()
                .map_or_else(Default::default, |instruction| instruction.span),
            message: error.to_string(),
            second: None,
        })?;
        Ok(Reading::new(Body::new(index, form, lowered)))
    }

    pub(super) fn new(body: Body) -> Self {
        Reading {
            body,
            results: Results::default(),
        }
    }

    /// Its SSA form.
    pub fn function(&self) -> &Function {
        &self.body.lowered.function
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.function().insts.len() * BYTES_OF_INSTRUCTION + self.results.bytes()
    }

    /// Dominators, loops, divergence.
    pub fn analyses(&self) -> &Analyses {
        self.results.analyses(self.function())
    }
}

/// A module, of which each function is read when first asked for, and again when it has changed.
pub struct Module<'t> {
    input: &'t [u8],
    tree: ast::Module<'t>,
    headers: form::Module,
    /// By the number of the function.
    pub(super) readings: Kept<Reading>,
    /// Functions that are known to make sense.
    pub(super) sound: Vec<AtomicBool>,
    /// The loads and stores of the functions that were read, as they came.
    pub(super) accesses: Vec<OnceLock<Vec<InputAccess>>>,
    /// Places of the text as places of the input; none if nothing has changed.
    origins: Option<Origins>,
    /// Lines of the input.
    pub(super) lines: OnceLock<LineIndex<'t>>,
}

impl<'t> Module<'t> {
    /// Parses a text, on so many threads; 0 for as many as there are processors.
    ///
    /// # Errors
    /// The text is not PTX.
    pub fn read(input: &'t [u8], jobs: usize) -> Result<Self, SyntaxError> {
        Ok(Module::of_tree(input, ptxasw_ptx::parse_on(input, jobs)?))
    }

    /// Of a text that was parsed before.
    pub fn of_tree(input: &'t [u8], tree: ast::Module<'t>) -> Self {
        let headers = decode::headers(&tree);
        Module {
            input,
            readings: Kept::new(headers.functions.len()),
            sound: headers
                .functions
                .iter()
                .map(|_| AtomicBool::default())
                .collect(),
            accesses: vec![OnceLock::new(); headers.functions.len()],
            origins: None,
            lines: OnceLock::new(),
            tree,
            headers,
        }
    }

    /// The text as it came.
    pub fn input(&self) -> &'t [u8] {
        self.input
    }

    /// The text as it is now.
    pub fn text(&self) -> &[u8] {
        self.tree.text()
    }

    /// All but the body of a function.
    pub(super) fn header(&self, index: usize) -> &form::Function {
        &self.headers.functions[index]
    }

    /// What is declared for a function: its target, its version.
    pub(super) fn unit(&self, index: usize) -> Option<&form::Unit> {
        self.headers.units.get(self.header(index).unit as usize)
    }

    /// What was parsed of the text as it is now.
    pub fn tree(&self) -> &ast::Module<'t> {
        &self.tree
    }

    /// All but the bodies.
    pub fn headers(&self) -> &form::Module {
        &self.headers
    }

    /// About how much work a function is: the length of its text.
    pub fn size(&self, index: usize) -> usize {
        let function = self.tree.function(self.headers.functions[index].item);
        function.map_or(0, |function| function.span.range().len())
    }

    /// Whether a body makes sense.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, index: usize) -> Result<(), DecodeError> {
        let sound = &self.sound[index];
        if !sound.load(Ordering::Relaxed) {
            decode::body(&self.tree, &self.headers, index)?;
            sound.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Places of the text as places of the input; none if nothing has changed.
    pub fn origins(&self) -> Option<&Origins> {
        self.origins.as_ref()
    }

    /// Changes functions, by their numbers, and reads these again: where the new text can't be read, nothing is changed.
    ///
    /// # Errors
    /// The functions that can't be read, and why.
    pub(super) fn edit(
        &mut self,
        changed: &[(usize, Written)],
        jobs: usize,
    ) -> Result<(), Vec<(usize, String)>> {
        let edits = write::together(&self.tree, changed.iter().map(|(_, written)| written));
        if edits.is_empty() {
            return Ok(());
        }
        let of_all = |error: &dyn ToString| {
            let error = error.to_string();
            changed
                .iter()
                .map(|(index, _)| (*index, error.clone()))
                .collect::<Vec<_>>()
        };
        let text = edit::apply(self.text(), &edits).map_err(|error| of_all(&error))?;
        let (before, tree) = std::mem::take(&mut self.tree).take_text();
        let again = ptxasw_ptx::parse_again(tree, text, &edits, jobs);
        let again = again.map_err(|error| of_all(&error)).and_then(|tree| {
            let headers = decode::headers(&tree);
            self.shift(&Shifts::new(&edits));
            let errors = self.read_again(&tree, &headers, changed, jobs);
            match errors.is_empty() {
                true => Ok((tree, headers)),
                false => Err(errors),
            }
        });
        match again {
            Ok(new) => {
                (self.tree, self.headers) = new;
                let origins = Origins::after_edits(&edits);
                self.origins = Some(match self.origins.take() {
                    Some(earlier) => origins.of(&earlier),
                    None => origins,
                });
                Ok(())
            }
            Err(errors) => {
                // It was parsed before.
                self.tree = ptxasw_ptx::parse_owned(before, jobs).unwrap_or_default();
                // What is known is of other places of the text by now.
                self.readings = Kept::new(self.headers.functions.len());
                Err(errors)
            }
        }
    }

    /// Reads functions that have changed; those that can't be read, and why.
    fn read_again(
        &self,
        tree: &ast::Module,
        headers: &form::Module,
        changed: &[(usize, Written)],
        jobs: usize,
    ) -> Vec<(usize, String)> {
        let indices: Vec<usize> = changed.iter().map(|(index, _)| *index).collect();
        let size = |&index: &usize| {
            let function = tree.function(headers.functions[index].item);
            function.map_or(0, |function| function.span.range().len())
        };
        let read = |index| match Reading::read(tree, headers, index) {
            Ok(reading) => {
                self.readings.keep(index, reading.bytes(), reading);
                None
            }
            Err(error) => Some((index, error.to_string())),
        };
        let errors = threads::each(jobs, indices, size, read);
        errors.into_iter().flatten().collect()
    }

    /// Moves what is known of functions that did not change.
    fn shift(&mut self, shifts: &Shifts) {
        for reading in self.readings.iter_mut() {
            for instruction in &mut reading.body.form.instructions {
                instruction.span = shifts.span(instruction.span);
            }
        }
    }
}
