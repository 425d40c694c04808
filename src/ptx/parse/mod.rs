//! The parser: text to syntax tree, in one pass over the tokens.
//!
//! The grammar is generic. Any `opcode.modifiers operands;` is an instruction and any unknown directive is kept with
//! its span, so that PTX of a later version parses. What is rejected is what no version could give a sense: unbalanced
//! brackets, a missing `;`, malformed literals, bytes that begin no token.
//!
//! | file | reads |
//! | --- | --- |
//! | `item.rs` | the module scope: functions, parameters |
//! | `body.rs` | statements |
//! | `operand.rs` | operands, addresses |
//! | `declaration.rs` | variables |
//! | `initialiser.rs` | their initial values |
//! | `directive.rs` | all other directives |
//! | `constant.rs`, `number.rs` | constant expressions and literals |
//! | `parts.rs` | one text on several threads |
//! | `again.rs` | a text once more, after edits of some items |

mod again;
mod body;
mod constant;
mod declaration;
mod directive;
mod initialiser;
mod item;
mod number;
mod operand;
mod parts;
#[cfg(test)]
mod tests;

use super::{
    ast::{Initialiser, Item, List, Module, Operand, Span},
    error::SyntaxError,
    lex::{Kind, Lexer, Token},
};

/// Levels of parentheses, braces and operators inside one operand or initialiser. Scopes may nest without bound.
pub const MAX_NESTING: u32 = 128;

/// Most bytes of the text that an error message quotes.
const MAX_QUOTED: usize = 40;

pub use again::{parse_again, parse_owned};

/// Parses a text of PTX: one module, or several in a row.
///
/// # Errors
///
/// The first place where the text is not PTX; also a text of 4 GiB or more, which spans cannot address.
pub fn parse(text: &[u8]) -> Result<Module<'_>, SyntaxError> {
    parse_on(text, 1)
}

/// As [`parse`], on so many threads; 0 for as many as there are processors.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_on(text: &[u8], jobs: usize) -> Result<Module<'_>, SyntaxError> {
    if u32::try_from(text.len()).is_err() {
        return Err(*SyntaxError::new(
            Span::default(),
            "the text is larger than 4 GiB",
        ));
    }
    if let Some(module) = parts::parse(text, jobs) {
        return Ok(module);
    }
    let mut parser = Parser::new(text, Lexer::new(text), 0);
    parser.items(u32::MAX).map_err(|error| *error)?;
    let Parser {
        items,
        operands,
        initialisers,
        ..
    } = parser;
    Ok(Module::new(text, items, vec![operands], vec![initialisers]))
}

/// The state of the parser: the token to read next, and the tree built so far.
struct Parser<'a> {
    text: &'a [u8],
    lexer: Lexer<'a>,
    /// The token to read next.
    token: Token,
    /// Where the token before ends.
    previous_end: u32,
    items: Vec<Item>,
    /// The part's operands in their pool.
    operands: Vec<Operand>,
    /// The part's elements of initialisers.
    initialisers: Vec<Initialiser>,
    /// The number of the part of the text.
    part: u32,
    /// Operands of lists that are still open.
    scratch: Vec<Operand>,
    /// Elements of initialiser lists that are still open and hold lists.
    elements: Vec<Initialiser>,
    /// Inside a call, where parentheses are lists, not expressions.
    call: bool,
}

impl<'a> Parser<'a> {
    /// Of one part of the text, from the position of the lexer.
    fn new(text: &'a [u8], mut lexer: Lexer<'a>, part: u32) -> Self {
        let token = lexer.next();
        Parser {
            text,
            lexer,
            token,
            previous_end: 0,
            items: Vec::new(),
            operands: Vec::new(),
            initialisers: Vec::new(),
            part,
            scratch: Vec::new(),
            elements: Vec::new(),
            call: false,
        }
    }

    /// The list from one place of the part's share of a pool to another.
    fn list(&self, start: usize, end: usize) -> List {
        List::of_part(self.part, start, end)
    }

    /// The bytes of a span.
    fn bytes(&self, span: Span) -> &'a [u8] {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The byte at `offset`; 0 past the end.
    fn byte(&self, offset: u32) -> u8 {
        self.text.get(offset as usize).copied().unwrap_or_default()
    }

    /// Goes on at another place of the text.
    fn go_to(&mut self, offset: u32) {
        self.lexer = Lexer::at(self.text, offset as usize);
        self.token = self.lexer.next();
        self.previous_end = offset;
    }

    /// Reads the token and returns it.
    #[inline]
    fn advance(&mut self) -> Token {
        let token = self.token;
        self.previous_end = token.span.end;
        self.token = self.lexer.next();
        token
    }

    /// Reads the token if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    /// Reads the token, which must be of this kind.
    fn expect(&mut self, kind: Kind, expected: &'static str) -> Result<Token, Box<SyntaxError>> {
        if self.token.kind == kind {
            Ok(self.advance())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// The token after the one to read next.
    fn peek(&self) -> Token {
        {
            let mut lexer = self.lexer;
            lexer.next()
        }
    }

    /// From `start` to the end of what has been read.
    fn since(&self, start: u32) -> Span {
        Span::new(start, self.previous_end)
    }

    /// The error that the token is not what the grammar wants.
    #[cold]
    fn unexpected(&self, expected: &'static str) -> Box<SyntaxError> {
        let span = self.token.span;
        let message = match self.token.kind {
            Kind::End => format!("expected {expected}, found the end of the text"),
            Kind::OpenString => "this string has no closing quote".to_owned(),
            Kind::OpenComment => "this comment has no closing `*/`".to_owned(),
            Kind::Garbage => {
                let byte = self.byte(span.start);
                if byte.is_ascii_graphic() {
                    format!("expected {expected}, found `{}`", char::from(byte))
                } else {
                    format!("expected {expected}, found the byte 0x{byte:02X}")
                }
            }
            _ => format!("expected {expected}, found `{}`", self.quote(span)),
        };
        let mut error = SyntaxError::new(span, message);
        if self.token.kind == Kind::End {
            // Not the blank line at the end, but after what came last.
            error.span = Span::new(self.previous_end, self.previous_end);
        }
        match self.token.kind {
            // The opening alone is at fault, not all the text after it.
            Kind::OpenString => error.span.end = span.start + 1,
            Kind::OpenComment => error.span.end = span.start + 2,
            _ => error.expected = Some(expected),
        }
        error
    }

    /// The beginning of a span, to be quoted in a message.
    fn quote(&self, span: Span) -> String {
        let bytes = self.bytes(span);
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_QUOTED)]);
        if bytes.len() > MAX_QUOTED {
            format!("{shown}...")
        } else {
            shown.into_owned()
        }
    }
}
