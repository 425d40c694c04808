//! One text on several threads.
//!
//! The text is cut after lines that look like the ends of functions, and each part is read as if the module scope began
//! there. Whether it does is known afterwards: where the part in front of it came to its end between two items, with the very
//! token that this part began with. If a guess was wrong, as inside a comment, or if there is any error, the whole text is
//! read once more from its beginning.

use super::Parser;
use crate::ast::{MAX_ELEMENTS, MAX_PARTS, Module};
use crate::lex::Lexer;
use memchr::memmem;
use ptxasw_base::threads;

/// Bytes of a part at least: fewer are read sooner than a thread begins.
const PART: usize = 1 << 15;
/// Parts for each thread: one that begins late takes fewer.
const PARTS: usize = 4;
/// What the end of a function looks like.
const END: &[u8] = b"\n}\n";

/// The module, if `text` has parts that are read at once; none if it has not, or is no PTX.
pub(super) fn parse(text: &[u8], jobs: usize) -> Option<Module<'_>> {
    // The system says in several files how many processors there are: a short text is read sooner.
    let most = text.len() / PART;
    if most < 2 {
        return None;
    }
    let threads = threads::count(jobs);
    let parts = (PARTS * threads).min(most).min(MAX_PARTS);
    if threads < 2 || parts < 2 {
        return None;
    }
    let starts = starts(text, parts);
    let ends: Vec<usize> = starts[1..].iter().copied().chain([text.len()]).collect();
    let bounds: Vec<(usize, usize)> = starts.into_iter().zip(ends).collect();
    if bounds.len() < 2
        || bounds
            .iter()
            .any(|(start, end)| end - start >= MAX_ELEMENTS)
    {
        return None;
    }
    let numbered = bounds.into_iter().enumerate().collect();
    let read = threads::each(
        jobs,
        numbered,
        |&(_, (start, end))| end - start,
        |(number, (start, end))| ParsedChunk::read(text, number, start, end),
    );
    join(text, read.into_iter().collect::<Option<_>>()?)
}

/// Where the parts begin.
fn starts(text: &[u8], parts: usize) -> Vec<usize> {
    let mut starts = vec![0];
    for number in 1..parts {
        let about = text.len() / parts * number;
        if let Some(found) = memmem::find(&text[about..], END) {
            // At the end of the line, so that the next token is the first of its own.
            starts.push(about + found + END.len() - 1);
        }
    }
    starts.dedup();
    starts
}

/// A part that was read.
struct ParsedChunk<'a> {
    parser: Parser<'a>,
    /// Where its first token begins.
    first: u32,
}

impl<'a> ParsedChunk<'a> {
    fn read(text: &'a [u8], number: usize, start: usize, end: usize) -> Option<Self> {
        let lexer = match number {
            0 => Lexer::new(text),
            _ => Lexer::at(text, start),
        };
        let mut parser = Parser::new(text, lexer, number as u32);
        let first = parser.token.span.start;
        let end = if end == text.len() {
            u32::MAX
        } else {
            end as u32
        };
        parser.items(end).ok()?;
        Some(ParsedChunk { parser, first })
    }
}

/// The parts as one module, if each begins where the one in front of it ended.
fn join<'a>(text: &'a [u8], parts: Vec<ParsedChunk<'a>>) -> Option<Module<'a>> {
    let ended = |part: &ParsedChunk| part.parser.token.span.start;
    if parts.windows(2).any(|two| ended(&two[0]) != two[1].first) {
        return None;
    }
    let mut items = Vec::with_capacity(parts.iter().map(|part| part.parser.items.len()).sum());
    let (mut operands, mut initialisers) = (Vec::new(), Vec::new());
    for ParsedChunk { parser, .. } in parts {
        items.extend(parser.items);
        operands.push(parser.operands);
        initialisers.push(parser.initialisers);
    }
    Some(Module::new(text, items, operands, initialisers))
}
