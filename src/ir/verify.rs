//! Checks that a function is well formed.

use super::cfg::Cfg;
use super::dominators::DominatorTree;
use super::function::{BlockId, Function, Inst, InstId, Target, Terminator, Value, ValueDef};
use super::opcode::Opcode;
use super::semantics::{operand_widths, result_widths};

/// Something that no well-formed function has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A use that its definition does not dominate.
    #[error("{value} is used in {block} where its definition does not dominate")]
    Dominance {
        /// The value.
        value: Value,
        /// Where it is used.
        block: BlockId,
    },
    /// An index that is out of its table, or a table entry that does not point back.
    #[error("{block}: {what}")]
    Reference {
        /// Where.
        block: BlockId,
        /// What is wrong.
        what: &'static str,
    },
    /// Arguments that do not fit the parameters of the target in number.
    #[error("{from} passes {found} arguments to {to}, which has {expected} parameters")]
    Arguments {
        /// The source of the edge.
        from: BlockId,
        /// Its target.
        to: BlockId,
        /// Arguments.
        found: usize,
        /// Parameters.
        expected: usize,
    },
    /// A value of the wrong width.
    #[error("{block}: {value} has {found} bits where {expected} are needed")]
    Width {
        /// Where it is used or defined.
        block: BlockId,
        /// The value.
        value: Value,
        /// Its width.
        found: u8,
        /// The width that is needed.
        expected: u8,
    },
    /// An operation with the wrong number of operands or results, or a pure one with a guard.
    #[error("{0} does not have the operands, results or guard that its operation has")]
    Shape(InstId),
    /// The entry has a predecessor, or parameters.
    #[error("the entry has predecessors or parameters")]
    Entry,
    /// A block that the entry does not reach.
    #[error("{0} is unreachable")]
    Unreachable(BlockId),
}

/// All violations, in the order of the blocks.
pub fn verify(function: &Function) -> Vec<Violation> {
    let mut verifier = Verifier {
        function,
        position: vec![0; function.insts.len()],
        violations: Vec::new(),
    };
    verifier.references();
    if !verifier.violations.is_empty() || function.blocks.is_empty() {
        // Nothing else can be looked at safely.
        return verifier.violations;
    }
    let cfg = Cfg::new(function);
    let dominators = DominatorTree::dominators(&cfg);
    let entry = BlockId(0);
    if cfg.predecessors(entry).next().is_some() || !function.block(entry).params.is_empty() {
        verifier.violations.push(Violation::Entry);
    }
    for block in function.block_ids() {
        if cfg.reachable(block) {
            verifier.block(block, &dominators);
        } else {
            verifier.violations.push(Violation::Unreachable(block));
        }
    }
    verifier.violations
}

struct Verifier<'a> {
    function: &'a Function,
    /// Position of each instruction in its block, from 1; block parameters are at 0.
    position: Vec<u32>,
    violations: Vec<Violation>,
}

