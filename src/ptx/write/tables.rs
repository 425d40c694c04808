//! Branches by tables in a clone: tables of its own, which lead into it.

use super::steps::Code;
use super::{RewriteContext, WriteError, Writer};
use crate::ast::{Operand, Span, StatementKind};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::BlockId;
use ptxasw_ir::patch::CloneId;

impl<'a> Writer<'a> {
    /// A `brx.idx` of a clone after its own table; none if the statement is something else.
    pub(super) fn by_table(
        &mut self,
        clone: CloneId,
        statement: u32,
        code: &mut Code,
    ) -> Result<Option<String>, WriteError> {
        let source = self.source;
        let Some((span, table)) = source.table_branch(statement) else {
            return Ok(None);
        };
        let mut names = Vec::new();
        for label in source.table_of(source.module.str(table)) {
            let label = source.module.str(label);
            names.push(match source.block_of(label) {
                Some(block) if !active(Mutation::TableOfOriginal) => self.label_in(clone, block)?,
                _ => label.to_string(),
            });
        }
        let own = self.label();
        code.push(format!("{own}:"));
        code.push(format!(".branchtargets {};", names.join(", ")));
        Ok(Some(source.spliced(span, vec![(table, own)])))
    }
}

impl RewriteContext<'_> {
    /// The span of a `brx.idx`, and that of its table's name.
    fn table_branch(&self, statement: u32) -> Option<(Span, Span)> {
        let statement = self.body.statements.get(statement as usize)?;
        let StatementKind::Instruction(instruction) = &statement.kind else {
            return None;
        };
        let word = self.module.str(instruction.opcode).split('.').next();
        match self.module.operands(instruction) {
            [_, Operand::Name { span, .. }] if word == Some("brx") => Some((statement.span, *span)),
            _ => None,
        }
    }

    /// The statement of a label.
    fn label_at(&self, name: &str) -> Option<usize> {
        let mut statements = self.body.statements.iter();
        statements.position(|one| match one.kind {
            StatementKind::Label(label) => self.module.str(label) == name,
            _ => false,
        })
    }

    /// The labels that a table names.
    fn table_of(&self, name: &str) -> Vec<Span> {
        let following = self
            .label_at(name)
            .and_then(|at| self.body.statements.get(at + 1..));
        let mut following = following
            .into_iter()
            .flatten()
            .filter(|one| !matches!(one.kind, StatementKind::Location(_)));
        match following.next().map(|one| &one.kind) {
            Some(StatementKind::Directive(directive)) => {
                let names = self.module.list(directive.arguments);
                names.iter().map(Operand::span).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The block that begins with a label.
    fn block_of(&self, name: &str) -> Option<BlockId> {
        let at = self.label_at(name)? as u32;
        let mut blocks = self.view.lowered.function.block_ids();
        blocks.find(|&block| self.view.binding.block_statements(block).contains(&at))
    }
}
