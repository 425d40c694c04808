//! All lines of one place, in the order in which they happen there: the same in the original and in clones, and the same as
//! [`apply`](ptxasw_ir::patch::apply) has it.

use super::names::{From, Named, fresh, is_definable};
use super::steps::Code;
use super::values::Values;
use super::{RewriteContext, WriteError, Writer};
use crate::decode::form::Register;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Copied, Position, Ref};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Values by the place at which something is to be done with them.
#[derive(Default)]
pub(super) struct Timetable {
    /// Copies after statements, by their last instructions.
    after: FxHashMap<InstId, Vec<Value>>,
    /// Operations computed anew in front of statements, by their first instructions.
    in_front: FxHashMap<InstId, Vec<Value>>,
    /// Copies of block parameters.
    at_start: FxHashMap<BlockId, Vec<Value>>,
    /// Redirected values, by the last instruction of their statement.
    redirected: FxHashMap<InstId, Vec<(Copied, Value, Ref)>>,
    /// Redirected block parameters.
    redirected_at_start: FxHashMap<BlockId, Vec<(Copied, Value, Ref)>>,
}

impl Timetable {
    pub fn new(source: &RewriteContext, values: &Values) -> Result<Self, WriteError> {
        let mut table = Timetable::default();
        let function = &source.view.lowered.function;
        for value in values.copied() {
            match (function.value(value).def.clone(), values.copy(value)) {
                (ValueDef::Parameter(block, _), _) => {
                    table.at_start.entry(block).or_default().push(value)
                }
                (ValueDef::Result(id, _), Some((_, From::Computed(_)))) => {
                    let first = source
                        .view
                        .positions
                        .statement(id)?
                        .first()
                        .copied()
                        .unwrap_or(id);
                    table.in_front.entry(first).or_default().push(value);
                }
                (ValueDef::Result(id, _), _) => {
                    let last = source
                        .view
                        .positions
                        .statement(id)?
                        .last()
                        .copied()
                        .unwrap_or(id);
                    table.after.entry(last).or_default().push(value);
                }
                _ => {}
            }
        }
        for redirect in &source.verified.patch().redirect {
            let one = (redirect.clone, redirect.value, redirect.to);
            match function.value(redirect.value).def {
                ValueDef::Parameter(block, _) => table
                    .redirected_at_start
                    .entry(block)
                    .or_default()
                    .push(one),
                ValueDef::Result(id, _) => {
                    let last = source
                        .view
                        .positions
                        .statement(id)?
                        .last()
                        .copied()
                        .unwrap_or(id);
                    table.redirected.entry(last).or_default().push(one);
                }
                _ => return Err(WriteError::Unnamed(redirect.value)),
            }
        }
        Ok(table)
    }
}

