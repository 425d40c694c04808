//! A user's command that is run again and again, for `bisect` and `reduce`.

use anyhow::{Context, ensure};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running command is looked at.
const PAUSE: Duration = Duration::from_millis(2);

/// A command, and how it is run.
pub struct Trial<'a> {
    /// Program and arguments.
    pub command: &'a [OsString],
    /// Variables besides those of the environment.
    pub variables: Vec<(OsString, OsString)>,
    /// What it prints goes to the terminal; else it is kept.
    pub shown: bool,
    /// It is ended after so long.
    pub timeout: Option<Duration>,
}

/// How a command ended.
pub enum Outcome {
    /// By itself, with what it printed if that was kept.
    Ended(ExitStatus, Vec<u8>),
    /// It took too long.
    TimedOut,
}

impl Trial<'_> {
    /// Runs the command.
    ///
    /// # Errors
    /// It can't be started.
    pub fn run(&self) -> anyhow::Result<Outcome> {
        let (name, words) = self.command.split_first().context("no command")?;
        let mut command = Command::new(name);
        command.args(words).stdin(Stdio::null());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        // A file, not a pipe: a process that outlives it may hold a pipe open for ever.
        let mut kept = tempfile::tempfile().context("cannot make a temporary file")?;
        if !self.shown {
            command.stdout(handle(&kept)?).stderr(handle(&kept)?);
        }
        let name = Path::new(name).display();
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot run `{name}`"))?;
        let Some(status) = self.wait(&mut child)? else {
            return Ok(Outcome::TimedOut);
        };
        // A shell says by these that it found no such program, or none that runs.
        ensure!(
            !matches!(status.code(), Some(126 | 127)),
            "the command cannot be run: exit code {}",
            status.code().unwrap_or_default()
        );
        let mut printed = Vec::new();
        kept.rewind()?;
        kept.read_to_end(&mut printed)?;
        Ok(Outcome::Ended(status, printed))
    }

    /// Nothing where it took too long.
    fn wait(&self, child: &mut Child) -> anyhow::Result<Option<ExitStatus>> {
        let Some(timeout) = self.timeout else {
            return Ok(Some(child.wait()?));
        };
        let start = Instant::now();
        while start.elapsed() < timeout {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            thread::sleep(PAUSE);
        }
        child.kill()?;
        child.wait()?;
        Ok(None)
    }
}

fn handle(file: &File) -> anyhow::Result<Stdio> {
    Ok(file.try_clone()?.into())
}
