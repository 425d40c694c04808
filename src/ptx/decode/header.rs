//! Everything of a module but its functions' bodies.

use super::form::{
    Function, Initial, Module, Parameter, Reg, Register, Symbol, Target, Unit, Variable,
};
use super::initial::initial;
use super::memory::space_of;
use super::modifiers::type_of;
use super::names::{Declared, create};
use crate::ast::{self, Initialiser, Item, Linkage, Operand};
use ptxasw_ir::function::is_shape;
use ptxasw_ir::types::{Kind, Space, Type};

/// The version, the target, variables and functions of a module; the functions without their bodies. Never fails: what
/// is missing or strange in a header is left at its default.
pub fn headers(module: &ast::Module) -> Module {
    let mut form = Module::default();
    let mut initialised = Vec::new();
    for (index, item) in (0..).zip(&module.items) {
        match item {
            Item::Directive(directive) => header_directive(module, directive, &mut form),
            Item::Variable(node) if module.str(node.space) == ".reg" => {
                unit(&mut form).registers.push(index);
            }
            Item::Variable(node) => {
                let first = form.variables.len();
                module_variables(module, node, index, &mut form);
                if node.names.iter().any(|name| name.initialiser.is_some()) {
                    initialised.push((first, form.units.len() - 1, node));
                }
            }
            Item::Function(node) => {
                let unit = unit_index(&mut form);
                let function = function_header(module, node, index, unit);
                let symbol = Symbol::Function(form.functions.len() as u32);
                let names = &mut form.units[unit as usize].names;
                if function.defined || !names.contains_key(&function.name) {
                    names.insert(function.name.clone(), symbol);
                }
                form.functions.push(function);
            }
        }
    }
    // Initial values may name what is declared after them.
    for (first, unit, node) in initialised {
        let unit = form.units.get(unit);
        let mut index = first;
        for declarator in &node.names {
            // A range of names has no initial value, but others of its declaration may.
            if let Some(variable) = form.variables.get_mut(index) {
                variable.initial = initial(module, unit, node, declarator);
            }
            index += numbered(declarator) as usize;
        }
    }
    if let Some(first) = form.units.first() {
        form.version = first.version;
        form.target = first.target.clone();
        form.address_size = first.address_size;
    }
    form
}

/// The index of the unit that the text is in; a text without a header has one all the same.
fn unit_index(form: &mut Module) -> u32 {
    if form.units.is_empty() {
        form.units.push(new_unit());
    }
    form.units.len() as u32 - 1
}

fn unit(form: &mut Module) -> &mut Unit {
    let index = unit_index(form) as usize;
    &mut form.units[index]
}

/// 32 bits unless `.address_size` says otherwise (PTX ISA, "`.address_size`").
fn new_unit() -> Unit {
    Unit {
        address_size: 32,
        ..Unit::default()
    }
}

fn header_directive(module: &ast::Module, node: &ast::Directive, form: &mut Module) {
    let words: Vec<&str> = module
        .list(node.arguments)
        .iter()
        .map(|operand| module.str(operand.span()))
        .collect();
    let first = words.first().copied().unwrap_or("");
    match module.str(node.name) {
        ".version" => {
            let (major, minor) = first.split_once('.').unwrap_or((first, "0"));
            form.units.push(new_unit());
            unit(form).version = (major.parse().unwrap_or(0), minor.parse().unwrap_or(0));
        }
        ".target" => {
            unit(form).target = Target {
                name: first.to_string(),
                sm: number(first),
                debug: words.contains(&"debug"),
            };
        }
        ".address_size" => unit(form).address_size = first.parse().unwrap_or(32),
        _ => {}
    }
}

/// 90 of `sm_90a`.
fn number(target: &str) -> u32 {
    let digits = target.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(0)
}

/// The type of a declaration; an unknown one counts as 64 bits.
pub(super) fn declared_type(module: &ast::Module, node: &ast::Variable) -> Type {
    let word = module.str(node.ty);
    type_of(word.trim_start_matches('.')).unwrap_or(Type::new(Kind::Other, 64))
}

/// The state space of a declaration.
fn declared_space(module: &ast::Module, node: &ast::Variable) -> Space {
    let word = module.str(node.space);
    space_of(word.trim_start_matches('.')).map_or(Space::Generic, |(space, _)| space)
}

/// Bytes of one element, all of a vector.
fn element_bytes(node: &ast::Variable, ty: Type) -> u64 {
    u64::from(ty.bits.div_ceil(8)) * u64::from(node.vector.max(1))
}

fn alignment(node: &ast::Variable, ty: Type) -> u32 {
    node.align
        .filter(|a| a.is_power_of_two())
        .unwrap_or(element_bytes(node, ty).next_power_of_two() as u32)
}

/// Bytes of a name; 0 where a dimension is missing and no initialiser gives it.
fn size(module: &ast::Module, node: &ast::Variable, ty: Type, declarator: &ast::Declarator) -> u64 {
    let mut bytes = element_bytes(node, ty);
    for (i, dimension) in declarator.dimensions.iter().enumerate() {
        let length = match dimension {
            Some(length) => *length,
            None if i == 0 => initialised_length(module, declarator),
            None => 0,
        };
        bytes = bytes.saturating_mul(length);
    }
    bytes
}

