//! A function's body, statement by statement.

use super::error::DecodeError;
use super::form::{self, Function, Reg, Register, Symbol};
use super::header::{MAX_NUMBERED, declarators, declared_type, variables};
use super::initial::initial;
use super::labels::{Labels, bytes};
use super::names::{Declared, Entity, Names, Ranged};
use super::opcodes;
use super::pragma;
use super::shape::Shape;
use crate::ast::{self, Item, Span, Statement, StatementKind};
use ptxasw_ir::types::Type;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Decodes the body of function `index` of `headers`; a declaration comes back as it is.
pub fn body(
    module: &ast::Module,
    headers: &form::Module,
    index: usize,
) -> Result<Function, DecodeError> {
    let Some(header) = headers.functions.get(index) else {
        return Err(DecodeError::new(Span::default(), "no such function"));
    };
    let Some(node) = module.function(header.item) else {
        return Err(DecodeError::new(Span::default(), "no such function"));
    };
    let statements = match &node.body {
        Some(body) => body.statements.as_slice(),
        None => &[],
    };
    let mut decoder = Decoder {
        module,
        headers,
        unit: headers.units.get(header.unit as usize),
        statements,
        names: Names::new(),
        labels: Labels::new(module, statements)?,
        depth: 0,
        function: copy_header(header),
        shapes: FxHashMap::default(),
        flags: [None; 2],
    };
    decoder.declare_outer(node)?;
    decoder.walk()?;
    Ok(decoder.function)
}

fn copy_header(header: &Function) -> Function {
    Function {
        name: header.name.clone(),
        item: header.item,
        unit: header.unit,
        entry: header.entry,
        defined: header.defined,
        returns: header.returns.clone(),
        parameters: header.parameters.clone(),
        registers: header.registers.clone(),
        required_threads: header.required_threads,
        max_threads: header.max_threads,
        ..Function::default()
    }
}

/// What an opcode means, and its index into [`Function::spellings`].
type Spelled = (Rc<Shape>, u32);

/// The state of the walk over one body.
pub(super) struct Decoder<'m> {
    pub module: &'m ast::Module<'m>,
    pub headers: &'m form::Module,
    pub unit: Option<&'m form::Unit>,
    pub statements: &'m [Statement],
    pub names: Names<'m>,
    pub labels: Labels<'m>,
    depth: u16,
    pub function: Function,
    /// What the spellings met so far mean, by text and number of operands: a body has few different ones.
    shapes: FxHashMap<(&'m [u8], usize), Spelled>,
    flags: [Option<Reg>; 2],
}

impl<'m> Decoder<'m> {
    /// Module-scope registers, then parameters, in scopes of their own around the body.
    fn declare_outer(&mut self, node: &ast::Function) -> Result<(), DecodeError> {
        let module = self.module;
        for &item in self.unit.map_or(&[][..], |unit| &unit.registers) {
            if let Some(Item::Variable(variable)) = module.items.get(item as usize) {
                self.declare_registers(variable)?;
            }
        }
        self.names.open();
        for (i, (variable, declarator)) in (0..).zip(declarators(&node.returns)) {
            let register = self.function.returns.get(i).and_then(|p| p.register);
            let symbol = Symbol::Return(i as u32);
            self.declare_parameter(variable, declarator, register, symbol)?;
        }
        for (i, (variable, declarator)) in (0..).zip(declarators(&node.parameters)) {
            let register = self.function.parameters.get(i).and_then(|p| p.register);
            let symbol = Symbol::Parameter(i as u32);
            self.declare_parameter(variable, declarator, register, symbol)?;
        }
        self.names.open();
        Ok(())
    }

    fn declare_parameter(
        &mut self,
        node: &ast::Variable,
        declarator: &ast::Declarator,
        register: Option<Reg>,
        symbol: Symbol,
    ) -> Result<(), DecodeError> {
        let entity = match register {
            Some(first) if node.vector > 1 => Entity::Vector(first, node.vector),
            Some(first) if declared_type(self.module, node) == Type::B128 => {
                Entity::Vector(first, 2)
            }
            Some(register) => Entity::Register(register),
            None => Entity::Symbol(symbol),
        };
        let name = bytes(self.module, declarator.name);
        self.declare(name, entity, declarator.name)
    }

