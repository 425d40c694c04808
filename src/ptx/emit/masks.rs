//! Tracked masks: `activemask` in front of where lanes part, and a ballot at each branch that parts them.

use super::layout::{Layout, Place, front};
use super::registers::Class;
use super::{Error, Writer};
use crate::ptx::ast::StatementKind;
use crate::shuffle::plan::MaskStep;
use std::collections::BTreeMap;

impl<'t> Writer<'_, 't, '_> {
    /// Writes the steps of all masks of the plan, and tells their registers.
    pub(super) fn write_masks(&mut self, layout: &mut Layout<'t>) -> Result<Vec<String>, Error> {
        let plan = self.plan;
        let names: Vec<String> = plan
            .masks
            .iter()
            .map(|_| self.registers.fresh(Class::Word))
            .collect();
        let (mut first, mut next) = (Vec::new(), BTreeMap::<u32, Vec<(bool, String)>>::new());
        for ((mask, name), number) in plan.masks.iter().zip(&names).zip(0..) {
            for step in &mask.steps {
                let Some(from) = step.from else {
                    first.push((step.before, format!("activemask.b32 {name};")));
                    continue;
                };
                let source = names
                    .get(from as usize)
                    .ok_or(Error::Inconsistent(step.before))?;
                let line = self.step(step, name, source)?;
                // All steps at one branch begin with the same mask: who overwrites it comes last.
                next.entry(step.before)
                    .or_default()
                    .push((from == number, line));
            }
        }
        for (statement, line) in first {
            self.write_step(layout, Place::FirstMask, statement, &[line])?;
        }
        for (statement, mut lines) in next {
            lines.sort_by_key(|(last, _)| *last);
            let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
            self.write_step(layout, Place::NextMask, statement, &lines)?;
        }
        Ok(names)
    }

    fn step(&self, step: &MaskStep, name: &str, source: &str) -> Result<String, Error> {
        let Some(taken) = step.taken else {
            return Ok(format!("mov.b32 {name}, {source};"));
        };
        let statement = self.body.statements.get(step.before as usize);
        let guard = match statement.map(|one| &one.kind) {
            Some(StatementKind::Instruction(branch)) => branch.guard,
            _ => None,
        };
        let guard = guard.ok_or(Error::Inconsistent(step.before))?;
        let sign = if guard.negated == taken { "!" } else { "" };
        let register = self.module.str(guard.register);
        Ok(format!(
            "vote.sync.ballot.b32 {name}, {sign}{register}, {source};"
        ))
    }

    /// Lines in front of a statement, indented as the instruction there or the next one.
    pub(super) fn write_step(
        &self,
        layout: &mut Layout<'t>,
        place: Place,
        statement: u32,
        lines: &[String],
    ) -> Result<(), Error> {
        let rest = self.body.statements.get(statement as usize..);
        let rest = rest.ok_or(Error::NoStatement(statement))?;
        let model = rest
            .iter()
            .find(|one| matches!(one.kind, StatementKind::Instruction(_)))
            .ok_or(Error::NoStatement(statement))?;
        let offset = front(self.module, self.body, statement);
        match rest.first().is_some_and(|one| one.span == model.span) {
            true => layout.before(place, offset, lines),
            false => layout.before_like(place, offset, lines, model.span.start),
        }
        Ok(())
    }
}
