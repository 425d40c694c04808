//! Statements of the text that go, move, or get another modifier.

use super::steps::Code;
use super::{RewriteContext, WriteError, Writer};
use crate::ast::{Instruction, List, Operand, Span, Statement, StatementKind};
use crate::decode::form::{self, Reg, Source as Read};
use crate::decode::pragma::used_bytes;
use crate::text::layout::{Layout, Line};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Amend, Copied, Ref};
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;

impl<'a> RewriteContext<'a> {
    /// The instruction of a statement as it is written.
    pub fn written(&self, id: InstId) -> Result<(Span, Instruction), WriteError> {
        let statement = self.body.statements.get(self.origin(id) as usize);
        match statement.map(|one| (one.span, &one.kind)) {
            Some((span, StatementKind::Instruction(instruction))) => Ok((span, *instruction)),
            _ => Err(WriteError::Statement(id)),
        }
    }

    /// That what a device function returns in registers stays: its callers read that where the function does not.
    pub fn returns(&self) -> Result<(), WriteError> {
        let returned = self.view.form.returns.iter();
        let returned: Vec<Reg> = returned.flat_map(|one| one.registers()).collect();
        if returned.is_empty() {
            return Ok(());
        }
        let agenda = self.agenda;
        let gone = agenda.removed.iter().chain(agenda.moved.keys());
        let everywhere = gone.map(|&(copied, id)| (copied, id, true));
        let elsewhere = agenda.guarded.keys();
        let elsewhere = elsewhere.map(|&(copied, id)| (copied, id, false));
        for (copied, id, gone) in everywhere.chain(elsewhere) {
            let mut lost = self.view.completed(id).into_iter().filter(|(reg, value)| {
                let lost = gone || agenda.unread.contains(&(copied, *value));
                let known = agenda.redirects.contains_key(&(copied, *value));
                lost && returned.contains(reg) && !known
            });
            if lost.next().is_some() {
                return Err(WriteError::Statement(id));
            }
        }
        Ok(())
    }

    /// Takes a statement out of the text, with the pragma that names its used bytes; lines that belong after it replace it.
    pub fn take_out(
        &self,
        id: InstId,
        lines: &[Line],
        layout: &mut Layout,
    ) -> Result<(), WriteError> {
        let (span, _) = self.written(id)?;
        if let Some(pragma) = self.used_bytes(self.origin(id)) {
            layout.remove(pragma);
        }
        match lines {
            [] => layout.remove(span),
            lines => layout.replace_lines(span, lines),
        }
        Ok(())
    }

    /// The `.pragma "used_bytes_mask ..."` of a load.
    pub fn used_bytes(&self, statement: u32) -> Option<Span> {
        let instruction = self.view.binding.instruction(statement)?;
        instruction.used_bytes?;
        let earlier = self.body.statements.get(..statement as usize)?;
        let mut between = earlier
            .iter()
            .rev()
            .take_while(|one| !matches!(one.kind, StatementKind::Instruction(_)));
        let is_of_load = |statement: &&Statement| {
            matches!(&statement.kind, StatementKind::Directive(one)
                if self.module.str(one.name) == ".pragma"
                    && used_bytes(self.module, one).is_some())
        };
        between.find(is_of_load).map(|pragma| pragma.span)
    }

