//! Function bodies.

use super::super::{
    ast::{Body, Guard, Instruction, Linkage, Span, Statement, StatementKind},
    error::SyntaxError,
    lex::Kind,
};
use super::{Parser, directive::Shape};

impl Parser<'_> {
    /// A body from its `{`, scopes inside it flattened.
    pub(super) fn body(&mut self) -> Result<Body, Box<SyntaxError>> {
        let open = self.advance().span;
        let mut statements = Vec::new();
        let mut depth = 0usize;
        loop {
            let start = self.token.span.start;
            let kind = match self.token.kind {
                Kind::Word => self.word_statement()?,
                Kind::At => self.guarded()?,
                Kind::Dotted => match self.dotted_statement()? {
                    Some(kind) => kind,
                    None => return Err(self.unclosed(open, &statements)),
                },
                Kind::Semicolon => {
                    self.advance();
                    continue;
                }
                Kind::OpenBrace => {
                    self.advance();
                    depth += 1;
                    StatementKind::Open
                }
                Kind::CloseBrace => {
                    self.advance();
                    let Some(outer) = depth.checked_sub(1) else {
                        return Ok(Body {
                            span: self.since(open.start),
                            statements,
                        });
                    };
                    depth = outer;
                    StatementKind::Close
                }
                Kind::Dwarf => StatementKind::Directive(Box::new(self.dwarf_line())),
                Kind::End => return Err(self.unclosed(open, &statements)),
                _ => return Err(self.unexpected("a statement")),
            };
            statements.push(Statement {
                span: self.since(start),
                kind,
            });
        }
    }

    /// The error that a body does not end; it shows the innermost brace that is open.
    #[cold]
    fn unclosed(&self, body: Span, statements: &[Statement]) -> Box<SyntaxError> {
        let mut closed = 0usize;
        let mut open = body;
        for statement in statements.iter().rev() {
            match statement.kind {
                StatementKind::Close => closed += 1,
                StatementKind::Open if closed == 0 => {
                    open = statement.span;
                    break;
                }
                StatementKind::Open => closed -= 1,
                _ => {}
            }
        }
        self.unexpected("`}`")
            .with_related(open, "this brace is not closed")
    }

    /// A label or an instruction without guard.
    #[inline]
    fn word_statement(&mut self) -> Result<StatementKind, Box<SyntaxError>> {
        let word = self.advance().span;
        if self.eat(Kind::Colon) {
            return Ok(StatementKind::Label(word));
        }
        let opcode = self.opcode(word);
        self.instruction(None, opcode)
    }

    /// `@p instruction` and `@!p instruction`.
    fn guarded(&mut self) -> Result<StatementKind, Box<SyntaxError>> {
        self.advance();
        let negated = self.eat(Kind::Bang);
        let register = self.expect(Kind::Word, "a predicate register")?.span;
        let word = self.expect(Kind::Word, "an instruction")?.span;
        let opcode = self.opcode(word);
        self.instruction(Some(Guard { negated, register }), opcode)
    }

    /// The opcode that begins with `word`: modifiers may be separate words, as in `mov .u32`.
    #[inline]
    fn opcode(&mut self, word: Span) -> Span {
        while self.token.kind == Kind::Dotted {
            self.advance();
        }
        self.since(word.start)
    }

    /// The operands of an instruction whose opcode has been read.
    #[inline]
    fn instruction(
        &mut self,
        guard: Option<Guard>,
        opcode: Span,
    ) -> Result<StatementKind, Box<SyntaxError>> {
        let word = self.bytes(opcode);
        if !word.first().is_some_and(u8::is_ascii_alphabetic) {
            return Err(SyntaxError::new(
                opcode,
                format!("expected a statement, found `{}`", self.quote(opcode)),
            ));
        }
        self.call = word.starts_with(b"call") && matches!(word.get(4), None | Some(b'.'));
        let operands = self
            .operands_until(Kind::Semicolon, "`,` or `;`", 0)
            .map_err(|error| match error.related {
                None => error.with_related(opcode, "in the operands of this instruction"),
                Some(_) => error,
            })?;
        Ok(StatementKind::Instruction(Instruction {
            guard,
            opcode,
            operands,
        }))
    }

    /// A declaration or directive; `None` for what begins a function, so that a `}` must be missing.
    fn dotted_statement(&mut self) -> Result<Option<StatementKind>, Box<SyntaxError>> {
        let start = self.token.span.start;
        let linkage = self.linkage();
        if self.token.kind != Kind::Dotted {
            return Err(self.unexpected("a declaration"));
        }
        let name = self.bytes(self.token.span);
        Ok(Some(match name {
            b".loc" => StatementKind::Location(self.location()?),
            b".entry" | b".func" | b".version" | b".target" => return Ok(None),
            _ if linkage != Linkage::default() || Self::is_space(name) => {
                StatementKind::Variable(Box::new(self.variable(start, linkage)?))
            }
            _ => {
                let shape = Shape::of(name, false);
                StatementKind::Directive(Box::new(self.directive(shape)?))
            }
        }))
    }
}
