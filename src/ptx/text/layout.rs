//! Where new lines go: each new instruction on a line of its own, indented as the line it joins, and comments stay with the
//! statement that they follow.

use super::edit::Edit;
use crate::ast::{Body, Module, Span, StatementKind};
use memchr::{memchr, memchr_iter, memmem, memrchr};

/// The kinds of insertions at one place, in their order: what closes a statement comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// After a statement, or a brace.
    After,
    /// Before a statement.
    Before,
    /// At the first byte of a statement: its guard, or what replaces it.
    Statement,
}

/// A line to insert.
#[derive(Clone, Debug)]
pub struct Line {
    /// Without its end.
    pub text: String,
    /// Where the statement begins that it repeats.
    pub of: Option<u32>,
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line { text, of: None }
    }
}

/// The text of an edit while its lines are put together.
#[derive(Default)]
struct Inserted {
    text: String,
    ends: u32,
    copies: Vec<(u32, u32)>,
}

impl Inserted {
    fn line(&mut self, line: &Line) {
        let ends = memchr_iter(b'\n', line.text.as_bytes()).count() as u32;
        let numbers = self.ends..=self.ends + ends;
        self.copies.extend(
            line.of
                .into_iter()
                .flat_map(|of| numbers.clone().map(move |number| (number, of))),
        );
        self.ends += ends;
        self.text.push_str(&line.text);
    }

    fn edit(self, at: Span) -> Edit {
        let Inserted { text, copies, .. } = self;
        Edit { at, text, copies }
    }
}

/// Collects the edits of a module.
#[derive(Debug)]
pub struct Layout<'a> {
    text: &'a [u8],
    line_end: &'static str,
    edits: Vec<(Place, Edit)>,
}

impl<'a> Layout<'a> {
    /// No edits yet of this module.
    pub fn new(module: &'a Module) -> Self {
        let text = module.text();
        let crlf = memchr(b'\n', text).is_some_and(|at| text[..at].ends_with(b"\r"));
        Layout {
            text,
            line_end: if crlf { "\r\n" } else { "\n" },
            edits: Vec::new(),
        }
    }

    /// The edits in the order of the text.
    pub fn finish(mut self) -> Vec<Edit> {
        self.edits.sort_by_key(|(place, edit)| (edit.at, *place));
        self.edits.into_iter().map(|(_, edit)| edit).collect()
    }

    /// Puts `lines` before the bytes at `offset`.
    pub fn before(&mut self, place: Place, offset: u32, lines: &[Line]) {
        let (indent, first) = self.indentation(offset);
        let mut text = self.room(lines, indent);
        if !first && !lines.is_empty() {
            self.new_line(&mut text, indent);
        }
        for line in lines {
            text.line(line);
            self.new_line(&mut text, indent);
        }
        self.insert(place, offset, text);
    }

    /// As [`Layout::before`], indented as the line of `model`.
    pub fn before_like(&mut self, place: Place, offset: u32, lines: &[Line], model: u32) {
        let (own, first) = self.indentation(offset);
        let indent = self.indentation(model).0;
        let mut text = Inserted::default();
        if !first {
            self.new_line(&mut text, indent);
        } else {
            let missing = indent.strip_prefix(own).unwrap_or_default();
            text.text
                .extend(missing.iter().map(|&byte| char::from(byte)));
        }
        for (index, line) in lines.iter().enumerate() {
            text.line(line);
            let last = index + 1 == lines.len();
            self.new_line(&mut text, if last { own } else { indent });
        }
        self.insert(place, offset, text);
    }

