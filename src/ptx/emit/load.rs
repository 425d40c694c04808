//! What the emitter needs to know of a load, and which loads it can rewrite.

use super::Error;
use crate::ir::types::{Kind, Type};
use crate::ptx::ast::{
    Body, Instruction, Module, Operand, Span, Statement, StatementKind, Variable,
};
use crate::ptx::decode::{Declarations, pragma, type_of};
use crate::shuffle::plan::Carried;
use smallvec::SmallVec;

/// Bytes of the widest load: `.v8.b32`, `.v4.b64`.
pub const MAX_BYTES: u8 = 32;

/// A register that an element of a load is written to.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// Its name.
    pub name: &'a str,
    /// As it is declared.
    pub ty: Type,
}

/// A load of registers of 8 to 128 bits.
#[derive(Clone, Debug)]
pub struct Load<'a> {
    /// The whole statement.
    pub span: Span,
    /// Where its opcode begins: behind its guard.
    pub opcode: u32,
    /// The register of its guard, and whether it is negated.
    pub guard: Option<(&'a str, bool)>,
    /// The type of an element.
    pub ty: Type,
    /// The registers that it sets; none for `_`, and where a pragma says that no byte of the element is used.
    pub elements: SmallVec<[Option<Held<'a>>; 1]>,
    /// The register or symbol of its address.
    pub base: Option<&'a str>,
    /// Pragmas that say which of its bytes are used.
    pub pragmas: SmallVec<[Span; 1]>,
}

/// Loads by their statements.
#[derive(Debug, Default)]
pub struct Loads<'a> {
    /// In ascending order.
    statements: Vec<u32>,
    /// In the same order.
    loads: Vec<Load<'a>>,
}

impl<'a> Loads<'a> {
    /// The load of a statement, if it was read.
    pub fn get(&self, statement: u32) -> Option<&Load<'a>> {
        let at = self.statements.binary_search(&statement).ok()?;
        self.loads.get(at)
    }
}

