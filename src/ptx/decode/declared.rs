//! The types of registers at chosen statements, without decoding the body.

use super::form::Register;
use super::header::declared_type;
use super::labels::bytes;
use super::names::{Declared, Entity, Names, Ranged};
use crate::ir::types::Type;
use crate::ptx::ast::{self, Item, Span, StatementKind};

/// The registers of the module's scope, looked up once for all bodies.
pub(in crate::ptx) fn shared<'m>(module: &'m ast::Module) -> Vec<&'m ast::Variable> {
    let variables = module.items.iter().filter_map(|item| match item {
        Item::Variable(variable) => Some(variable),
        _ => None,
    });
    variables
        .filter(|variable| module.str(variable.space) == ".reg")
        .collect()
}

/// The register declarations of one body, up to some statement.
pub(in crate::ptx) struct Declarations<'m, 'a> {
    module: &'m ast::Module<'a>,
    statements: &'m [ast::Statement],
    names: Names<'a>,
    registers: Vec<Register>,
    depth: u16,
    next: usize,
}

impl<'m, 'a> Declarations<'m, 'a> {
    /// Those of the module's scope ([`shared`]), in front of the body.
    pub fn new(
        module: &'m ast::Module<'a>,
        shared: &[&ast::Variable],
        body: &'m ast::Body,
    ) -> Self {
        let mut declarations = Declarations {
            module,
            statements: &body.statements,
            names: Names::new(),
            registers: Vec::new(),
            depth: 0,
            next: 0,
        };
        for variable in shared {
            declarations.declare(variable);
        }
        declarations.names.open();
        declarations
    }

    /// Goes on to a statement; never back.
    pub fn advance(&mut self, statement: u32) {
        let end = (statement as usize).min(self.statements.len());
        while self.next < end {
            match &self.statements[self.next].kind {
                StatementKind::Open => {
                    self.depth = self.depth.saturating_add(1);
                    self.names.open();
                }
                StatementKind::Close if self.depth > 0 => {
                    self.depth -= 1;
                    self.names.close();
                }
                StatementKind::Variable(variable) => self.declare(variable),
                _ => {}
            }
            self.next += 1;
        }
    }

    /// The type of a scalar register by its name here.
    pub fn register(&mut self, name: Span) -> Option<Type> {
        let name = bytes(self.module, name);
        let (register, wide) = match self.names.lookup(name, &mut self.registers)? {
            Entity::Register(register) => (register, false),
            Entity::Vector(first, _) => (first, true),
            Entity::Symbol(_) => return None,
        };
        let register = self.registers.get(register.0 as usize)?;
        match (wide, register.half) {
            (false, _) => Some(register.ty),
            (true, true) => Some(Type::B128),
            (true, false) => None,
        }
    }

    /// A second declaration of a name is an error of the decoder; here the first one stays.
    fn declare(&mut self, variable: &ast::Variable) {
        if self.module.str(variable.space) != ".reg" {
            return;
        }
        let declared = Declared {
            ty: declared_type(self.module, variable),
            vector: variable.vector,
            depth: self.depth,
        };
        for declarator in &variable.names {
            let span = declarator.name;
            let name = bytes(self.module, span);
            let _ = match declarator.count {
                Some(count) => {
                    let ranged = Ranged::Registers(declared);
                    self.names.declare_range(name, count, ranged, span)
                }
                None => {
                    let registers = &mut self.registers;
                    self.names.declare_register(name, declared, span, registers)
                }
            };
        }
    }
}
