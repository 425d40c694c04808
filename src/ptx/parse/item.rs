//! The module scope.

use super::super::{
    ast::{Function, Item, Linkage, Variable},
    error::SyntaxError,
    lex::Kind,
};
use super::{Parser, directive::Shape};

/// Directives that begin an item of the module scope, so that they end a declaration without `;` before them.
pub(super) fn begins_item(name: &[u8]) -> bool {
    linkage(name).is_some()
        || matches!(
            name,
            b".func"
                | b".entry"
                | b".global"
                | b".const"
                | b".shared"
                | b".tex"
                | b".version"
                | b".target"
                | b".address_size"
                | b".file"
                | b".section"
                | b".alias"
        )
}

/// The flag of a linkage word.
fn linkage(name: &[u8]) -> Option<u8> {
    match name {
        b".visible" => Some(Linkage::VISIBLE),
        b".extern" => Some(Linkage::EXTERN),
        b".weak" => Some(Linkage::WEAK),
        b".common" => Some(Linkage::COMMON),
        _ => None,
    }
}

impl Parser<'_> {
    /// The items that begin in front of `end`, up to the end of the text.
    pub(super) fn items(&mut self, end: u32) -> Result<(), Box<SyntaxError>> {
        while self.token.span.start < end {
            let item = match self.token.kind {
                Kind::End => break,
                Kind::Semicolon => {
                    self.advance();
                    continue;
                }
                Kind::Dotted => self.item()?,
                Kind::Dwarf => Item::Directive(self.dwarf_line()),
                _ => return Err(self.unexpected("a directive")),
            };
            self.items.push(item);
        }
        Ok(())
    }

    pub(super) fn item(&mut self) -> Result<Item, Box<SyntaxError>> {
        let start = self.token.span.start;
        let linkage = self.linkage();
        if self.token.kind != Kind::Dotted {
            return Err(self.unexpected("a declaration"));
        }
        match self.bytes(self.token.span) {
            b".func" => self.function(start, linkage, false).map(Item::Function),
            b".entry" => self.function(start, linkage, true).map(Item::Function),
            name if linkage != Linkage::default() || Self::is_space(name) => {
                self.variable(start, linkage).map(Item::Variable)
            }
            name => {
                let shape = Shape::of(name, true);
                self.directive(shape).map(Item::Directive)
            }
        }
    }

    /// Linkage words, as many as there are.
    pub(super) fn linkage(&mut self) -> Linkage {
        let mut flags = Linkage::default();
        while self.token.kind == Kind::Dotted {
            let Some(flag) = linkage(self.bytes(self.token.span)) else {
                break;
            };
            flags.0 |= flag;
            self.advance();
        }
        flags
    }

    /// A function from its `.func` or `.entry`; `start` is that of its first linkage word.
    fn function(
        &mut self,
        start: u32,
        linkage: Linkage,
        entry: bool,
    ) -> Result<Function, Box<SyntaxError>> {
        self.advance();
        let mut directives = Vec::new();
        while self.token.kind == Kind::Dotted {
            directives.push(self.attribute()?);
        }
        let returns = self.parameters()?;
        while self.token.kind == Kind::Dotted {
            directives.push(self.attribute()?);
        }
        let name = self.expect(Kind::Word, "the name of the function")?.span;
        let mut function = Function {
            span: name,
            linkage,
            entry,
            name,
            returns,
            parameters: self.parameters()?,
            directives,
            body: None,
        };
        loop {
            match self.token.kind {
                Kind::OpenBrace => {
                    function.body = Some(self.body()?);
                    break;
                }
                // The `;` of a directive, not that of a declaration.
                Kind::Semicolon if self.peek().kind == Kind::OpenBrace => {
                    self.advance();
                }
                Kind::Semicolon => {
                    self.advance();
                    break;
                }
                // PTX ISA 1.x and 2.x: a declaration without `;`.
                Kind::End => break,
                Kind::Dotted if begins_item(self.bytes(self.token.span)) => break,
                Kind::Dotted => {
                    let shape = match self.bytes(self.token.span) {
                        b".pragma" => Shape::Terminated,
                        _ => Shape::Header,
                    };
                    function.directives.push(self.directive(shape)?);
                }
                _ => return Err(self.unexpected("`{` or `;`")),
            }
        }
        function.span = self.since(start);
        Ok(function)
    }

    /// `(parameters)`, or nothing.
    fn parameters(&mut self) -> Result<Vec<Variable>, Box<SyntaxError>> {
        let mut parameters = Vec::new();
        if !self.eat(Kind::OpenParen) || self.eat(Kind::CloseParen) {
            return Ok(parameters);
        }
        loop {
            parameters.push(self.parameter()?);
            match self.token.kind {
                Kind::Comma => self.advance(),
                Kind::CloseParen => {
                    self.advance();
                    return Ok(parameters);
                }
                _ => return Err(self.unexpected("`,` or `)`")),
            };
        }
    }
}
