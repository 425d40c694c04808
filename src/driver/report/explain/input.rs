//! Statements of a text that passes have left, at the places of the text that these read.

use super::{Places, SourcePosition};
use crate::pipeline::Origins;
use ptxasw_base::lines::LineIndex;
use ptxasw_ptx::ast::Span;

/// The statements of a function where they are in the input of the passes. What a pass wrote is where it was inserted.
pub struct InInput<'a> {
    /// The statements as the passes left them.
    pub places: &'a dyn Places,
    /// The text that the passes left.
    pub left: &'a [u8],
    /// The text that they read.
    pub input: &'a LineIndex<'a>,
    /// Places of the one as places of the other.
    pub origins: &'a Origins,
}

impl InInput<'_> {
    /// The bytes of the input that a span comes from: the same ones where they are as they were, else the whole line.
    fn in_input(&self, span: Span) -> Span {
        let start = self.origins.before(span.start) as usize;
        let text = self.input.text();
        let line = self.input.range(self.input.line(start as u32));
        let end = start + span.range().len();
        let same = text.get(start..end);
        if same.is_some() && same == self.left.get(span.range()) {
            return Span::new(start as u32, end as u32);
        }
        let whole = text.get(line.clone()).unwrap_or_default();
        let indent = whole.len() - whole.trim_ascii_start().len();
        let end = line.start + whole.trim_ascii_end().len();
        Span::new((line.start + indent).min(end) as u32, end as u32)
    }
}

impl Places for InInput<'_> {
    fn span(&self, statement: u32) -> Option<Span> {
        self.places.span(statement).map(|span| self.in_input(span))
    }

    fn source(&self, statement: u32) -> Option<SourcePosition> {
        self.places.source(statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx::text::edit::{self, Edit};

    struct At(Span);

    impl Places for At {
        fn span(&self, _: u32) -> Option<Span> {
            Some(self.0)
        }

        fn source(&self, _: u32) -> Option<SourcePosition> {
            None
        }
    }

    #[test]
    fn a_statement_is_found_in_the_input() {
        let input = b"first;\n  load a;\n  last;\n";
        let edit = |start, end, text: &str| Edit {
            at: Span::new(start, end),
            text: text.into(),
            ..Edit::default()
        };
        let edits = [edit(7, 7, "  new;\n"), edit(9, 16, "move a, b;")];
        let left = edit::apply(input, &edits).unwrap();
        assert_eq!(left, b"first;\n  new;\n  move a, b;\n  last;\n");
        let origins = Origins::after_edits(&edits);
        let input_lines = LineIndex::new(input);
        let shown = |word: &str| {
            let start = memchr::memmem::find(&left, word.as_bytes()).unwrap() as u32;
            let places = At(Span::new(start, start + word.len() as u32));
            let span = InInput {
                places: &places,
                left: &left,
                input: &input_lines,
                origins: &origins,
            }
            .span(0);
            std::str::from_utf8(&input[span.unwrap().range()]).unwrap()
        };
        assert_eq!(shown("first;"), "first;");
        assert_eq!(shown("last;"), "last;");
        assert_eq!(shown("move a, b;"), "load a;");
        assert_eq!(shown("new;"), "load a;");
    }
}
