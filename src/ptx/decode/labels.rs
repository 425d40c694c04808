//! Labels: their positions, and which of them a scope sees.

use super::error::DecodeError;
use super::scoped::Scoped;
use crate::ast::{self, Span, StatementKind};

/// The position of a label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The index that the next instruction has in the function.
    pub instruction: u32,
    /// The label's statement.
    pub statement: u32,
}

/// The labels of a body. They can be used before their definition, so they are collected first, and come into sight scope by
/// scope as the statements are walked.
#[derive(Debug)]
pub(super) struct Labels<'a> {
    /// Sorted by scope; a scope's number counts the braces opened before it, 0 is the body.
    all: Vec<(u32, Span, Target)>,
    next: usize,
    opened: u32,
    visible: Scoped<'a, Target>,
}

impl<'a> Labels<'a> {
    /// Collects the labels of a body and makes those of its outermost scope visible.
    pub fn new(
        module: &'a ast::Module,
        statements: &[ast::Statement],
    ) -> Result<Self, DecodeError> {
        let mut all = Vec::new();
        let mut scopes = vec![0];
        let (mut opened, mut instruction) = (0, 0);
        for (statement, node) in (0..).zip(statements) {
            match node.kind {
                StatementKind::Open => {
                    opened += 1;
                    scopes.push(opened);
                }
                StatementKind::Close if scopes.len() > 1 => {
                    scopes.pop();
                }
                StatementKind::Label(name) => {
                    let target = Target {
                        instruction,
                        statement,
                    };
                    all.extend(scopes.last().map(|&scope| (scope, name, target)));
                }
                StatementKind::Instruction(_) => instruction += 1,
                _ => {}
            }
        }
        all.sort_by_key(|&(scope, ..)| scope);
        let mut labels = Labels {
            all,
            next: 0,
            opened: 0,
            visible: Scoped::new(),
        };
        labels.enter(module)?;
        Ok(labels)
    }

    /// Begins an inner scope.
    pub fn open(&mut self, module: &'a ast::Module) -> Result<(), DecodeError> {
        self.visible.open();
        self.opened += 1;
        self.enter(module)
    }

    /// Ends it.
    pub fn close(&mut self) {
        self.visible.close();
    }

    fn enter(&mut self, module: &'a ast::Module) -> Result<(), DecodeError> {
        while let Some(&(scope, span, target)) = self.all.get(self.next)
            && scope == self.opened
        {
            self.next += 1;
            let name = bytes(module, span);
            self.visible.declare(name, target, span).map_err(|other| {
                DecodeError::new(span, format!("duplicate label `{}`", module.str(span)))
                    .with(other, "first here")
            })?;
        }
        Ok(())
    }

    /// The position of the label of that name.
    pub fn get(&self, name: &[u8]) -> Option<Target> {
        self.visible.get(name).map(|b| b.value)
    }
}

/// The bytes of a name.
pub(super) fn bytes<'a>(module: &'a ast::Module, span: Span) -> &'a [u8] {
    module.text().get(span.range()).unwrap_or(b"")
}