/// Elements of the outermost list of an initialiser.
pub(super) fn initialised_length(module: &ast::Module, declarator: &ast::Declarator) -> u64 {
    let whole = declarator
        .initialiser
        .map(|list| module.initialisers.get(list));
    match whole {
        Some([Initialiser::List(list)]) => u64::from(list.len),
        Some(elements) => elements.len() as u64,
        None => 0,
    }
}

/// Variables of one declaration `name<n>`: more are not taken in. Compilers number a call's parameters so.
pub(super) const MAX_NUMBERED: u32 = 1 << 16;

/// The variables of one name in memory, or of the range of names that it stands for; without their initial values.
pub(super) fn variables(
    module: &ast::Module,
    node: &ast::Variable,
    declarator: &ast::Declarator,
    origin: u32,
) -> impl Iterator<Item = Variable> {
    let ty = declared_type(module, node);
    let stem = module.str(declarator.name);
    let variable = Variable {
        name: stem.into(),
        space: declared_space(module, node),
        bytes: size(module, node, ty, declarator),
        align: alignment(node, ty),
        external: node.linkage.0 & Linkage::EXTERN != 0,
        initial: Initial::None,
        origin,
        ty,
    };
    let named = match declarator.count {
        Some(_) => |stem: &str, number: u32| format!("{stem}{number}").into(),
        None => |stem: &str, _: u32| stem.into(),
    };
    (0..numbered(declarator)).map(move |number| Variable {
        name: named(stem, number),
        ..variable.clone()
    })
}

/// How many variables a name stands for.
fn numbered(declarator: &ast::Declarator) -> u32 {
    declarator.count.unwrap_or(1).min(MAX_NUMBERED)
}

fn module_variables(module: &ast::Module, node: &ast::Variable, origin: u32, form: &mut Module) {
    let declared = |declarator| variables(module, node, declarator, origin);
    for variable in node.names.iter().flat_map(declared) {
        let symbol = Symbol::Global(form.variables.len() as u32);
        let names = &mut unit(form).names;
        if !variable.external || !names.contains_key(&variable.name) {
            names.insert(variable.name.clone(), symbol);
        }
        form.variables.push(variable);
    }
}

fn function_header(module: &ast::Module, node: &ast::Function, item: u32, unit: u32) -> Function {
    let mut function = Function {
        name: module.str(node.name).into(),
        item,
        unit,
        entry: node.entry,
        defined: node.body.is_some(),
        ..Function::default()
    };
    function.returns = parameters(module, &node.returns, &mut function.registers);
    function.parameters = parameters(module, &node.parameters, &mut function.registers);
    for directive in &node.directives {
        match module.str(directive.name) {
            ".reqntid" => function.required_threads = shape(module, directive),
            ".maxntid" => function.max_threads = shape(module, directive),
            _ => {}
        }
    }
    function
}

/// Up to three integers, missing ones as 1. Nothing is known of a block from sizes that none has.
fn shape(module: &ast::Module, directive: &ast::Directive) -> Option<[u32; 3]> {
    let mut threads = [1; 3];
    let integers = module.list(directive.arguments).iter();
    for (slot, operand) in threads.iter_mut().zip(integers) {
        if let Operand::Integer { value, .. } = operand {
            *slot = u32::try_from(*value).unwrap_or(u32::MAX);
        }
    }
    is_shape(threads).then_some(threads)
}

fn parameters(
    module: &ast::Module,
    nodes: &[ast::Variable],
    registers: &mut Vec<Register>,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut offset = 0u64;
    for node in nodes {
        let ty = declared_type(module, node);
        let align = alignment(node, ty);
        let register = module.str(node.space) == ".reg";
        let pointer = node.pointer.map(|pointer| {
            pointer
                .space
                .and_then(|span| space_of(module.str(span).trim_start_matches('.')))
                .map(|(space, _)| space)
        });
        let pointee_align = node.pointer.and_then(|pointer| pointer.align);
        for declarator in &node.names {
            let name: Box<str> = module.str(declarator.name).into();
            // Registers are no arrays: the assembler refuses dimensions.
            let bytes = match register {
                true => element_bytes(node, ty),
                false => size(module, node, ty, declarator),
            };
            offset = offset
                .checked_next_multiple_of(u64::from(align.max(1)))
                .unwrap_or(u64::MAX);
            let register = register.then(|| {
                let first = Reg(registers.len() as u32);
                let declared = Declared {
                    ty,
                    vector: node.vector,
                    depth: 0,
                };
                create(name.as_bytes(), declared, registers);
                first
            });
            parameters.push(Parameter {
                name,
                ty,
                bytes,
                align,
                offset,
                pointer,
                pointee_align: pointee_align.unwrap_or(1),
                register,
            });
            offset = offset.saturating_add(bytes);
        }
    }
    parameters
}

/// The declarators of parameters, in the order of [`Function::parameters`] and [`Function::returns`].
pub(super) fn declarators(
    nodes: &[ast::Variable],
) -> impl Iterator<Item = (&ast::Variable, &ast::Declarator)> {
    nodes
        .iter()
        .flat_map(|node| node.names.iter().map(move |declarator| (node, declarator)))
}
