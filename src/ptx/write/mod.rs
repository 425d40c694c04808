//! The PTX writer of a [`Patch`](ptxasw_ir::patch::Patch): edits of the text, and what no edit touches stays byte for byte.
//!
//! Only a [`Verified`] patch is written, and the writer knows no pass but for the stem of its names. New registers are `.bN`: PTX takes them for integers and
//! floats alike.
//!
//! - A value is read in the register that the text has it in, if that holds it for as long as it lives; else a copy is taken after
//!   its definition, in each copy of the code (`values`).
//! - A redirected value is defined after its old statement by a `mov` to its old register, so that no reader changes. What a step
//!   computes for nobody else is computed there at once.
//! - What a guarded load gives to those that don't execute it is put into its register in front of it.
//! - A clone works on the registers of the original: at each exit every value is in the register in which the original reads
//!   it, because both are at the same place of the same text. No phi of the patched function prints anything.
//!
//! `ptxas` removes dead code, schedules and allocates: no new instruction is saved that it would remove.
//!
//! | file | what |
//! | --- | --- |
//! | `gaps` | where a place of the function is in the text |
//! | `view` | what the text has of the function's values |
//! | `values`, `names`, `reads` | what steps read, registers, and who reads what |
//! | `steps`, `opcodes` | steps as lines, and the text of one instruction |
//! | `statements` | statements that are removed, moved, or get a modifier |
//! | `guarded` | loads that fewer threads execute |
//! | `coalesce` | results that are computed in a register of the text |
//! | `places` | all lines of one place, in their order |
//! | `clones`, `tables` | the text of a clone, and its branches by tables |
//! | `clonable` | whether a region can have a second copy |
//! | `headers` | directives and the `.version` |

mod clonable;
mod clones;
mod coalesce;
mod gaps;
mod guarded;
mod headers;
mod names;
mod opcodes;
mod places;
mod reads;
mod statements;
mod steps;
mod tables;
mod values;
mod view;
mod written;

pub use headers::{VECTORS_OF_32_BYTES, needed_version};
pub use view::View;
pub use written::{Written, together};

use crate::ast::{Body, Module, Span};
use crate::text::layout::{Layout, Line};
use crate::text::mark;
use crate::text::registers::{Registers, STEM, STEM_OF_PASSES, free_prefix};
use gaps::Gap;
use places::Timetable;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::patch::{Agenda, CloneId, PatchError, Point, Position, Uncopyable, Verified};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use steps::Code;
use values::Values;

/// With what new names begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stem {
    /// `ptxaswp`: those of any pass.
    Pass,
    /// `ptxasw`: those of the shuffles.
    Shuffle,
}

impl Stem {
    const fn text(self) -> &'static str {
        match self {
            Stem::Pass => STEM_OF_PASSES,
            Stem::Shuffle => STEM,
        }
    }
}

/// By what a body shows that we made it.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// New names begin with it.
    pub stem: Stem,
    /// What the line of the body says by which it is recognised; without one no line is written.
    pub mark: Option<&'a str>,
}

