//! Directives that declare nothing, known or not.

use super::super::{
    ast::{Directive, List, Location, Operand, Span},
    error::SyntaxError,
    lex::Kind,
};
use super::{Parser, constant::Constant, item::begins_item, number::number};

/// Where a directive ends: PTX has no mark that ends all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// With its line, or before the next dotted word: `.version`, `.target`, `.file`, `.loc`.
    Line,
    /// With a `;` that must be there: `.pragma`, `.branchtargets`, `.alias`.
    Terminated,
    /// With braces, `.section .debug_str { ... }`.
    Section,
    /// Before the next dotted word, the body or the `;` of a function's head: `.maxntid`, `.noreturn`.
    Header,
    /// An unknown one at module scope: with a `;`, with braces, or with its line, unless a comma goes on.
    Unknown,
    /// An unknown one in a body, where a `{` on a line of its own is a scope.
    UnknownInBody,
}

impl Shape {
    /// The shape of a directive outside a function's head.
    pub fn of(name: &[u8], module_scope: bool) -> Self {
        match name {
            b".version" | b".target" | b".address_size" | b".file" | b".loc" => Shape::Line,
            b".pragma" | b".branchtargets" | b".calltargets" | b".callprototype" | b".alias" => {
                Shape::Terminated
            }
            b".section" => Shape::Section,
            _ if module_scope => Shape::Unknown,
            _ => Shape::UnknownInBody,
        }
    }

    /// A line end ends it.
    fn ends_with_line(self) -> bool {
        !matches!(self, Shape::Terminated | Shape::Header)
    }

    /// A `{` on a later line still belongs to it.
    fn takes_braces_below(self) -> bool {
        matches!(self, Shape::Section | Shape::Unknown)
    }
}

