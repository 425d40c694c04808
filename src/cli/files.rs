//! Inputs and outputs: files, `-` for the standard streams, atomic replacement.

use super::Diagnostic;
use anyhow::{Context, bail};
use ptxasw::ptx::decode::DecodeErrors;
use ptxasw::ptx::error::SyntaxError;
use ptxasw::report::snippet::{Label, Level, Snippet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Reads a file, or standard input for `-`.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = display(path);
    if path == Path::new("-") {
        let mut text = Vec::new();
        io::stdin()
            .lock()
            .read_to_end(&mut text)
            .context("cannot read standard input")?;
        return Ok(text);
    }
    if path.is_dir() {
        bail!("cannot read `{name}`: it is a directory");
    }
    fs::read(path).with_context(|| format!("cannot read `{name}`"))
}

/// Writes a whole file or nothing: a reader sees the old bytes or the new ones. `-` is standard output. What is no regular
/// file (a pipe, `/dev/null`) is written directly.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let name = display(path);
    let context = || format!("cannot write `{name}`");
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        return out
            .write_all(bytes)
            .and_then(|()| out.flush())
            .context("cannot write standard output");
    }
    // A link stays a link: its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = fs::metadata(&target).ok();
    if existing
        .as_ref()
        .is_some_and(|data| !data.is_file() && !data.is_dir())
    {
        return fs::OpenOptions::new()
            .write(true)
            .open(&target)
            .and_then(|mut file| file.write_all(bytes))
            .with_context(context);
    }
    if existing.as_ref().is_some_and(|data| data.is_dir()) {
        bail!("cannot write `{name}`: it is a directory");
    }
    if existing
        .as_ref()
        .is_some_and(|data| data.permissions().readonly())
    {
        bail!("cannot write `{name}`: it is read-only");
    }
    let folder = match target.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    file.as_file()
        .set_permissions(permissions(existing.as_ref()))
        .with_context(context)?;
    file.persist(&target)
        .map_err(|error| error.error)
        .with_context(context)?;
    Ok(())
}

/// Those of the file that is replaced, or what a newly created file would get.
#[cfg(unix)]
fn permissions(existing: Option<&fs::Metadata>) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    match existing {
        Some(data) => data.permissions(),
        None => {
            // The mask can only be read by setting it; a file that the system creates tells it as well.
            let probe = tempfile::tempdir()
                .and_then(|folder| File::create(folder.path().join("probe"))?.metadata());
            probe.map_or_else(
                |_| fs::Permissions::from_mode(0o644),
                |data| data.permissions(),
            )
        }
    }
}

/// How messages name a file.
pub fn display(path: &Path) -> String {
    if path == Path::new("-") {
        "<stdin>".to_string()
    } else {
        path.display().to_string()
    }
}

/// A parser's error as a message with the source line.
pub fn syntax_error(error: &SyntaxError, path: &Path, text: &[u8]) -> anyhow::Error {
    Diagnostic(Snippet::syntax_error(error, &display(path), text).render()).into()
}

/// A decoder's errors, one message each.
pub fn decode_errors(errors: &DecodeErrors, path: &Path, text: &[u8]) -> anyhow::Error {
    let rendered: Vec<String> = errors
        .0
        .iter()
        .map(|error| {
            let mut labels = vec![Label {
                span: error.span,
                text: String::new(),
                primary: true,
            }];
            labels.extend(error.second.map(|(span, label)| Label {
                span,
                text: label.to_string(),
                primary: false,
            }));
            Snippet {
                level: Level::Error,
                title: error.message.clone(),
                path: display(path),
                text,
                labels,
                notes: Vec::new(),
            }
            .render()
        })
        .collect();
    Diagnostic(rendered.join("\n\n")).into()
}

/// A pipeline's error.
pub fn pipeline_error(error: ptxasw::Error, path: &Path, text: &[u8]) -> anyhow::Error {
    match error {
        ptxasw::Error::Syntax(error) => syntax_error(&error, path, text),
        ptxasw::Error::Decode(errors) => decode_errors(&errors, path, text),
        other => other.into(),
    }
}
