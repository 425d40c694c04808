//! What can be wrong with a launch before it runs.

use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_ptx::ast::Span;
use std::path::PathBuf;

/// Why the text of a launch was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LaunchError {
    /// What is wrong, in one line.
    pub message: String,
    /// The part of the text that is to blame.
    pub span: Span,
    /// What would be right.
    pub notes: Vec<String>,
}

impl LaunchError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        LaunchError {
            message: message.into(),
            span,
            notes: Vec::new(),
        }
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The message with file, line, column and the source line. `path` names the text.
    pub fn render(&self, path: &str, text: &[u8]) -> String {
        let snippet = Snippet {
            level: Level::Error,
            title: self.message.clone(),
            path: path.to_owned(),
            text,
            labels: vec![Label {
                span: self.span,
                text: String::new(),
                primary: true,
            }],
            notes: self.notes.clone(),
        };
        snippet.render()
    }
}

/// Why there is no description of a launch.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("error: cannot read `{}`: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The text is wrong: a rendered message with its source line.
    #[error("{0}")]
    Text(String),
}

/// Why a described launch cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// A buffer of more than [`super::MAX_BUFFER`] bytes.
    #[error("buffer {buffer} has {bytes} bytes, more than {}", super::MAX_BUFFER)]
    TooLarge {
        /// Its index.
        buffer: usize,
        /// Its size.
        bytes: u64,
    },
    /// Buffers of more than [`super::MAX_BUFFERS`] bytes together.
    #[error("the buffers have {0} bytes, more than {limit}", limit = super::MAX_BUFFERS)]
    AllTooLarge(u64),
    /// The host has not so much memory.
    #[error("no memory for the {bytes} bytes of buffer {buffer}")]
    Memory {
        /// The buffer's index.
        buffer: usize,
        /// Its size.
        bytes: u64,
    },
    /// The file with a buffer's contents cannot be read, or is too short.
    #[error("cannot read the contents of buffer {buffer} from `{}`: {error}", .path.display())]
    Contents {
        /// The buffer's index.
        buffer: usize,
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// Why a described launch does not fit a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// Too many arguments, or too few.
    #[error("{arguments} arguments for the {parameters} parameters of kernel `{kernel}`")]
    Number {
        /// How many there are.
        arguments: usize,
        /// How many there ought to be.
        parameters: usize,
        /// The kernel.
        kernel: String,
    },
    /// An argument of another size than its parameter.
    #[error("parameter {index} (`{name}`) has {parameter} bytes, its argument {argument}")]
    Size {
        /// The parameter, from 0.
        index: usize,
        /// Its name.
        name: String,
        /// Its size.
        parameter: u64,
        /// The argument's size.
        argument: u64,
    },
    /// An integer without a type for a parameter that is a float.
    #[error("parameter {index} (`{name}`) is a float, its argument an integer")]
    Float {
        /// The parameter, from 0.
        index: usize,
        /// Its name.
        name: String,
    },
}

/// Why there is no kernel for a launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The module has none.
    #[error("the module has no kernel with a body")]
    None,
    /// The launch names none, and there are several.
    #[error("the module has several kernels, name one: {}", .0.join(", "))]
    Several(Vec<String>),
    /// There is none of that name.
    #[error("the module has no kernel `{name}`; it has {}", .known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
}