    /// Where a modifier is inserted, and its text.
    pub fn amended(&self, id: InstId, amend: Amend) -> Result<(u32, String), WriteError> {
        let refused = WriteError::Statement(id);
        let (_, instruction) = self.written(id)?;
        let text = self.module.str(instruction.opcode);
        // Blanks may separate the words.
        if text.contains(char::is_whitespace) {
            return Err(refused);
        }
        let words: Vec<&str> = text.split('.').collect();
        let end_of = |word: usize| -> u32 {
            let length: usize = words[..=word].iter().map(|word| word.len() + 1).sum();
            instruction.opcode.start + length as u32 - 1
        };
        match amend {
            Amend::Space(space) => {
                // The generic addresses of other spaces are not their own.
                if space != Space::Global {
                    return Err(refused);
                }
                let ordering = |word: &&&str| {
                    [
                        "weak", "volatile", "mmio", "relaxed", "acquire", "release", "cta",
                        "cluster", "gpu", "gl", "sys",
                    ]
                    .contains(*word)
                };
                let last = words[1..].iter().take_while(ordering).count();
                Ok((end_of(last), ".global".to_string()))
            }
            Amend::NonCoherent => {
                let found = words.iter().position(|word| *word == "global");
                let at = found.ok_or(refused.clone())?;
                let refuses = |word: &&str| ["lu", "cv"].contains(word);
                let plain = words[0] == "ld" && !words.iter().any(refuses);
                // There is no form with `.weak`: it stays as it is, and loads the same.
                let added = if words.contains(&"weak") { "" } else { ".nc" };
                plain
                    .then(|| (end_of(at), added.to_string()))
                    .ok_or(refused)
            }
        }
    }

    /// The names of the registers that a statement reads, with the values that they hold there.
    fn names_read(&self, id: InstId) -> Result<FxHashMap<&'a str, Value>, WriteError> {
        let refused = WriteError::Statement(id);
        let instruction = self
            .view
            .binding
            .instruction(self.origin(id))
            .ok_or(refused.clone())?;
        let mut names = FxHashMap::default();
        for value in self.view.reads(id) {
            let reg = self
                .view
                .lowered
                .registers
                .get(value.index())
                .copied()
                .flatten();
            let reg = reg.or_else(|| self.view.lowered.parameters.get(&value).copied());
            if let Some(register) = reg.and_then(|reg| self.view.form.registers.get(reg.0 as usize))
            {
                names.insert(&*register.name, value);
            }
        }
        let guard = instruction.guard.map(|(reg, _)| Read::Reg(reg));
        for operand in instruction.operands.iter().copied().chain(guard) {
            let reg = match operand {
                Read::Reg(reg) | Read::NotReg(reg) => reg,
                Read::Imm(_) | Read::Special(_) | Read::Address(..) => continue,
                Read::Part { .. } | Read::Sum(..) => return Err(refused),
            };
            let name = self
                .view
                .form
                .registers
                .get(reg.0 as usize)
                .map(|one| &*one.name);
            if !name.is_some_and(|name| names.contains_key(name)) {
                return Err(refused);
            }
        }
        Ok(names)
    }
}

impl Writer<'_> {
    /// Writes a moved statement at its new place; its results go into registers of the patch.
    pub(super) fn moved(
        &mut self,
        copied: Copied,
        id: InstId,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let source = self.source;
        let refused = WriteError::Statement(id);
        let (span, instruction) = source.written(id)?;
        let mut reads = FxHashMap::default();
        for (name, value) in source.names_read(id)? {
            if source.agenda.redirected.contains(&value) {
                return Err(refused);
            }
            reads.insert(name, self.register(Ref::Value(value), code)?);
        }
        let mut writes = FxHashMap::default();
        for (reg, value) in source.view.completed(id) {
            let register = source
                .view
                .form
                .registers
                .get(reg.0 as usize)
                .ok_or(refused.clone())?;
            let (to, _) = self.values.copy(value).cloned().ok_or(refused.clone())?;
            let whole = register.ty.bits == to.width && !register.half;
            if !whole || !matches!(to.width, 1 | 16 | 32 | 64) {
                return Err(refused);
            }
            if let Some(old) = source.kept_by_guard(value)
                && !active(Mutation::OldValueLost)
            {
                self.assign(&to.name, to.width, Ref::Value(old), code)?;
            }
            writes.insert(&*register.name, to.name);
        }
        self.line_of(source.origin(id), code);
        if let Some(pragma) = source.used_bytes(source.origin(id)) {
            code.push(source.module.copied(pragma).into_owned());
        }
        let mut changes = Vec::new();
        if let Some(guard) = instruction.guard {
            changes.extend(source.renamed(guard.register, &reads)?);
        }
        let operands = source.module.operands(&instruction);
        let results = usize::from(!writes.is_empty());
        for (index, operand) in operands.iter().enumerate() {
            let names = if index < results { &writes } else { &reads };
            source.rename(operand, names, &mut changes)?;
        }
        let amends = source.view.positions.statement(id)?.iter();
        for (id, amend) in
            amends.filter_map(|id| Some((*id, *source.agenda.amends.get(&(copied, *id))?)))
        {
            let (at, text) = source.amended(id, amend)?;
            changes.push((Span::new(at, at), text));
        }
        code.push(source.spliced(span, changes));
        // What moves down has its old register from here on: in between nobody reads that, and nothing else writes it.
        if source.agenda.moved.get(&(copied, id)) == Some(&false) {
            for (reg, value) in source.view.completed(id) {
                let once = source.view.lowered.definitions.get(reg.0 as usize) == Some(&1);
                let register = source.view.form.registers.get(reg.0 as usize);
                let there = |register: &&form::Register| source.view.binding.visible(register);
                let register = register.filter(there).filter(|_| once);
                let register = register.ok_or(refused.clone())?;
                self.name_again(value, Some(register), Ref::Value(value), code)?;
            }
        }
        // Lower bits of what the statement gives, which steps may ask for, are not taken out of it here.
        let completed = source.view.completed(id);
        for &id in source.view.positions.statement(id)? {
            for &result in &source.view.lowered.function.inst(id).results {
                let whole = completed.iter().any(|(_, value)| *value == result);
                if !whole && self.values.copy(result).is_some() {
                    return Err(WriteError::Unreadable(result));
                }
            }
        }
        Ok(())
    }
}