    fn walk(&mut self) -> Result<(), DecodeError> {
        self.function.instructions.reserve(self.statements.len());
        let mut location = None;
        let mut used_bytes = None;
        for (index, statement) in (0..).zip(self.statements) {
            match &statement.kind {
                StatementKind::Open => {
                    self.depth = self.depth.saturating_add(1);
                    self.names.open();
                    self.labels.open(self.module)?;
                }
                StatementKind::Close => {
                    // One more than there are opened would end the function's own scope.
                    if self.depth > 0 {
                        self.depth -= 1;
                        self.names.close();
                        self.labels.close();
                    }
                }
                StatementKind::Label(_) => {}
                StatementKind::Variable(node) if self.module.str(node.space) == ".reg" => {
                    self.declare_registers(node)?;
                }
                StatementKind::Variable(node) => self.declare_variables(node, index)?,
                StatementKind::Location(_) => location = Some(index),
                StatementKind::Directive(node) => {
                    used_bytes = pragma::used_bytes(self.module, node).or(used_bytes);
                }
                StatementKind::Instruction(node) => {
                    let mut instruction = self.instruction(statement.span, node)?;
                    instruction.statement = index;
                    instruction.location = location;
                    instruction.used_bytes = used_bytes.take();
                    self.function.instructions.push(instruction);
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, name: &'m [u8], entity: Entity, span: Span) -> Result<(), DecodeError> {
        self.names
            .declare(name, entity, span)
            .map_err(|other| self.duplicate(span, other))
    }

    fn duplicate(&self, span: Span, other: Span) -> DecodeError {
        let message = format!(
            "`{}` is already declared in this scope",
            self.module.str(span)
        );
        DecodeError::new(span, message).with(other, "declared here")
    }

    fn declare_registers(&mut self, node: &ast::Variable) -> Result<(), DecodeError> {
        let declared = Declared {
            ty: declared_type(self.module, node),
            vector: node.vector,
            depth: self.depth,
        };
        for declarator in &node.names {
            let span = declarator.name;
            let name = bytes(self.module, span);
            match declarator.count {
                Some(count) => {
                    let ranged = Ranged::Registers(declared);
                    self.names.declare_range(name, count, ranged, span)
                }
                None => {
                    let registers = &mut self.function.registers;
                    self.names.declare_register(name, declared, span, registers)
                }
            }
            .map_err(|other| self.duplicate(span, other))?;
        }
        Ok(())
    }

    fn declare_variables(&mut self, node: &ast::Variable, origin: u32) -> Result<(), DecodeError> {
        for declarator in &node.names {
            let span = declarator.name;
            let name = bytes(self.module, span);
            let first = self.function.variables.len() as u32;
            if let Some(count) = declarator.count {
                if count > MAX_NUMBERED {
                    let message = format!("more than {MAX_NUMBERED} variables in one declaration");
                    return Err(DecodeError::new(span, message));
                }
                self.names
                    .declare_range(name, count, Ranged::Variables(first), span)
                    .map_err(|other| self.duplicate(span, other))?;
            } else {
                self.declare(name, Entity::Symbol(Symbol::Local(first)), span)?;
            }
            for mut variable in variables(self.module, node, declarator, origin) {
                variable.initial = initial(self.module, self.unit, node, declarator);
                self.function.variables.push(variable);
            }
        }
        Ok(())
    }

    /// What an opcode means.
    pub fn shape(&mut self, opcode: Span, operands: usize) -> Spelled {
        let module = self.module;
        let key = (bytes(module, opcode), operands);
        let spellings = &mut self.function.spellings;
        let (shape, spelling) = self.shapes.entry(key).or_insert_with(|| {
            let text = module.str(opcode);
            spellings.push(text.into());
            let shape = Rc::new(opcodes::shape(text, operands));
            (shape, spellings.len() as u32 - 1)
        });
        (Rc::clone(shape), *spelling)
    }

    /// The hidden register of the carry flag (PTX ISA, "Extended-Precision Integer Arithmetic") as additions or as
    /// subtractions read it, created at its first use.
    pub fn flag(&mut self, borrow: bool) -> Reg {
        let registers = &mut self.function.registers;
        *self.flags[usize::from(borrow)].get_or_insert_with(|| {
            registers.push(Register {
                name: if borrow { "CC.CF.sub" } else { "CC.CF" }.into(),
                ty: Type::PRED,
                depth: 0,
                half: false,
            });
            Reg(registers.len() as u32 - 1)
        })
    }
}
