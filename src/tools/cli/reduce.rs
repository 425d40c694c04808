//! `ptxasw reduce`: a smaller module for which a command ends in the same way.

use super::exit::Exit;
use super::trial::{Outcome, Trial};
use super::{Diagnostic, files, llvm};
use anyhow::{Context, bail};
use clap::Args;
use ptxasw_base::reduction::{self, Units};
use ptxasw_ptx::ast::{Item, Module, Span};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What stands for the module's path in the command.
const PLACE: &str = "{}";

#[derive(Args)]
pub struct Arguments {
    /// The module.
    input: PathBuf,
    /// Where the smaller module goes.
    #[arg(short, long, value_name = "FILE", default_value = "ptxasw-reduced.ptx")]
    output: PathBuf,
    /// What the command prints must contain this text, too.
    #[arg(long, value_name = "TEXT")]
    says: Option<String>,
    /// The command is ended after so many seconds: as if it ended in another way.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Prints nothing but errors.
    #[arg(short, long)]
    quiet: bool,
    /// A command that shows what is wrong with the module: it gets a path in place of `{}`, or as its last argument. Of a
    /// smaller module it must end as it does of the whole one: by the same exit code or signal.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// How a command ended: exit code, signal.
type End = (Option<i32>, Option<i32>);

struct Judge<'a> {
    arguments: &'a Arguments,
    folder: tempfile::TempDir,
    parses: bool,
    runs: usize,
}

impl Judge<'_> {
    /// How the command ends on a text; nothing where it takes too long or does not print what it must.
    fn end(&mut self, text: &[u8]) -> anyhow::Result<Option<End>> {
        self.runs += 1;
        let name = self
            .arguments
            .input
            .file_name()
            .unwrap_or("module.ptx".as_ref());
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).context("cannot write a temporary file")?;
        let mut command = self.arguments.command.clone();
        let mut named = false;
        for word in &mut command {
            if let Some(text) = word.to_str().filter(|text| text.contains(PLACE)) {
                *word = text.replace(PLACE, &path.to_string_lossy()).into();
                named = true;
            }
        }
        if !named {
            command.push(path.into());
        }
        let trial = Trial {
            command: &command,
            variables: Vec::new(),
            shown: false,
            timeout: Some(Duration::from_secs(self.arguments.timeout)),
        };
        let Outcome::Ended(status, printed) = trial.run()? else {
            return Ok(None);
        };
        let wanted = self.arguments.says.as_ref();
        let says =
            wanted.is_none_or(|text| memchr::memmem::find(&printed, text.as_bytes()).is_some());
        Ok(says.then_some((status.code(), status.signal())))
    }

    /// Whether a smaller text will do. One that is no PTX any more does not, where the whole one was.
    fn takes(&mut self, text: &[u8], end: End) -> anyhow::Result<bool> {
        if self.parses && ptxasw_ptx::parse(text).is_err() {
            return Ok(false);
        }
        Ok(self.end(text)? == Some(end))
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let text = files::read(&arguments.input)?;
    if llvm::is_ir(&text) {
        bail!("the input is LLVM IR, which `llvm-reduce` of LLVM shrinks");
    }
    files::distinct(
        ("the input", &arguments.input),
        ("the output", &arguments.output),
    )?;
    let mut judge = Judge {
        arguments,
        folder: tempfile::tempdir().context("cannot make a temporary folder")?,
        parses: ptxasw_ptx::parse(&text).is_ok(),
        runs: 0,
    };
    let Some(end) = judge.end(&text)? else {
        let message = "the command takes too long on the whole module, or does not print the text of `--says`";
        return Err(Diagnostic(format!("ptxasw: error: {message}")).into());
    };
    let mut reduced = text.clone();
    loop {
        let before = reduced.len();
        for units in [functions, statements, lines] {
            let all = units(&reduced);
            reduced = reduction::reduce(&reduced, &all, |text| judge.takes(text, end))?;
            files::write(&arguments.output, &reduced)?;
        }
        if reduced.len() == before {
            break;
        }
    }
    if !arguments.quiet {
        let how = match end {
            (Some(code), _) => format!("exit code {code}"),
            (None, signal) => format!("signal {}", signal.unwrap_or_default()),
        };
        let count = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        ptxasw_base::say!(
            "ptxasw: {} of {} lines are left for which the command ends with {how}, after {} runs: `{}`",
            count(&reduced),
            count(&text),
            judge.runs,
            arguments.output.display()
        );
    }
    Ok(Exit::Done.into())
}

/// Functions, variables, directives; none of a text that is not PTX.
fn functions(text: &[u8]) -> Units {
    of_module(text, |module| {
        let spans = module.items.iter().map(|item| match item {
            Item::Directive(directive) => directive.span,
            Item::Variable(variable) => variable.span,
            Item::Function(function) => function.span,
        });
        spans.collect()
    })
}

/// Statements of all bodies.
fn statements(text: &[u8]) -> Units {
    of_module(text, |module| {
        let bodies = module.items.iter().filter_map(|item| match item {
            Item::Function(function) => function.body.as_ref(),
            _ => None,
        });
        let statements = bodies.flat_map(|body| &body.statements);
        statements.map(|statement| statement.span).collect()
    })
}

fn of_module(text: &[u8], spans: impl Fn(&Module) -> Vec<Span>) -> Units {
    let module = ptxasw_ptx::parse(text);
    let spans = module.map_or_else(|_| Vec::new(), |module| spans(&module));
    spans.into_iter().map(Span::range).collect()
}

fn lines(text: &[u8]) -> Units {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    ends.chain([text.len()])
        .map(|end| {
            let line = start..end;
            start = end;
            line
        })
        .filter(|line| !line.is_empty())
        .collect()
}