impl RewriteContext<'_> {
    /// The value that a guarded statement leaves in a register where its guard is false.
    fn kept_by_guard(&self, value: Value) -> Option<Value> {
        let ValueDef::Result(id, _) = self.view.lowered.function.value(value).def else {
            return None;
        };
        let (_, negated) = self.view.binding.instruction(self.origin(id))?.guard?;
        let inst = self.view.lowered.function.inst(id);
        match inst.opcode {
            Opcode::Op(_) => inst.args.get(usize::from(!negated)).copied(),
            _ => None,
        }
    }

    /// A name and its replacement; none if it stays, which it can where it means the same everywhere.
    fn renamed(
        &self,
        span: Span,
        names: &FxHashMap<&str, String>,
    ) -> Result<Option<(Span, String)>, WriteError> {
        let name = self.module.str(span);
        match names.get(name) {
            Some(new) => Ok(Some((span, new.clone()))),
            None if self.view.binding.is_hidden(name) => Err(WriteError::Name(name.to_string())),
            None => Ok(None),
        }
    }

    /// Names in an operand, and their replacements.
    fn rename(
        &self,
        operand: &Operand,
        names: &FxHashMap<&str, String>,
        changes: &mut Vec<(Span, String)>,
    ) -> Result<(), WriteError> {
        let (name, inner) = match *operand {
            Operand::Name { span, .. } => (Some(span), List::default()),
            Operand::Address { base, rest, .. } => (base, rest),
            Operand::Vector { elements, .. } | Operand::Pair { elements, .. } => (None, elements),
            Operand::Element { base, index, .. } => (Some(base), index),
            _ => (None, List::default()),
        };
        if let Some(name) = name {
            changes.extend(self.renamed(name, names)?);
        }
        for operand in self.module.list(inner) {
            self.rename(operand, names, changes)?;
        }
        Ok(())
    }

    /// The text of a statement with parts of it replaced.
    pub fn spliced(&self, span: Span, mut changes: Vec<(Span, String)>) -> String {
        changes.sort_by_key(|(span, _)| *span);
        let (mut text, mut done) = (String::new(), span.start);
        for (at, new) in changes {
            text.push_str(&self.module.copied(Span::new(done, at.start)));
            text.push_str(&new);
            done = at.end;
        }
        text.push_str(&self.module.copied(Span::new(done, span.end)));
        text
    }

    /// An instruction of the register form.
    pub fn instruction(&self, number: usize) -> Option<&form::Instruction> {
        self.view.form.instructions.get(number)
    }
}
