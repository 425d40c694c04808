//! What can be wrong with a text that parses.

use crate::ast::Span;
use std::fmt;

/// An error in a function's body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DecodeError {
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// Another place that explains it, with its label.
    pub second: Option<(Span, &'static str)>,
}

impl DecodeError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        DecodeError {
            span,
            message: message.into(),
            second: None,
        }
    }

    pub(super) fn with(mut self, span: Span, label: &'static str) -> Self {
        self.second = Some((span, label));
        self
    }
}

/// The errors of a module: the first of each function that has one, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeErrors(pub Vec<DecodeError>);

impl fmt::Display for DecodeErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for DecodeErrors {}