impl Parser<'_> {
    /// A directive, whose name is the token to read next.
    pub(super) fn directive(&mut self, shape: Shape) -> Result<Directive, Box<SyntaxError>> {
        let name = self.advance().span;
        let mark = self.scratch.len();
        let mut comma = false;
        loop {
            let token = self.token;
            let below = token.first && !comma && shape.ends_with_line();
            if below && !(token.kind == Kind::OpenBrace && shape.takes_braces_below()) {
                break;
            }
            comma = token.kind == Kind::Comma;
            match token.kind {
                Kind::Semicolon if shape == Shape::Header => break,
                Kind::Semicolon => {
                    self.advance();
                    break;
                }
                _ if !self.argument(shape)? => break,
                _ => {}
            }
        }
        let terminated = self.previous_end > name.end && self.byte(self.previous_end - 1) == b';';
        if shape == Shape::Terminated && !terminated {
            return Err(self.unexpected("`;`"));
        }
        Ok(Directive {
            span: self.since(name.start),
            name,
            arguments: self.pool(mark),
        })
    }

    /// `.attribute(...)` before a function's name: the next parenthesis opens its parameters already.
    pub(super) fn attribute(&mut self) -> Result<Directive, Box<SyntaxError>> {
        let name = self.advance().span;
        let mark = self.scratch.len();
        if self.bytes(name) == b".attribute" && self.token.kind == Kind::OpenParen {
            let list = self.flat_list()?;
            self.scratch.push(list);
        }
        Ok(Directive {
            span: self.since(name.start),
            name,
            arguments: self.pool(mark),
        })
    }

    /// Reads one token or bracketed list of a directive's arguments; false where the directive ends before it.
    fn argument(&mut self, shape: Shape) -> Result<bool, Box<SyntaxError>> {
        let token = self.token;
        let operand = match token.kind {
            Kind::End | Kind::CloseBrace | Kind::CloseParen | Kind::Dwarf => return Ok(false),
            Kind::OpenBrace => match shape {
                Shape::Section | Shape::Unknown | Shape::UnknownInBody => {
                    self.skip_braces()?;
                    return Ok(shape != Shape::Section);
                }
                Shape::Line | Shape::Header | Shape::Terminated => return Ok(false),
            },
            Kind::Dotted => {
                let ends = match shape {
                    Shape::Line | Shape::Header => true,
                    Shape::Section => false,
                    _ => begins_item(self.bytes(token.span)),
                };
                if ends {
                    return Ok(false);
                }
                self.word()
            }
            Kind::Word | Kind::Number | Kind::String => self.word(),
            Kind::OpenParen => self.flat_list()?,
            Kind::Garbage | Kind::OpenString | Kind::OpenComment => {
                return Err(self.unexpected("an argument"));
            }
            _ => {
                self.advance();
                return Ok(true);
            }
        };
        self.scratch.push(operand);
        Ok(true)
    }

    /// One word, number or string, unchanged.
    fn word(&mut self) -> Operand {
        let token = self.advance();
        let span = token.span;
        match token.kind {
            Kind::String => return Operand::String(span),
            Kind::Number => match number(self.bytes(span)) {
                Some(Constant::Integer { bits, .. }) => {
                    return Operand::Integer { span, value: bits };
                }
                Some(Constant::Float { bits, width }) => {
                    return Operand::Float { span, bits, width };
                }
                None => {}
            },
            _ if self.bytes(span) == b"_" => return Operand::Sink(span),
            _ => {}
        }
        Operand::Name {
            span,
            negated: false,
        }
    }

    /// `(...)`: its words, numbers and strings in order, whatever is between them.
    fn flat_list(&mut self) -> Result<Operand, Box<SyntaxError>> {
        let open = self.advance().span;
        let mark = self.scratch.len();
        let mut depth = 1u32;
        while depth > 0 {
            match self.token.kind {
                Kind::Word | Kind::Dotted | Kind::Number | Kind::String => {
                    let word = self.word();
                    self.scratch.push(word);
                    continue;
                }
                Kind::OpenParen => depth += 1,
                Kind::CloseParen => depth -= 1,
                Kind::Comma | Kind::OpenBracket | Kind::CloseBracket => {}
                _ => {
                    return Err(self
                        .unexpected("`)`")
                        .with_related(open, "for this parenthesis"));
                }
            }
            self.advance();
        }
        Ok(Operand::Parenthesised {
            span: self.since(open.start),
            elements: self.pool(mark),
        })
    }

    /// Skips `{ ... }`, whatever is inside.
    fn skip_braces(&mut self) -> Result<(), Box<SyntaxError>> {
        let open = self.token.span;
        self.previous_end = self
            .lexer
            .skip_braces()
            .ok_or_else(|| SyntaxError::new(open, "this brace is not closed"))?;
        self.token = self.lexer.next();
        Ok(())
    }

    /// `@@DWARF ...`, a line.
    pub(super) fn dwarf_line(&mut self) -> Directive {
        let span = self.advance().span;
        Directive {
            span,
            name: Span::new(span.start, span.start + "@@DWARF".len() as u32),
            arguments: List::default(),
        }
    }

    /// `.loc file line column`, with `function_name label+n` and `inlined_at file line column` after commas.
    pub(super) fn location(&mut self) -> Result<Location, Box<SyntaxError>> {
        self.advance();
        let file = self.loc_number()?;
        let line = self.loc_number()?;
        let column = match self.token.kind {
            Kind::Number => self.loc_number()?,
            _ => 0,
        };
        while self.eat(Kind::Comma) {
            let attribute = self.expect(Kind::Word, "an attribute")?.span;
            if self.bytes(attribute) == b"function_name" {
                self.expect(Kind::Word, "a label")?;
                self.offset()?;
            } else {
                // An instruction may follow on the same line.
                while self.token.kind == Kind::Number {
                    self.advance();
                }
            }
        }
        Ok(Location { file, line, column })
    }

    fn loc_number(&mut self) -> Result<u32, Box<SyntaxError>> {
        let span = self.expect(Kind::Number, "a number")?.span;
        match number(self.bytes(span)) {
            Some(Constant::Integer { bits, .. }) => Ok(u32::try_from(bits).unwrap_or(u32::MAX)),
            _ => Err(SyntaxError::new(span, "malformed number")),
        }
    }
}
