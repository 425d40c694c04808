//! Places in a text: spans of bytes, lines, columns.

use std::ops::Range;

use memchr::memchr_iter;

/// A half-open range of byte offsets into a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The span as a range of `usize`, to index the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A place in a text, as editors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1; a byte that is not UTF-8 counts as one.
    pub column: u32,
}

/// Where the lines of a text begin. Lines end with `\n`, which a `\r` may precede.
pub struct LineIndex<'a> {
    text: &'a [u8],
    /// Offset of the first byte of each line.
    starts: Vec<u32>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`, of which it covers the first 4 GiB.
    pub fn new(text: &'a [u8]) -> Self {
        let text = text.get(..u32::MAX as usize).unwrap_or(text);
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text).map(|n| n as u32 + 1));
        LineIndex { text, starts }
    }

    /// The text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The line, from 1, of a byte; the last one for an offset past the end.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The bytes of a line, from 1, without its end; empty if there is no such line.
    pub fn range(&self, line: u32) -> Range<usize> {
        let Some(&start) = (line as usize)
            .checked_sub(1)
            .and_then(|n| self.starts.get(n))
        else {
            return 0..0;
        };
        let start = start as usize;
        let mut end = match self.starts.get(line as usize) {
            Some(&next) => next as usize - 1,
            None => self.text.len(),
        };
        if end > start && self.text.get(end - 1) == Some(&b'\r') {
            end -= 1;
        }
        start..end
    }

    /// The line and column of a byte.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.range(line).start;
        let end = (offset as usize).min(self.text.len()).max(start);
        let columns = characters(self.text.get(start..end).unwrap_or_default());
        Position {
            line,
            column: u32::try_from(columns + 1).unwrap_or(u32::MAX),
        }
    }
}

/// The number of characters, each byte that is not UTF-8 counted as one.
fn characters(bytes: &[u8]) -> usize {
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn positions() {
        let index = LineIndex::new("a\nb\u{e9}c\r\n\nlast".as_bytes());
        assert_eq!(index.position(0), at(1, 1));
        assert_eq!(index.position(1), at(1, 2));
        assert_eq!(index.position(2), at(2, 1));
        assert_eq!(index.position(5), at(2, 3));
        assert_eq!(index.position(8), at(3, 1));
        assert_eq!(index.position(12), at(4, 4));
        assert_eq!(index.position(999), at(4, 5));
        assert_eq!(index.range(2), 2..6);
        assert_eq!(index.range(3), 8..8);
        assert_eq!(index.range(4), 9..13);
        assert_eq!(index.range(0), 0..0);
        assert_eq!(index.range(5), 0..0);
    }

    #[test]
    fn bytes_that_are_not_utf8() {
        let index = LineIndex::new(b"\xff\xfex");
        assert_eq!(index.position(2), at(1, 3));
        assert_eq!(LineIndex::new(b"").position(0), at(1, 1));
    }
}
