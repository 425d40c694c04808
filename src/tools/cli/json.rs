//! `--json`: the same envelope for every command.

use super::files;
use crate::json::Document;
use anyhow::Context;
use serde::Serialize;
use std::path::Path;

/// A body, which must be an object, in the envelope.
///
/// # Errors
/// It is no object.
pub fn text(format: u32, body: &impl Serialize) -> anyhow::Result<String> {
    let text = Document::new(format, body).text();
    text.context("cannot write JSON")
}

/// Prints a body.
///
/// # Errors
/// It cannot be written.
pub fn print(format: u32, body: &impl Serialize) -> anyhow::Result<()> {
    write(Path::new("-"), format, body)
}

/// As [`print()`], into a file; `-` is standard output.
pub fn write(path: &Path, format: u32, body: &impl Serialize) -> anyhow::Result<()> {
    files::write(path, text(format, body)?.as_bytes())
}
