//! `mov` and the accesses to memory.

use super::body::Decoder;
use super::error::DecodeError;
use super::form::Source;
use super::instruction::{Decoded, Parts};
use super::operands::{Destinations, Sources};
use super::shape::{Atomic, Memory, Written};
use crate::ast::{Operand, Span};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, AtomicOp, Effects, Opcode};
use ptxasw_ir::types::{Kind, Space, Type};

impl Decoder<'_> {
    /// `mov`: a copy, a packing or an unpacking.
    pub fn mov(&mut self, ty: Type, opcode: Span, operands: &[Operand]) -> Decoded {
        let (to, from) = self.pair(opcode, operands, 0)?;
        let opaque = Opcode::Opaque {
            effects: Effects::NONE,
        };
        if ty.bits > 64 {
            let halves = [to, from].map(|operand| self.vector_length(operand) == Some(2));
            if halves != [true, true] {
                return Ok(self.opaque(opaque, Written::First, operands));
            }
            let results = self.destinations(to)?;
            let sources = self.sources(from, Type::B64)?;
            let op = Op::Copies {
                count: 2,
                width: 64,
            };
            return Ok(Parts::new(Opcode::Op(op), results, sources));
        }
        let op = match (self.vector_length(to), self.vector_length(from)) {
            (Some(_), Some(_)) => return Ok(self.opaque(opaque, Written::First, operands)),
            (Some(length), None) => {
                let (parts, width) = self.split(ty, to.span(), length)?;
                Op::Unpack { parts, width }
            }
            (None, Some(length)) => {
                let (parts, width) = self.split(ty, from.span(), length)?;
                Op::Pack { parts, width }
            }
            (None, None) => Op::Copy { width: ty.bits },
        };
        let element = match op {
            Op::Pack { width, .. } => Type::new(Kind::Bits, width),
            _ => ty,
        };
        let results = self.destinations(to)?;
        let sources = self.sources(from, element)?;
        Ok(Parts::new(Opcode::Op(op), results, sources))
    }

    /// How many parts of which width a vector of `mov` has.
    fn split(&self, ty: Type, span: Span, elements: u32) -> Result<(u8, u8), DecodeError> {
        match u8::try_from(elements) {
            Ok(parts @ (2 | 4 | 8)) if ty.bits / parts >= 8 => Ok((parts, ty.bits / parts)),
            _ => Err(self.error(span, "does not divide the type of `mov`")),
        }
    }

    /// The access with what its address says: the offset, and which `.param` space.
    fn complete(&self, memory: &Memory, base: Source, offset: i64) -> Access {
        let mut access = memory.access;
        access.offset = offset;
        if memory.bare_param {
            let kernel = match base {
                Source::Address(symbol, _) => self.is_kernel_parameter(symbol),
                _ => self.function.entry,
            };
            access.space = if kernel {
                Space::ParamEntry
            } else {
                Space::ParamFunc
            };
        }
        access
    }

    /// A vector access must name as many elements as it has.
    fn elements(&self, access: &Access, span: Span, found: usize) -> Result<(), DecodeError> {
        if found == usize::from(access.elements) {
            return Ok(());
        }
        let message = format!("{} elements are accessed, {found} named", access.elements);
        Err(DecodeError::new(span, message))
    }

    /// `ld`; a cache policy does not change what is loaded and is left out.
    pub fn load(&mut self, memory: &Memory, opcode: Span, operands: &[Operand]) -> Decoded {
        let (to, from) = self.pair(opcode, operands, usize::from(memory.policy))?;
        let results = self.destinations(to)?;
        let (base, offset) = self.address(from)?;
        let mut access = self.complete(memory, base, offset);
        access.hints |= matches!(from, Operand::Address { unified: true, .. });
        self.elements(&access, to.span(), results.len())?;
        Ok(Parts::new(
            Opcode::Load(access),
            results,
            Sources::from_slice(&[base]),
        ))
    }

    /// `st`
    pub fn store(&mut self, memory: &Memory, opcode: Span, operands: &[Operand]) -> Decoded {
        let (to, from) = self.pair(opcode, operands, usize::from(memory.policy))?;
        let (base, offset) = self.address(to)?;
        let mut access = self.complete(memory, base, offset);
        let values = self.stored(from, &mut access)?;
        self.elements(&access, from.span(), values.len())?;
        let mut sources = Sources::from_slice(&[base]);
        sources.extend(values);
        Ok(Parts::new(
            Opcode::Store(access),
            Destinations::new(),
            sources,
        ))
    }

    /// What is stored: an access of 256 bits may skip elements by `_`, but not all (PTX ISA, `st`: "the sink symbol"). Others may
    /// not.
    fn stored(&mut self, operand: &Operand, access: &mut Access) -> Result<Sources, DecodeError> {
        let Operand::Vector { elements, .. } = *operand else {
            return self.sources(operand, access.ty);
        };
        let mut values = Sources::new();
        for (number, element) in self.module.list(elements).iter().enumerate() {
            if let Operand::Sink(_) = element
                && access.bytes() == 32
                && number < usize::from(access.elements)
            {
                access.skipped |= 1 << number;
                values.push(Source::Imm(0));
            } else {
                values.push(self.source(element, access.ty)?);
            }
        }
        match access.accessed().next() {
            Some(_) => Ok(values),
            None => Err(self.error(operand.span(), "stores nothing")),
        }
    }

    /// `atom`, `red`; a cache policy may follow.
    pub fn atomic(&mut self, atomic: &Atomic, opcode: Span, operands: &[Operand]) -> Decoded {
        let named = usize::from(atomic.result);
        let values = if atomic.op == AtomicOp::CompareExchange {
            2
        } else {
            1
        };
        let expected = named + 1 + values + usize::from(atomic.policy);
        self.count(opcode, operands, expected)?;
        let (destinations, sources) = operands.split_at(named);
        let result = match destinations.first() {
            Some(operand) => self.destination(operand)?,
            None => None,
        };
        let mut read = Sources::new();
        let mut offset = 0;
        for (i, operand) in sources.iter().take(1 + values).enumerate() {
            if i == 0 {
                let base;
                (base, offset) = self.address(operand)?;
                read.push(base);
            } else {
                read.push(self.source(operand, atomic.ty)?);
            }
        }
        let opcode = Opcode::Atomic {
            op: atomic.op,
            ty: atomic.ty,
            space: atomic.space,
            order: atomic.order,
            scope: atomic.scope,
            offset,
        };
        Ok(Parts::new(
            opcode,
            Destinations::from_slice(&[result]),
            read,
        ))
    }

    /// The first two operands; `more` may follow.
    fn pair<'o>(
        &self,
        opcode: Span,
        operands: &'o [Operand],
        more: usize,
    ) -> Result<(&'o Operand, &'o Operand), DecodeError> {
        self.count(opcode, operands, 2 + more)?;
        match operands {
            [first, second, ..] => Ok((first, second)),
            _ => Err(self.error(opcode, "lacks operands")),
        }
    }
}
