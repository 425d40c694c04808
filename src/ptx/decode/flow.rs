//! Branches and calls.

use super::body::Decoder;
use super::error::DecodeError;
use super::form::{Action, Call, Source, Symbol};
use super::instruction::{Decoded, Parts};
use super::labels::{Target, bytes};
use super::names::Entity;
use super::operands::{Destinations, Word};
use crate::ast::{Directive, Operand, Span, StatementKind};
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::types::Type;

impl Decoder<'_> {
    /// `bra`
    pub fn branch(&mut self, uniform: bool, opcode: Span, operands: &[Operand]) -> Decoded {
        self.count(opcode, operands, 1)?;
        let target = match operands.first() {
            Some(operand) => self.place(operand)?,
            None => return Err(self.error(opcode, "lacks a label")),
        };
        Ok(Parts::action(Action::Branch { target, uniform }))
    }

    /// The instruction after a label that can be jumped to.
    fn place(&self, operand: &Operand) -> Result<u32, DecodeError> {
        let target = self.target(operand)?;
        let lists = [".branchtargets", ".calltargets", ".callprototype"];
        let named = self.named(target).map(|node| self.module.str(node.name));
        match named.is_some_and(|name| lists.contains(&name)) {
            true => Err(self.error(operand.span(), "names a list of targets, not a label")),
            false => Ok(target.instruction),
        }
    }

    /// The directive that a label names.
    fn named(&self, label: Target) -> Option<&Directive> {
        let following = self.statements.iter().skip(label.statement as usize + 1);
        let next = following
            .map(|statement| &statement.kind)
            .find(|kind| !matches!(kind, StatementKind::Location(_)));
        match next {
            Some(StatementKind::Directive(node)) => Some(node),
            _ => None,
        }
    }

    fn target(&self, operand: &Operand) -> Result<Target, DecodeError> {
        let span = operand.span();
        self.labels
            .get(bytes(self.module, span))
            .ok_or_else(|| self.error(span, "is not a label of this scope or of an enclosing one"))
    }

    /// `brx.idx index, table`
    pub fn branch_indexed(&mut self, uniform: bool, opcode: Span, operands: &[Operand]) -> Decoded {
        self.count(opcode, operands, 2)?;
        let [index, table] = operands else {
            return Err(self.error(opcode, "lacks operands"));
        };
        let index = self.source(index, Type::U32)?;
        let targets = self.branch_targets(table)?;
        let mut parts = Parts::action(Action::BranchIndexed { targets, uniform });
        parts.operands.push(index);
        Ok(parts)
    }

    /// The labels of the `.branchtargets` after a label.
    fn branch_targets(&self, table: &Operand) -> Result<Box<[u32]>, DecodeError> {
        let label = self.target(table)?;
        let arguments = match self.named(label) {
            Some(node) if self.module.str(node.name) == ".branchtargets" => {
                self.module.list(node.arguments)
            }
            _ => return Err(self.error(table.span(), "is not a list of `.branchtargets`")),
        };
        arguments
            .iter()
            .map(|operand| self.place(operand))
            .collect()
    }

    /// `call (returns), callee, (arguments), prototype`, all lists and the prototype optional.
    ///
    /// What a callee does is unknown, also that of the functions that every toolchain provides: `vprintf` and
    /// `__assertfail` call into the driver, `malloc` and `free` change the heap.
    pub fn call(&mut self, opcode: Span, operands: &[Operand]) -> Decoded {
        let (returned, rest) = match operands.split_first() {
            Some((&Operand::Parenthesised { elements, .. }, rest)) => (Some(elements), rest),
            Some((Operand::Sink(_), rest)) => (None, rest),
            _ => (None, operands),
        };
        let Some((&Operand::Name { span: callee, .. }, rest)) = rest.split_first() else {
            return Err(self.error(opcode, "lacks a callee"));
        };
        let mut call = Call {
            instruction: self.function.instructions.len() as u32,
            ..Call::default()
        };
        let module = self.module;
        for operand in returned.map_or(&[][..], |list| module.list(list)) {
            self.returned(operand, &mut call)?;
        }
        if let Some(&Operand::Parenthesised { elements, .. }) = rest.first() {
            for operand in module.list(elements) {
                let arguments = self.sources(operand, Type::B64)?;
                call.arguments.extend(arguments);
            }
        }
        let parts = self.call_parts(callee, &call)?;
        self.function.calls.push(call);
        Ok(parts)
    }

    /// Where a return value goes: a register, a variable of the call sequence, or nowhere (`_`).
    fn returned(&mut self, operand: &Operand, call: &mut Call) -> Result<(), DecodeError> {
        if let Operand::Sink(_) = operand {
            call.returns.push(None);
            return Ok(());
        }
        for source in self.sources(operand, Type::B64)? {
            if !matches!(source, Source::Reg(_) | Source::Address(..)) {
                return Err(self.error(operand.span(), "cannot be returned into"));
            }
            call.returns.push(Some(source));
        }
        Ok(())
    }

    fn call_parts(&mut self, callee: Span, call: &Call) -> Decoded {
        let name = self.module.str(callee);
        let address = match self.word(callee) {
            Some(Word::Entity(Entity::Register(reg))) => Some(Source::Reg(reg)),
            None | Some(Word::Entity(Entity::Symbol(Symbol::Function(_)))) => None,
            _ => return Err(self.error(callee, "is not a function")),
        };
        let results: Destinations = call
            .returns
            .iter()
            .filter_map(|source| match source {
                Some(Source::Reg(reg)) => Some(Some(*reg)),
                _ => None,
            })
            .collect();
        let in_memory = |source: &&Source| matches!(source, Source::Address(..));
        let arguments = call.arguments.iter().filter(|s| !in_memory(s)).copied();
        let operands = arguments.chain(address).collect();
        let opcode = Opcode::Call {
            callee: address.is_none().then(|| name.into()),
            effects: Effects::ALL,
        };
        Ok(Parts::new(opcode, results, operands))
    }
}
