//! The lexer: bytes to tokens, one at a time, without copying and without failing.
//!
//! A word holds its dots (`ld.global.nc.f32`, `%tid.x`, `mbarrier.init.shared::cta.b64`), because PTX allows no blanks
//! around them; a token that *starts* with a dot ends before the next one, so that `.param.u64` and `.param .u64` read
//! the same. What is no token becomes a token of an error kind, for the parser to report.

use memchr::{memchr, memmem};

use super::ast::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The end of the text.
    End,
    /// An identifier, opcode, register or keyword, with its dotted suffixes.
    Word,
    /// A word with a dot in front: `.reg`, `.shared::cta`.
    Dotted,
    /// A literal that begins with a digit.
    Number,
    /// `"..."`
    String,
    /// `@@DWARF ...` up to the end of the line (PTX ISA 1.x debugging information).
    Dwarf,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `@`
    At,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%` that begins no name
    Percent,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `!`
    Bang,
    /// `!=`
    BangEqual,
    /// `&`
    Ampersand,
    /// `&&`
    AndAnd,
    /// `|`
    Bar,
    /// `||`
    OrOr,
    /// `^`
    Caret,
    /// `~`
    Tilde,
    /// `?`
    Question,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// A string without its closing quote.
    OpenString,
    /// A block comment without its `*/`.
    OpenComment,
    /// A byte that begins no token.
    Garbage,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// It is the first of its line.
    pub first: bool,
    /// Its bytes.
    pub span: Span,
}

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Garbage,
    Blank,
    Newline,
    Word,
    Percent,
    Digit,
    Dot,
    Quote,
    Slash,
    At,
    Hash,
    Operator,
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Garbage; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            // A NUL ends each text of a C program, also where several follow one another.
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => Class::Blank,
            b'\n' => Class::Newline,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'%' => Class::Percent,
            b'.' => Class::Dot,
            b'"' => Class::Quote,
            b'/' => Class::Slash,
            b'@' => Class::At,
            b'#' => Class::Hash,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b',' | b';' | b':' | b'+' | b'-' | b'*'
            | b'<' | b'>' | b'=' | b'!' | b'&' | b'|' | b'^' | b'~' | b'?' => Class::Operator,
            _ => Class::Garbage,
        };
        b += 1;
    }
    table
};

/// The bytes that continue a word.
const FOLLOW: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = (b as u8).is_ascii_alphanumeric() || b == b'_' as usize || b == b'$' as usize;
        b += 1;
    }
    table
};

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`, which must be shorter than 4 GiB.
    pub fn new(text: &'a [u8]) -> Self {
        Lexer { text, position: 0 }
    }

    /// A lexer from a place between two tokens on.
    pub fn at(text: &'a [u8], position: usize) -> Self {
        Lexer { text, position }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The next token; [`Kind::End`] for ever at the end.
    #[inline]
    pub fn next(&mut self) -> Token {
        let text = self.text;
        let mut p = self.position;
        let mut first = p == 0;
        loop {
            let Some(&b) = text.get(p) else {
                return self.token(Kind::End, first, p, p);
            };
            let start = p;
            let (kind, end) = match CLASSES[b as usize] {
                Class::Blank => {
                    p += 1;
                    continue;
                }
                Class::Newline => {
                    first = true;
                    p += 1;
                    continue;
                }
                Class::Word => (Kind::Word, self.word_end(p + 1)),
                Class::Percent if FOLLOW[self.byte(p + 1) as usize] => {
                    (Kind::Word, self.word_end(p + 2))
                }
                Class::Percent => (Kind::Percent, p + 1),
                Class::Digit => (Kind::Number, self.number_end(p)),
                Class::Dot if FOLLOW[self.byte(p + 1) as usize] => self.dotted(p),
                Class::Hash if first && self.is_line_marker(p) => {
                    p = memchr(b'\n', &text[p..]).map_or(text.len(), |n| p + n);
                    continue;
                }
                Class::Dot | Class::Hash | Class::Garbage => (Kind::Garbage, p + 1),
                Class::Quote => self.string(p),
                Class::Slash => match self.byte(p + 1) {
                    b'/' => {
                        p = memchr(b'\n', &text[p..]).map_or(text.len(), |n| p + n);
                        continue;
                    }
                    b'*' => match memmem::find(&text[p + 2..], b"*/") {
                        Some(n) => {
                            let end = p + 2 + n + 2;
                            first |= memchr(b'\n', &text[p..end]).is_some();
                            p = end;
                            continue;
                        }
                        None => (Kind::OpenComment, text.len()),
                    },
                    _ => (Kind::Slash, p + 1),
                },
                Class::At if text[p..].starts_with(b"@@DWARF") => {
                    let end = memchr(b'\n', &text[p..]).map_or(text.len(), |n| p + n);
                    (Kind::Dwarf, end)
                }
                Class::At => (Kind::At, p + 1),
                Class::Operator => self.operator(b, p),
            };
            return self.token(kind, first, start, end);
        }
    }

    #[inline]
    fn token(&mut self, kind: Kind, first: bool, start: usize, end: usize) -> Token {
        self.position = end;
        Token {
            kind,
            first,
            span: Span::new(start as u32, end as u32),
        }
    }

    /// The end of a word whose first bytes lie before `p`: `.x` and `::x` belong to it.
    #[inline]
    fn word_end(&self, mut p: usize) -> usize {
        loop {
            p = self.dotted_end(p);
            if self.byte(p) != b'.' || !FOLLOW[self.byte(p + 1) as usize] {
                return p;
            }
            p += 2;
        }
    }

    /// The end of one part of a word: `shared::cta`.
    #[inline]
    fn dotted_end(&self, mut p: usize) -> usize {
        loop {
            while let Some(&b) = self.text.get(p) {
                if !FOLLOW[b as usize] {
                    break;
                }
                p += 1;
            }
            let scoped = self.byte(p) == b':'
                && self.byte(p + 1) == b':'
                && FOLLOW[self.byte(p + 2) as usize];
            if !scoped {
                return p;
            }
            p += 3;
        }
    }

    /// A word that begins with a dot, or a float such as `.5`.
    fn dotted(&self, start: usize) -> (Kind, usize) {
        let mut p = start + 1;
        while self.byte(p).is_ascii_digit() {
            p += 1;
        }
        if p == start + 1 || (FOLLOW[self.byte(p) as usize] && !matches!(self.byte(p), b'e' | b'E'))
        {
            (Kind::Dotted, self.dotted_end(p))
        } else {
            (Kind::Number, self.number_end(start))
        }
    }

    /// `# 1 "file.c"` or `#line 1 "file.c"`, as the C preprocessor leaves them; `ptxas` skips these lines.
    fn is_line_marker(&self, hash: usize) -> bool {
        let rest = self.text.get(hash + 1..).unwrap_or_default();
        let rest = rest
            .strip_prefix(b"line")
            .unwrap_or(rest)
            .trim_ascii_start();
        rest.first().is_some_and(u8::is_ascii_digit)
    }

    /// The end of a number: its letters and digits, a decimal point, and the sign of a decimal exponent. Whether they
    /// make a number is for [`super::parse`] to say.
    fn number_end(&self, start: usize) -> usize {
        let prefixed = self.byte(start) == b'0'
            && matches!(
                self.byte(start + 1),
                b'x' | b'X' | b'b' | b'B' | b'f' | b'F' | b'd' | b'D'
            );
        let mut p = start + 1;
        let mut point = prefixed || self.byte(start) == b'.';
        loop {
            let b = self.byte(p);
            let next = self.byte(p + 1);
            if FOLLOW[b as usize] {
                p += 1;
                if !prefixed
                    && matches!(b, b'e' | b'E')
                    && matches!(next, b'+' | b'-')
                    && self.byte(p + 1).is_ascii_digit()
                {
                    p += 2;
                }
            } else if b == b'.' && !point && self.is_point(p) {
                point = true;
                p += 1;
            } else {
                return p;
            }
        }
    }

    /// Whether the dot at `p` after digits is a decimal point: no word begins there, but for an exponent (`1.E+3`).
    fn is_point(&self, p: usize) -> bool {
        let sign = usize::from(matches!(self.byte(p + 2), b'+' | b'-'));
        let exponent =
            matches!(self.byte(p + 1), b'e' | b'E') && self.byte(p + 2 + sign).is_ascii_digit();
        exponent || !self.byte(p + 1).is_ascii_alphabetic()
    }

    /// A string from its opening quote to the next one: PTX has no escapes, and a string may hold line ends.
    fn string(&self, start: usize) -> (Kind, usize) {
        let rest = self.text.get(start + 1..).unwrap_or_default();
        match memchr(b'"', rest) {
            Some(n) => (Kind::String, start + 1 + n + 1),
            None => (Kind::OpenString, self.text.len()),
        }
    }

    fn operator(&self, b: u8, p: usize) -> (Kind, usize) {
        let next = self.byte(p + 1);
        let double = match (b, next) {
            (b'<', b'<') => Kind::ShiftLeft,
            (b'<', b'=') => Kind::LessEqual,
            (b'>', b'>') => Kind::ShiftRight,
            (b'>', b'=') => Kind::GreaterEqual,
            (b'=', b'=') => Kind::EqualEqual,
            (b'!', b'=') => Kind::BangEqual,
            (b'&', b'&') => Kind::AndAnd,
            (b'|', b'|') => Kind::OrOr,
            _ => Kind::Garbage,
        };
        if double != Kind::Garbage {
            return (double, p + 2);
        }
        let single = match b {
            b'{' => Kind::OpenBrace,
            b'}' => Kind::CloseBrace,
            b'(' => Kind::OpenParen,
            b')' => Kind::CloseParen,
            b'[' => Kind::OpenBracket,
            b']' => Kind::CloseBracket,
            b',' => Kind::Comma,
            b';' => Kind::Semicolon,
            b':' => Kind::Colon,
            b'+' => Kind::Plus,
            b'-' => Kind::Minus,
            b'*' => Kind::Star,
            b'<' => Kind::Less,
            b'>' => Kind::Greater,
            b'=' => Kind::Equal,
            b'!' => Kind::Bang,
            b'&' => Kind::Ampersand,
            b'|' => Kind::Bar,
            b'^' => Kind::Caret,
            b'~' => Kind::Tilde,
            b'?' => Kind::Question,
            _ => Kind::Garbage,
        };
        (single, p + 1)
    }

    /// Skips a braced text whose `{` has just been read, to the end of the `}` that closes it, over strings and comments;
    /// `None` where it is not closed.
    pub fn skip_braces(&mut self) -> Option<u32> {
        let text = self.text;
        let mut depth = 1usize;
        let mut p = self.position;
        loop {
            let b = *text.get(p)?;
            match b {
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        self.position = p + 1;
                        return Some(self.position as u32);
                    }
                }
                b'"' => {
                    let (kind, end) = self.string(p);
                    if kind == Kind::OpenString {
                        return None;
                    }
                    p = end;
                    continue;
                }
                b'/' if self.byte(p + 1) == b'/' => {
                    p += memchr(b'\n', &text[p..])?;
                    continue;
                }
                b'/' if self.byte(p + 1) == b'*' => {
                    p += 2 + memmem::find(&text[p + 2..], b"*/")? + 2;
                    continue;
                }
                _ => {}
            }
            p += 1;
        }
    }
}
