//! Operands: names become registers, symbols and special registers, literals become bits.

use super::body::Decoder;
use super::error::DecodeError;
use super::form::{Reg, Source, Symbol};
use super::header::declared_type;
use super::immediate;
use super::labels::bytes;
use super::names::{Entity, element};
use super::special::special;
use crate::ast::{self, Item, Operand, Span, StatementKind};
use ptxasw_ir::types::{Kind, Type};
use smallvec::SmallVec;

/// Destinations of an instruction.
pub(super) type Destinations = SmallVec<[Option<Reg>; 2]>;
/// Sources of an instruction.
pub(super) type Sources = SmallVec<[Source; 4]>;

/// What a word of an operand stands for.
pub(super) enum Word {
    /// A register, a vector register, or a variable or parameter.
    Entity(Entity),
    /// A constant or special register, a part of a register, a module-scope symbol.
    Source(Source),
}

impl Decoder<'_> {
    /// Looks a word up: names of the scopes, parts of registers, special registers, names of the module.
    pub fn word(&mut self, span: Span) -> Option<Word> {
        let name = bytes(self.module, span);
        let registers = &mut self.function.registers;
        if let Some(entity) = self.names.lookup(name, registers) {
            return Some(Word::Entity(entity));
        }
        let text = self.module.str(span);
        if let Some((base, selector)) = text.split_once('.')
            && let Some(entity) = self.names.lookup(base.as_bytes(), registers)
        {
            return part(entity, selector);
        }
        if let Some(special) = special(text) {
            return Some(Word::Source(Source::Special(special)));
        }
        if text == "WARP_SZ" {
            return Some(Word::Source(Source::Imm(32)));
        }
        let symbol = self.unit?.names.get(text)?;
        Some(Word::Entity(Entity::Symbol(*symbol)))
    }

    fn known_word(&mut self, span: Span) -> Result<Word, DecodeError> {
        self.word(span).ok_or_else(|| {
            let text = self.module.str(span);
            let what = if text.starts_with('%') {
                "register"
            } else {
                "name"
            };
            DecodeError::new(span, format!("undeclared {what} `{text}`"))
        })
    }

    /// A name that must be a scalar register.
    pub fn register(&mut self, span: Span) -> Result<Reg, DecodeError> {
        match self.known_word(span)? {
            Word::Entity(Entity::Register(reg)) => Ok(reg),
            _ => Err(self.error(span, "is not a register")),
        }
    }

    pub fn error(&self, span: Span, what: &str) -> DecodeError {
        DecodeError::new(span, format!("`{}` {what}", self.module.str(span)))
    }

    /// A destination: a register or `_`.
    pub fn destination(&mut self, operand: &Operand) -> Result<Option<Reg>, DecodeError> {
        match *operand {
            Operand::Sink(_) => Ok(None),
            Operand::Name {
                span,
                negated: false,
            } => self.register(span).map(Some),
            _ => Err(self.error(operand.span(), "cannot be written to")),
        }
    }

    /// The destinations of a load or an unpacking: one, or those of a vector.
    pub fn destinations(&mut self, operand: &Operand) -> Result<Destinations, DecodeError> {
        let module = self.module;
        match *operand {
            Operand::Vector { elements, .. } => module
                .list(elements)
                .iter()
                .map(|element| self.destination(element))
                .collect(),
            Operand::Name {
                span,
                negated: false,
            } => match self.known_word(span)? {
                Word::Entity(Entity::Register(reg)) => Ok(Destinations::from_slice(&[Some(reg)])),
                Word::Entity(Entity::Vector(first, count)) => {
                    Ok(vector(first, count).map(Some).collect())
                }
                _ => Err(self.error(span, "is not a register")),
            },
            _ => Ok(Destinations::from_slice(&[self.destination(operand)?])),
        }
    }

    /// One source of a type.
    pub fn source(&mut self, operand: &Operand, ty: Type) -> Result<Source, DecodeError> {
        match *operand {
            Operand::Name { span, negated } => self.named_source(span, negated, ty),
            Operand::Integer { span, value } => immediate::integer(value, ty)
                .map(Source::Imm)
                .ok_or_else(|| self.error(span, "is an integer where a float is needed")),
            Operand::Float { bits, width, .. } => {
                Ok(Source::Imm(immediate::float(bits, width, ty)))
            }
            Operand::Address {
                span,
                base: Some(base),
                offset,
                ..
            } => match self.known_word(base)? {
                Word::Entity(Entity::Symbol(symbol)) => Ok(Source::Address(symbol, offset)),
                Word::Entity(Entity::Register(reg)) if self.adds(reg) => {
                    Ok(Source::Sum(reg, offset))
                }
                _ => Err(self.error(span, "is an address where a value is needed")),
            },
            Operand::Element { span, .. } => match self.element_address(operand) {
                Some((symbol, offset)) => Ok(Source::Address(symbol, offset)),
                None => Err(self.error(span, "is not an address that is constant")),
            },
            _ => Err(self.error(operand.span(), "cannot be read here")),
        }
    }

    /// Whether `ptxas` adds a constant to such a register: of a float it makes what is no value.
    fn adds(&self, reg: Reg) -> bool {
        let register = self.function.registers.get(reg.0 as usize);
        register.is_some_and(|register| {
            let integer = matches!(register.ty.kind, Kind::Bits | Kind::Signed | Kind::Unsigned);
            integer && matches!(register.ty.bits, 16 | 32 | 64) && !register.half
        })
    }

    fn named_source(&mut self, span: Span, negated: bool, ty: Type) -> Result<Source, DecodeError> {
        let source = match self.known_word(span)? {
            Word::Entity(Entity::Register(reg)) if negated => return Ok(Source::NotReg(reg)),
            Word::Entity(Entity::Register(reg)) => Source::Reg(reg),
            Word::Entity(Entity::Symbol(symbol)) => Source::Address(symbol, 0),
            Word::Entity(Entity::Vector(..)) => {
                return Err(self.error(span, "is a vector where a scalar is needed"));
            }
            Word::Source(Source::Part {
                reg, bit, width, ..
            }) => Source::Part {
                reg,
                bit,
                width,
                signed: ty.signed(),
            },
            Word::Source(source) => source,
        };
        if negated {
            return Err(self.error(span, "cannot be negated: it is not a predicate register"));
        }
        Ok(source)
    }

    /// The sources of a store or a packing: one, or those of a vector.
    pub fn sources(&mut self, operand: &Operand, ty: Type) -> Result<Sources, DecodeError> {
        let module = self.module;
        match *operand {
            Operand::Vector { elements, .. } => module
                .list(elements)
                .iter()
                .map(|element| self.source(element, ty))
                .collect(),
            Operand::Name {
                span,
                negated: false,
            } => match self.word(span) {
                Some(Word::Entity(Entity::Vector(first, count))) => {
                    Ok(vector(first, count).map(Source::Reg).collect())
                }
                _ => Ok(Sources::from_slice(&[self.source(operand, ty)?])),
            },
            _ => Ok(Sources::from_slice(&[self.source(operand, ty)?])),
        }
    }

    /// Elements of `{a, b}` or of a vector register; none for anything else.
    pub fn vector_length(&mut self, operand: &Operand) -> Option<u32> {
        match *operand {
            Operand::Vector { elements, .. } => Some(elements.len),
            Operand::Name { span, .. } => match self.word(span)? {
                Word::Entity(Entity::Vector(_, count)) => Some(u32::from(count)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The base of an address and the bytes added to it.
    pub fn address(&mut self, operand: &Operand) -> Result<(Source, i64), DecodeError> {
        let (span, offset) = match *operand {
            Operand::Address {
                base: Some(base),
                offset,
                ..
            } => (base, offset),
            Operand::Address {
                base: None, offset, ..
            } => return Ok((Source::Imm(offset as u64), 0)),
            Operand::Integer { value, .. } => return Ok((Source::Imm(value), 0)),
            Operand::Name {
                span,
                negated: false,
            } => (span, 0),
            Operand::Element { span, .. } => match self.element_address(operand) {
                Some((symbol, offset)) => return Ok((Source::Address(symbol, 0), offset)),
                None => return Err(self.error(span, "is not an address that is constant")),
            },
            _ => return Err(self.error(operand.span(), "is not an address")),
        };
        match self.known_word(span)? {
            Word::Entity(Entity::Register(reg)) => Ok((Source::Reg(reg), offset)),
            Word::Entity(Entity::Symbol(symbol)) => Ok((Source::Address(symbol, 0), offset)),
            _ => Err(self.error(span, "is not an address")),
        }
    }

    /// `sym[i]` with a constant `i`, of an array of one dimension: the array and the element's offset in bytes.
    pub fn element_address(&mut self, operand: &Operand) -> Option<(Symbol, i64)> {
        let Operand::Element { base, index, .. } = *operand else {
            return None;
        };
        let Some(Word::Entity(Entity::Symbol(symbol))) = self.word(base) else {
            return None;
        };
        let [Operand::Integer { value, .. }] = self.module.list(index) else {
            return None;
        };
        let node = self.declaration(symbol)?;
        let one_dimension = node
            .names
            .iter()
            .filter(|declarator| bytes(self.module, declarator.name) == bytes(self.module, base))
            .all(|declarator| declarator.dimensions.len() == 1);
        // Counted in scalars where the elements are vectors: so does ptxas.
        let size = declared_type(self.module, node).bits.div_ceil(8);
        let offset = (*value as i64).checked_mul(size.into())?;
        one_dimension.then_some((symbol, offset))
    }

    /// The declaration of a variable.
    fn declaration(&self, symbol: Symbol) -> Option<&ast::Variable> {
        match symbol {
            Symbol::Global(index) => {
                let origin = self.headers.variables.get(index as usize)?.origin;
                match self.module.items.get(origin as usize)? {
                    Item::Variable(node) => Some(node),
                    _ => None,
                }
            }
            Symbol::Local(index) => {
                let origin = self.function.variables.get(index as usize)?.origin;
                match &self.statements.get(origin as usize)?.kind {
                    StatementKind::Variable(node) => Some(node),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a symbol lies in a kernel's parameter block.
    pub fn is_kernel_parameter(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Parameter(_)) && self.function.entry
    }

    /// All that an operand of an opaque instruction can read or write, whatever it is: its registers, and everything
    /// that can be read. What cannot be resolved has no register in it and is left out.
    pub fn flatten(
        &mut self,
        operand: &Operand,
        registers: &mut Destinations,
        sources: &mut Sources,
    ) {
        let module = self.module;
        let mut stack: SmallVec<[Operand; 8]> = SmallVec::from_slice(&[*operand]);
        while let Some(operand) = stack.pop() {
            match operand {
                Operand::Vector { elements, .. }
                | Operand::Pair { elements, .. }
                | Operand::Parenthesised { elements, .. } => {
                    stack.extend(module.list(elements).iter().rev().copied());
                }
                Operand::Address {
                    base, offset, rest, ..
                } => {
                    stack.extend(module.list(rest).iter().rev().copied());
                    if let Some(base) = base {
                        self.flatten_word(base, false, offset, &mut Destinations::new(), sources);
                    }
                }
                Operand::Name { span, negated } => {
                    self.flatten_word(span, negated, 0, registers, sources);
                }
                Operand::Element { base, index, .. } => {
                    let before = registers.len();
                    self.flatten_word(base, false, 0, registers, sources);
                    // The array is named, not written, like the registers that index it.
                    registers.truncate(before);
                    for operand in module.list(index) {
                        self.flatten_index(operand, sources);
                    }
                }
                Operand::Integer { value, .. } => sources.push(Source::Imm(value)),
                Operand::Float { bits, .. } => sources.push(Source::Imm(bits)),
                Operand::Sink(_) | Operand::String(_) => {}
            }
        }
    }

    /// The register of `sym[%r]` or `sym[%r+i]`.
    fn flatten_index(&mut self, operand: &Operand, sources: &mut Sources) {
        if let Operand::Name { span, .. }
        | Operand::Address {
            base: Some(span), ..
        } = *operand
        {
            self.flatten_word(span, false, 0, &mut Destinations::new(), sources);
        }
    }

    fn flatten_word(
        &mut self,
        span: Span,
        negated: bool,
        offset: i64,
        registers: &mut Destinations,
        sources: &mut Sources,
    ) {
        match self.word(span) {
            Some(Word::Entity(Entity::Register(reg))) => {
                registers.push(Some(reg));
                sources.push(if negated {
                    Source::NotReg(reg)
                } else {
                    Source::Reg(reg)
                });
            }
            Some(Word::Entity(Entity::Vector(first, count))) => {
                registers.extend(vector(first, count).map(Some));
                sources.extend(vector(first, count).map(Source::Reg));
            }
            Some(Word::Entity(Entity::Symbol(symbol))) => {
                sources.push(Source::Address(symbol, offset));
            }
            Some(Word::Source(source)) => {
                if let Source::Part { reg, .. } = source {
                    registers.push(Some(reg));
                }
                sources.push(source);
            }
            None => {}
        }
    }

    /// The guard of an instruction.
    pub fn guard(&mut self, span: Span) -> Result<Reg, DecodeError> {
        let reg = self.register(span)?;
        let kind = self
            .function
            .registers
            .get(reg.0 as usize)
            .map(|r| r.ty.kind);
        match kind {
            Some(Kind::Predicate) => Ok(reg),
            _ => Err(self.error(span, "is not a predicate")),
        }
    }
}

/// The registers of a vector register.
fn vector(first: Reg, count: u8) -> impl Iterator<Item = Reg> {
    (0..u32::from(count)).map(move |i| Reg(first.0 + i))
}

/// `%v.x` of a vector register, `%r.b0` or `%r.h1` of a scalar one.
fn part(entity: Entity, selector: &str) -> Option<Word> {
    match entity {
        Entity::Vector(first, count) => {
            let index = element(selector).filter(|i| *i < count)?;
            Some(Word::Entity(Entity::Register(Reg(
                first.0 + u32::from(index)
            ))))
        }
        Entity::Register(reg) => {
            let (width, limit) = match selector.as_bytes().first()? {
                b'b' => (8, 8),
                b'h' => (16, 4),
                _ => return None,
            };
            let digits = selector.get(1..)?;
            // `%r1.b3210`, `%r1.h10` of a SIMD video instruction, which is opaque: it may read all of the register.
            if matches!(digits.len(), 2 | 4) && digits.bytes().all(|b| b.is_ascii_digit()) {
                return Some(Word::Source(Source::Part {
                    reg,
                    bit: 0,
                    width: 32,
                    signed: false,
                }));
            }
            let index: u8 = digits.parse().ok().filter(|i| *i < limit)?;
            Some(Word::Source(Source::Part {
                reg,
                bit: index * width,
                width,
                signed: false,
            }))
        }
        Entity::Symbol(_) => None,
    }
}
