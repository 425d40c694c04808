//! Where a place of the function is in the text: between two statements.

use super::view::View;
use super::{RewriteContext, WriteError};
use crate::ast::{Statement, StatementKind};
use crate::decode::form::Action;
use crate::text::layout::{Layout, Line, Place, front};
use ptxasw_ir::function::{BlockId, InstId};
use ptxasw_ir::patch::{Point, Position};

/// A place between two statements, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// In front of a statement.
    Before(u32),
    /// After a statement.
    After(u32),
    /// In front of the closing brace.
    End,
}

impl Gap {
    /// The gap of a place. Code inserted after an instruction of the same block follows it directly, so that names
    /// mean what they mean to it.
    pub fn of(source: &View, (block, index): Position) -> Result<Self, WriteError> {
        let function = &source.lowered.function;
        let control = source.control(block);
        let insts = &function.block(block).insts[..index];
        let mut preceding = insts.iter().rev().map(|&id| function.inst(id).origin);
        // Operands of the branch are computed by its own statement; parameters in registers have none.
        let in_text = |origin: &u32| {
            Some(*origin) != control && source.binding.instruction(*origin).is_some()
        };
        let whole = index == function.block(block).insts.len();
        match (preceding.find(in_text), control) {
            (Some(origin), Some(control)) if whole && source.leaves_scope(origin, control) => {
                Ok(Gap::Before(control))
            }
            (Some(origin), _) => Ok(Gap::After(origin)),
            (None, _) => Gap::start(source, block),
        }
    }

    /// After an instruction, in its scope.
    pub fn in_scope(source: &View, id: InstId) -> Self {
        Gap::After(source.lowered.function.inst(id).origin)
    }

    /// After the labels of a block.
    pub fn start(source: &View, block: BlockId) -> Result<Self, WriteError> {
        let text = source.lowered.texts.get(block.index());
        let text = text.ok_or(WriteError::Place(Point::Start(block)))?;
        let instructions = &source.form.instructions;
        match instructions.get(text.instructions.clone()) {
            Some([first, ..]) => Ok(Gap::Before(first.statement)),
            // The end of the text, as a block: see `lower::blocks`.
            Some([]) if text.instructions.start == instructions.len() => Ok(Gap::End),
            // In front of a first block that is branched to.
            Some([]) if block == BlockId(0) => {
                let labels = source.binding.statements().iter();
                let first = labels
                    .take_while(|one| !matches!(one.kind, StatementKind::Label(_)))
                    .count();
                Ok(Gap::Before(first as u32))
            }
            _ => Err(WriteError::Place(Point::Start(block))),
        }
    }

    /// Inserts lines at this gap, indented as their neighbours.
    pub fn insert(self, source: &RewriteContext, lines: &[Line], layout: &mut Layout) {
        let span = |statement: u32| {
            let found = source.body.statements.get(statement as usize);
            found.map_or(source.body.span, |statement| statement.span)
        };
        match self {
            Gap::Before(statement) => {
                let at = front(source.module, source.body, statement);
                layout.before(Place::Before, at, lines);
            }
            Gap::After(statement) => {
                layout.after(Place::After, span(statement).end, lines);
            }
            Gap::End => {
                let last = source.body.statements.last();
                let model = last.map_or(source.body.span.start, |last| last.span.start);
                layout.before_like(Place::Before, source.body.span.end - 1, lines, model);
            }
        }
    }
}

impl View<'_> {
    /// Whether a scope ends or begins between a statement and the branch that ends its block.
    fn leaves_scope(&self, statement: u32, control: u32) -> bool {
        let between = self.binding.statements();
        let between = between.get(statement as usize + 1..control as usize);
        let scope =
            |one: &Statement| matches!(one.kind, StatementKind::Open | StatementKind::Close);
        between.is_some_and(|between| between.iter().any(scope))
    }

    /// The statement of the branch or return that ends a block, if one does.
    pub fn control(&self, block: BlockId) -> Option<u32> {
        let text = self.lowered.texts.get(block.index())?;
        let last = self
            .form
            .instructions
            .get(text.instructions.clone())?
            .last()?;
        (!matches!(last.action, Action::Do(_))).then_some(last.statement)
    }
}
