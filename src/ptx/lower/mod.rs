//! From the register form to the SSA IR.
//!
//! - Blocks are cut at labels and branches (`blocks`); what no path reaches is dropped.
//! - Registers become values (`ssa`): several definitions join in block parameters.
//! - A guarded pure operation is the operation and a select between its result and the register's old value. Memory
//!   accesses and whatever has effects keep their guard, and get the same select for each result. Guarded branches,
//!   returns and exits end their blocks.
//! - Registers may be wider than what an instruction reads or writes; the difference becomes [`Op::Extend`]
//!   (`values`).
//!
//! [`Op::Extend`]: ptxasw_ir::op::Op::Extend

mod blocks;
mod check;
mod ssa;
#[cfg(test)]
mod tests;
mod values;
pub(crate) mod widths;

use super::decode::form::{self, Action, Instruction, Reg, Symbol};
use blocks::{End, Layout};
use ptxasw_ir::builder::FunctionBuilder;
use ptxasw_ir::function::{BlockId, Function, Param, Target, Terminator, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::redundant_params::prune_parameters;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use ssa::{Ssa, Writers};
use std::ops::Range;

/// A function in SSA form, and how it hangs together with the registers of the text.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The function. The origin of an instruction is the index of its statement.
    pub function: Function,
    /// For each value the register that an instruction wrote it to. Where an instruction's result is narrower than its
    /// register or guarded, the result itself and what completes it (the extension, the select) name the same register:
    /// the statement wrote it there if it ran.
    pub registers: Vec<Option<Reg>>,
    /// The registers that block parameters stand for at the start of their blocks, by their values.
    pub parameters: FxHashMap<Value, Reg>,
    /// For each register the number of statements that write it, unreachable ones included.
    pub definitions: Vec<u32>,
    /// For each block its instructions in the text.
    pub texts: Vec<BlockText>,
}

/// The position of a block among the instructions of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockText {
    /// Its instructions, with the one that ends it; none for the end of a guarded `ret`, which its branch counts.
    pub instructions: Range<usize>,
    /// Where a branch goes that is taken.
    pub taken: Option<BlockId>,
    /// The block that it runs into where it takes no branch.
    pub next: Option<BlockId>,
}

/// Why a function in register form is not lowered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// A declaration.
    #[error("function has no body")]
    NoBody,
    /// The register form does not hold together; decoded text never does that.
    #[error("statement {statement}: {what}")]
    Malformed {
        /// Index of the statement.
        statement: u32,
        /// What is wrong.
        what: &'static str,
    },
}

/// Lowers one function of a module.
pub fn lower(module: &form::Module, function: &form::Function) -> Result<Lowered, LowerError> {
    if !function.defined {
        return Err(LowerError::NoBody);
    }
    check::check(module, function)?;
    let layout = Layout::new(function);
    let mut lowering = Lowering::new(module, function, &layout);
    lowering.parameters();
    for &block in &layout.order {
        for instruction in &function.instructions[layout.blocks[block as usize].body.clone()] {
            lowering.instruction(block, instruction)?;
        }
        lowering.decision(block);
    }
    lowering.finish()
}

struct Lowering<'a> {
    module: &'a form::Module,
    form: &'a form::Function,
    layout: &'a Layout,
    builder: FunctionBuilder,
    ssa: Ssa<'a>,
    /// Registers of values, by value; may be shorter than the values.
    registers: Vec<Option<Reg>>,
    /// Numbers of variables ([`ptxasw_ir::function::Base::Variable`]).
    variables: FxHashMap<Symbol, u32>,
    /// The condition or index that each block ends with.
    decisions: Vec<Option<Value>>,
}

impl<'a> Lowering<'a> {
    fn new(module: &'a form::Module, form: &'a form::Function, layout: &'a Layout) -> Self {
        let mut builder = FunctionBuilder::new(&form.name, form.entry);
        builder.function.required_threads = form.required_threads;
        builder.function.max_threads = form.max_threads;
        builder.function.callers_may_write = !form.entry;
        if form.entry {
            builder.function.params = form.parameters.iter().map(param).collect();
        }
        for _ in &layout.blocks {
            builder.block();
        }
        let graph = (&layout.successors, &layout.predecessors);
        let writers = Writers::new(graph, form.registers.len(), written(form, layout));
        Lowering {
            module,
            form,
            layout,
            builder,
            ssa: Ssa::new(&form.registers, &layout.predecessors, writers),
            registers: Vec::new(),
            variables: FxHashMap::default(),
            decisions: vec![None; layout.blocks.len()],
        }
    }

