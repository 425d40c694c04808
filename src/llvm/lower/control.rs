//! Terminators.

use super::{Lowering, Pieces};
use crate::view::{Block, Val};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Target, Terminator, Value};
use ptxasw_ir::op::Comparison;
use rustc_hash::FxHashMap;

impl<'m> Lowering<'m> {
    /// Ends all blocks.
    pub(super) fn terminators(&mut self) {
        for part in self.order.clone() {
            let part = self.numbering.parts()[part as usize].clone();
            self.block = self.blocks[&part.block];
            self.origin = part.statements.end - 1;
            let Some(instruction) = self.numbering.instruction(self.origin) else {
                continue;
            };
            let terminator = self.terminator(part.block, instruction);
            self.builder.terminate(self.block, terminator, self.origin);
        }
    }

    fn terminator(&mut self, block: Block<'m>, instruction: Val<'m>) -> Terminator {
        use LLVMOpcode::*;
        let successors = instruction.successors();
        match (instruction.opcode(), &successors[..]) {
            (LLVMRet, _) => Terminator::Return,
            (_, &[only]) if instruction.is_branch() => Terminator::Jump(self.target(block, only)),
            (_, &[then, otherwise]) if instruction.is_branch() => {
                let condition = self.operand(instruction, 0);
                Terminator::Branch {
                    condition: self.one(&condition, 1),
                    then: self.target(block, then),
                    otherwise: self.target(block, otherwise),
                    uniform: false,
                }
            }
            (LLVMSwitch, _) => self.switch(block, instruction),
            (LLVMUnreachable, _) if !self.may_leave() => Terminator::Trap,
            (_, &[]) => Terminator::Exit,
            // By a value of which nothing is known.
            (_, targets) => {
                let index = self.unknown(32);
                let targets = targets.iter().map(|&to| self.target(block, to)).collect();
                Terminator::Switch { index, targets }
            }
        }
    }

    fn one(&mut self, pieces: &Pieces, width: u8) -> Value {
        match pieces[..] {
            [piece] => piece,
            _ => self.unknown(width),
        }
    }

    /// Whether a thread may end in the block before it comes to the end of it.
    fn may_leave(&self) -> bool {
        let function = &self.builder.function;
        let insts = function.block(self.block).insts.iter();
        insts
            .map(|&inst| effects::of_instruction(function.inst(inst)))
            .any(|effects| effects.exits)
    }

    /// A block with what its phis take from `from`.
    fn target(&mut self, from: Block<'m>, to: Block<'m>) -> Target {
        if !self.incoming.contains_key(&to) {
            let phis = self.phis(to);
            self.incoming.insert(to, phis);
        }
        let mut args = Vec::new();
        for phi in 0..self.incoming[&to].len() {
            if let Some(&value) = self.incoming[&to][phi].get(&from) {
                args.extend(self.read(value));
            }
        }
        Target {
            block: self.blocks[&to],
            args,
        }
    }

    /// What the phis of a block take, by the predecessor.
    fn phis(&self, block: Block<'m>) -> Vec<FxHashMap<Block<'m>, Val<'m>>> {
        let Some(part) = self.numbering.part(block) else {
            return Vec::new();
        };
        let part = &self.numbering.parts()[part];
        let phis = part.statements.start..part.statements.start + part.phis;
        phis.filter_map(|statement| self.numbering.instruction(statement))
            .map(|phi| phi.incoming().into_iter().collect())
            .collect()
    }

    /// A balanced tree of comparisons over the cases in order of their values.
    fn switch(&mut self, from: Block<'m>, instruction: Val<'m>) -> Terminator {
        // The default first.
        let successors = instruction.successors();
        let condition = self.operand(instruction, 0);
        let value = self.one(&condition, 128);
        let cases = 0..successors.len().saturating_sub(1);
        let constants: Option<Vec<u64>> = cases
            .map(|case| instruction.case_value(case).integer())
            .collect();
        let (Some(constants), Some(&default)) = (constants, successors.first()) else {
            let index = self.unknown(32);
            let targets = successors.iter().map(|&to| self.target(from, to)).collect();
            return Terminator::Switch { index, targets };
        };
        let mut cases: Vec<(u64, Block<'m>)> = constants
            .into_iter()
            .zip(successors.iter().skip(1).copied())
            .collect();
        cases.sort_unstable_by_key(|&(value, _)| value);
        let saved = self.block;
        let terminator = self.tree(from, value, &cases, default);
        self.block = saved;
        terminator
    }

    /// Decides among cases at the end of the current block; further decisions are made in blocks of their own.
    fn tree(
        &mut self,
        from: Block<'m>,
        value: Value,
        cases: &[(u64, Block<'m>)],
        default: Block<'m>,
    ) -> Terminator {
        let width = self.width_of(value);
        match *cases {
            [] => Terminator::Jump(self.target(from, default)),
            [(constant, to)] => {
                let constant = self.constant(width.min(64), constant);
                let condition = self.decided(Comparison::Eq, value, constant);
                Terminator::Branch {
                    condition,
                    then: self.target(from, to),
                    otherwise: self.target(from, default),
                    uniform: false,
                }
            }
            _ => {
                let (low, high) = cases.split_at(cases.len() / 2);
                let pivot = self.constant(width.min(64), high[0].0);
                let condition = self.decided(Comparison::Lt, value, pivot);
                let then = self.subtree(from, value, low, default);
                let otherwise = self.subtree(from, value, high, default);
                Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                    uniform: false,
                }
            }
        }
    }

    fn decided(&mut self, comparison: Comparison, value: Value, constant: Value) -> Value {
        match self.width_of(value) == self.width_of(constant) {
            true => self.compared(comparison, false, value, constant),
            false => self.unknown(1),
        }
    }

    fn subtree(
        &mut self,
        from: Block<'m>,
        value: Value,
        cases: &[(u64, Block<'m>)],
        default: Block<'m>,
    ) -> Target {
        let block = self.builder.block();
        self.parts.push(None);
        let saved: BlockId = std::mem::replace(&mut self.block, block);
        let terminator = self.tree(from, value, cases, default);
        self.builder.terminate(block, terminator, self.origin);
        self.block = saved;
        Target {
            block,
            args: Vec::new(),
        }
    }
}
