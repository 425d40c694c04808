//! What the text has of the function's values: the answers of the front end, which a pass may ask for as well.

use super::clonable;
use super::names::{From, class, is_definable};
use crate::ast::{Module, Operand, StatementKind};
use crate::binding::{Binding, writes_twice};
use crate::decode::form::{self, Reg, Register};
use crate::lower::Lowered;
use crate::text::registers::{is_made, is_of_copy};
use ptxasw_ir::function::{Base, BlockId, InstId, Terminator, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Place, Positions, Readable, RegionClone, Site, Text, Uncopyable};
use ptxasw_ir::registers::{BlockText, Carrier, Element, Held, Loaded};
use ptxasw_ir::types::{Kind, Space, Type};
use std::borrow::Cow;
use std::ops::Range;

/// The text of one function.
pub struct View<'a> {
    pub(super) binding: Binding<'a>,
    pub(super) form: &'a form::Function,
    pub(super) lowered: &'a Lowered,
    pub(super) positions: Positions<'a>,
}

impl<'a> View<'a> {
    /// Of a function of a module.
    pub fn new(module: &'a Module<'a>, form: &'a form::Function, lowered: &'a Lowered) -> Self {
        View {
            binding: Binding::new(module, form, lowered),
            form,
            lowered,
            positions: Positions::new(&lowered.function),
        }
    }
}

impl Text for View<'_> {
    fn readable(&self, value: Value) -> Readable {
        let data = self.lowered.function.value(value);
        match data.def {
            _ if class(data.width).is_none() => Readable::No,
            ValueDef::Constant(_) | ValueDef::Undefined => Readable::Directly,
            ValueDef::Special(_) => Readable::ByCopy,
            ValueDef::Address(ref base, _) => match self.symbol(base) {
                Some(_) => Readable::ByCopy,
                None => Readable::No,
            },
            _ if self.direct(value).is_some() => Readable::Directly,
            _ => match self.comes_from(value) {
                Some(From::Register(..) | From::Half(..)) => Readable::ByCopy,
                Some(From::Computed(_))
                    if self.operands_of(value).iter().all(|&arg| self.is_held(arg)) =>
                {
                    Readable::ByCopy
                }
                _ => Readable::No,
            },
        }
    }

    fn redirectable(&self, value: Value) -> bool {
        let held = matches!(
            self.comes_from(value),
            Some(From::Register(..) | From::Half(..))
        );
        held && self.readable(value) != Readable::No
    }

    fn defines_all(&self, load: InstId) -> bool {
        let origin = self.lowered.function.inst(load).origin;
        let instruction = self.binding.instruction(origin);
        let whole = instruction.is_none_or(|one| one.used_bytes.is_none());
        let function = &self.lowered.function;
        let statement = self.positions.statement(load).unwrap_or_default();
        let mut values = statement.iter().flat_map(|&id| &function.inst(id).results);
        whole
            && values.all(|&value| {
                let register = self.binding.register(value);
                let width = function.value(value).width;
                register.is_none_or(|(reg, register)| {
                    is_definable(register, width) && !self.binding.is_written_twice(value, reg)
                })
            })
    }

    fn place(&self, statement: u32) -> Place {
        self.binding.place_of(statement)
    }

    fn site(&self, statement: u32) -> Site {
        self.binding.site_of(statement)
    }

    fn keeps_loop(&self, header: BlockId) -> bool {
        self.binding.is_rolled(header)
    }

    fn clonable(&self, clone: &RegionClone) -> Result<(), Uncopyable> {
        clonable::clonable(self, clone)
    }

    fn held(&self, value: Value) -> Option<Held<'_>> {
        let (register, data) = self.binding.register(value)?;
        let once = self.lowered.definitions.get(register.0 as usize) == Some(&1);
        Some(Held {
            name: Cow::Borrowed(&data.name),
            stable: once && self.binding.visible(data) && !self.binding.guarded(value),
            integer: matches!(data.ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed),
        })
    }

    fn loaded(&self, statement: u32) -> Option<Loaded> {
        let instruction = self.binding.instruction(statement)?;
        let form::Action::Do(Opcode::Load(access)) = &instruction.action else {
            return None;
        };
        // Another spelling, `sym[i]`, is not taken apart.
        let statement = self.binding.statements().get(statement as usize)?;
        match &statement.kind {
            StatementKind::Instruction(written)
                if let [_, Operand::Address { .. }, ..] =
                    self.binding.module().operands(written) => {}
            _ => return None,
        }
        let element = |reg: Reg| {
            let data = self.form.registers.get(reg.0 as usize)?;
            // An element of a vector register has a dot: there is no name for all of it.
            let movable = fits(access.ty, data.ty)
                && !data.name.contains('.')
                && !writes_twice(instruction, reg);
            let once = self.lowered.definitions.get(reg.0 as usize) == Some(&1);
            let stable = once && self.binding.visible(data) && instruction.guard.is_none();
            let exact = data.ty.bits == access.ty.bits;
            Some(Element {
                movable,
                stable,
                exact,
            })
        };
        let results = instruction.results.iter();
        let elements = results.map(|reg| match *reg {
            Some(reg) => element(reg).map(Some),
            None => Some(None),
        });
        Some(Loaded {
            elements: elements.collect::<Option<_>>()?,
            used_bytes: instruction.used_bytes,
        })
    }

    fn carrier(&self, parameter: Value, ty: Type) -> Option<Carrier> {
        let register = self.lowered.parameters.get(&parameter)?;
        let data = self.form.registers.get(register.0 as usize)?;
        let whole = data.ty.bits == self.lowered.function.value(parameter).width;
        // An element of a vector register has a dot; a half of 128 bits has no name at all.
        let named = self.binding.visible(data) && !data.half && !data.name.contains('.');
        (whole && named && fits(ty, data.ty)).then(|| Carrier {
            name: data.name.clone(),
            ty: data.ty,
        })
    }

    fn kept(&self, parameter: Value, statement: u32) -> Option<Box<str>> {
        let ValueDef::Parameter(block, _) = self.lowered.function.value(parameter).def else {
            return None;
        };
        let register = *self.lowered.parameters.get(&parameter)?;
        let data = self.form.registers.get(register.0 as usize)?;
        let whole = data.ty.bits == self.lowered.function.value(parameter).width;
        let named = self.binding.visible(data) && !data.half && !data.name.contains('.');
        let integer = matches!(data.ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed);
        let written = self.binding.first_writes().get(&(block, register)).copied();
        let kept = written.is_none_or(|written| written > statement);
        (whole && named && integer && kept).then(|| data.name.clone())
    }

    fn first_statement(&self, block: BlockId) -> Option<u32> {
        let text = self.lowered.texts.get(block.index())?;
        let instructions = self.form.instructions.get(text.instructions.clone())?;
        instructions.first().map(|first| first.statement)
    }

    fn block_text(&self, block: BlockId) -> BlockText {
        let Some(text) = self.lowered.texts.get(block.index()) else {
            return BlockText::default();
        };
        let instructions = &self.form.instructions;
        let Range { start, end } = text.instructions;
        let statements = self.binding.block_statements(block);
        let last = instructions.get(start..end).and_then(<[_]>::last);
        BlockText {
            statements: if start == end && text.next.is_none() {
                statements.start..statements.start
            } else {
                statements
            },
            branch: last
                .filter(|last| !matches!(last.action, form::Action::Do(_)))
                .map(|last| last.statement),
            taken: text.taken,
            otherwise: text.next,
            next: text.next,
        }
    }

    fn fallback(&self, block: BlockId) -> Option<BlockId> {
        let text = self.lowered.texts.get(block.index())?;
        let last = self
            .form
            .instructions
            .get(text.instructions.clone())?
            .last()?;
        let statement = self.binding.statements().get(last.statement as usize)?;
        let StatementKind::Instruction(branch) = &statement.kind else {
            return None;
        };
        let [Operand::Name { span, .. }] = self.binding.module().operands(branch) else {
            return None;
        };
        let negated = branch.guard.is_some_and(|guard| guard.negated);
        // Branches of the code itself go to labels of a copy in a copy.
        let label = self.binding.module().str(*span);
        (negated && is_made(label) && !is_of_copy(label)).then_some(text.taken?)
    }

    fn uncopyable(
        &self,
        before: u32,
        statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)> {
        self.binding.hindrance(before, statements, leaves)
    }

    fn last_statement(&self, block: BlockId) -> Option<u32> {
        let data = self.lowered.function.block(block);
        // An empty block that runs into the next one has no statement of its own.
        let own = !data.insts.is_empty()
            || matches!(
                data.terminator,
                Terminator::Branch { .. } | Terminator::Switch { .. }
            );
        own.then_some(data.origin)
    }
}

