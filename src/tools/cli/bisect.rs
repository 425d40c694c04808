//! `ptxasw bisect`: which rewriting makes a command fail.

use super::exit::Exit;
use super::trial::{Outcome, Trial};
use super::{Diagnostic, files};
use anyhow::Context;
use clap::Args;
use ptxasw_driver::pipeline::limit::Limit;
use ptxasw_driver::pipeline::record::{self, Record};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct Arguments {
    /// Where the module of the rewriting that was found goes.
    #[arg(short, long, value_name = "FILE", default_value = "ptxasw-bisect.ptx")]
    output: PathBuf,
    /// Shows what the command prints.
    #[arg(short, long)]
    verbose: bool,
    /// Prints the result alone.
    #[arg(short, long)]
    quiet: bool,
    /// Builds the program by ptxasw, from scratch, and runs it: it fails if its exit code is not 0.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// All rewritings of a build, in the order of [`Limit`].
struct Rewritings(Vec<Record>);

impl Rewritings {
    fn count(&self) -> usize {
        self.0.iter().map(|record| record.rewritings.len()).sum()
    }

    /// The limit that allows the first `count` rewritings.
    fn limit(&self, count: usize) -> Limit {
        let mut left = count;
        for record in &self.0 {
            let here = record.rewritings.len();
            if left <= here {
                return Limit {
                    module: Some(record.digest),
                    count: left,
                };
            }
            left -= here;
        }
        Limit {
            module: None,
            count,
        }
    }

    /// The module of a rewriting, and its number there, from 0.
    fn find(&self, number: usize) -> Option<(&Record, usize)> {
        let mut left = number;
        for record in &self.0 {
            match left.checked_sub(record.rewritings.len()) {
                None => return Some((record, left)),
                Some(rest) => left = rest,
            }
        }
        None
    }
}

/// One run of the command, and what it recorded.
struct Runs<'a> {
    arguments: &'a Arguments,
    folder: tempfile::TempDir,
    number: usize,
}

impl Runs<'_> {
    fn run(&mut self, limit: Option<Limit>) -> anyhow::Result<(bool, PathBuf)> {
        self.number += 1;
        let folder = self.folder.path().join(self.number.to_string());
        let mut variables = vec![(record::VARIABLE.into(), folder.clone().into_os_string())];
        // Empty: as if it was not set.
        let limit = limit.map_or_else(String::new, |limit| limit.to_string());
        variables.push(("PTXASW_LIMIT".into(), limit.into()));
        let trial = Trial {
            command: &self.arguments.command,
            variables,
            shown: self.arguments.verbose,
            timeout: None,
        };
        let outcome = trial.run()?;
        Ok((
            matches!(outcome, Outcome::Ended(status, _) if status.success()),
            folder,
        ))
    }

    fn say(&self, count: usize, passes: bool) {
        if !self.arguments.quiet {
            let result = if passes { "passes" } else { "fails" };
            ptxasw_base::say!("ptxasw: with {count} rewritings: the command {result}");
        }
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut runs = Runs {
        arguments,
        folder: tempfile::tempdir().context("cannot make a temporary folder")?,
        number: 0,
    };
    let (passes, folder) = runs.run(None)?;
    let all = Rewritings(record::read(&folder).context("cannot read what was recorded")?);
    let count = all.count();
    if count == 0 {
        return fail(
            "ptxasw rewrote nothing: the command must compile by it, from scratch (`make clean && make && ./test`), and without a \
             compiler cache",
        );
    }
    runs.say(count, passes);
    if passes {
        return fail("the command passes with all rewritings: there is nothing to find");
    }
    let (passes, folder) = runs.run(Some(all.limit(0)))?;
    runs.say(0, passes);
    if !record::read(&folder)?.is_empty() {
        return fail(
            "`PTXASW_LIMIT` has no effect: settings are fixed where ptxasw is called, as by a bundle that an earlier `ptxasw shim` or \
             `ptxasw bundle` wrote",
        );
    }
    if !passes {
        return fail(
            "the command fails without any rewriting, too: ptxasw is not the cause, or the command did not compile anew",
        );
    }
    // It passes with the first `good` ones and fails with the first `bad` ones.
    let (mut good, mut bad) = (0, count);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        let (passes, _) = runs.run(Some(all.limit(middle)))?;
        runs.say(middle, passes);
        match passes {
            true => good = middle,
            false => bad = middle,
        }
    }
    let (record, number) = all.find(good).context("no such rewriting")?;
    let text = files::read(&folder_of(&runs, record))?;
    files::write(&arguments.output, &text)?;
    ptxasw_base::tell!("{}", found(&all, record, number, bad, &arguments.output));
    Ok(Exit::Done.into())
}

/// The text of a module, as the first run left it.
fn folder_of(runs: &Runs, record: &Record) -> PathBuf {
    runs.folder.path().join("1").join(&record.text)
}

fn fail(message: &str) -> anyhow::Result<ExitCode> {
    Err(Diagnostic(format!("ptxasw: error: {message}")).into())
}

fn found(all: &Rewritings, record: &Record, number: usize, bad: usize, output: &Path) -> String {
    let (rewriting, count) = (&record.rewritings[number], all.count());
    let (kernel, pass, line) = (&rewriting.kernel, &rewriting.pass, rewriting.line);
    let output = output.display();
    format!(
        "rewriting {bad} of {count} makes the command fail: line {line} of `{output}`, kernel `{kernel}`, pass `{pass}`\n\
         what was done there:    ptxasw explain {output} --load @{line}\n\
         to build without it:    PTXASW_KERNEL='!{kernel}'\n\
         to build the good one:  PTXASW_LIMIT={}\n\
         to build the bad one:   PTXASW_LIMIT={}\n\
         to report it:           ptxasw bug {output}\n",
        all.limit(bad - 1),
        all.limit(bad),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_driver::pipeline::record::Rewriting;

    fn record(digest: u64, count: u32) -> Record {
        let rewriting = |line| Rewriting {
            kernel: "k".to_string(),
            pass: "memory".to_string(),
            line,
        };
        Record {
            digest,
            text: String::new(),
            rewritings: (0..count).map(rewriting).collect(),
        }
    }

    #[test]
    fn limits_count_over_modules() {
        let all = Rewritings(vec![record(1, 2), record(5, 3)]);
        assert_eq!(all.count(), 5);
        let limits = [0, 1, 2, 3, 5].map(|count| all.limit(count).to_string());
        let module = |digest: u64, count: usize| format!("{digest:016x}:{count}");
        let expected = [
            module(1, 0),
            module(1, 1),
            module(1, 2),
            module(5, 1),
            module(5, 3),
        ];
        assert_eq!(limits, expected);
        let found = [0, 1, 2, 4].map(|number| all.find(number).map(|(one, at)| (one.digest, at)));
        assert_eq!(
            found,
            [Some((1, 0)), Some((1, 1)), Some((5, 0)), Some((5, 2))]
        );
        assert!(all.find(5).is_none());
    }
}
