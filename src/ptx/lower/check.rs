//! That the register form holds together: afterwards its indices can be used as they are.

use super::LowerError;
use crate::decode::form::{Action, Function, Instruction, Module, Reg, Source, Symbol};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics;

/// Checks all indices, and operand counts of pure operations.
pub(super) fn check(module: &Module, function: &Function) -> Result<(), LowerError> {
    let checker = Checker { module, function };
    let parameters = function.parameters.iter().filter_map(|p| p.register);
    if !parameters.clone().all(|reg| checker.register(reg)) {
        return Err(malformed(0, "a parameter in an unknown register"));
    }
    for instruction in &function.instructions {
        checker
            .instruction(instruction)
            .map_err(|what| malformed(instruction.statement, what))?;
    }
    Ok(())
}

fn malformed(statement: u32, what: &'static str) -> LowerError {
    LowerError::Malformed { statement, what }
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Checker<'_> {
    fn instruction(&self, instruction: &Instruction) -> Result<(), &'static str> {
        let registers = instruction.results.iter().flatten().copied();
        let mut registers = registers.chain(instruction.guard.map(|guard| guard.0));
        if !registers.all(|reg| self.register(reg)) {
            return Err("an unknown register");
        }
        if !instruction
            .operands
            .iter()
            .all(|source| self.source(source))
        {
            return Err("an operand that refers to nothing");
        }
        match &instruction.action {
            Action::Do(opcode) => shape(opcode, instruction),
            Action::Branch { target, .. } => self.target(*target),
            Action::BranchIndexed { targets, .. } => {
                if instruction.operands.is_empty() {
                    return Err("an indexed branch without its index");
                }
                targets.iter().try_for_each(|&target| self.target(target))
            }
            Action::Return | Action::Exit | Action::Trap => Ok(()),
        }
    }

    fn target(&self, target: u32) -> Result<(), &'static str> {
        match target as usize <= self.function.instructions.len() {
            true => Ok(()),
            false => Err("a branch out of the function"),
        }
    }

    fn register(&self, reg: Reg) -> bool {
        (reg.0 as usize) < self.function.registers.len()
    }

    fn source(&self, source: &Source) -> bool {
        let symbol = match *source {
            Source::Reg(reg) | Source::NotReg(reg) | Source::Sum(reg, _) => {
                return self.register(reg);
            }
            Source::Part {
                reg, bit, width, ..
            } => {
                let known = self.function.registers.get(reg.0 as usize);
                return known.is_some_and(|register| {
                    width > 0 && u16::from(bit) + u16::from(width) <= register.ty.bits.into()
                });
            }
            Source::Imm(_) | Source::Special(_) => return true,
            Source::Address(symbol, _) => symbol,
        };
        let (index, count) = match symbol {
            Symbol::Global(index) => (index, self.module.variables.len()),
            Symbol::Local(index) => (index, self.function.variables.len()),
            Symbol::Parameter(index) => (index, self.function.parameters.len()),
            Symbol::Return(index) => (index, self.function.returns.len()),
            Symbol::Function(index) => (index, self.module.functions.len()),
        };
        (index as usize) < count
    }
}

/// Operand and result counts of what computes with them.
fn shape(opcode: &Opcode, instruction: &Instruction) -> Result<(), &'static str> {
    let operands = instruction.operands.len();
    let fits = match opcode {
        Opcode::Op(op) => {
            operands == semantics::operand_widths(op).len()
                && instruction.results.len() <= semantics::result_widths(op).len()
        }
        Opcode::Load(access) => {
            operands >= 1 && instruction.results.len() <= usize::from(access.elements)
        }
        Opcode::Store(access) => operands > usize::from(access.elements),
        Opcode::Atomic { .. } => operands >= 1,
        _ => true,
    };
    match fits {
        true => Ok(()),
        false => Err("wrong number of operands"),
    }
}
