//! Random texts: nothing panics, and every span lies in the text, in order, around what it was read from.

use proptest::prelude::*;

use super::*;
use ptxasw_base::lines::LineIndex;

/// PTX with every form in a small space, to be mutated.
const SEED: &[u8] = include_bytes!("../../../../ptx-tests/parse/forms.ptx");

/// Parses a text and checks what every tree or error must satisfy.
fn check(text: &[u8]) {
    match parse(text) {
        Ok(module) => check_module(&module),
        Err(error) => {
            assert!(error.span.start <= error.span.end);
            assert!(error.span.end as usize <= text.len());
            assert!(LineIndex::new(text).position(error.span.start).line > 0);
            let shown = error.snippet("k.ptx", text).render();
            assert!(shown.starts_with("error: "));
        }
    }
}

fn check_module(module: &Module<'_>) {
    let whole = Span::new(0, module.text().len() as u32);
    let mut end = 0;
    for item in &module.items {
        let span = match item {
            Item::Directive(directive) => check_directive(module, directive, whole),
            Item::Variable(variable) => check_variable(variable, whole),
            Item::Function(function) => check_function(module, function, whole),
        };
        assert!(span.start >= end, "items overlap");
        end = span.end;
    }
}

fn inside(inner: Span, outer: Span) {
    assert!(
        outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end,
        "{inner:?} in {outer:?}"
    );
}

fn check_directive(module: &Module<'_>, directive: &Directive, outer: Span) -> Span {
    inside(directive.span, outer);
    inside(directive.name, directive.span);
    assert_eq!(directive.name.start, directive.span.start);
    check_operands(module, directive.arguments, directive.span);
    directive.span
}

fn check_variable(variable: &Variable, outer: Span) -> Span {
    inside(variable.span, outer);
    inside(variable.space, variable.span);
    inside(variable.ty, variable.span);
    for name in &variable.names {
        inside(name.name, variable.span);
    }
    variable.span
}

fn check_function(module: &Module<'_>, function: &Function, outer: Span) -> Span {
    inside(function.span, outer);
    inside(function.name, function.span);
    for parameter in function.returns.iter().chain(&function.parameters) {
        check_variable(parameter, function.span);
    }
    for directive in &function.directives {
        check_directive(module, directive, function.span);
    }
    if let Some(body) = &function.body {
        inside(body.span, function.span);
        assert_eq!(module.text()[body.span.range()].last(), Some(&b'}'));
        let mut end = body.span.start + 1;
        for statement in &body.statements {
            inside(statement.span, Span::new(end, body.span.end - 1));
            end = statement.span.end;
            check_statement(module, statement);
        }
    }
    function.span
}

/// A statement begins and ends with what its kind says.
fn check_statement(module: &Module<'_>, statement: &Statement) {
    let text = &module.text()[statement.span.range()];
    match &statement.kind {
        StatementKind::Open => assert_eq!(text, b"{"),
        StatementKind::Close => assert_eq!(text, b"}"),
        StatementKind::Label(name) => {
            assert_eq!(name.start, statement.span.start);
            assert_eq!(text.last(), Some(&b':'));
        }
        StatementKind::Variable(variable) => {
            assert_eq!(variable.span, statement.span);
            assert_eq!(text.last(), Some(&b';'));
            check_variable(variable, statement.span);
        }
        StatementKind::Location(_) => assert!(text.starts_with(b".loc")),
        StatementKind::Directive(directive) => {
            assert_eq!(directive.span, statement.span);
            check_directive(module, directive, statement.span);
        }
        StatementKind::Instruction(instruction) => {
            assert_eq!(text.last(), Some(&b';'));
            inside(instruction.opcode, statement.span);
            match instruction.guard {
                Some(guard) => inside(guard.register, statement.span),
                None => assert_eq!(instruction.opcode.start, statement.span.start),
            }
            let rest = Span::new(instruction.opcode.end, statement.span.end - 1);
            check_operands(module, instruction.operands, rest);
        }
    }
}

/// Operands lie inside `outer` one after the other.
fn check_operands(module: &Module<'_>, list: List, outer: Span) {
    let mut left = outer;
    for operand in module.list(list) {
        let span = operand.span();
        inside(span, left);
        left.start = span.end;
        match *operand {
            Operand::Vector { elements, .. }
            | Operand::Pair { elements, .. }
            | Operand::Parenthesised { elements, .. } => check_operands(module, elements, span),
            Operand::Address { base, rest, .. } => {
                if let Some(base) = base {
                    inside(base, span);
                }
                check_operands(module, rest, span);
            }
            Operand::Element { base, index, .. } => {
                inside(base, span);
                check_operands(module, index, Span::new(base.end, span.end));
            }
            _ => {}
        }
    }
}

#[test]
fn the_seed_parses() {
    check(SEED);
    assert!(parse(SEED).is_ok());
}

/// One change of a text.
#[derive(Clone, Debug)]
enum Edit {
    /// Removes bytes.
    Remove(usize, usize),
    /// Puts bytes in.
    Insert(usize, Vec<u8>),
    /// Copies bytes from one place to another.
    Copy(usize, usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let tokens = prop::sample::select(vec![
        &b"{"[..],
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b";",
        b",",
        b":",
        b"::",
        b"\"",
        b"/*",
        b"*/",
        b"//",
        b"\n",
        b"@",
        b"|",
        b"+",
        b"-",
        b"<",
        b"%",
        b".",
        b".reg",
        b"0x",
        b"0f",
        b"1e",
        b"\0",
        b"\xff",
        b"generic(",
        b"=",
        b"?",
        b".func",
        b".entry",
        b"#",
        b"@@DWARF",
        b".section",
    ]);
    prop_oneof![
        (any::<usize>(), 1..40usize).prop_map(|(at, len)| Edit::Remove(at, len)),
        (any::<usize>(), tokens).prop_map(|(at, token)| Edit::Insert(at, token.to_vec())),
        (any::<usize>(), prop::collection::vec(any::<u8>(), 1..4))
            .prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        (any::<usize>(), any::<usize>(), 1..200usize)
            .prop_map(|(from, to, len)| Edit::Copy(from, to, len)),
    ]
}

fn apply(text: &mut Vec<u8>, edit: &Edit) {
    let place = |at: usize| at % (text.len() + 1);
    let range = |at: usize, len: usize| place(at)..(place(at) + len).min(text.len());
    match edit {
        Edit::Remove(at, len) => {
            let range = range(*at, *len);
            text.drain(range);
        }
        Edit::Insert(at, bytes) => {
            let at = place(*at);
            text.splice(at..at, bytes.iter().copied());
        }
        Edit::Copy(from, to, len) => {
            let copied = text[range(*from, *len)].to_vec();
            let to = place(*to);
            text.splice(to..to, copied);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutated_ptx(edits in prop::collection::vec(edit(), 1..6)) {
        let mut text = SEED.to_vec();
        for edit in &edits {
            apply(&mut text, edit);
        }
        check(&text);
    }

    #[test]
    fn random_bytes(text in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&text);
    }

    #[test]
    fn random_bodies(body in "[a-z0-9%_.,;:{}()\\[\\]+*|!@\" \n-]{0,80}") {
        check(format!(".entry k()\n{{\n{body}\n}}\n").as_bytes());
    }
}
