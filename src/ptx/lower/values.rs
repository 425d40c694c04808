//! Operands as values of the width that an instruction reads.

use super::Lowering;
use crate::decode::form::{Reg, Source, Symbol, Variable};
use ptxasw_ir::function::{Base, BlockId, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::types::{Space, Special};

impl Lowering<'_> {
    /// The value of an operand, `width` bits wide, or as wide as it is by itself.
    pub(super) fn source(
        &mut self,
        block: u32,
        source: &Source,
        width: Option<u8>,
        origin: u32,
    ) -> Value {
        match *source {
            Source::Reg(reg) => {
                let width = width.unwrap_or(self.ssa.width(reg));
                self.read(block, reg, width, origin)
            }
            Source::NotReg(reg) => {
                let value = self.read(block, reg, 1, origin);
                let value = self.single(block, Op::Not { width: 1 }, &[value], 1, origin);
                self.resized(block, value, width.unwrap_or(1), false, origin)
            }
            Source::Imm(bits) => self.builder.constant(width.unwrap_or(64), bits),
            Source::Special(special) => self.special(block, special, width, origin),
            Source::Address(symbol, offset) => {
                let base = self.base(symbol);
                let width = width.unwrap_or(self.address_width());
                self.builder.address(base, offset, width)
            }
            Source::Sum(reg, offset) => {
                let own = self.ssa.width(reg);
                let value = self.read(block, reg, own, origin);
                let offset = self.builder.constant(own, offset as u64);
                let value =
                    self.single(block, Op::Add { width: own }, &[value, offset], own, origin);
                self.resized(block, value, width.unwrap_or(own), false, origin)
            }
            Source::Part {
                reg,
                bit,
                width: bits,
                signed,
            } => {
                let value = self.part(block, reg, bit, bits, origin);
                self.resized(block, value, width.unwrap_or(bits), signed, origin)
            }
        }
    }

    /// A register's value in `width` bits: its lower ones, or zeros above.
    pub(super) fn read(&mut self, block: u32, reg: Reg, width: u8, origin: u32) -> Value {
        let value = self.ssa.read(&mut self.builder, block, reg);
        self.resized(block, value, width, false, origin)
    }

    /// A value in another width.
    pub(super) fn resized(
        &mut self,
        block: u32,
        value: Value,
        to: u8,
        signed: bool,
        origin: u32,
    ) -> Value {
        let from = self.builder.function.value(value).width;
        if from == to {
            return value;
        }
        let op = Op::Extend { from, to, signed };
        self.single(block, op, &[value], to, origin)
    }

    /// `bits` bits of a register from bit `low`.
    fn part(&mut self, block: u32, reg: Reg, low: u8, bits: u8, origin: u32) -> Value {
        let mut value = self.ssa.read(&mut self.builder, block, reg);
        if low > 0 {
            let width = self.ssa.width(reg);
            let amount = self.builder.constant(32, low.into());
            let op = Op::Shr {
                width,
                signed: false,
            };
            value = self.single(block, op, &[value, amount], width, origin);
        }
        self.resized(block, value, bits, false, origin)
    }

    fn special(&mut self, block: u32, special: Special, width: Option<u8>, origin: u32) -> Value {
        let own = match special {
            Special::GridId => 64,
            _ => 32,
        };
        let width = width.unwrap_or(own);
        if special.changes() {
            let opcode = Opcode::Opaque {
                effects: Effects {
                    polls: special == Special::Clock,
                    ..Effects::NONE
                },
            };
            return self
                .builder
                .single(BlockId(block), opcode, &[], width, origin);
        }
        let value = self.builder.special(special, own);
        self.resized(block, value, width, false, origin)
    }

    fn single(&mut self, block: u32, op: Op, args: &[Value], width: u8, origin: u32) -> Value {
        self.builder
            .single(BlockId(block), Opcode::Op(op), args, width, origin)
    }

    /// 32 or 64.
    fn address_width(&self) -> u8 {
        let unit = self.module.units.get(self.form.unit as usize);
        let size = unit.map_or(self.module.address_size, |unit| unit.address_size);
        if size == 32 { 32 } else { 64 }
    }

    /// What an address is based on. Only kernel parameters are [`Base::Parameter`]: the parameters of device functions
    /// and of call sequences are memory of the thread.
    fn base(&mut self, symbol: Symbol) -> Base {
        let mut dynamic = false;
        let (space, name) = match symbol {
            Symbol::Parameter(index) if self.form.entry => return Base::Parameter(index),
            Symbol::Function(index) => return Base::Function(index),
            Symbol::Global(index) => {
                let variable = &self.module.variables[index as usize];
                dynamic = is_dynamic_shared(variable);
                (variable.space, &variable.name)
            }
            Symbol::Local(index) => {
                let variable = &self.form.variables[index as usize];
                dynamic = is_dynamic_shared(variable);
                (variable.space, &variable.name)
            }
            Symbol::Parameter(index) => {
                (Space::ParamFunc, &self.form.parameters[index as usize].name)
            }
            Symbol::Return(index) => (Space::ParamFunc, &self.form.returns[index as usize].name),
        };
        let function = &mut self.builder.function;
        let number = *self.variables.entry(symbol).or_insert_with(|| {
            let number = function.variables.len() as u32;
            function.variables.push(name.clone());
            if dynamic {
                function.dynamic_shared.push(number);
            }
            number
        });
        Base::Variable(space, number)
    }
}

/// Dynamic shared memory: all such arrays start at one address (PTX ISA, "Variables: Array Declarations"). A declaration
/// whose definition is elsewhere counts as one, as does an array of no bytes, which has the address of what follows.
fn is_dynamic_shared(variable: &Variable) -> bool {
    matches!(variable.space, Space::Shared | Space::SharedCluster)
        && (variable.external || variable.bytes == 0)
}
