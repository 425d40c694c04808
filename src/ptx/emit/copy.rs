//! The text of a copy for whole warps: its entry, the copied statements with labels of their own, and the votes where
//! lanes may part.

mod entry;
mod tables;

pub use entry::Entry;

use super::Error;
use super::code::Code;
use super::edit::Edit;
use super::layout::{Layout, Place, front};
use super::registers::{Class, Registers};
use crate::ptx::ast::{Body, Instruction, Module, Operand, Span, StatementKind};
use crate::shuffle::plan::{CopiedPart, Leave, Stay, WarpCopy};
use crate::support::mutation::{Mutation, active};
use rustc_hash::{FxHashMap, FxHashSet};

/// The labels of a function, and new ones.
pub struct Labels<'m, 't> {
    module: &'m Module<'t>,
    body: &'m Body,
    prefix: String,
    /// Statements of the labels in the function's own scope.
    statements: FxHashMap<&'t str, u32>,
    /// Statements of the original that got a label.
    added: FxHashSet<u32>,
    /// All `.loc`, in their order.
    locations: Vec<u32>,
}

impl<'m, 't> Labels<'m, 't> {
    /// The labels of a body; names of new ones begin with `prefix` and the number of the function.
    pub fn new(module: &'m Module<'t>, body: &'m Body, prefix: &str, function: u32) -> Self {
        let (mut statements, mut depth) = (FxHashMap::default(), 0u32);
        let mut locations = Vec::new();
        for (index, statement) in (0..).zip(&body.statements) {
            match statement.kind {
                StatementKind::Open => depth += 1,
                StatementKind::Close => depth = depth.saturating_sub(1),
                StatementKind::Label(name) if depth == 0 => {
                    statements.insert(module.str(name), index);
                }
                StatementKind::Location(_) => locations.push(index),
                _ => {}
            }
        }
        Labels {
            module,
            body,
            prefix: format!("${prefix}{function}"),
            statements,
            added: FxHashSet::default(),
            locations,
        }
    }

    /// The name of a label in front of a statement of the original.
    fn original(&self, statement: u32) -> String {
        format!("{}o{statement}", self.prefix)
    }

    /// A label in front of a statement of the original: its own, or a new one. The name of a table or of a prototype is a
    /// label by its form, but nothing can be jumped to there.
    fn onward(&mut self, statement: u32, layout: &mut Layout<'t>) -> Option<String> {
        let kind = |at: usize| {
            self.body
                .statements
                .get(at)
                .map(|statement| &statement.kind)
        };
        let mut at = statement as usize;
        loop {
            match kind(at)? {
                StatementKind::Label(_) if self.names_a_directive(at) => break,
                StatementKind::Label(name) => return Some(self.module.str(*name).to_string()),
                StatementKind::Location(_) => at += 1,
                _ => break,
            }
        }
        let name = self.original(at as u32);
        self.add(at as u32, &name, layout);
        Some(name)
    }

    fn names_a_directive(&self, label: usize) -> bool {
        let mut behind = self
            .body
            .statements
            .get(label + 1..)
            .unwrap_or_default()
            .iter();
        let named = behind.find(|statement| !matches!(statement.kind, StatementKind::Location(_)));
        named.is_some_and(|statement| match &statement.kind {
            StatementKind::Directive(directive) => {
                let name = self.module.str(directive.name);
                [".branchtargets", ".calltargets", ".callprototype"].contains(&name)
            }
            _ => false,
        })
    }

    fn add(&mut self, statement: u32, name: &str, layout: &mut Layout<'t>) {
        if self.added.insert(statement) {
            let offset = front(self.module, self.body, statement);
            layout.before(Place::Label, offset, &[format!("{name}:")]);
        }
    }
}

/// Writes one copy.
pub struct CopyWriter<'w, 'm, 't> {
    pub labels: &'w mut Labels<'m, 't>,
    pub copy: &'w WarpCopy,
    /// Its number in the plan.
    pub number: u32,
    pub entry: Entry,
    /// The edits of the copied statements.
    pub edits: Layout<'t>,
    /// The edits of the original.
    pub layout: &'w mut Layout<'t>,
}

