//! Declarations after the first instruction that mean the same in front of it.
//!
//! Code that is inserted in front of a declaration, such as the second copy of a region, can't name what it declares (PTX ISA,
//! "Variables": a name is declared before it is used). Where no text in front of it has the name, it may as well begin the body.

use crate::ast::{Body, Declarator, Module, Span, Statement, StatementKind};
use rustc_hash::FxHashMap;

/// Decides which statements of the function's own scope can begin the body.
pub(super) struct Late<'m> {
    module: &'m Module<'m>,
    body: &'m Body,
    /// Where words begin for the first time, once somebody asks: whole ones, and those that end in digits without these.
    first: Option<First<'m>>,
}

#[derive(Default)]
struct First<'a> {
    words: FxHashMap<&'a [u8], u32>,
    stems: FxHashMap<&'a [u8], u32>,
}

impl<'m> Late<'m> {
    pub fn new(module: &'m Module<'m>, body: &'m Body) -> Self {
        let first = None;
        Late {
            module,
            body,
            first,
        }
    }

    /// Whether a declaration, or the label of a prototype, means the same at the beginning of the body.
    pub fn can_begin(&mut self, statement: u32) -> bool {
        let Some(statement) = self.body.statements.get(statement as usize) else {
            return false;
        };
        let at = statement.span.start;
        match &statement.kind {
            StatementKind::Variable(variable) => {
                let plain = |one: &Declarator| one.initialiser.is_none();
                variable.names.iter().all(plain)
                    && variable
                        .names
                        .iter()
                        .all(|one| self.is_new(one.name, one.count.is_some(), at))
            }
            StatementKind::Label(name) => self.is_new(*name, false, at),
            _ => false,
        }
    }

    /// Whether nothing of the body in front of a place has a name, or one of a range of names.
    fn is_new(&mut self, name: Span, range: bool, at: u32) -> bool {
        let text = self.module.text();
        let name = text.get(name.range()).unwrap_or_default();
        // `%f1<3>` declares `%f10`, which has another stem.
        if range && name.last().is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let body = self.body.span;
        let first = self.first.get_or_insert_with(|| {
            First::of(text.get(body.range()).unwrap_or_default(), body.start)
        });
        let words = if range { &first.stems } else { &first.words };
        words.get(name).is_none_or(|&first| first >= at)
    }
}

impl<'a> First<'a> {
    /// The words of a text that begins at an offset, comments included.
    fn of(text: &'a [u8], offset: u32) -> Self {
        let mut first = First::default();
        // As the lexer has it, `%` begins a word: `call%f` is two.
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte);
        let mut at = offset;
        for word in text.chunk_by(|a, b| (goes_on(a) || *a == b'%') && goes_on(b)) {
            first.words.entry(word).or_insert(at);
            let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit());
            let stem = &word[..word.len() - digits.count()];
            if stem.len() < word.len() {
                first.stems.entry(stem).or_insert(at);
            }
            at += word.len() as u32;
        }
        first
    }
}

/// Whether a label is that of a prototype or of a list of functions for an indirect call, which is the next statement.
pub(super) fn is_prototype(module: &Module, statements: &[Statement], label: u32) -> bool {
    let directive = statements.get(label as usize + 1);
    directive.is_some_and(|one| match &one.kind {
        StatementKind::Directive(directive) => {
            matches!(
                module.str(directive.name),
                ".callprototype" | ".calltargets"
            )
        }
        _ => false,
    })
}
