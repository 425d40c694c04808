//! What is wrong with a text that does not parse.

use super::ast::Span;

/// A text that is not PTX: where, and what was wanted there.
///
/// The message reads on its own ("expected `;`, found `}`"); `report::snippet` shows it below the source line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The bytes at fault; empty at the end of the text.
    pub span: Span,
    /// What is wrong: lower case, no full stop, names in backquotes.
    pub message: String,
    /// What would have been right there, where that can be said in a few words: "`;`", "an operand".
    pub expected: Option<&'static str>,
    /// Another place that explains the error (the brace that is not closed), and why.
    pub related: Option<(Span, &'static str)>,
}

impl SyntaxError {
    /// An error with a message of its own.
    pub(super) fn new(span: Span, message: impl Into<String>) -> Box<Self> {
        Box::new(SyntaxError {
            span,
            message: message.into(),
            expected: None,
            related: None,
        })
    }

    /// The same error, with a second place that explains it.
    pub(super) fn with_related(mut self: Box<Self>, span: Span, why: &'static str) -> Box<Self> {
        self.related = Some((span, why));
        self
    }
}
