//! One call of the real tool, with the original inputs or with others in their place.

use super::arguments::{Arguments, Input, InputSource, Slot};
use super::inputs::Text;
use super::tool::{self, Tool};
use ptxasw_base::memory_file::MemoryFile;
use ptxasw_base::named::Named;
use ptxasw_base::process::{self, Ran};
use ptxasw_machine::cache::{self, Entry, Key};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The real tool and the arguments that it was meant to get.
pub struct Call {
    /// Which assembler.
    pub tool: Tool,
    /// The real one.
    pub real: PathBuf,
    /// The real one's file, where its path leads to what this process has open.
    pub open: Option<File>,
    /// Its arguments, ours taken out.
    pub words: Vec<OsString>,
}

/// What the real tool made of replaced inputs.
pub struct Assembled {
    /// How it ended and what it printed.
    pub ran: Ran,
    /// What it wrote.
    pub output: Vec<u8>,
}

impl Call {
    /// The real tool as an error names it.
    pub fn name(&self) -> String {
        match self.open {
            Some(_) => format!("the {} of this bundle", self.tool.name()),
            None => self.real.display().to_string(),
        }
    }

    fn command(&self, words: &[OsString]) -> Command {
        let mut command = Command::new(&self.real);
        let (name, chain) = tool::chain(self.tool);
        command.arg0(self.tool.name()).args(words).env(name, chain);
        command
    }

    /// Becomes the real tool, with all as it was given.
    pub fn become_real(&self) -> io::Result<Infallible> {
        Err(self.command(&self.words).exec())
    }

    /// Runs the real tool to its end, with all as it was given.
    pub fn captured(&self) -> io::Result<Ran> {
        process::captured(&mut self.command(&self.words))
    }

    /// Becomes the real tool after the inputs were read: pipes that are used up are filled anew.
    pub fn become_real_with(
        &self,
        arguments: &Arguments,
        texts: &[Text],
    ) -> io::Result<Infallible> {
        if !texts.iter().any(|text| text.used_up) {
            return self.become_real();
        }
        let mut replaced = Replaced::default();
        for (input, text) in arguments.inputs.iter().zip(texts) {
            if text.used_up {
                replaced.input(arguments, input, &text.bytes)?;
            }
        }
        let mut command = self.command(&arguments.with(&replaced.values));
        replaced.fill(&mut command)?;
        replaced.keep_open();
        Err(command.exec())
    }

    /// Runs the real tool, with other texts for those inputs that have one; its output stays in memory.
    pub fn assemble(
        &self,
        arguments: &Arguments,
        texts: &[Option<&[u8]>],
    ) -> io::Result<Assembled> {
        let mut replaced = Replaced::default();
        for (input, text) in arguments.inputs.iter().zip(texts) {
            if let Some(text) = text {
                replaced.input(arguments, input, text)?;
            }
        }
        let mut output = MemoryFile::new(&[])?;
        replaced.slot(arguments, arguments.output, output.path());
        let key = self.key(arguments, texts, &replaced);
        if let Some(known) = key.as_ref().and_then(cache::get) {
            return Ok(Assembled::of(known));
        }
        let mut command = self.command(&arguments.with(&replaced.values));
        replaced.fill(&mut command)?;
        let mut ran = process::captured(&mut command)?;
        if let Some(key) = key.filter(|_| ran.status.success() && !replaced.is_named(&ran)) {
            let entry = Entry {
                stdout: ran.stdout,
                stderr: ran.stderr,
                output: output.bytes()?,
            };
            cache::put(&key, &entry);
            return Ok(Assembled::of(entry));
        }
        for stream in [&mut ran.stdout, &mut ran.stderr] {
            for (ours, theirs) in &replaced.names {
                *stream = renamed(stream, ours.as_bytes(), theirs.as_bytes());
            }
        }
        Ok(Assembled {
            ran,
            output: output.bytes()?,
        })
    }

    /// What the run depends on; none where that is more than is known here.
    fn key(
        &self,
        arguments: &Arguments,
        texts: &[Option<&[u8]>],
        replaced: &Replaced,
    ) -> Option<Key> {
        if !arguments.is_closed || self.open.is_some() {
            return None;
        }
        let texts: Vec<&[u8]> = texts.iter().copied().collect::<Option<_>>()?;
        let nameless = replaced.values.iter();
        let nameless: Vec<(Slot, OsString)> =
            nameless.map(|(slot, _)| (*slot, OsString::new())).collect();
        let words = arguments.with(&nameless);
        let words = words.iter().map(|word| word.as_bytes());
        Key::new(&self.real, words, texts, process::streams_are_one())
    }
}

impl Assembled {
    /// What a run made that ended well.
    fn of(entry: Entry) -> Self {
        Assembled {
            ran: Ran {
                status: ExitStatus::default(),
                stdout: entry.stdout,
                stderr: entry.stderr,
            },
            output: entry.output,
        }
    }
}

/// Texts in place of inputs.
#[derive(Default)]
struct Replaced {
    values: Vec<(Slot, OsString)>,
    /// Names of ours and what the caller calls the same file.
    names: Vec<(OsString, OsString)>,
    files: Vec<MemoryFile>,
    stdin: Option<MemoryFile>,
}

impl Replaced {
    fn input(&mut self, arguments: &Arguments, input: &Input, text: &[u8]) -> io::Result<()> {
        match &input.source {
            InputSource::Stdin => self.stdin = Some(MemoryFile::new(text)?),
            InputSource::Text(_) => {
                let text = OsStr::from_bytes(text).to_owned();
                self.values.push((input.slot, text));
            }
            InputSource::File(_) => {
                let file = MemoryFile::new(text)?;
                self.slot(arguments, input.slot, file.path());
                self.files.push(file);
            }
        }
        Ok(())
    }

    fn slot(&mut self, arguments: &Arguments, slot: Slot, ours: OsString) {
        let theirs = arguments.value(slot).to_owned();
        self.values.push((slot, ours.clone()));
        self.names.push((ours, theirs));
    }

    /// Whether what a program printed names one of our files.
    fn is_named(&self, ran: &Ran) -> bool {
        let has = |stream: &[u8]| {
            let mut names = self.names.iter();
            names.any(|(ours, _)| memchr::memmem::find(stream, ours.as_bytes()).is_some())
        };
        has(&ran.stdout) || has(&ran.stderr)
    }

    fn fill(&self, command: &mut Command) -> io::Result<()> {
        if let Some(stdin) = &self.stdin {
            command.stdin(stdin.stdin()?);
        }
        Ok(())
    }

    /// Whoever becomes the real tool must not close what it is to read.
    fn keep_open(&self) {
        for file in &self.files {
            file.survive_exec();
        }
    }
}

/// Every occurrence of a name replaced by another.
fn renamed(text: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in memchr::memmem::find_iter(text, ours) {
        // `/proc/1/fd/12` is not `/proc/1/fd/1` and a digit.
        if text.get(at + ours.len()).is_some_and(u8::is_ascii_digit) {
            continue;
        }
        out.extend_from_slice(&text[from..at]);
        out.extend_from_slice(theirs);
        from = at + ours.len();
    }
    out.extend_from_slice(&text[from..]);
    out
}

/// Prints what a program printed.
pub fn replay(ran: &Ran) -> io::Result<()> {
    let (mut stdout, mut stderr) = (io::stdout().lock(), io::stderr().lock());
    stdout.write_all(&ran.stdout)?;
    stdout.flush()?;
    stderr.write_all(&ran.stderr)
}

/// The path of an output as the caller gave it.
pub fn output(arguments: &Arguments) -> &Path {
    Path::new(arguments.value(arguments.output))
}
