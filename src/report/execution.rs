//! What went wrong in an execution, with the source line.

use super::snippet::{Label, Level, Snippet};
use crate::ptx::ast::Span;
use crate::warp::{ExecutionError, Thread, Warning};

/// The message for a fault. `path` and `text` are of the module that was run.
pub fn error<'a>(error: &ExecutionError, path: &str, text: &'a [u8]) -> Snippet<'a> {
    Snippet {
        level: Level::Error,
        title: error.fault.to_string(),
        path: path.to_owned(),
        text,
        labels: labels(error.span),
        notes: error.thread.iter().map(in_thread).collect(),
    }
}

/// The message for a warning.
pub fn warning<'a>(warning: &Warning, path: &str, text: &'a [u8]) -> Snippet<'a> {
    Snippet {
        level: Level::Warning,
        title: warning.kind.to_string(),
        path: path.to_owned(),
        text,
        labels: labels(warning.span),
        notes: vec![in_thread(&warning.thread)],
    }
}

/// An empty span stands for no statement.
fn labels(span: Span) -> Vec<Label> {
    let label = Label {
        span,
        text: String::new(),
        primary: true,
    };
    Some(label)
        .filter(|_| span.start < span.end)
        .into_iter()
        .collect()
}

fn in_thread(thread: &Thread) -> String {
    format!("in {thread}")
}