    /// Parameters of a device function that are registers: the caller's values, of which nothing is known.
    fn parameters(&mut self) {
        let opcode = Opcode::Opaque {
            effects: Effects::NONE,
        };
        let form = self.form;
        for reg in form.parameters.iter().flat_map(|p| p.registers()) {
            let width = self.ssa.width(reg);
            let value = self
                .builder
                .single(BlockId(0), opcode.clone(), &[], width, 0);
            self.ssa.write(0, reg, value);
        }
    }

    fn instruction(&mut self, block: u32, instruction: &Instruction) -> Result<(), LowerError> {
        let Action::Do(opcode) = &instruction.action else {
            return Ok(());
        };
        let origin = instruction.statement;
        let count = instruction.operands.len();
        let mut args = SmallVec::<[Value; 4]>::new();
        for (index, source) in instruction.operands.iter().enumerate() {
            let width = widths::operand(opcode, index, count);
            args.push(self.source(block, source, width, origin));
        }
        let guard = instruction
            .guard
            .map(|(reg, negated)| (self.read(block, reg, 1, origin), negated));
        let widths = self.result_widths(opcode, instruction);
        let own_guard = guard.filter(|_| !matches!(opcode, Opcode::Op(_)));
        let id = self.builder.inst(
            BlockId(block),
            opcode.clone(),
            &args,
            &widths,
            own_guard,
            origin,
        );
        let results = self.builder.function.inst(id).results.clone();
        let signed = match opcode {
            Opcode::Load(access) => access.ty.signed(),
            Opcode::Op(Op::Convert { to, .. }) => to.signed(),
            _ => false,
        };
        // All old values are read before any new one is written: a register can occur twice.
        let mut written = SmallVec::<[(Reg, Value); 2]>::new();
        for (&result, reg) in results.iter().zip(&instruction.results) {
            if let Some(reg) = *reg {
                let value = self.completed(block, result, reg, signed, guard, origin);
                written.push((reg, value));
            }
        }
        for (reg, value) in written {
            self.ssa.write(block, reg, value);
        }
        Ok(())
    }

    /// The widths of an instruction's results. What has no widths of its own takes those of its destinations.
    fn result_widths(&self, opcode: &Opcode, instruction: &Instruction) -> SmallVec<[u8; 2]> {
        let mut widths = widths::results(opcode).unwrap_or_default();
        for reg in instruction.results.iter().skip(widths.len()) {
            widths.push(reg.map_or(32, |reg| self.ssa.width(reg)));
        }
        widths
    }

    /// A result as its register holds it: extended, and under a guard selected against the old value.
    fn completed(
        &mut self,
        block: u32,
        result: Value,
        reg: Reg,
        signed: bool,
        guard: Option<(Value, bool)>,
        origin: u32,
    ) -> Value {
        let width = self.ssa.width(reg);
        self.note(result, reg);
        let value = self.resized(block, result, width, signed, origin);
        self.note(value, reg);
        let Some((condition, negated)) = guard else {
            return value;
        };
        let old = self.ssa.read(&mut self.builder, block, reg);
        let (then, otherwise) = if negated { (old, value) } else { (value, old) };
        let select = Opcode::Op(Op::Select { width });
        let args = [then, otherwise, condition];
        let value = self
            .builder
            .single(BlockId(block), select, &args, width, origin);
        self.note(value, reg);
        value
    }

    fn note(&mut self, value: Value, reg: Reg) {
        if self.registers.len() <= value.index() {
            self.registers.resize(value.index() + 1, None);
        }
        self.registers[value.index()] = Some(reg);
    }

    /// Reads what the end of a block decides by.
    fn decision(&mut self, block: u32) {
        let instructions = &self.form.instructions;
        self.decisions[block as usize] = match self.layout.blocks[block as usize].end {
            End::Guarded { instruction, .. } => instructions[instruction]
                .guard
                .map(|(reg, _)| self.read(block, reg, 1, instructions[instruction].statement)),
            End::Switch(instruction, _) => {
                let origin = instructions[instruction].statement;
                let index = instructions[instruction].operands.first();
                index.map(|source| self.source(block, source, Some(32), origin))
            }
            _ => None,
        };
    }

