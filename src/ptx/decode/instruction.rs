//! Instructions: an opcode's shape and its operands put together.

use super::body::Decoder;
use super::error::DecodeError;
use super::form::{Action, Instruction, Source};
use super::names::Entity;
use super::operands::{Destinations, Sources, Word};
use super::shape::{Plain, Results, Shape, Written};
use crate::ast::{self, Operand, Span};
use ptxasw_ir::op::{Logic, Op};
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::types::Type;

/// What is made of an instruction's operands.
pub(super) struct Parts {
    /// What it does.
    pub action: Action,
    /// Destinations.
    pub results: Destinations,
    /// Sources.
    pub operands: Sources,
}

impl Parts {
    /// What goes on with the next instruction.
    pub fn new(opcode: Opcode, results: Destinations, operands: Sources) -> Self {
        Parts {
            action: Action::Do(opcode),
            results,
            operands,
        }
    }

    /// Control flow without operands.
    pub fn action(action: Action) -> Self {
        Parts {
            action,
            results: Destinations::new(),
            operands: Sources::new(),
        }
    }
}

pub(super) type Decoded = Result<Parts, DecodeError>;

impl Decoder<'_> {
    /// One instruction; its place in the text is the caller's to fill in.
    pub fn instruction(
        &mut self,
        span: Span,
        node: &ast::Instruction,
    ) -> Result<Instruction, DecodeError> {
        let guard = match node.guard {
            Some(guard) => Some((self.guard(guard.register)?, guard.negated)),
            None => None,
        };
        let operands = self.module.operands(node);
        let (shape, spelling) = self.shape(node.opcode, operands.len());
        let parts = self.apply(&shape, node.opcode, operands)?;
        let offsets = match *shape {
            Shape::Opaque { .. } => self.offsets(node.opcode, operands),
            _ => None,
        };
        Ok(Instruction {
            statement: 0,
            span,
            spelling,
            location: None,
            guard,
            action: parts.action,
            results: parts.results,
            operands: parts.operands,
            used_bytes: None,
            offsets,
        })
    }

    fn apply(&mut self, shape: &Shape, opcode: Span, operands: &[Operand]) -> Decoded {
        if self.indexed(shape, operands) {
            let effects = Effects {
                waits: false,
                exits: false,
                ..Effects::ALL
            };
            return Ok(self.opaque(Opcode::Opaque { effects }, Written::First, operands));
        }
        match shape {
            Shape::Plain(plain) => self.plain(plain, opcode, operands),
            Shape::Lop3 { logic } => self.lop3(*logic, opcode, operands),
            Shape::Move(ty) => self.mov(*ty, opcode, operands),
            Shape::Load(memory) => self.load(memory, opcode, operands),
            Shape::Store(memory) => self.store(memory, opcode, operands),
            Shape::Atomic(atomic) => self.atomic(atomic, opcode, operands),
            Shape::Call => self.call(opcode, operands),
            Shape::Branch { uniform } => self.branch(*uniform, opcode, operands),
            Shape::BranchIndexed { uniform } => self.branch_indexed(*uniform, opcode, operands),
            Shape::Return => Ok(Parts::action(Action::Return)),
            Shape::Exit => Ok(Parts::action(Action::Exit)),
            Shape::Trap => Ok(Parts::action(Action::Trap)),
            Shape::Nop => Ok(self.opaque(Opcode::Nop, Written::None, operands)),
            Shape::Opaque {
                effects,
                written,
                carry,
            } => {
                let opcode = Opcode::Opaque { effects: *effects };
                let mut parts = self.opaque(opcode, *written, operands);
                if *carry {
                    let flags = [false, true].map(|borrow| Some(self.flag(borrow)));
                    parts.results.extend(flags);
                }
                Ok(parts)
            }
        }
    }

    /// An access to `sym[%r]`: an address that no single operand of the register form can hold.
    fn indexed(&mut self, shape: &Shape, operands: &[Operand]) -> bool {
        matches!(shape, Shape::Load(_) | Shape::Store(_) | Shape::Atomic(_))
            && operands.iter().any(|operand| {
                matches!(operand, Operand::Element { .. })
                    && self.element_address(operand).is_none()
            })
    }

    /// An error unless there are as many operands as the opcode takes.
    pub fn count(
        &self,
        opcode: Span,
        operands: &[Operand],
        expected: usize,
    ) -> Result<(), DecodeError> {
        if operands.len() == expected {
            return Ok(());
        }
        let name = self.module.str(opcode);
        let message = format!("`{name}` takes {expected} operands, not {}", operands.len());
        Err(DecodeError::new(opcode, message))
    }

    fn plain(&mut self, plain: &Plain, opcode: Span, operands: &[Operand]) -> Decoded {
        let named = usize::from(plain.results != Results::None);
        self.count(opcode, operands, named + plain.sources.len())?;
        let (destinations, sources) = operands.split_at(named);
        let mut results = Destinations::new();
        for operand in destinations {
            self.plain_results(plain.results, operand, &mut results)?;
        }
        let mut values = Sources::new();
        for (operand, ty) in sources.iter().zip(&plain.sources) {
            values.push(self.source(operand, *ty)?);
        }
        let borrow = matches!(plain.opcode, Opcode::Op(Op::Carry { subtract: true, .. }));
        if plain.carry_in {
            values.push(Source::Reg(self.flag(borrow)));
        }
        if plain.carry_out {
            let flags = [borrow, !borrow].map(|borrow| Some(self.flag(borrow)));
            results.extend(flags);
        }
        Ok(Parts::new(plain.opcode.clone(), results, values))
    }

    /// `d`, or `d|q` where there are two results.
    fn plain_results(
        &mut self,
        results: Results,
        operand: &Operand,
        out: &mut Destinations,
    ) -> Result<(), DecodeError> {
        let module = self.module;
        match *operand {
            Operand::Pair { elements, .. } if results == Results::Two => {
                for element in module.list(elements) {
                    let register = self.destination(element)?;
                    // Of two results in one register the first stays: so does ptxas.
                    out.push(register.filter(|_| !out.contains(&register)));
                }
            }
            _ => {
                out.push(self.destination(operand)?);
                if results == Results::Two {
                    out.push(None);
                }
            }
        }
        Ok(())
    }

    fn lop3(&mut self, logic: Option<Logic>, opcode: Span, operands: &[Operand]) -> Decoded {
        let sources = if logic.is_some() { 5 } else { 4 };
        self.count(opcode, operands, 1 + sources)?;
        let Some(Operand::Integer { value, .. }) = operands.get(4) else {
            let effects = Effects::NONE;
            return Ok(self.opaque(Opcode::Opaque { effects }, Written::First, operands));
        };
        let op = Op::Lop3 {
            table: *value as u8,
            predicate: logic,
        };
        let mut plain = Plain::new(Opcode::Op(op), &[Type::B32; 3]);
        let mut named: Vec<Operand> = operands.iter().take(4).copied().collect();
        if logic.is_some() {
            plain = plain.results(Results::Two);
            plain.sources.push(Type::PRED);
            named.extend(operands.get(5));
        }
        self.plain(&plain, opcode, &named)
    }

    /// Of an asynchronous copy the bytes added to the registers in its two addresses; those added to symbols are in the operand.
    fn offsets(&mut self, opcode: Span, operands: &[Operand]) -> Option<Box<[i64; 2]>> {
        let ([to, from, ..], true) = (operands, self.module.str(opcode).starts_with("cp.async."))
        else {
            return None;
        };
        let mut offset = |operand: &Operand| match *operand {
            Operand::Address {
                base: Some(base),
                offset,
                rest,
                ..
            } if self.module.list(rest).is_empty() => match self.word(base)? {
                Word::Entity(Entity::Register(_)) => Some(offset),
                _ => Some(0),
            },
            _ => None,
        };
        Some(Box::new([offset(to)?, offset(from)?]))
    }

    /// An instruction that is not modelled: all that it can read, and what it can write.
    pub fn opaque(&mut self, opcode: Opcode, written: Written, operands: &[Operand]) -> Parts {
        let mut results = Destinations::new();
        let mut sources = Sources::new();
        for (i, operand) in operands.iter().enumerate() {
            let mut registers = Destinations::new();
            let mut read = Sources::new();
            self.flatten(operand, &mut registers, &mut read);
            let first = i == 0 && written == Written::First;
            if first || written == Written::Any {
                results.append(&mut registers);
            }
            // A destination is not read, unless nobody knows which operand is one.
            if !first || matches!(operand, Operand::Address { .. }) {
                sources.append(&mut read);
            }
        }
        Parts::new(opcode, results, sources)
    }
}
