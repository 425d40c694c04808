//! A line of text, read from the left.

use super::names::type_of;
use super::print::is_plain;
use crate::types::Type;

/// What could be read, or what is wrong.
pub(super) type Parsed<T> = Result<T, String>;

/// What is left of a line.
#[derive(Clone, Copy)]
pub(super) struct Line<'a>(pub(super) &'a str);

impl<'a> Line<'a> {
    pub(super) fn take(&mut self, text: &str) -> bool {
        match self.0.strip_prefix(text) {
            Some(rest) => {
                self.0 = rest.trim_start();
                true
            }
            None => false,
        }
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        match self.take(text) {
            true => Ok(()),
            false => Err(format!("expected `{text}`, found `{}`", self.0)),
        }
    }

    pub(super) fn end(&self) -> Parsed<()> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(format!("unexpected `{}`", self.0)),
        }
    }

    /// Up to a character, or all.
    pub(super) fn until(&mut self, end: char) -> &'a str {
        let (word, rest) = self.0.split_once(end).unwrap_or((self.0, ""));
        self.0 = rest.trim_start();
        word
    }

    pub(super) fn word(&mut self) -> &'a str {
        self.until(' ')
    }

    /// Characters of a name without quotes.
    pub(super) fn plain(&mut self) -> &'a str {
        let end = self.0.find(|c| !is_plain(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest.trim_start();
        word
    }

    /// A name, perhaps in quotes.
    pub(super) fn name(&mut self) -> Parsed<String> {
        if !self.0.starts_with('"') {
            return match self.plain() {
                "" => Err(format!("expected a name, found `{}`", self.0)),
                name => Ok(name.to_owned()),
            };
        }
        let mut escaped = false;
        let end = self.0[1..].find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let end = end.ok_or("the name in quotes has no end")? + 2;
        let (quoted, rest) = self.0.split_at(end);
        self.0 = rest.trim_start();
        unquoted(quoted)
    }

    /// A number of digits, hexadecimal ones after `0x`, with a sign or without.
    pub(super) fn number<T: TryFrom<i128>>(&mut self) -> Parsed<T> {
        let text = self.0;
        let wrong = || format!("expected a number, found `{text}`");
        let (negative, rest) = match text.strip_prefix(['+', '-']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text),
        };
        let (radix, rest) = match rest.strip_prefix("0x") {
            Some(rest) => (16, rest),
            None => (10, rest),
        };
        let end = rest
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(rest.len());
        let (digits, rest) = rest.split_at(end);
        self.0 = rest.trim_start();
        let value = i128::from_str_radix(digits, radix).map_err(|_| wrong())?;
        T::try_from(if negative { -value } else { value }).map_err(|_| wrong())
    }

    pub(super) fn in_parentheses(&mut self) -> Parsed<u32> {
        self.expect("(")?;
        let number = self.number()?;
        self.expect(")")?;
        Ok(number)
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let word = self.plain();
        type_of(word).ok_or(format!("unknown type `{word}`"))
    }

    /// `: b32`
    pub(super) fn width(&mut self) -> Parsed<u8> {
        self.expect(":")?;
        Ok(self.ty()?.bits)
    }

    pub(super) fn width_or(&mut self, expected: u8) -> Parsed<u8> {
        match self.0.starts_with(':') {
            true => self.width(),
            false => Ok(expected),
        }
    }
}

/// A name that was written as JSON.
fn unquoted(quoted: &str) -> Parsed<String> {
    serde_json::from_str(quoted).map_err(|error| format!("{quoted}: {error}"))
}
