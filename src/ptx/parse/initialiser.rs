//! Initial values of variables (PTX ISA, "Initializers").

use super::super::{
    ast::{Initialiser, List, Span},
    error::SyntaxError,
    lex::Kind,
};
use super::{
    Parser,
    constant::{Constant, WARP_SZ},
    number::number,
};

impl Parser<'_> {
    /// What follows `=`: a list of one element.
    pub(super) fn initialiser(&mut self) -> Result<List, Box<SyntaxError>> {
        let value = self.element(0)?;
        let start = self.initialisers.len();
        self.initialisers.push(value);
        Ok(self.list(start, self.initialisers.len()))
    }

    fn element(&mut self, depth: u32) -> Result<Initialiser, Box<SyntaxError>> {
        let span = self.token.span;
        match self.token.kind {
            Kind::OpenBrace => self.element_list(depth).map(Initialiser::List),
            // Nearly always, and by the million.
            Kind::Number if matches!(self.byte(span.end), b',' | b'}') => {
                self.advance();
                number(self.bytes(span))
                    .map(value)
                    .ok_or_else(|| SyntaxError::new(span, "malformed number"))
            }
            Kind::Number if self.peek().kind == Kind::OpenParen => self.masked(),
            Kind::Word if self.bytes(span) != WARP_SZ => self.symbol(),
            _ => self.constant().map(value),
        }
    }

    /// `{ ... }`.
    ///
    /// The elements of a list lie side by side in the pool. One without lists inside, which may be long, is built in
    /// place; at the first inner list the outer elements move aside.
    fn element_list(&mut self, depth: u32) -> Result<List, Box<SyntaxError>> {
        let depth = self.deeper(depth)?;
        self.advance();
        let mut start = self.initialisers.len();
        let mark = self.elements.len();
        let mut aside = false;
        while self.token.kind != Kind::CloseBrace {
            if self.token.kind == Kind::OpenBrace && !aside {
                aside = true;
                self.elements.extend(self.initialisers.drain(start..));
            }
            let element = self.element(depth)?;
            if aside {
                self.elements.push(element);
            } else {
                self.initialisers.push(element);
            }
            match self.token.kind {
                Kind::Comma => self.advance(),
                Kind::CloseBrace => break,
                _ => return Err(self.unexpected("`,` or `}`")),
            };
        }
        self.expect(Kind::CloseBrace, "`}`")?;
        if aside {
            start = self.initialisers.len();
            self.initialisers.extend(self.elements.drain(mark..));
        }
        Ok(self.list(start, self.initialisers.len()))
    }

    /// An address, or `field = value` of a texture or sampler.
    fn symbol(&mut self) -> Result<Initialiser, Box<SyntaxError>> {
        let name = self.token.span;
        if self.peek().kind != Kind::Equal {
            return self.symbol_address(None);
        }
        self.advance();
        self.advance();
        let value = match self.token.kind {
            Kind::Word | Kind::Number => self.advance().span,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Initialiser::Field { name, value })
    }

    /// `0xFF00(sym+4)`: one byte of an address.
    fn masked(&mut self) -> Result<Initialiser, Box<SyntaxError>> {
        let span = self.advance().span;
        let Some(Constant::Integer { bits, .. }) = number(self.bytes(span)) else {
            return Err(SyntaxError::new(span, "malformed number"));
        };
        self.expect(Kind::OpenParen, "`(`")?;
        let mut address = self.symbol_address(Some(bits))?;
        self.expect(Kind::CloseParen, "`)`")?;
        let added = self.offset()?;
        if let Initialiser::Address { offset, .. } = &mut address {
            *offset = offset.wrapping_add(added);
        }
        Ok(address)
    }

    /// `sym+4` or `generic(sym)+4`.
    fn symbol_address(&mut self, mask: Option<u64>) -> Result<Initialiser, Box<SyntaxError>> {
        let mut name = self.expect(Kind::Word, "a name")?.span;
        let generic = self.is_generic(name) && self.eat(Kind::OpenParen);
        let mut offset = 0i64;
        if generic {
            name = self.expect(Kind::Word, "a name")?.span;
            offset = self.offset()?;
            self.expect(Kind::CloseParen, "`)`")?;
        }
        offset = offset.wrapping_add(self.offset()?);
        Ok(Initialiser::Address {
            name,
            offset,
            generic,
            mask,
        })
    }

    fn is_generic(&self, name: Span) -> bool {
        self.bytes(name) == b"generic"
    }
}

fn value(constant: Constant) -> Initialiser {
    match constant {
        Constant::Integer { bits, .. } => Initialiser::Integer(bits),
        Constant::Float { bits, width } => Initialiser::Float { bits, width },
    }
}