impl<'a> View<'a> {
    /// The register that holds a value wherever it is there, and takes part in arithmetic on integers.
    pub(super) fn direct(&self, value: Value) -> Option<&'a str> {
        let (_, register) = self.binding.register(value)?;
        let integer = matches!(
            register.ty.kind,
            Kind::Bits | Kind::Unsigned | Kind::Signed | Kind::Predicate
        );
        self.held_once(value).filter(|_| integer)
    }

    /// The register that holds a value wherever it is there.
    pub(super) fn held_once(&self, value: Value) -> Option<&'a str> {
        let (reg, register) = self.binding.register(value)?;
        let once = self.lowered.definitions.get(reg.0 as usize) == Some(&1);
        let kept = once
            && register.ty.bits != 8
            && self.binding.visible(register)
            && !register.name.contains('.')
            && !self.binding.guarded(value);
        kept.then_some(&*register.name)
    }

    /// Where a value is at its definition.
    pub(super) fn comes_from(&self, value: Value) -> Option<From> {
        let width = self.lowered.function.value(value).width;
        let named = |register: &Register| {
            let there = !register.half
                && !register.name.contains('.')
                && register.ty.bits >= width
                && matches!(register.ty.bits, 1 | 8 | 16 | 32 | 64);
            there.then(|| From::Register(register.name.to_string(), register.ty.bits))
        };
        match self.lowered.function.value(value).def {
            ValueDef::Parameter(..) => {
                let reg = self.lowered.parameters.get(&value)?;
                let register = self.form.registers.get(reg.0 as usize)?;
                named(register).filter(|_| self.binding.visible(register))
            }
            ValueDef::Result(id, _) => {
                let reg = self.lowered.registers.get(value.index()).copied().flatten();
                match reg {
                    Some(reg) => match self.holds(reg, value, id)? {
                        half if half.half => {
                            let upper = self.is_upper(reg, half);
                            Some(From::Half(half.name.to_string(), upper))
                        }
                        whole => named(whole),
                    },
                    None => self.computed(id),
                }
            }
            _ => None,
        }
    }

    /// Whether half of a register of 128 bits is the upper one: the lower one comes first.
    pub(super) fn is_upper(&self, reg: Reg, half: &Register) -> bool {
        let next = self.form.registers.get(reg.0 as usize + 1);
        !next.is_some_and(|next| next.half && next.name == half.name)
    }

    /// The register that a statement wrote a value to, if it holds that after it.
    fn holds(&self, reg: Reg, value: Value, id: InstId) -> Option<&'a Register> {
        let instruction = self
            .binding
            .instruction(self.lowered.function.inst(id).origin)?;
        // Where the guard is false the register holds what the last instruction of the statement selects.
        let selected = instruction.guard.is_none()
            || self
                .completed(id)
                .into_iter()
                .any(|(_, last)| last == value);
        self.form
            .registers
            .get(reg.0 as usize)
            .filter(|_| selected && !self.binding.is_written_twice(value, reg))
    }

    /// An operation that is part of a statement and has no register.
    fn computed(&self, id: InstId) -> Option<From> {
        let inst = self.lowered.function.inst(id);
        match inst.opcode {
            Opcode::Op(op) if inst.results.len() == 1 => Some(From::Computed(op)),
            _ => None,
        }
    }

    /// What an operation reads.
    pub(super) fn operands_of(&self, value: Value) -> Vec<Value> {
        match self.lowered.function.value(value).def {
            ValueDef::Result(id, _) => self.lowered.function.inst(id).args.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The registers that a statement writes, each with the value that it holds after it.
    pub(super) fn completed(&self, id: InstId) -> Vec<(Reg, Value)> {
        let mut last: Vec<(Reg, Value)> = Vec::new();
        for &id in self.positions.statement(id).unwrap_or_default() {
            for &result in &self.lowered.function.inst(id).results {
                let Some(reg) = self
                    .lowered
                    .registers
                    .get(result.index())
                    .copied()
                    .flatten()
                else {
                    continue;
                };
                match last.iter_mut().find(|(known, _)| *known == reg) {
                    Some(known) => known.1 = result,
                    None => last.push((reg, result)),
                }
            }
        }
        last
    }

    /// What the instructions of a statement read from outside of it.
    pub(super) fn reads(&self, id: InstId) -> Vec<Value> {
        let function = &self.lowered.function;
        let statement = self.positions.statement(id).unwrap_or_default();
        let own = |value: &Value| match function.value(*value).def {
            ValueDef::Result(id, _) => statement.contains(&id),
            _ => false,
        };
        let insts = statement.iter().map(|&id| function.inst(id));
        let read = insts.flat_map(|inst| {
            let guard = inst.guard.map(|(guard, _)| guard);
            inst.args.iter().copied().chain(guard)
        });
        read.filter(|value| !own(value)).collect()
    }

    /// How many instructions at the start of a block have no statement: parameters of a device function in registers.
    pub(super) fn parameters(&self, block: BlockId) -> usize {
        let function = &self.lowered.function;
        let insts = function.block(block).insts.iter();
        let unwritten =
            |&&id: &&InstId| self.binding.instruction(function.inst(id).origin).is_none();
        insts.take_while(unwritten).count()
    }

    /// Whether a register or a number of the text is a value.
    fn is_held(&self, value: Value) -> bool {
        match self.lowered.function.value(value).def {
            ValueDef::Constant(_) | ValueDef::Undefined | ValueDef::Special(_) => true,
            _ => {
                self.direct(value).is_some()
                    || matches!(self.comes_from(value), Some(From::Register(..)))
            }
        }
    }

    /// The name of what an address is based on, if it means that everywhere in the body.
    pub(super) fn symbol(&self, base: &Base) -> Option<&'a str> {
        let function = &self.lowered.function;
        let name = match base {
            Base::Parameter(index) => &function.params.get(*index as usize)?.name,
            Base::Variable(Space::ParamFunc, _) | Base::Function(_) => return None,
            Base::Variable(_, number) => function.variables.get(*number as usize)?,
        };
        (!self.binding.is_hidden(name)).then_some(&**name)
    }
}

/// Whether values of a type can be taken out of a register and put into it: it is as wide, or wider and of integers.
fn fits(ty: Type, register: Type) -> bool {
    let integer = matches!(register.kind, Kind::Bits | Kind::Unsigned | Kind::Signed);
    let wider = register.bits > ty.bits && integer && !ty.float();
    matches!(register.bits, 8 | 16 | 32 | 64 | 128)
        && register.kind != Kind::Other
        && (register.bits == ty.bits || wider)
}
