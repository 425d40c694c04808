//! Declarations of variables, registers and parameters.

use super::super::{
    ast::{Declarator, Linkage, Pointer, Span, Variable},
    error::SyntaxError,
    lex::Kind,
};
use super::{Parser, constant::Constant, number::number};

impl Parser<'_> {
    /// The word names a state space that variables are declared in.
    pub(super) fn is_space(name: &[u8]) -> bool {
        matches!(
            name,
            b".reg"
                | b".param"
                | b".global"
                | b".shared"
                | b".local"
                | b".const"
                | b".tex"
                | b".sreg"
        )
    }

    /// What `.ptr` may point to: memory, or a texture, a surface, a sampler.
    fn is_pointed_to(name: &[u8]) -> bool {
        Self::is_space(name) || matches!(name, b".texref" | b".surfref" | b".samplerref")
    }

    /// A declaration with its `;`, from its state space; `start` is that of its first linkage word.
    pub(super) fn variable(
        &mut self,
        start: u32,
        linkage: Linkage,
    ) -> Result<Variable, Box<SyntaxError>> {
        let mut variable = self.declaration_head(linkage)?;
        loop {
            let mut declarator = self.declarator()?;
            if self.eat(Kind::Equal) {
                declarator.initialiser = Some(self.initialiser()?);
            }
            // Nearly all declarations have one name.
            if variable.names.is_empty() {
                variable.names.reserve_exact(1);
            }
            variable.names.push(declarator);
            match self.token.kind {
                Kind::Comma => self.advance(),
                Kind::Semicolon => {
                    self.advance();
                    break;
                }
                _ => return Err(self.unexpected("`;`")),
            };
        }
        variable.span = self.since(start);
        Ok(variable)
    }

    /// One parameter of a function.
    pub(super) fn parameter(&mut self) -> Result<Variable, Box<SyntaxError>> {
        let start = self.token.span.start;
        let mut variable = self.declaration_head(Linkage::default())?;
        variable.names = vec![self.declarator()?];
        variable.span = self.since(start);
        Ok(variable)
    }

    /// The dotted words before the names, in any order after the state space.
    fn declaration_head(&mut self, linkage: Linkage) -> Result<Variable, Box<SyntaxError>> {
        let space = self.expect(Kind::Dotted, "a state space")?.span;
        if !Self::is_space(self.bytes(space)) {
            let mut error = super::SyntaxError::new(
                space,
                format!("expected a state space, found `{}`", self.quote(space)),
            );
            error.expected = Some("a state space");
            return Err(error);
        }
        if self.eat(Kind::OpenBracket) {
            // `.const[2]`: the banks of PTX ISA 1.x and 2.x.
            self.integer()?;
            self.expect(Kind::CloseBracket, "`]`")?;
        }
        let mut variable = Variable {
            span: space,
            linkage,
            space,
            align: None,
            vector: 1,
            ty: Span::new(space.end, space.end),
            pointer: None,
            names: Vec::new(),
        };
        let mut typed = false;
        while self.token.kind == Kind::Dotted {
            let word = self.advance().span;
            match self.bytes(word) {
                b".align" => {
                    let align = Some(self.small_number("an alignment")?);
                    match &mut variable.pointer {
                        Some(pointer) => pointer.align = align,
                        None => variable.align = align,
                    }
                }
                b".v2" => variable.vector = 2,
                b".v4" => variable.vector = 4,
                b".v8" => variable.vector = 8,
                b".ptr" => {
                    variable.pointer = Some(Pointer {
                        space: None,
                        align: None,
                    });
                }
                b".attribute" => self.skip_parentheses()?,
                name => match &mut variable.pointer {
                    Some(pointer) if Self::is_pointed_to(name) => pointer.space = Some(word),
                    _ if !typed => {
                        typed = true;
                        variable.ty = word;
                    }
                    _ => {
                        return Err(super::SyntaxError::new(
                            word,
                            format!("expected a name, found `{}`", self.quote(word)),
                        ));
                    }
                },
            }
        }
        Ok(variable)
    }

    /// A name with its count or dimensions.
    fn declarator(&mut self) -> Result<Declarator, Box<SyntaxError>> {
        let mut declarator = Declarator {
            name: self.expect(Kind::Word, "a name")?.span,
            count: None,
            dimensions: Vec::new(),
            initialiser: None,
        };
        if self.eat(Kind::Less) {
            declarator.count = Some(self.small_number("a number of registers")?);
            self.expect(Kind::Greater, "`>`")?;
        }
        while self.eat(Kind::OpenBracket) {
            let dimension = match self.token.kind {
                Kind::CloseBracket => None,
                _ => Some(self.integer()?),
            };
            self.expect(Kind::CloseBracket, "`]`")?;
            if declarator.dimensions.is_empty() {
                declarator.dimensions.reserve_exact(1);
            }
            declarator.dimensions.push(dimension);
        }
        Ok(declarator)
    }

    /// A literal below 2^32.
    fn small_number(&mut self, expected: &'static str) -> Result<u32, Box<SyntaxError>> {
        let span = self.expect(Kind::Number, expected)?.span;
        match number(self.bytes(span)) {
            Some(Constant::Integer { bits, .. }) if bits <= u64::from(u32::MAX) => Ok(bits as u32),
            _ => Err(SyntaxError::new(
                span,
                format!("expected {expected}, found `{}`", self.quote(span)),
            )),
        }
    }

    /// `( ... )` of an attribute.
    fn skip_parentheses(&mut self) -> Result<(), Box<SyntaxError>> {
        self.expect(Kind::OpenParen, "`(`")?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.token.kind {
                Kind::OpenParen => depth += 1,
                Kind::CloseParen => depth -= 1,
                Kind::Word | Kind::Dotted | Kind::Number | Kind::String | Kind::Comma => {}
                _ => return Err(self.unexpected("`)`")),
            }
            self.advance();
        }
        Ok(())
    }
}
