//! Tests of the parser: one for each form that is met in the wild, and for what is rejected.

mod accepted;
mod again;
mod mutated;
mod parts;
mod rejected;

use super::super::ast::*;
use super::parse;

/// The module of a text that must parse.
fn module(text: &str) -> Module<'_> {
    match parse(text.as_bytes()) {
        Ok(module) => module,
        Err(error) => panic!("{error} at {:?} in {text}", error.span),
    }
}

/// A kernel with this body.
fn kernel(body: &str) -> String {
    format!(".entry k()\n{{\n{body}\n}}\n")
}

/// The functions of a module.
fn functions<'m>(module: &'m Module<'_>) -> Vec<&'m Function> {
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    });
    functions.collect()
}

/// The module-scope variables.
fn variables<'m>(module: &'m Module<'_>) -> Vec<&'m Variable> {
    let variables = module.items.iter().filter_map(|item| match item {
        Item::Variable(variable) => Some(variable),
        _ => None,
    });
    variables.collect()
}

/// The module-scope directives, each as its text.
fn directives<'a>(module: &'a Module) -> Vec<&'a str> {
    let directives = module.items.iter().filter_map(|item| match item {
        Item::Directive(directive) => Some(module.str(directive.span)),
        _ => None,
    });
    directives.collect()
}

/// The statements of a body as the parser understood them, one string each.
fn statements(body: &str) -> Vec<String> {
    let text = kernel(body);
    let module = module(&text);
    let functions = functions(&module);
    let body = functions[0].body.as_ref().expect("a body");
    body.statements
        .iter()
        .map(|statement| show_statement(&module, statement))
        .collect()
}

/// The one statement of a body.
fn statement(body: &str) -> String {
    let mut statements = statements(body);
    assert_eq!(statements.len(), 1, "{statements:?}");
    statements.remove(0)
}

fn show_statement(module: &Module<'_>, statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Open => "{".to_owned(),
        StatementKind::Close => "}".to_owned(),
        StatementKind::Label(name) => format!("label {}", module.str(*name)),
        StatementKind::Variable(variable) => show_variable(module, variable),
        StatementKind::Location(l) => format!("loc {} {} {}", l.file, l.line, l.column),
        StatementKind::Directive(d) => {
            format!("{} {}", module.str(d.name), show_list(module, d.arguments))
        }
        StatementKind::Instruction(i) => {
            let guard = i.guard.map_or(String::new(), |g| {
                let not = if g.negated { "!" } else { "" };
                format!("@{not}{} ", module.str(g.register))
            });
            let opcode = module.str(i.opcode);
            format!("{guard}{opcode} {}", show_list(module, i.operands))
        }
    }
}

fn show_variable(module: &Module<'_>, variable: &Variable) -> String {
    let mut text = module.str(variable.space).to_owned();
    if let Some(align) = variable.align {
        text += &format!(" align={align}");
    }
    if variable.vector != 1 {
        text += &format!(" v{}", variable.vector);
    }
    text += &format!(" {}", module.str(variable.ty));
    if let Some(pointer) = variable.pointer {
        let space = pointer.space.map(|space| module.str(space));
        text += &format!(" ptr({space:?}, {:?})", pointer.align);
    }
    for name in &variable.names {
        text += &format!(" {}", module.str(name.name));
        if let Some(count) = name.count {
            text += &format!("<{count}>");
        }
        for dimension in &name.dimensions {
            text += &dimension.map_or("[]".to_owned(), |n| format!("[{n}]"));
        }
        if let Some(list) = name.initialiser {
            text += &format!(" = {}", show_initialisers(module, list));
        }
    }
    text
}

fn show_initialisers(module: &Module<'_>, list: List) -> String {
    let shown = module
        .initialisers
        .get(list)
        .iter()
        .map(|element| match *element {
            Initialiser::List(list) => format!("{{{}}}", show_initialisers(module, list)),
            Initialiser::Integer(value) => format!("{}", value as i64),
            Initialiser::Float { bits, width } => format!("f{width}:{bits:x}"),
            Initialiser::Address {
                name,
                offset,
                generic,
                mask,
            } => {
                let name = module.str(name);
                let generic = if generic { "generic " } else { "" };
                let mask = mask.map_or(String::new(), |mask| format!("{mask:x}&"));
                format!("{mask}{generic}{name}+{offset}")
            }
            Initialiser::Field { name, value } => {
                format!("{}={}", module.str(name), module.str(value))
            }
        });
    shown.collect::<Vec<_>>().join(", ")
}

fn show_list(module: &Module<'_>, list: List) -> String {
    let shown = module.list(list).iter().map(|o| show(module, o));
    shown.collect::<Vec<_>>().join(", ")
}

fn show(module: &Module<'_>, operand: &Operand) -> String {
    match *operand {
        Operand::Name { span, negated } => {
            let not = if negated { "!" } else { "" };
            format!("{not}{}", module.str(span))
        }
        Operand::Integer { value, .. } => format!("#{}", value as i64),
        Operand::Float { bits, width, .. } => format!("f{width}:{bits:x}"),
        Operand::String(span) => module.str(span).to_owned(),
        Operand::Sink(_) => "_".to_owned(),
        Operand::Vector { elements, .. } => format!("{{{}}}", show_list(module, elements)),
        Operand::Pair { elements, .. } => {
            let both = module.list(elements).iter().map(|o| show(module, o));
            both.collect::<Vec<_>>().join("|")
        }
        Operand::Parenthesised { elements, .. } => format!("({})", show_list(module, elements)),
        Operand::Address {
            base, offset, rest, ..
        } => {
            let base = base.map_or("", |base| module.str(base));
            let rest = match rest.len {
                0 => String::new(),
                _ => format!("; {}", show_list(module, rest)),
            };
            format!("[{base}{offset:+}{rest}]")
        }
        Operand::Element { base, index, .. } => {
            format!("{}[{}]", module.str(base), show_list(module, index))
        }
    }
}