impl<'t> CopyWriter<'_, '_, 't> {
    /// Puts the copy into the text.
    pub fn write(mut self, registers: &mut Registers) -> Result<(), Error> {
        let slow = self.labels.original(self.copy.before);
        let mut code = Code {
            lines: std::mem::take(&mut self.entry.before_test),
        };
        let combined = self.test(&slow, &mut code, registers)?;
        code.lines.append(&mut self.entry.behind_test);
        let vote = registers.fresh(Class::Predicate);
        self.rename_labels();
        self.rename_tables();
        for leave in &self.copy.leaves {
            let lines = match combined && leave.statement == self.copy.before {
                true => self.tested(*leave)?,
                false => match self.by_table(leave.statement)? {
                    Some(branch) => self.leave_by_table(*leave, &branch, &vote, registers)?,
                    None => self.leave(*leave, &vote)?,
                },
            };
            let span = self.span(leave.statement)?;
            self.edits.replace_lines(span, &lines);
        }
        self.rename_targets()?;
        self.enter(&mut code);
        self.copied(&mut code)?;
        code.push(format!("{slow}:"));
        code.lines.extend(self.location());
        let offset = front(self.labels.module, self.labels.body, self.copy.before);
        let model = self.model();
        self.layout
            .before_like(Place::Copy, offset, &code.lines, model);
        Ok(())
    }

    fn span(&self, statement: u32) -> Result<Span, Error> {
        let statements = &self.labels.body.statements;
        let found = statements.get(statement as usize);
        found
            .map(|statement| statement.span)
            .ok_or(Error::NoStatement(statement))
    }

    /// The instruction whose line tells how new lines are indented.
    fn model(&self) -> u32 {
        let statements = &self.labels.body.statements;
        let from = self.copy.before as usize;
        let found = statements.get(from..).and_then(|rest| {
            rest.iter()
                .find(|one| matches!(one.kind, StatementKind::Instruction(_)))
        });
        found.map_or(self.labels.body.span.start, |one| one.span.start)
    }

    /// The `.loc` in force at the entry, said again behind the copy.
    fn location(&self) -> Option<String> {
        let locations = &self.labels.locations;
        let behind = locations.partition_point(|&at| at < self.copy.before);
        let at = *locations.get(behind.checked_sub(1)?)?;
        let last = self.labels.body.statements.get(at as usize)?;
        Some(self.labels.module.str(last.span).to_string())
    }

    fn instruction(&self, statement: u32) -> Result<Instruction, Error> {
        let found = self.labels.body.statements.get(statement as usize);
        match found.map(|one| &one.kind) {
            Some(StatementKind::Instruction(instruction)) => Ok(*instruction),
            _ => Err(Error::NoStatement(statement)),
        }
    }

    /// The predicate under which a lane takes the branch, and its opposite.
    fn guard(&self, statement: u32) -> Result<[String; 2], Error> {
        let guard = self
            .instruction(statement)?
            .guard
            .ok_or(Error::Inconsistent(statement))?;
        let register = self.labels.module.str(guard.register);
        let (plain, negated) = (register.to_string(), format!("!{register}"));
        Ok(match guard.negated {
            false => [plain, negated],
            true => [negated, plain],
        })
    }

    /// The predicate under which a lane stays in the copy.
    fn stays(&self, leave: Leave) -> Result<String, Error> {
        let [taken, next] = self.guard(leave.statement)?;
        Ok(match leave.stay {
            Stay::Taken | Stay::Either => taken,
            Stay::Next => next,
        })
    }

    /// A branch whose way was tested in front of the copy.
    fn tested(&self, leave: Leave) -> Result<Vec<String>, Error> {
        Ok(match leave.stay {
            Stay::Taken => vec![format!("bra.uni {};", self.target(leave.statement)?)],
            Stay::Next | Stay::Either => Vec::new(),
        })
    }

    /// The vote at a branch, and what is left of the branch.
    fn leave(&mut self, leave: Leave, vote: &str) -> Result<Vec<String>, Error> {
        let mode = match (leave.stay, active(Mutation::LeaveByOneStays)) {
            (_, true) => "any",
            (Stay::Either, false) => "uni",
            (Stay::Taken | Stay::Next, false) => "all",
        };
        let stays = self.stays(leave)?;
        let original = self.labels.original(leave.statement);
        if leave.statement != self.copy.before {
            self.labels.add(leave.statement, &original, self.layout);
        }
        let mut lines = vec![format!("vote.sync.{mode}.pred {vote}, {stays}, -1;")];
        match leave.stay {
            Stay::Taken => {
                lines.push(format!(
                    "@{vote} bra.uni {};",
                    self.target(leave.statement)?
                ));
                lines.push(format!("bra.uni {original};"));
            }
            Stay::Next => lines.push(format!("@!{vote} bra.uni {original};")),
            Stay::Either => {
                let [taken, _] = self.guard(leave.statement)?;
                lines.push(format!("@!{vote} bra.uni {original};"));
                lines.push(format!(
                    "@{taken} bra.uni {};",
                    self.target(leave.statement)?
                ));
            }
        }
        Ok(lines)
    }

