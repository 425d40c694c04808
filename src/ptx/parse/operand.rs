//! Operands of instructions.

use super::super::{
    ast::{List, Operand, Span},
    error::SyntaxError,
    lex::Kind,
};
use super::{
    Parser,
    constant::{Constant, WARP_SZ},
};

impl Parser<'_> {
    /// Operands up to `close`, which is read too; their list. An empty list is fine here.
    pub(super) fn operands_until(
        &mut self,
        close: Kind,
        expected: &'static str,
        depth: u32,
    ) -> Result<List, Box<SyntaxError>> {
        if self.eat(close) {
            return Ok(List::default());
        }
        let mark = self.scratch.len();
        loop {
            let operand = self.operand(depth)?;
            self.scratch.push(operand);
            if self.eat(Kind::Comma) {
                continue;
            }
            if self.eat(close) {
                return Ok(self.pool(mark));
            }
            return Err(self.unexpected(expected));
        }
    }

    /// Moves the operands that wait above `mark` to the pool: elements of a list lie side by side there.
    pub(super) fn pool(&mut self, mark: usize) -> List {
        let start = self.operands.len();
        self.operands.extend_from_slice(&self.scratch[mark..]);
        self.scratch.truncate(mark);
        self.list(start, self.operands.len())
    }

    /// One operand, with a second one after a bar: `%p|%q`.
    fn operand(&mut self, depth: u32) -> Result<Operand, Box<SyntaxError>> {
        let first = self.single_operand(depth)?;
        if self.token.kind != Kind::Bar {
            return Ok(first);
        }
        self.advance();
        let second = self.single_operand(depth)?;
        let mark = self.scratch.len();
        self.scratch.extend([first, second]);
        Ok(Operand::Pair {
            span: first.span().to(second.span()),
            elements: self.pool(mark),
        })
    }

    fn single_operand(&mut self, depth: u32) -> Result<Operand, Box<SyntaxError>> {
        let token = self.token;
        match token.kind {
            Kind::Word => self.named(depth),
            Kind::OpenBracket => self.address(depth),
            Kind::OpenBrace => {
                let depth = self.deeper(depth)?;
                self.advance();
                if self.token.kind == Kind::CloseBrace {
                    return Err(self.unexpected("an operand"));
                }
                let elements = self.operands_until(Kind::CloseBrace, "`,` or `}`", depth)?;
                Ok(Operand::Vector {
                    span: self.since(token.span.start),
                    elements,
                })
            }
            Kind::OpenParen if self.call => {
                let depth = self.deeper(depth)?;
                self.advance();
                // Inside the list a parenthesis is one of an expression.
                self.call = false;
                let elements = self.operands_until(Kind::CloseParen, "`,` or `)`", depth)?;
                self.call = true;
                Ok(Operand::Parenthesised {
                    span: self.since(token.span.start),
                    elements,
                })
            }
            Kind::Bang | Kind::Minus if self.peek_is_name() => {
                self.advance();
                let name = self.advance();
                Ok(Operand::Name {
                    span: name.span,
                    negated: true,
                })
            }
            Kind::Number
            | Kind::OpenParen
            | Kind::Bang
            | Kind::Plus
            | Kind::Minus
            | Kind::Tilde => self.literal(),
            _ => Err(self.unexpected("an operand")),
        }
    }

    /// A literal or a constant expression.
    pub(super) fn literal(&mut self) -> Result<Operand, Box<SyntaxError>> {
        let start = self.token.span.start;
        let value = self.constant()?;
        let span = self.since(start);
        Ok(match value {
            Constant::Integer { bits, .. } => Operand::Integer { span, value: bits },
            Constant::Float { bits, width } => Operand::Float { span, bits, width },
        })
    }

    /// The token after this one is the name of a register (not a constant, which an operator would be part of).
    fn peek_is_name(&self) -> bool {
        let next = self.peek();
        next.kind == Kind::Word && self.bytes(next.span) != WARP_SZ
    }

    /// An operand that begins with a name: the name, `sym+4`, `sym[4]`, or `WARP_SZ` in an expression.
    fn named(&mut self, depth: u32) -> Result<Operand, Box<SyntaxError>> {
        let span = self.token.span;
        let after = self.byte(span.end);
        // Nearly always: the byte after the name decides.
        if matches!(after, b',' | b';' | b'}' | b')') && span.end - span.start > 1 {
            self.advance();
            return Ok(Operand::Name {
                span,
                negated: false,
            });
        }
        let word = self.bytes(span);
        if word == b"_" {
            self.advance();
            return Ok(Operand::Sink(span));
        }
        if word == WARP_SZ && !matches!(self.peek().kind, Kind::Comma | Kind::Semicolon) {
            return self.literal();
        }
        self.advance();
        match self.token.kind {
            Kind::OpenBracket => self.element_of(span, depth),
            Kind::Plus | Kind::Minus => {
                let offset = self.offset()?;
                Ok(Operand::Address {
                    span: self.since(span.start),
                    base: Some(span),
                    offset,
                    rest: List::default(),
                    unified: false,
                })
            }
            _ => Ok(Operand::Name {
                span,
                negated: false,
            }),
        }
    }

    /// `sym[i]`, its name read.
    fn element_of(&mut self, base: Span, depth: u32) -> Result<Operand, Box<SyntaxError>> {
        let depth = self.deeper(depth)?;
        self.advance();
        let index = self.single_operand(depth)?;
        self.expect(Kind::CloseBracket, "`]`")?;
        let mark = self.scratch.len();
        self.scratch.push(index);
        Ok(Operand::Element {
            span: self.since(base.start),
            base,
            index: self.pool(mark),
        })
    }

    /// `[base+offset]`, `[imm]`, `[base, rest]`, each with `.unified` after it or not.
    fn address(&mut self, depth: u32) -> Result<Operand, Box<SyntaxError>> {
        let depth = self.deeper(depth)?;
        let start = self.advance().span.start;
        let mut base = None;
        let offset;
        if self.token.kind == Kind::Word && self.bytes(self.token.span) != WARP_SZ {
            base = Some(self.advance().span);
            offset = self.offset()?;
        } else {
            offset = self.integer()? as i64;
        }
        let rest = match self.token.kind {
            Kind::CloseBracket => {
                self.advance();
                List::default()
            }
            Kind::Comma => {
                self.advance();
                if self.token.kind == Kind::CloseBracket {
                    return Err(self.unexpected("an operand"));
                }
                self.operands_until(Kind::CloseBracket, "`,` or `]`", depth)?
            }
            _ => return Err(self.unexpected("`]`")),
        };
        let unified = self.token.kind == Kind::Dotted && self.bytes(self.token.span) == b".unified";
        if unified {
            self.advance();
        }
        Ok(Operand::Address {
            span: self.since(start),
            base,
            offset,
            rest,
            unified,
        })
    }

    /// `+4`, `+-4`, `+4<<1`, or nothing: the bytes added to a base. After the `+` is a whole expression: `+4<<1` are 8, as `ptxas` has
    /// it, which takes no `-4`.
    pub(super) fn offset(&mut self) -> Result<i64, Box<SyntaxError>> {
        match self.token.kind {
            Kind::Plus => {
                self.advance();
                Ok(self.integer()? as i64)
            }
            Kind::Minus => Ok(self.integer()? as i64),
            _ => Ok(0),
        }
    }
}