/// Why a patch is not written. The text is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The function has no body in this module.
    #[error("the function has no body")]
    NoBody,
    /// The patch is not of this function.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// No register holds a value, and nothing computes it anew.
    #[error("no register holds {0}")]
    Unreadable(Value),
    /// A value that is redirected has no register that a name means where it is defined.
    #[error("{0} has no register to be defined in")]
    Unnamed(Value),
    /// A step that has no text.
    #[error("no PTX is written for {0}")]
    Opcode(String),
    /// A place that the text does not have.
    #[error("the text has no place {0:?}")]
    Place(Point),
    /// A statement can't be changed as the patch says.
    #[error("the statement of {0} can't be changed so")]
    Statement(InstId),
    /// A statement moves out of the scope of a name.
    #[error("{0} does not mean the same everywhere")]
    Name(String),
    /// A region can't be duplicated in the text.
    #[error(transparent)]
    Uncopyable(#[from] Uncopyable),
    /// The function has the directive or one that excludes it, is no kernel, or the directive would say 0.
    #[error("the function can't have `{0}`")]
    Directive(&'static str),
}

/// Writes a patch of one function.
///
/// # Errors
/// The text can't say what the patch asks for.
pub fn write(
    view: &View,
    verified: &Verified,
    signature: Signature,
) -> Result<Written, WriteError> {
    let (module, form) = (view.binding.module(), view.form);
    let patch = verified.patch();
    let mut written = Written {
        item: form.item,
        ..Written::default()
    };
    if patch.is_empty() {
        return Ok(written);
    }
    let head = module.function(form.item).ok_or(WriteError::NoBody)?;
    let body = head.body.as_ref().ok_or(WriteError::NoBody)?;
    let agenda = Agenda::new(&view.lowered.function, patch)?;
    let prefix = free_prefix(module.text(), signature.stem.text());
    let mut registers = Registers::new(&prefix);
    let source = RewriteContext {
        module,
        body,
        verified,
        agenda: &agenda,
        view,
    };
    source.returns()?;
    let values = Values::new(&source, &mut registers)?;
    let mut writer = Writer {
        timetable: Timetable::new(&source, &values)?,
        source: &source,
        values,
        registers,
        labels: 0,
        prefix: &prefix,
        gaps: BTreeMap::new(),
        starts: FxHashMap::default(),
        resumes: FxHashMap::default(),
        jumped_to: FxHashSet::default(),
        labels_used: FxHashSet::default(),
        guards: Vec::new(),
    };
    writer.original()?;
    let mut layout = Layout::new(module);
    headers::directives(&patch.directives, (head, form.entry), module, &mut layout)?;
    writer.statements(&mut layout)?;
    for (gap, lines) in std::mem::take(&mut writer.gaps) {
        gap.insert(&source, &lines.joined(), &mut layout);
    }
    let declarations = writer.registers.declarations().into_iter();
    let mut first: Vec<Line> = declarations.map(Line::from).collect();
    first.extend(source.hoist(&mut layout));
    if let Some(said) = signature.mark {
        match mark::find(module, body) {
            Some((span, before)) if before != said => layout.replace(span, mark::line(said)),
            Some(_) => {}
            None => first.insert(0, mark::line(said).into()),
        }
    }
    layout.declare(body, &first);
    written.edits = layout.finish();
    written.version = needed_version(patch);
    Ok(written)
}

/// A function and what is to become of it.
struct RewriteContext<'a> {
    module: &'a Module<'a>,
    body: &'a Body,
    verified: &'a Verified<'a>,
    agenda: &'a Agenda<'a>,
    view: &'a View<'a>,
}

/// The lines of a place: what begins a block there comes first.
#[derive(Default)]
struct Lines {
    labels: Vec<Line>,
    lines: Vec<Line>,
}

impl Lines {
    fn joined(mut self) -> Vec<Line> {
        self.labels.append(&mut self.lines);
        self.labels
    }
}

struct Writer<'a> {
    source: &'a RewriteContext<'a>,
    values: Values,
    timetable: Timetable,
    registers: Registers<'a>,
    /// New labels so far.
    labels: u32,
    prefix: &'a str,
    /// What is put where in the original text.
    gaps: BTreeMap<Gap, Lines>,
    /// Labels of blocks of the original.
    starts: FxHashMap<BlockId, String>,
    /// Labels at which clones go on in mid-block.
    resumes: FxHashMap<Position, String>,
    /// Clones of chains that the one in front of them does not run into, but jumps to.
    jumped_to: FxHashSet<CloneId>,
    /// Blocks of clones that a branch goes to.
    labels_used: FxHashSet<(CloneId, BlockId)>,
    /// The new guards of loads of the original.
    guards: Vec<(InstId, String)>,
}

impl<'a> Writer<'a> {
    /// A new label of the function.
    fn label(&mut self) -> String {
        self.labels += 1;
        format!(
            "${}{}_{}",
            self.prefix, self.source.view.form.item, self.labels
        )
    }