    fn finish(mut self) -> Result<Lowered, LowerError> {
        let mut arguments = self.ssa.arguments(&mut self.builder);
        for block in 0..self.layout.blocks.len() as u32 {
            let terminator = self.terminator(block, &arguments)?;
            let origin = self.origin_of_end(block);
            self.builder.terminate(BlockId(block), terminator, origin);
        }
        arguments.clear();
        let mut function = self.builder.finish();
        let mut parameters: FxHashMap<Value, Reg> = FxHashMap::default();
        for (block, data) in (0..).zip(&function.blocks) {
            parameters.extend(data.params.iter().copied().zip(self.ssa.parameters(block)));
        }
        let renaming = prune_parameters(&mut function);
        let register = |old: &Value| self.registers.get(old.index()).copied().flatten();
        let renamed = (0..).zip(&renaming.old);
        let parameters = renamed
            .filter_map(|(new, old)| Some((Value(new), *parameters.get(old)?)))
            .collect();
        Ok(Lowered {
            parameters,
            registers: renaming.old.iter().map(register).collect(),
            definitions: definitions(self.form),
            texts: self.layout.blocks.iter().map(blocks::Block::text).collect(),
            function,
        })
    }

    /// The statement that ends a block, or the last one before its end.
    fn origin_of_end(&self, block: u32) -> u32 {
        let block = &self.layout.blocks[block as usize];
        let index = match block.end {
            End::Guarded { instruction, .. }
            | End::Jump(instruction, _)
            | End::Switch(instruction, _)
            | End::Leave(instruction) => instruction,
            End::Fall(_) | End::Text => block.body.end.saturating_sub(1),
        };
        let instruction = self.form.instructions.get(index);
        instruction.map_or(0, |instruction| instruction.statement)
    }

    fn terminator(
        &self,
        block: u32,
        arguments: &FxHashMap<(u32, u32), Vec<Value>>,
    ) -> Result<Terminator, LowerError> {
        let target = |to: u32| Target {
            block: BlockId(to),
            args: arguments.get(&(block, to)).cloned().unwrap_or_default(),
        };
        let instructions = &self.form.instructions;
        let decision = self.decisions[block as usize];
        let decided = |instruction: usize| {
            decision.ok_or(LowerError::Malformed {
                statement: instructions[instruction].statement,
                what: "a branch without its operand",
            })
        };
        Ok(match &self.layout.blocks[block as usize].end {
            End::Fall(to) | End::Jump(_, to) => Terminator::Jump(target(*to)),
            End::Guarded {
                instruction,
                taken,
                next,
            } => {
                let one = &instructions[*instruction];
                let negated = one.guard.is_some_and(|(_, negated)| negated);
                let (then, otherwise) = if negated {
                    (next, taken)
                } else {
                    (taken, next)
                };
                Terminator::Branch {
                    condition: decided(*instruction)?,
                    then: target(*then),
                    otherwise: target(*otherwise),
                    uniform: matches!(one.action, Action::Branch { uniform: true, .. }),
                }
            }
            End::Switch(instruction, targets) => Terminator::Switch {
                index: decided(*instruction)?,
                targets: targets.iter().map(|&to| target(to)).collect(),
            },
            End::Leave(instruction) => match instructions[*instruction].action {
                Action::Exit => Terminator::Exit,
                Action::Trap => Terminator::Trap,
                _ => Terminator::Return,
            },
            End::Text => Terminator::Return,
        })
    }
}

/// A kernel parameter.
fn param(parameter: &form::Parameter) -> Param {
    Param {
        name: parameter.name.clone(),
        ty: parameter.ty,
        bytes: parameter.bytes,
        pointer: parameter.pointer,
        pointee_align: parameter.pointee_align,
        points_to_global: true,
        no_alias: false,
    }
}

/// The registers that each reachable block writes to.
fn written<'a>(
    function: &'a form::Function,
    layout: &'a Layout,
) -> impl Iterator<Item = (u32, Reg)> + 'a {
    (0..).zip(&layout.blocks).flat_map(|(block, one)| {
        let instructions = &function.instructions[one.body.clone()];
        let registers = instructions.iter().flat_map(|one| one.results.iter());
        registers.flatten().map(move |&reg| (block, reg))
    })
}

/// For each register the number of instructions that write it.
fn definitions(function: &form::Function) -> Vec<u32> {
    let mut definitions = vec![0u32; function.registers.len()];
    for instruction in &function.instructions {
        let results = &instruction.results;
        for (index, reg) in results.iter().enumerate() {
            let Some(reg) = reg else { continue };
            if !results[..index].contains(&Some(*reg)) {
                definitions[reg.0 as usize] += 1;
            }
        }
    }
    definitions
}
