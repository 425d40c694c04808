//! Loads that fewer threads execute: another guard in the same text, and what their registers hold elsewhere.
//!
//! Where the load is not executed, its registers get what is chosen instead right in front of it, whoever executes it: nothing reads
//! them in between but the load itself. If that does, they get it after the load, where it was not executed.

use super::gaps::Gap;
use super::names::fresh;
use super::steps::Code;
use super::{RewriteContext, WriteError, Writer};
use crate::ast::Span;
use crate::text::layout::Line;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::patch::{Copied, Guarded, Ref};

/// The lines around a guarded load, and what guards it.
pub(super) struct Surroundings {
    /// Without `@`; none: the statement keeps its own.
    pub guard: Option<String>,
    pub in_front: Vec<Line>,
    pub after: Vec<Line>,
}

/// The name of a predicate, and whether it counts where it is false.
type Test<'a> = (&'a str, bool);

fn spelled((name, negated): Test) -> String {
    let not = if negated { "!" } else { "" };
    format!("{not}{name}")
}

/// All lines are executed under a guard.
fn under(guard: Option<&str>, mut lines: Vec<Line>) -> Vec<Line> {
    if let Some(guard) = guard {
        let texts = lines.iter_mut().map(|line| &mut line.text);
        texts.for_each(|text| *text = format!("@{guard} {text}"));
    }
    lines
}

impl Writer<'_> {
    /// Notes the lines around a load of the original, if it is guarded. Between them and their statement is no other place.
    pub(super) fn guarded_load(&mut self, first: InstId) -> Result<(), WriteError> {
        let Some(around) = self.surroundings(None, first)? else {
            return Ok(());
        };
        let statement = self.source.origin(first);
        let front = (Gap::Before(statement), around.in_front);
        for (gap, mut lines) in [front, (Gap::After(statement), around.after)] {
            if !lines.is_empty() {
                self.gaps.entry(gap).or_default().lines.append(&mut lines);
            }
        }
        self.guards.extend(around.guard.map(|guard| (first, guard)));
        Ok(())
    }

    /// The lines around the statement that begins with an instruction, if its load is guarded in a copy.
    pub(super) fn surroundings(
        &mut self,
        copied: Copied,
        first: InstId,
    ) -> Result<Option<Surroundings>, WriteError> {
        let source = self.source;
        let Some(guarded) = source.guarded(copied, first)? else {
            return Ok(None);
        };
        source.is_of_others(guarded)?;
        let (mut front, mut after) = (Code::new(None), Code::new(None));
        let (condition, negated) = guarded.condition;
        let condition = self.register(condition, &mut front)?;
        let inverted = negated != active(Mutation::LoadGuardInverted);
        let guard = Some(spelled((&condition, inverted)));
        let own = source.own_guard(first)?;
        let own = own.filter(|_| !active(Mutation::ChosenForAll));
        let values = guarded.otherwise.iter().map(|one| (one.value, one.to));
        let values: Vec<(Value, Ref)> = values.filter(|_| !active(Mutation::ChosenLost)).collect();
        if source.reads_what_it_gives(guarded)? && !active(Mutation::AddressOverwritten) {
            let elsewhere = match own {
                None => spelled((&condition, !negated)),
                Some(own) => self.own_alone(own, (&condition, negated), &mut front)?,
            };
            self.names_again(guarded.inst, &values, &mut after)?;
            after.lines = under(Some(&elsewhere), after.lines);
        } else {
            let mut chosen = Code::new(None);
            self.names_again(guarded.inst, &values, &mut chosen)?;
            let own = own.map(spelled);
            front.lines.extend(under(own.as_deref(), chosen.lines));
        }
        Ok(Some(Surroundings {
            guard: guard.filter(|_| !active(Mutation::LoadUnguarded)),
            in_front: front.lines,
            after: after.lines,
        }))
    }

    /// A predicate that is true where the own guard of a load lets a thread pass and its new one does not.
    fn own_alone(
        &mut self,
        own: Test,
        (condition, negated): Test,
        code: &mut Code,
    ) -> Result<String, WriteError> {
        let own = self.positive(own, code)?;
        let not = self.positive((condition, !negated), code)?;
        let both = fresh(&mut self.registers, 1)?.name;
        code.push(format!("and.pred {both}, {own}, {not};"));
        Ok(both)
    }

    fn positive(&mut self, (name, negated): Test, code: &mut Code) -> Result<String, WriteError> {
        if !negated {
            return Ok(name.to_string());
        }
        let not = fresh(&mut self.registers, 1)?.name;
        code.push(format!("not.pred {not}, {name};"));
        Ok(not)
    }
}

impl<'a> RewriteContext<'a> {
    /// The guarded load of the statement that begins with an instruction.
    fn guarded(&self, copied: Copied, first: InstId) -> Result<Option<&'a Guarded>, WriteError> {
        let known = &self.agenda.guarded;
        if known.is_empty() {
            return Ok(None);
        }
        let statement = self.view.positions.statement(first)?;
        let begins = statement.first() == Some(&first);
        let mut found = statement.iter().filter(|_| begins);
        Ok(found.find_map(|&id| known.get(&(copied, id)).copied()))
    }

    /// The guard of a statement in the text.
    pub(super) fn own_guard(&self, id: InstId) -> Result<Option<Test<'a>>, WriteError> {
        let (_, instruction) = self.written(id)?;
        let own = instruction.guard;
        Ok(own.map(|guard| (self.module.str(guard.register), guard.negated)))
    }

    /// That nothing is chosen, and nothing decides, that the statement itself gives.
    fn is_of_others(&self, guarded: &Guarded) -> Result<(), WriteError> {
        let statement = self.view.positions.statement(guarded.inst)?;
        let chosen = guarded.otherwise.iter().map(|chosen| chosen.to);
        let mut read = chosen.chain([guarded.condition.0]);
        let own = |one: Ref| match one {
            Ref::Value(value) => match self.view.lowered.function.value(value).def {
                ValueDef::Result(id, _) => statement.contains(&id),
                _ => false,
            },
            _ => false,
        };
        match read.any(own) {
            true => Err(WriteError::Statement(guarded.inst)),
            false => Ok(()),
        }
    }

    /// Whether a load reads a register that gets what is chosen: its address, or what only the text has, such as a cache policy.
    pub(super) fn reads_what_it_gives(&self, guarded: &Guarded) -> Result<bool, WriteError> {
        let (span, instruction) = self.written(guarded.inst)?;
        let operands = self.module.operands(&instruction);
        let first = operands.first().map_or(span.start, |one| one.span().end);
        let read = self.module.copied(Span::new(first, span.end));
        let part = |letter: char| !letter.is_alphanumeric() && !"_$%.".contains(letter);
        let completed = self.view.completed(guarded.inst).into_iter();
        let chosen = completed.filter(|(_, value)| {
            let mut chosen = guarded.otherwise.iter();
            chosen.any(|one| one.value == *value)
        });
        let mut given = chosen.filter_map(|(reg, _)| self.view.form.registers.get(reg.0 as usize));
        Ok(given.any(|given| read.split(part).any(|name| name == &*given.name)))
    }
}