    /// What is inserted in the original text.
    fn original(&mut self) -> Result<(), WriteError> {
        let function = &self.source.view.lowered.function;
        for block in function.block_ids() {
            for index in 0..=function.block(block).insts.len() {
                let mut code = Code::new(self.source.line_at((block, index)));
                self.place(None, (block, index), &mut code)?;
                if !code.lines.is_empty() {
                    self.restore_line(&mut code);
                    let gap = self.gap((block, index))?;
                    let lines = self.gaps.entry(gap).or_default();
                    lines.lines.append(&mut code.lines);
                }
                if let Some(&id) = function.block(block).insts.get(index) {
                    self.guarded_load(id)?;
                }
            }
        }
        Ok(())
    }

    /// The gap for the lines of a place of the original. Lines that name registers of an inner scope go into that scope.
    fn gap(&self, position: Position) -> Result<Gap, WriteError> {
        let (block, index) = position;
        let view = self.source.view;
        let gap = Gap::of(view, position)?;
        let last = index.checked_sub(1);
        let last = last.map(|last| view.lowered.function.block(block).insts[last]);
        let Some(last) = last.filter(|&last| self.names_of(last)) else {
            return Ok(gap);
        };
        let inner = Gap::in_scope(view, last);
        let wanted = self.source.agenda.at(None, position);
        let jumps = wanted.is_some_and(|wanted| !wanted.enters.is_empty() || wanted.resumed);
        match gap != inner && matches!(gap, Gap::Before(_)) && jumps {
            true => Err(WriteError::Place(Point::After(last))),
            false => Ok(inner),
        }
    }

    /// The statements of the original that are not what they were.
    fn statements(&mut self, layout: &mut Layout) -> Result<(), WriteError> {
        let source = self.source;
        let agenda = source.agenda;
        let removed = agenda.removed.iter();
        let removed = removed.filter(|_| !active(Mutation::RemovedLeft));
        let moved = agenda.moved.keys().filter(|_| !active(Mutation::MovedLeft));
        let gone = removed.chain(moved).filter(|(copied, _)| copied.is_none());
        let mut gone: Vec<InstId> = gone.map(|&(_, id)| id).collect();
        gone.sort_unstable();
        gone.dedup_by_key(|id| source.origin(*id));
        for id in gone {
            let after = self.gaps.remove(&Gap::After(source.origin(id)));
            let lines = after.map_or_else(Vec::new, Lines::joined);
            source.take_out(id, &lines, layout)?;
        }
        for (id, guard) in &self.guards {
            let (span, instruction) = source.written(*id)?;
            layout.guard(span.start, instruction.opcode.start, guard);
        }
        let amends = agenda.amends.iter();
        for (&(copied, id), &amend) in amends {
            let own = copied.is_none() || active(Mutation::AmendedOriginal);
            if own && !agenda.is_gone(None, id) {
                let (at, text) = source.amended(id, amend)?;
                layout.replace(Span::new(at, at), text);
            }
        }
        Ok(())
    }
}

impl RewriteContext<'_> {
    /// The statement of an instruction.
    fn origin(&self, id: InstId) -> u32 {
        self.view.lowered.function.inst(id).origin
    }

    /// Takes declarations away that begin the body from now on: their lines there.
    fn hoist(&self, layout: &mut Layout) -> Vec<Line> {
        let hoisted = self.view.binding.hoisted().iter();
        let spans = hoisted.map(|&number| self.body.statements[number as usize].span);
        spans
            .map(|span| {
                layout.remove(span);
                let text = self.module.copied(span).into_owned();
                let of = Some(span.start);
                Line { text, of }
            })
            .collect()
    }

    /// The `.loc` in force at a place of the original.
    fn line_at(&self, (block, index): Position) -> Option<u32> {
        let insts = &self.view.lowered.function.block(block).insts;
        let beside = index
            .checked_sub(1)
            .or(Some(0))
            .and_then(|at| insts.get(at));
        let origin = beside.map_or(self.view.lowered.function.block(block).origin, |&id| {
            self.origin(id)
        });
        self.view.binding.instruction(origin)?.location
    }
}