impl<'a> Load<'a> {
    /// Reads some statements, all of which must be loads that the emitter can rewrite.
    pub fn read_all(
        module: &Module<'a>,
        shared: &[&Variable],
        body: &Body,
        mut statements: Vec<u32>,
    ) -> Result<Loads<'a>, Error> {
        statements.sort_unstable();
        statements.dedup();
        let mut declarations = Declarations::new(module, shared, body);
        let mut read = |&index: &u32| {
            let statement = body
                .statements
                .get(index as usize)
                .ok_or(Error::NoStatement(index))?;
            declarations.advance(index);
            let StatementKind::Instruction(instruction) = &statement.kind else {
                return Err(Error::NotALoad(index));
            };
            let load = Self::read(module, &mut declarations, statement.span, instruction);
            let mut load = load.ok_or(Error::NotALoad(index))?;
            load.use_bytes(module, &body.statements[..index as usize]);
            Ok(load)
        };
        let mut loads = Vec::with_capacity(statements.len());
        for statement in &statements {
            loads.push(read(statement)?);
        }
        Ok(Loads { statements, loads })
    }

    fn read(
        module: &Module<'a>,
        declarations: &mut Declarations,
        span: Span,
        instruction: &Instruction,
    ) -> Option<Self> {
        let (ty, count) = form(module.str(instruction.opcode))?;
        let [to, Operand::Address { base, .. }, ..] = module.operands(instruction) else {
            return None;
        };
        let to = match to {
            Operand::Vector { elements, .. } => module.list(*elements),
            other => std::slice::from_ref(other),
        };
        let mut held = |element: &Operand| match *element {
            Operand::Sink(_) => Some(None),
            Operand::Name {
                span,
                negated: false,
            } => {
                let name = module.str(span);
                let register = declarations.register(span)?;
                fits(ty, register).then_some(Some(Held { name, ty: register }))
            }
            _ => None,
        };
        let elements: Option<_> = to.iter().map(&mut held).collect();
        let guard = instruction.guard.as_ref();
        Some(Load {
            span,
            opcode: instruction.opcode.start,
            guard: guard.map(|guard| (module.str(guard.register), guard.negated)),
            ty,
            elements: elements?,
            base: base.map(|span| module.str(span)),
            pragmas: SmallVec::new(),
        })
        .filter(|load| load.elements.len() == count && load.bytes() <= MAX_BYTES)
    }

    /// Leaves out the elements of which no byte is used, as pragmas behind the last instruction of `before` say; the last
    /// of them counts.
    fn use_bytes(&mut self, module: &Module, before: &[Statement]) {
        let mut used = None;
        for statement in before.iter().rev() {
            let mask = match &statement.kind {
                StatementKind::Instruction(_) => break,
                StatementKind::Directive(directive) => pragma::used_bytes(module, directive),
                _ => None,
            };
            if let Some(mask) = mask {
                used = used.or(Some(mask));
                self.pragmas.push(statement.span);
            }
        }
        let Some(used) = used else { return };
        let bytes = u64::from(self.element_bytes());
        let each = (1u64 << bytes) - 1;
        for (first, element) in (0..).step_by(bytes as usize).zip(&mut self.elements) {
            if used >> first & each == 0 {
                *element = None;
            }
        }
    }

    /// A load in whose place a loop carries the value in a register.
    pub fn carried(carried: &'a Carried) -> Self {
        let kind = |integer| match integer {
            true => Kind::Bits,
            false => Kind::Float,
        };
        let held = Held {
            name: &carried.register,
            ty: Type::new(kind(carried.integer), carried.bits),
        };
        let kind = match carried.signed {
            true => Kind::Signed,
            false => kind(carried.integer),
        };
        Load {
            span: Span::default(),
            opcode: 0,
            guard: None,
            ty: Type::new(kind, carried.element_bits),
            elements: SmallVec::from_slice(&[Some(held)]),
            base: None,
            pragmas: SmallVec::new(),
        }
    }

    /// The register of a load of one word.
    pub fn word(&self) -> Option<&'a str> {
        match *self.elements.as_slice() {
            [Some(held)] if self.ty.bits == 32 && held.ty.bits == 32 => Some(held.name),
            _ => None,
        }
    }

    /// Bytes of one element.
    pub fn element_bytes(&self) -> u8 {
        self.ty.bits / 8
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> u8 {
        self.element_bytes()
            .saturating_mul(self.elements.len().min(usize::from(MAX_BYTES)) as u8)
    }

    /// Whether it writes the register that its address is based on.
    pub fn writes_base(&self) -> bool {
        let held = self.elements.iter().flatten();
        held.map(|held| Some(held.name))
            .any(|name| name == self.base)
    }
}

/// The type and the number of the elements of a load. Modifiers come in any order.
fn form(opcode: &str) -> Option<(Type, usize)> {
    let mut words = opcode.split('.').map(str::trim);
    if !matches!(words.next(), Some("ld" | "ldu")) {
        return None;
    }
    let (mut ty, mut count) = (None, 1);
    for word in words {
        match word {
            "v2" => count = 2,
            "v4" => count = 4,
            "v8" => count = 8,
            _ => ty = type_of(word).or(ty),
        }
    }
    Some((
        ty.filter(|ty: &Type| matches!(ty.bits, 8 | 16 | 32 | 64 | 128))?,
        count,
    ))
}

/// Whether values of a type can be taken out of a register and put into it: it is as wide, or wider and of integers.
pub fn fits(ty: Type, register: Type) -> bool {
    let integer = matches!(register.kind, Kind::Bits | Kind::Unsigned | Kind::Signed);
    let wider = register.bits > ty.bits && integer && !ty.float();
    matches!(register.bits, 8 | 16 | 32 | 64 | 128)
        && register.kind != Kind::Other
        && (register.bits == ty.bits || wider)
}
