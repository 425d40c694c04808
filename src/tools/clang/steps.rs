//! What a driver would do: the commands that `-###` prints.

use crate::dropin::arguments::{Arguments, InputSource};
use crate::dropin::call::{self, Call};
use crate::dropin::tool::{self, Tool};
use ptxasw_base::atomic_file;
use ptxasw_base::process::{self, Ran};
use ptxasw_machine::cache;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// One command: a program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompilerCommand {
    /// The program, then its arguments.
    pub words: Vec<OsString>,
}

impl CompilerCommand {
    /// The name of its program.
    pub fn program(&self) -> &OsStr {
        let program = self.words.first().map(OsString::as_os_str);
        program
            .and_then(|program| Path::new(program).file_name())
            .unwrap_or_default()
    }

    /// As a process.
    pub fn command(&self) -> Command {
        let mut words = self.words.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_default());
        command.args(words);
        command
    }

    /// Runs a step of the assembler to its end; the cache may have what it makes.
    ///
    /// # Errors
    /// It can't be run, or the cache's output can't be written.
    pub fn assembled(&self) -> io::Result<Ran> {
        match self.as_call() {
            Some((call, arguments)) if cache::is_on() && !tool::is_ours(&call.real) => {
                // What cannot be read the assembler itself complains about.
                let texts = arguments.inputs.iter().map(|input| match &input.source {
                    InputSource::File(path) => fs::read(path).ok(),
                    _ => None,
                });
                let texts: Vec<_> = texts.collect();
                let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
                let assembled = call.assemble(&arguments, &texts)?;
                if assembled.ran.status.success() {
                    atomic_file::write(call::output(&arguments), &assembled.output)?;
                }
                Ok(assembled.ran)
            }
            _ => process::captured(&mut self.command()),
        }
    }

    fn as_call(&self) -> Option<(Call, Arguments)> {
        let (program, words) = self.words.split_first()?;
        let call = Call {
            tool: Tool::Ptxas,
            real: program.into(),
            open: None,
            words: words.to_vec(),
        };
        let arguments = Arguments::read(call.tool, call.words.clone()).ok()?;
        Some((call, arguments))
    }
}

/// What the driver answered.
#[derive(Debug)]
pub struct Asked {
    /// Its commands, in order.
    pub steps: Vec<CompilerCommand>,
    /// The driver's own diagnostics, to be printed before any of the steps.
    pub diagnostics: String,
    /// Holds its temporary files, and nobody else's.
    pub folder: TempDir,
}

/// Why there are no steps.
#[derive(Debug, thiserror::Error)]
pub enum NotAsked {
    /// The driver itself fails, or was asked to print its steps: it has its own words.
    #[error("nothing to do")]
    Nothing,
    /// It can't be run, or no folder be made.
    #[error("cannot ask clang for its steps: {0}")]
    Run(#[from] io::Error),
    /// A line that is no command.
    #[error("a step that clang prints is not understood: {0}")]
    Line(String),
}

/// Asks a driver. Its temporary files will lie in a folder of their own.
///
/// # Errors
/// It does not answer with commands.
pub fn ask(driver: &OsStr, arguments: &[OsString]) -> Result<Asked, NotAsked> {
    if arguments.iter().any(|word| word == "-###") || reads_stdin(arguments) {
        return Err(NotAsked::Nothing);
    }
    let folder = tempfile::Builder::new().prefix("ptxasw-").tempdir()?;
    let output = Command::new(driver)
        .args(arguments)
        .arg("-###")
        .env("TMPDIR", folder.path())
        .output()?;
    if !output.status.success() {
        return Err(NotAsked::Nothing);
    }
    let loud = arguments.iter().any(|word| word == "-v");
    let (mut steps, mut diagnostics) = (Vec::new(), String::new());
    for line in output.stderr.split(|&byte| byte == b'\n') {
        if line.starts_with(b" \"") {
            let words = words(line);
            let words =
                words.ok_or_else(|| NotAsked::Line(String::from_utf8_lossy(line).into()))?;
            steps.push(CompilerCommand { words });
        }
        let text = String::from_utf8_lossy(line);
        if loud || is_diagnostic(&text) {
            diagnostics.push_str(&text);
            diagnostics.push('\n');
        }
    }
    Ok(Asked {
        steps,
        diagnostics,
        folder,
    })
}

/// Whether the source comes from standard input: there is one, and several steps read it.
fn reads_stdin(arguments: &[OsString]) -> bool {
    let previous = |index: usize| index.checked_sub(1).map(|before| &arguments[before]);
    let mut words = arguments.iter().enumerate();
    words.any(|(index, word)| word == "-" && previous(index).is_none_or(|before| before != "-o"))
}

/// Whether a line is one that the driver would print without `-###`, too.
fn is_diagnostic(line: &str) -> bool {
    let kinds = [": warning: ", ": error: ", ": note: ", ": remark: "];
    !line.starts_with(' ') && kinds.iter().any(|kind| line.contains(kind))
}

/// The words of a printed command: each in quotes, with a backslash in front of quotes, backslashes and dollars.
fn words(line: &[u8]) -> Option<Vec<OsString>> {
    let mut words = Vec::new();
    let mut rest = line.iter();
    loop {
        match rest.next() {
            Some(b' ') => continue,
            Some(b'"') => {}
            None => return Some(words),
            Some(_) => return None,
        }
        let mut word = Vec::new();
        loop {
            match rest.next()? {
                b'"' => break,
                b'\\' => word.push(*rest.next()?),
                &byte => word.push(byte),
            }
        }
        words.push(OsString::from_vec(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_commands_are_read_back() {
        let line = br#" "/usr/bin/clang" "-D" "A=\"b c\"" "" "\$x\\""#;
        let expected = ["/usr/bin/clang", "-D", "A=\"b c\"", "", "$x\\"];
        assert_eq!(words(line), Some(expected.map(OsString::from).to_vec()));
        assert_eq!(words(br#" "a" b"#), None);
        assert_eq!(words(br#" "a"#), None);
    }

    #[test]
    fn a_dash_is_standard_input_except_after_an_o() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(Into::into).collect() };
        assert!(reads_stdin(&words("-x cuda - -o a.o")) && reads_stdin(&words("-")));
        assert!(!reads_stdin(&words("a.cu -o -")));
    }

    #[test]
    fn only_what_the_driver_says_itself_is_repeated() {
        assert!(is_diagnostic(
            "clang++-19: warning: argument unused during compilation: '-lm' [-Wunused-command-line-argument]"
        ));
        assert!(!is_diagnostic(" \"clang\" \"-DX=: warning: y\""));
        assert!(!is_diagnostic("Target: x86_64-pc-linux-gnu"));
    }
}
