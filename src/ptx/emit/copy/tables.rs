//! Branches by a table in a copy: tables that lead into the copy, and the vote of lanes that may have different indices.

use super::CopyWriter;
use crate::ptx::ast::{Operand, Span, StatementKind};
use crate::ptx::emit::Error;
use crate::ptx::emit::registers::{Class, Registers};
use crate::shuffle::plan::Leave;
use crate::support::mutation::{Mutation, active};

/// `brx.idx`
pub(super) struct ByTable<'t> {
    /// The operand that selects.
    pub index: &'t str,
    /// The label of its table.
    pub table: &'t str,
}

impl<'t> CopyWriter<'_, '_, 't> {
    /// As [`CopyWriter::leave`], for a branch by a table: all lanes must have the same index.
    pub(super) fn leave_by_table(
        &mut self,
        leave: Leave,
        branch: &ByTable,
        vote: &str,
        registers: &mut Registers,
    ) -> Result<Vec<String>, Error> {
        let original = self.labels.original(leave.statement);
        if leave.statement != self.copy.before {
            self.labels.add(leave.statement, &original, self.layout);
        }
        let ByTable { index, .. } = branch;
        let mut lines = Vec::new();
        let table = self.table(leave.statement, branch, &mut lines)?;
        if !active(Mutation::LeaveByOneStays) {
            let same = registers.fresh(Class::Word);
            lines.push(format!("match.all.sync.b32 {same}|{vote}, {index}, -1;"));
            lines.push(format!("@!{vote} bra.uni {original};"));
        }
        lines.push(format!("brx.idx.uni {index}, {table};"));
        Ok(lines)
    }

    /// The name of a branch's table in the copy. A table that is not copied with the rest is written to `lines`.
    pub(super) fn table(
        &self,
        statement: u32,
        branch: &ByTable,
        lines: &mut Vec<String>,
    ) -> Result<String, Error> {
        let inconsistent = Error::Inconsistent(statement);
        if let Some(own) = self.renamed(branch.table) {
            return Ok(own);
        }
        let at = self.labels.statements.get(branch.table).copied();
        let targets = self
            .targets(at.ok_or(inconsistent.clone())?)
            .ok_or(inconsistent)?;
        let module = self.labels.module;
        let names = targets.into_iter().map(|span| {
            let label = module.str(span);
            self.renamed(label).unwrap_or_else(|| label.to_string())
        });
        let names: Vec<String> = names.collect();
        let own = format!("{}t{}_{statement}", self.labels.prefix, self.number);
        lines.push(format!("{own}:"));
        lines.push(format!(".branchtargets {};", names.join(", ")));
        Ok(own)
    }

    /// The labels that the table behind the label at a statement names.
    fn targets(&self, label: u32) -> Option<Vec<Span>> {
        let from = self.labels.body.statements.get(label as usize..)?;
        let (first, behind) = from.split_first()?;
        if !matches!(first.kind, StatementKind::Label(_)) {
            return None;
        }
        let mut behind = behind
            .iter()
            .filter(|one| !matches!(one.kind, StatementKind::Location(_)));
        match &behind.next()?.kind {
            StatementKind::Directive(directive)
                if self.labels.module.str(directive.name) == ".branchtargets" =>
            {
                let names = self.labels.module.list(directive.arguments);
                Some(names.iter().map(Operand::span).collect())
            }
            _ => None,
        }
    }

    /// A statement as a branch by a table, if it is one.
    pub(super) fn by_table(&self, statement: u32) -> Result<Option<ByTable<'t>>, Error> {
        let instruction = self.instruction(statement)?;
        let module = self.labels.module;
        if module.str(instruction.opcode).split('.').next() != Some("brx") {
            return Ok(None);
        }
        match module.operands(&instruction) {
            [index, Operand::Name { span, .. }] => Ok(Some(ByTable {
                index: module.str(index.span()),
                table: module.str(*span),
            })),
            _ => Err(Error::Inconsistent(statement)),
        }
    }

    /// Tables in the copy lead into it.
    pub(super) fn rename_tables(&mut self) {
        let labels = self
            .statements()
            .filter_map(|statement| self.targets(statement));
        for span in labels.flatten().collect::<Vec<Span>>() {
            if let Some(new) = self.renamed(self.labels.module.str(span)) {
                self.edits.replace(span, new);
            }
        }
    }
}