impl Verifier<'_> {
    /// That all indices are in their tables and definitions point back.
    fn references(&mut self) {
        let function = self.function;
        for block in function.block_ids() {
            let body = function.block(block);
            for (index, &param) in body.params.iter().enumerate() {
                let data = function.values.get(param.index());
                let def = ValueDef::Parameter(block, index as u16);
                self.check(block, data.is_some_and(|d| d.def == def), "a parameter");
            }
            for (index, &id) in body.insts.iter().enumerate() {
                let Some(inst) = function.insts.get(id.index()) else {
                    self.check(block, false, "an unknown instruction");
                    continue;
                };
                self.position[id.index()] = index as u32 + 1;
                self.check(
                    block,
                    inst.block == block,
                    "an instruction of another block",
                );
                self.inst_references(block, id, inst);
            }
            for target in body.terminator.targets() {
                let known = target.block.index() < function.blocks.len();
                self.check(block, known, "an unknown target");
                self.values(block, target.args.iter().copied());
            }
            self.values(block, body.terminator.decision().into_iter());
            self.values(block, body.assumed.iter().copied());
        }
    }

    fn inst_references(&mut self, block: BlockId, id: InstId, inst: &Inst) {
        let guard = inst.guard.map(|guard| guard.0);
        self.values(block, inst.args.iter().copied().chain(guard));
        for (index, result) in inst.results.iter().enumerate() {
            let data = self.function.values.get(result.index());
            let def = ValueDef::Result(id, index as u16);
            self.check(block, data.is_some_and(|d| d.def == def), "a result");
        }
    }

    fn values(&mut self, block: BlockId, values: impl Iterator<Item = Value>) {
        let known = self.function.values.len();
        for value in values {
            self.check(block, value.index() < known, "an unknown value");
        }
    }

    fn check(&mut self, block: BlockId, holds: bool, what: &'static str) {
        if !holds {
            self.violations.push(Violation::Reference { block, what });
        }
    }

    fn block(&mut self, block: BlockId, dominators: &DominatorTree) {
        let function = self.function;
        let body = function.block(block);
        for &id in &body.insts {
            let inst = function.inst(id);
            let position = self.position[id.index()];
            for &arg in inst.args.iter().chain(inst.guard.iter().map(|g| &g.0)) {
                self.dominance(arg, block, position, dominators);
            }
            if let Some((guard, _)) = inst.guard {
                self.width(block, guard, 1);
            }
            self.access(id, inst);
            if let Opcode::Op(op) = &inst.opcode {
                let (operands, results) = (operand_widths(op), result_widths(op));
                let counts = (inst.args.len(), inst.results.len());
                if counts != (operands.len(), results.len()) || inst.guard.is_some() {
                    self.violations.push(Violation::Shape(id));
                }
                let operands = inst.args.iter().zip(operands);
                for (&value, width) in operands.chain(inst.results.iter().zip(results)) {
                    self.width(block, value, width);
                }
            }
        }
        if let Some(value) = body.terminator.decision() {
            self.dominance(value, block, u32::MAX, dominators);
            if matches!(body.terminator, Terminator::Branch { .. }) {
                self.width(block, value, 1);
            }
        }
        for target in body.terminator.targets() {
            self.edge(block, target, dominators);
        }
        for &value in &body.assumed {
            self.dominance(value, block, u32::MAX, dominators);
            self.width(block, value, 1);
        }
    }

    /// That loads and stores have an address, and a value for each element, as wide as that.
    fn access(&mut self, id: InstId, inst: &Inst) {
        let (access, counts) = match &inst.opcode {
            Opcode::Load(access) => (access, (1, usize::from(access.elements))),
            Opcode::Store(access) => (access, (1 + usize::from(access.elements), 0)),
            _ => return,
        };
        let beyond = access
            .skipped
            .checked_shr(access.elements.into())
            .unwrap_or(0)
            != 0;
        let skips = beyond || access.accessed().next().is_none();
        let loads = matches!(inst.opcode, Opcode::Load(_)) && access.skipped != 0;
        if (inst.args.len(), inst.results.len()) != counts || skips || loads {
            self.violations.push(Violation::Shape(id));
        }
        let elements = inst.args.iter().skip(1).chain(&inst.results);
        for &element in elements {
            self.width(inst.block, element, access.ty.bits);
        }
        if let Some(&address) = inst.args.first()
            && !matches!(self.function.value(address).width, 32 | 64)
        {
            self.width(inst.block, address, 64);
        }
    }

    fn edge(&mut self, block: BlockId, target: &Target, dominators: &DominatorTree) {
        let params = &self.function.block(target.block).params;
        if params.len() != target.args.len() {
            self.violations.push(Violation::Arguments {
                from: block,
                to: target.block,
                found: target.args.len(),
                expected: params.len(),
            });
        }
        for (&param, &arg) in params.iter().zip(&target.args) {
            self.dominance(arg, block, u32::MAX, dominators);
            self.width(block, arg, self.function.value(param).width);
        }
    }

    fn width(&mut self, block: BlockId, value: Value, expected: u8) {
        let found = self.function.value(value).width;
        if found != expected {
            self.violations.push(Violation::Width {
                block,
                value,
                found,
                expected,
            });
        }
    }

    fn dominance(
        &mut self,
        value: Value,
        block: BlockId,
        position: u32,
        dominators: &DominatorTree,
    ) {
        let (def_block, defined) = match self.function.value(value).def {
            ValueDef::Result(id, _) => match self.function.insts.get(id.index()) {
                Some(inst) => (inst.block, self.position[id.index()]),
                None => (block, u32::MAX),
            },
            ValueDef::Parameter(def_block, _) => (def_block, 0),
            _ => return,
        };
        let holds = if def_block == block {
            defined < position
        } else {
            def_block.index() < self.function.blocks.len() && dominators.dominates(def_block, block)
        };
        if !holds {
            self.violations.push(Violation::Dominance { value, block });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{FunctionBuilder, target};
    use crate::op::Op;

    const ADD: Opcode = Opcode::Op(Op::Add { width: 32 });

    fn base() -> (FunctionBuilder, BlockId, BlockId) {
        let mut builder = FunctionBuilder::new("f", true);
        let (entry, end) = (builder.block(), builder.block());
        builder.terminate(entry, Terminator::Jump(target(end, &[])), 0);
        builder.terminate(end, Terminator::Return, 0);
        (builder, entry, end)
    }

    #[test]
    fn a_use_before_its_definition_is_found() {
        let (mut builder, entry, end) = base();
        let one = builder.constant(32, 1);
        let late = builder.single(end, ADD, &[one, one], 32, 0);
        builder.single(entry, ADD, &[late, one], 32, 0);
        let found = verify(&builder.finish());
        assert_eq!(
            found,
            [Violation::Dominance {
                value: late,
                block: entry
            }]
        );
    }

    #[test]
    fn widths_counts_and_arguments_are_checked() {
        let (mut builder, entry, end) = base();
        let one = builder.constant(64, 1);
        builder.single(entry, ADD, &[one], 32, 0);
        builder.param(end, 32);
        let found = verify(&builder.finish());
        assert_eq!(found.len(), 3);
        assert!(matches!(found[0], Violation::Shape(_)));
        assert!(matches!(
            found[1],
            Violation::Width {
                found: 64,
                expected: 32,
                ..
            }
        ));
        assert!(matches!(
            found[2],
            Violation::Arguments {
                found: 0,
                expected: 1,
                ..
            }
        ));
    }

    #[test]
    fn the_entry_has_no_predecessors_and_every_block_is_reached() {
        let mut builder = FunctionBuilder::new("f", true);
        let (entry, other) = (builder.block(), builder.block());
        builder.terminate(entry, Terminator::Jump(target(entry, &[])), 0);
        builder.terminate(other, Terminator::Return, 0);
        let found = verify(&builder.finish());
        assert_eq!(found, [Violation::Entry, Violation::Unreachable(other)]);
    }

    #[test]
    fn unknown_indices_are_reported_and_not_followed() {
        let (mut builder, entry, _) = base();
        builder.terminate(entry, Terminator::Jump(target(BlockId(7), &[Value(99)])), 0);
        assert_eq!(verify(&builder.finish()).len(), 2);
    }
}
