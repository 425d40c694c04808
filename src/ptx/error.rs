//! What is wrong with a text that does not parse.

use super::ast::Span;
use super::decode::DecodeErrors;
use ptxasw_base::snippet::{Label, Level, Snippet};

/// Why a text can't be read as register form.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unreadable {
    /// The text is not PTX.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A body does not make sense.
    #[error(transparent)]
    Decode(#[from] DecodeErrors),
}

/// A text that is not PTX: where, and what was wanted there.
///
/// The message reads on its own ("expected `;`, found `}`"); [`Self::snippet`] shows it below the source line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// The bytes at fault; empty at the end of the text.
    pub span: Span,
    /// What is wrong: lower case, no full stop, names in backquotes.
    pub message: String,
    /// What would have been right there, if a few words describe it: "`;`", "an operand".
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

    /// The message with file, line, column and the source line. `path` names the text.
    pub fn snippet<'a>(&self, path: &str, text: &'a [u8]) -> Snippet<'a> {
        let primary = Label {
            span: self.span,
            text: self
                .expected
                .map(|expected| format!("expected {expected}"))
                .unwrap_or_default(),
            primary: true,
        };
        let related = self.related.map(|(span, why)| Label {
            span,
            text: why.to_owned(),
            primary: false,
        });
        Snippet {
            level: Level::Error,
            title: self.message.clone(),
            path: path.to_owned(),
            text,
            labels: std::iter::once(primary).chain(related).collect(),
            notes: Vec::new(),
        }
    }

    /// Adds a second place that explains the error.
    pub(super) fn with_related(mut self: Box<Self>, span: Span, why: &'static str) -> Box<Self> {
        self.related = Some((span, why));
        self
    }
}
