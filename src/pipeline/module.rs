//! A module of PTX between two stages: its text, what was parsed of it, and what is known of its functions.

use super::lines::Lines;
use crate::emulator::Results;
use crate::ir::analyses::Analyses;
use crate::ir::function::Function;
use crate::ptx;
use crate::ptx::ast;
use crate::ptx::calls::Body;
use crate::ptx::decode::{self, DecodeError, form};
use crate::ptx::error::SyntaxError;
use crate::ptx::lower as ssa_form;
use crate::ptx::text::edit::{self, Shifts};
use crate::ptx::write::{self, Written};
use crate::support::threads;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Instructions of all readings that wait for the next stage together. What finds no room is read once more when it is asked for, so
/// that a large module takes no more memory than one of its functions does.
const ROOM: usize = 1 << 16;

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

    /// Dominators, loops, divergence.
    pub fn analyses(&self) -> &Analyses {
        self.results.analyses(self.function())
    }

    fn size(&self) -> usize {
        self.function().insts.len()
    }
}

/// A module, of which each function is read when first asked for, and again when it has changed.
pub struct Module<'t> {
    input: &'t [u8],
    tree: ast::Module<'t>,
    headers: form::Module,
    /// By the number of the function.
    readings: Vec<Mutex<Option<Reading>>>,
    /// What is left of [`ROOM`].
    room: AtomicUsize,
}

impl<'t> Module<'t> {
    /// Parses a text, on so many threads; 0 for as many as there are processors.
    ///
    /// # Errors
    /// The text is not PTX.
    pub fn read(input: &'t [u8], jobs: usize) -> Result<Self, SyntaxError> {
        Ok(Module::of_tree(input, ptx::parse_on(input, jobs)?))
    }

    /// Of a text that was parsed before.
    pub fn of_tree(input: &'t [u8], tree: ast::Module<'t>) -> Self {
        let headers = decode::headers(&tree);
        let readings = headers.functions.iter().map(|_| Mutex::default());
        Module {
            input,
            readings: readings.collect(),
            tree,
            headers,
            room: AtomicUsize::new(ROOM),
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

    /// What was parsed of the text as it is now.
    pub fn tree(&self) -> &ast::Module<'t> {
        &self.tree
    }

    /// The same, when no stage follows.
    pub fn into_tree(self) -> ast::Module<'t> {
        self.tree
    }

    /// All but the bodies.
    pub fn headers(&self) -> &form::Module {
        &self.headers
    }

    /// The functions with a body.
    pub fn defined(&self) -> Vec<usize> {
        let functions = self.headers.functions.iter().enumerate();
        let defined = functions.filter(|(_, function)| function.defined);
        defined.map(|(index, _)| index).collect()
    }

    /// About how much work a function is: the length of its text.
    pub fn size(&self, index: usize) -> usize {
        let function = self.tree.function(self.headers.functions[index].item);
        function.map_or(0, |function| function.span.range().len())
    }

    /// Takes what is known of a function; nothing is known of what it calls.
    ///
    /// # Errors
    /// If the body does not make sense.
    pub fn reading(&self, index: usize) -> Result<Reading, DecodeError> {
        let kept = self.place(index).and_then(|mut place| place.take());
        match kept {
            Some(reading) => {
                self.room.fetch_add(reading.size(), Ordering::Relaxed);
                Ok(reading)
            }
            None => Reading::read(&self.tree, &self.headers, index),
        }
    }

    /// Whether a body makes sense.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, index: usize) -> Result<(), DecodeError> {
        let is_read = self.place(index).is_some_and(|place| place.is_some());
        match is_read {
            true => Ok(()),
            false => decode::body(&self.tree, &self.headers, index).map(|_| ()),
        }
    }

    /// Gives back what was taken, for the next stage.
    pub fn keep(&self, index: usize, reading: Reading) {
        let size = reading.size();
        let left = |room: usize| room.checked_sub(size);
        let room = &self.room;
        if let Some(mut place) = self.place(index)
            && room
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
                .is_ok()
        {
            *place = Some(reading);
        }
    }

    /// Where the reading of a function is kept.
    fn place(&self, index: usize) -> Option<MutexGuard<'_, Option<Reading>>> {
        let place = self.readings.get(index)?;
        // Nothing panics while it is locked.
        Some(place.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes functions, by their numbers, and reads these again: where the new text can't be read, nothing is changed. The lines of the
    /// new text as lines of the old one; none if they are the same.
    ///
    /// # Errors
    /// The functions that can't be read, and why.
    pub(super) fn apply(
        &mut self,
        changed: &[(usize, Written)],
        jobs: usize,
    ) -> Result<Option<Lines>, Vec<(usize, String)>> {
        let edits = write::together(&self.tree, changed.iter().map(|(_, written)| written));
        if edits.is_empty() {
            return Ok(None);
        }
        let of_all = |error: &dyn ToString| {
            let error = error.to_string();
            changed
                .iter()
                .map(|(index, _)| (*index, error.clone()))
                .collect::<Vec<_>>()
        };
        let text = edit::apply(self.text(), &edits).map_err(|error| of_all(&error))?;
        let lines = Lines::after_edits(self.text(), &edits);
        let (before, tree) = std::mem::take(&mut self.tree).take_text();
        let again = ptx::parse_again(tree, text, &edits);
        let again = again.map_err(|error| of_all(&error)).and_then(|tree| {
            let headers = decode::headers(&tree);
            let readings = read_again(&tree, &headers, changed, jobs)?;
            Ok((tree, headers, readings))
        });
        match again {
            Ok((tree, headers, readings)) => {
                (self.tree, self.headers) = (tree, headers);
                self.shift(&Shifts::new(&edits));
                for (index, reading) in readings {
                    self.keep(index, reading);
                }
                Ok(Some(lines))
            }
            Err(errors) => {
                // It was parsed before.
                self.tree = ptx::parse_owned(before).unwrap_or_default();
                Err(errors)
            }
        }
    }

    /// Moves what is known of functions that did not change.
    fn shift(&mut self, shifts: &Shifts) {
        let places = self.readings.iter_mut();
        let readings = places.filter_map(|one| {
            one.get_mut()
                .unwrap_or_else(PoisonError::into_inner)
                .as_mut()
        });
        for reading in readings {
            for instruction in &mut reading.body.form.instructions {
                instruction.span = shifts.span(instruction.span);
            }
        }
    }
}

/// Reads functions that have changed.
fn read_again(
    tree: &ast::Module,
    headers: &form::Module,
    changed: &[(usize, Written)],
    jobs: usize,
) -> Result<Vec<(usize, Reading)>, Vec<(usize, String)>> {
    let indices: Vec<usize> = changed.iter().map(|(index, _)| *index).collect();
    let size = |&index: &usize| {
        let function = tree.function(headers.functions[index].item);
        function.map_or(0, |function| function.span.range().len())
    };
    let read = |index| (index, Reading::read(tree, headers, index));
    let (mut good, mut errors) = (Vec::new(), Vec::new());
    for (index, result) in threads::each(jobs, indices, size, read) {
        match result {
            Ok(reading) => good.push((index, reading)),
            Err(error) => errors.push((index, error.to_string())),
        }
    }
    if errors.is_empty() {
        Ok(good)
    } else {
        Err(errors)
    }
}