impl Writer<'_> {
    /// Writes all lines of a place in one copy; false if the code there ends with an unconditional exit.
    pub(super) fn place(
        &mut self,
        copied: Copied,
        position: Position,
        code: &mut Code,
    ) -> Result<bool, WriteError> {
        let source = self.source;
        let (block, index) = position;
        let insts = &source.view.lowered.function.block(block).insts;
        let ended = index.checked_sub(1).map(|last| insts[last]);
        let begins = insts.get(index).copied();
        if let Some((one, other)) = ended.zip(begins)
            && source.origin(one) == source.origin(other)
        {
            return Ok(true);
        }
        // What belongs to the instruction in front of a clone has happened there.
        let entered = source.agenda.is_entered(copied, position);
        let (starts, ended) = (index == 0 && !entered, ended.filter(|_| !entered));
        if starts {
            self.take_copies(self.timetable.at_start.get(&block).cloned(), code)?;
        }
        if let Some(last) = ended.filter(|&last| !source.agenda.is_gone(copied, last))
            && !active(Mutation::CopyNotTaken)
        {
            self.take_copies(self.timetable.after.get(&last).cloned(), code)?;
        }
        let wanted = source.agenda.at(copied, position);
        if let Some(wanted) = wanted {
            self.steps(wanted.steps.iter().copied(), code)?;
            for &id in &wanted.moved {
                if source.view.positions.statement(id)?.first() == Some(&id) {
                    self.moved(copied, id, code)?;
                }
            }
        }
        if let Some(last) = ended {
            self.old_names(copied, last, code)?;
        }
        if starts {
            self.old_names_at_start(copied, block, code)?;
        }
        if let Some(wanted) = wanted {
            let skipped = usize::from(active(Mutation::VariableNotSet));
            for &(id, value) in wanted.sets.iter().skip(skipped) {
                let Named { name, width } = self.values.variable(id)?.clone();
                self.assign(&name, width, value, code)?;
            }
            for &clone in &wanted.enters {
                self.cloned(clone, position, code)?;
            }
            for exit in &wanted.exits {
                let resume = self.resume(position);
                let together = copied.is_some_and(|id| source.agenda.together.contains(&id));
                let bra = branch(together);
                let Some(stay) = exit.stay else {
                    code.push(format!("{bra} {resume};"));
                    return Ok(false);
                };
                let stay = self.register(stay, code)?;
                let not = if active(Mutation::CloneExitInverted) {
                    ""
                } else {
                    "!"
                };
                code.push(format!("@{not}{stay} {bra} {resume};"));
            }
            if wanted.resumed {
                let label = self.resume(position);
                code.push(format!("{label}:"));
                code.forget_line();
            }
        }
        if let Some(first) = begins.filter(|&first| !source.agenda.is_gone(copied, first))
            && !active(Mutation::NotComputedAnew)
        {
            self.computed_anew(first, code)?;
        }
        Ok(true)
    }

    /// Whether lines after an instruction of the original name its registers.
    pub(super) fn names_of(&self, last: InstId) -> bool {
        let redirected = self.timetable.redirected.get(&last);
        let redirected = redirected.is_some_and(|list| list.iter().any(|one| one.0.is_none()));
        let moved = self.source.agenda.moved.contains_key(&(None, last));
        self.timetable.after.contains_key(&last) || redirected || moved
    }

    /// The label at which clones that are left at a place go on in the original.
    fn resume(&mut self, position: Position) -> String {
        if let Some(known) = self.resumes.get(&position) {
            return known.clone();
        }
        let label = self.label();
        self.resumes.insert(position, label.clone());
        label
    }

    /// Copies of values that are in their registers here.
    fn take_copies(
        &mut self,
        values: Option<Vec<Value>>,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        values
            .into_iter()
            .flatten()
            .try_for_each(|value| self.take_copy(value, code))
    }

    fn take_copy(&mut self, value: Value, code: &mut Code) -> Result<(), WriteError> {
        match self.values.copy(value).cloned() {
            Some((to, From::Half(from, upper))) => {
                let other = fresh(&mut self.registers, to.width)?.name;
                let parts = match upper != active(Mutation::OtherHalf) {
                    false => [to.name, other],
                    true => [other, to.name],
                };
                code.push(format!("mov.b128 {{{}}}, {from};", parts.join(", ")));
                Ok(())
            }
            Some((to, From::Register(from, bits))) => {
                code.push(
                    to.narrowed(&from, bits)
                        .ok_or(WriteError::Unreadable(value))?,
                );
                Ok(())
            }
            _ => Err(WriteError::Unreadable(value)),
        }
    }

    fn computed_anew(&mut self, first: InstId, code: &mut Code) -> Result<(), WriteError> {
        let values = self.timetable.in_front.get(&first).cloned();
        // What one reads of another was defined before it, and has a smaller number.
        for value in values.unwrap_or_default() {
            let Some((to, From::Computed(op))) = self.values.copy(value).cloned() else {
                continue;
            };
            let opcode = Opcode::Op(op);
            let args: Vec<Ref> = self
                .source
                .view
                .operands_of(value)
                .into_iter()
                .map(Ref::Value)
                .collect();
            let operands = self.operands(&opcode, &args, code)?;
            self.instruction(&opcode, &[to], operands, code)?;
        }
        Ok(())
    }

    /// A statement's old registers get what is read in place of their values, or what was computed elsewhere.
    fn old_names(
        &mut self,
        copied: Copied,
        last: InstId,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let source = self.source;
        let redirected = self.timetable.redirected.get(&last);
        let redirected = redirected.into_iter().flatten();
        let here =
            redirected.filter(|one| one.0 == copied || active(Mutation::RedirectedEverywhere));
        let here: Vec<(Value, Ref)> = here.map(|&(_, value, to)| (value, to)).collect();
        self.names_again(last, &here, code)?;
        if source.agenda.moved.get(&(copied, last)) == Some(&true) {
            for (reg, value) in source.view.completed(last) {
                let register = source.view.form.registers.get(reg.0 as usize);
                self.name_again(value, register, Ref::Value(value), code)?;
            }
        }
        Ok(())
    }

    /// The registers of values that one statement gives get what is read in their place.
    pub(super) fn names_again(
        &mut self,
        id: InstId,
        values: &[(Value, Ref)],
        code: &mut Code,
    ) -> Result<(), WriteError> {
        if values.is_empty() {
            return Ok(());
        }
        let source = self.source;
        let completed = source.view.completed(id);
        // The halves of registers of 128 bits are defined at once, the lower one first.
        let mut halves: BTreeMap<&str, [Option<String>; 2]> = BTreeMap::new();
        for &(value, to) in values {
            let found = completed.iter().find(|(_, one)| *one == value);
            let register = found.and_then(|(reg, _)| {
                let register = source.view.form.registers.get(reg.0 as usize)?;
                Some((*reg, register))
            });
            match register.filter(|(_, register)| register.half) {
                None => self.name_again(value, register.map(|one| one.1), to, code)?,
                Some((reg, half)) => {
                    let part = self.register(to, code)?;
                    let parts = halves.entry(&half.name).or_default();
                    parts[usize::from(source.view.is_upper(reg, half))] = Some(part);
                }
            }
        }
        for (name, parts) in halves {
            let [Some(low), Some(high)] = parts else {
                return Err(WriteError::Statement(id));
            };
            code.push(format!("mov.b128 {name}, {{{low}, {high}}};"));
        }
        Ok(())
    }

    fn old_names_at_start(
        &mut self,
        copied: Copied,
        block: BlockId,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let source = self.source;
        let redirected = self.timetable.redirected_at_start.get(&block).cloned();
        for (_, value, to) in redirected
            .into_iter()
            .flatten()
            .filter(|one| one.0 == copied)
        {
            let reg = source.view.lowered.parameters.get(&value);
            let register = reg.and_then(|reg| source.view.form.registers.get(reg.0 as usize));
            let register = register.filter(|register| source.view.binding.visible(register));
            self.name_again(value, register, to, code)?;
        }
        Ok(())
    }

    /// The register of a value gets what is read in its place.
    pub(super) fn name_again(
        &mut self,
        value: Value,
        register: Option<&Register>,
        to: Ref,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let width = self.source.view.lowered.function.value(value).width;
        let register = register.filter(|one| is_definable(one, width));
        let register = register.ok_or(WriteError::Unnamed(value))?;
        if active(Mutation::OldRegisterKept) {
            return Ok(());
        }
        if register.ty.bits == 8 {
            let half = self.register(to, code)?;
            code.push(format!("cvt.u8.u16 {}, {half};", register.name));
            return Ok(());
        }
        self.assign(&register.name, width, to, code)
    }
}

/// The opcode of a branch about which all threads of a warp agree, or one like any other.
pub(super) const fn branch(together: bool) -> &'static str {
    if together { "bra.uni" } else { "bra" }
}