    fn copies(&self, statement: u32) -> bool {
        let parts = &self.copy.parts;
        let index = parts.partition_point(|part| part.end <= statement);
        parts.get(index).is_some_and(|part| part.first <= statement)
    }

    fn own_label(&self, statement: u32) -> String {
        format!("{}c{}_{statement}", self.labels.prefix, self.number)
    }

    fn target_span(&self, instruction: &Instruction) -> Option<Span> {
        let module = self.labels.module;
        let mut words = module.str(instruction.opcode).split('.');
        match (words.next(), module.operands(instruction)) {
            (Some("bra"), [Operand::Name { span, .. }]) => Some(*span),
            _ => None,
        }
    }

    /// Where a label leads from inside the copy: into the copy if the copy has it.
    fn renamed(&self, label: &str) -> Option<String> {
        let statement = *self.labels.statements.get(label)?;
        self.copies(statement).then(|| self.own_label(statement))
    }

    /// Where a branch of the copy goes.
    fn target(&self, statement: u32) -> Result<String, Error> {
        let span = self
            .target_span(&self.instruction(statement)?)
            .ok_or(Error::Inconsistent(statement))?;
        let label = self.labels.module.str(span);
        Ok(self.renamed(label).unwrap_or_else(|| label.to_string()))
    }

    fn statements(&self) -> impl Iterator<Item = u32> + use<> {
        let parts: Vec<(u32, u32)> = self
            .copy
            .parts
            .iter()
            .map(|part| (part.first, part.end))
            .collect();
        parts.into_iter().flat_map(|(first, end)| first..end)
    }

    fn rename_labels(&mut self) {
        let body = self.labels.body;
        for statement in self.statements() {
            if let Some(StatementKind::Label(name)) =
                body.statements.get(statement as usize).map(|one| &one.kind)
            {
                let new = self.own_label(statement);
                self.edits.replace(*name, new);
            }
        }
    }

    /// Branches that no vote replaced.
    fn rename_targets(&mut self) -> Result<(), Error> {
        let voted: FxHashSet<u32> = self
            .copy
            .leaves
            .iter()
            .map(|leave| leave.statement)
            .collect();
        for statement in self.statements().filter(|one| !voted.contains(one)) {
            let Ok(instruction) = self.instruction(statement) else {
                continue;
            };
            if let Some(branch) = self.by_table(statement)? {
                let mut lines = Vec::new();
                let table = self.table(statement, &branch, &mut lines)?;
                let opcode = self.labels.module.str(instruction.opcode);
                lines.push(format!("{opcode} {}, {table};", branch.index));
                self.edits.replace_lines(self.span(statement)?, &lines);
            }
            if let Some(span) = self.target_span(&instruction)
                && let Some(new) = self.renamed(self.labels.module.str(span))
            {
                self.edits.replace(span, new);
            }
        }
        Ok(())
    }

    /// A jump to the statement at which the copy is entered, if that is not the first.
    fn enter(&mut self, code: &mut Code) {
        let entry = self.copy.entry;
        let first = self.copy.parts.first().map(|part| part.first);
        if first == Some(entry) {
            return;
        }
        let name = format!("{}c{}_entry", self.labels.prefix, self.number);
        code.push(format!("bra.uni {name};"));
        let offset = front(self.labels.module, self.labels.body, entry);
        self.edits
            .before(Place::Label, offset, &[format!("{name}:")]);
    }

    /// The copied statements, each part with the jump that follows it.
    fn copied(&mut self, code: &mut Code) -> Result<(), Error> {
        let edits = self.edits.take();
        for part in &self.copy.parts {
            let text = self.part(&edits, part)?;
            if !text.trim().is_empty() {
                code.push(text.trim().to_string());
            }
            let closed = self
                .copy
                .leaves
                .iter()
                .any(|leave| leave.stay == Stay::Taken && leave.statement + 1 == part.end);
            let Some(onward) = part.onward.filter(|_| !closed) else {
                continue;
            };
            let target = match self.copies(onward) {
                // The parts are not adjacent, or this would be one part.
                true => return Err(Error::Inconsistent(onward)),
                false => self.labels.onward(onward, self.layout),
            };
            code.push(match target {
                Some(label) => format!("bra.uni {label};"),
                None => "ret;".to_string(),
            });
        }
        Ok(())
    }

    /// One part with its edits.
    fn part(&self, edits: &[Edit], part: &CopiedPart) -> Result<String, Error> {
        let first = self.span(part.first)?;
        let last = self.span(part.end.saturating_sub(1))?;
        self.layout
            .rewritten(edits, first.start, last.end)
            .ok_or(Error::Inconsistent(part.first))
    }
}