    /// Puts `lines` in place of a whole statement.
    pub fn replace_lines(&mut self, at: Span, lines: &[Line]) {
        let indent = self.indentation(at.start).0;
        let mut text = Inserted::default();
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                self.new_line(&mut text, indent);
            }
            text.line(line);
        }
        self.edits.push((Place::Statement, text.edit(at)));
    }

    /// Guards the instruction at `start`, in place of the text there up to its `opcode`.
    pub fn guard(&mut self, start: u32, opcode: u32, predicate: &str) {
        self.replace(Span::new(start, opcode), format!("@{predicate} "));
    }

    /// Puts `lines` after the statement that ends at `offset`, and after the comment at the end of its line.
    pub fn after(&mut self, place: Place, offset: u32, lines: &[Line]) {
        let indent = self.indentation(offset).0;
        self.after_indented(place, offset, lines, indent);
    }

    /// Puts declarations after the opening brace of a body, indented as its first line.
    pub fn declare(&mut self, body: &Body, lines: &[Line]) {
        let indents = body
            .statements
            .iter()
            .map(|statement| self.indentation(statement.span.start));
        let indent = indents
            .filter(|(_, first)| *first)
            .map(|(indent, _)| indent)
            .next();
        self.after_indented(
            Place::After,
            body.span.start + 1,
            lines,
            indent.unwrap_or(b"\t"),
        );
    }

    /// Puts `line` in place of a whole statement.
    pub fn replace(&mut self, at: Span, line: String) {
        let edit = Inserted {
            text: line,
            ..Inserted::default()
        };
        self.edits.push((Place::Statement, edit.edit(at)));
    }

    /// Takes a statement away, and the blanks up to what follows. A line marker, `# 7 "a.cu"`, still begins its line.
    pub fn remove(&mut self, at: Span) {
        let rest = self.text.get(at.end as usize..).unwrap_or_default();
        let mut blanks = rest.len() - rest.trim_ascii_start().len();
        let (_, first) = self.indentation(at.start);
        if !first && rest.get(blanks) == Some(&b'#') {
            blanks = memchr(b'\n', rest).map_or(blanks, |end| end.min(blanks));
        }
        let end = at.end + blanks as u32;
        self.replace(Span::new(at.start, end), String::new());
    }

    fn after_indented(&mut self, place: Place, offset: u32, lines: &[Line], indent: &[u8]) {
        if lines.is_empty() {
            return;
        }
        let line_end = self.plain_line_end(offset);
        let mut text = self.room(lines, indent);
        for line in lines {
            self.new_line(&mut text, indent);
            text.line(line);
        }
        if line_end.is_none() {
            self.new_line(&mut text, indent);
        }
        self.insert(place, line_end.unwrap_or(offset), text);
    }

    fn insert(&mut self, place: Place, offset: u32, text: Inserted) {
        if text.text.is_empty() {
            return;
        }
        let at = Span::new(offset, offset);
        self.edits.push((place, text.edit(at)));
    }

    /// Room for some lines with an end and an indentation each, and for one more such.
    fn room(&self, lines: &[Line], indent: &[u8]) -> Inserted {
        let bytes: usize = lines.iter().map(|line| line.text.len()).sum();
        let ends = (lines.len() + 1) * (self.line_end.len() + indent.len());
        Inserted {
            text: String::with_capacity(bytes + ends),
            ..Inserted::default()
        }
    }

    fn new_line(&self, inserted: &mut Inserted, indent: &[u8]) {
        inserted.ends += 1;
        inserted.text.push_str(self.line_end);
        inserted
            .text
            .extend(indent.iter().map(|&byte| char::from(byte)));
    }

    /// The white space that begins the line of `offset`, and whether nothing else precedes `offset`.
    fn indentation(&self, offset: u32) -> (&'a [u8], bool) {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        let line = memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
        let blanks = line
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        (&line[..blanks], blanks == line.len())
    }

    /// The end of the line of `offset`, if at most a `//` comment is left on it.
    fn plain_line_end(&self, offset: u32) -> Option<u32> {
        let rest = self.text.get(offset as usize..)?;
        let line = &rest[..memchr(b'\n', rest)?];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let tail = line.trim_ascii_start();
        (tail.is_empty() || tail.starts_with(b"//")).then_some(offset + line.len() as u32)
    }
}

/// The position of instructions that go before a statement: a `.pragma "used_bytes_mask ..."` (PTX ISA, "Pragma Strings") must
/// stay right before its load, and only it is stepped over. `.loc` lines stay in front.
pub fn front(module: &Module, body: &Body, statement: u32) -> u32 {
    let statements = body
        .statements
        .get(..=statement as usize)
        .unwrap_or_default();
    let Some((last, earlier)) = statements.split_last() else {
        return body.span.start + 1;
    };
    let mut start = last.span.start;
    for previous in earlier.iter().rev() {
        match &previous.kind {
            StatementKind::Location(_) => {}
            StatementKind::Directive(directive) if module.str(directive.name) == ".pragma" => {
                if memmem::find(&module.text()[directive.span.range()], b"used_bytes_mask")
                    .is_some()
                {
                    start = previous.span.start;
                }
            }
            _ => break,
        }
    }
    start
}
