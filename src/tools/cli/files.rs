//! Inputs and outputs: files, `-` for the standard streams, atomic replacement.

use super::{Diagnostic, foreign};
use anyhow::{Context, bail, ensure};
use ptxasw_base::atomic_file;
use ptxasw_base::console;
use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_ptx::decode::DecodeErrors;
use ptxasw_ptx::error::SyntaxError;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of an input. Some have no end: `/dev/zero`, a pipe that is fed for ever.
const MAX_INPUT: u64 = 512 << 20;

/// Reads a file, or standard input for `-`.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = display(path);
    if path == Path::new("-") {
        return whole(io::stdin().lock(), 0, "standard input");
    }
    if path.is_dir() {
        bail!("cannot read `{name}`: it is a directory");
    }
    let named = format!("`{name}`");
    let file = File::open(path).with_context(|| format!("cannot read {named}"))?;
    let bytes = file.metadata().map_or(0, |data| data.len());
    whole(file, bytes, &named)
}

/// All bytes of an input, about so many; of a file too large nothing is read.
fn whole(mut input: impl Read, bytes: u64, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut more = bytes > MAX_INPUT;
    if !more {
        text.reserve(usize::try_from(bytes).unwrap_or(0));
        let read = input.by_ref().take(MAX_INPUT).read_to_end(&mut text);
        // One byte past the limit, which needs no larger buffer.
        let next = read.and_then(|_| match text.len() as u64 {
            MAX_INPUT => input.read(&mut [0]),
            _ => Ok(0),
        });
        more = next.with_context(|| format!("cannot read {name}"))? > 0;
    }
    ensure!(!more, "cannot read {name}: it is larger than 512 MiB");
    Ok(text)
}

/// Writes a whole file or nothing: a reader sees the old bytes or the new ones. `-` is standard output. What is no regular
/// file (a pipe, `/dev/null`) is written directly.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_pieces(path, &[bytes])
}

/// As [`write()`], of bytes that lie in several places.
pub fn write_pieces(path: &Path, pieces: &[&[u8]]) -> anyhow::Result<()> {
    let name = display(path);
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        return out
            .write_all(&pieces.concat())
            .and_then(|()| out.flush())
            .context("cannot write standard output");
    }
    if path.is_dir() {
        bail!("cannot write `{name}`: it is a directory");
    }
    if fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().readonly()) {
        bail!("cannot write `{name}`: it is read-only");
    }
    atomic_file::write_pieces(path, pieces).with_context(|| format!("cannot write `{name}`"))
}

/// Writes a text for people on standard output.
///
/// # Errors
/// It can't be written.
pub fn print(text: &str) -> anyhow::Result<()> {
    console::print(text).context("cannot write standard output")
}

/// Refuses to write one file over another of the same command: each has the option that names it.
///
/// # Errors
/// Two are the same file, also by a link, or both are standard output.
pub fn distinct(one: (&str, &Path), other: (&str, &Path)) -> anyhow::Result<()> {
    ensure!(
        !same_file(one.1, other.1),
        "{} and {} are the same file, `{}`",
        one.0,
        other.0,
        one.1.display()
    );
    Ok(())
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        // What is no regular file holds nothing that could be lost.
        (Ok(a), Ok(b)) => a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino()),
        (Err(_), Err(_)) => new_path(one) == new_path(other),
        _ => false,
    }
}

/// A file that is not there yet, with the links to its folder resolved.
fn new_path(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") {
        return Some(path.to_path_buf());
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
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
    if let Some(kind) = foreign::kind(path, text) {
        return anyhow::anyhow!("`{}` is {kind}", display(path));
    }
    Diagnostic(error.snippet(&display(path), text).render()).into()
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

/// An error of the stage on a text.
pub fn stage_error(error: ptxasw_driver::Error, path: &Path, text: &[u8]) -> anyhow::Error {
    match error {
        ptxasw_driver::Error::Launches(error) => error,
        ptxasw_driver::Error::FrontEnd(error) | ptxasw_driver::Error::NoPtx(error) => {
            pipeline_error(error, path, text)
        }
        ptxasw_driver::Error::Unreadable(error) => pipeline_error(error.into(), path, text),
    }
}

/// A pipeline's error.
pub fn pipeline_error(
    error: ptxasw_driver::pipeline::Error,
    path: &Path,
    text: &[u8],
) -> anyhow::Error {
    match error {
        ptxasw_driver::pipeline::Error::Syntax(error) => syntax_error(&error, path, text),
        ptxasw_driver::pipeline::Error::Decode(errors) => decode_errors(&errors, path, text),
        other => other.into(),
    }
}
