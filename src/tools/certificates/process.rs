//! Solvers outside of this program: a program of its own, started for each text, or Python bindings, started once and
//! asked one text after the other.

use super::report::Answer;
use ptxasw_base::named::{Named, named};
use ptxasw_machine::toolchain::{Python, Search};
use serde::Serialize;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Asks a solver's Python bindings: texts come on standard input, each after a line with its length.
const SERVER: &str = include_str!("server.py");
/// A solver that keeps to its own limit has answered by then.
const GRACE: Duration = Duration::from_secs(30);
/// Characters of a solver's message that are shown.
const MAX_MESSAGE: usize = 200;

/// A solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Solver {
    /// Part of this program.
    Z3,
    /// <https://bitwuzla.github.io>
    Bitwuzla,
    /// <https://cvc5.github.io>
    Cvc5,
}

named!(Solver {
    "z3" = Solver::Z3, "Built in";
    "bitwuzla" = Solver::Bitwuzla, "A program, or the Python module that the set-up script installs";
    "cvc5" = Solver::Cvc5, "A program or a Python module";
});

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An installed solver that is not Z3.
#[derive(Clone, Debug)]
pub struct Second {
    /// Which.
    pub solver: Solver,
    launcher: Launcher,
}

/// How it is reached.
#[derive(Clone, Debug)]
enum Launcher {
    Program(PathBuf),
    Python(Python),
}

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.launcher {
            Launcher::Program(path) => write!(f, "{}", path.display()),
            Launcher::Python(python) => write!(f, "module of {}", python.program.display()),
        }
    }
}

impl Second {
    /// Looks for a solver: its program on `PATH` (or where `PTXASW_BITWUZLA` or `PTXASW_CVC5` says), then its Python module
    /// in the installed wheels or wherever `python3` finds it. Z3 is built in and never looked for.
    pub fn find(solver: Solver, search: &Search) -> Option<Second> {
        if solver == Solver::Z3 {
            return None;
        }
        if let Some(path) = search.solver(solver.name()) {
            let launcher = Launcher::Program(path);
            return Some(Second { solver, launcher });
        }
        search.pythons().into_iter().find_map(|python| {
            let second = Second {
                solver,
                launcher: Launcher::Python(python.clone()),
            };
            let mut process = Process::new(second.clone(), GRACE);
            let works = process.decide("( set-logic QF_BV )\n( assert false )\n") == Answer::Unsat;
            works.then_some(second)
        })
    }
}

/// A solver of one thread.
pub(super) struct Process {
    second: Second,
    limit: Duration,
    server: Option<Server>,
}

impl Process {
    pub fn new(second: Second, limit: Duration) -> Self {
        Process {
            second,
            limit,
            server: None,
        }
    }

    pub fn solver(&self) -> Solver {
        self.second.solver
    }

    /// Asks whether a text without `(check-sat)` is satisfiable.
    pub fn decide(&mut self, text: &str) -> Answer {
        let launcher = self.second.launcher.clone();
        match launcher {
            Launcher::Program(path) => self.run(&path, text),
            Launcher::Python(python) => self.serve(&python, text),
        }
    }

    fn run(&self, path: &PathBuf, text: &str) -> Answer {
        let milliseconds = self.limit.as_millis();
        let mut command = Command::new(path);
        match self.second.solver {
            Solver::Cvc5 => {
                command.args(["--lang=smt2.6", &format!("--tlimit-per={milliseconds}")])
            }
            _ => command.args(["--lang", "smt2", "-T", &milliseconds.to_string()]),
        };
        let started = Server::start(command, &format!("{text}( check-sat )\n"), true);
        let mut server = match started {
            Ok(server) => server,
            Err(error) => return Answer::Unreadable(error.to_string()),
        };
        let first = server.line(self.limit);
        // Exactly one answer: a second one would be to another question.
        match (first, server.line(GRACE)) {
            (Line::Text(line), Line::End) => answer(&line),
            (Line::Text(_), Line::Text(line)) => Answer::Unreadable(shown(&line)),
            (Line::End, _) => Answer::Unreadable("it printed nothing".into()),
            _ => Answer::Unknown("time limit".into()),
        }
    }

    fn serve(&mut self, python: &Python, text: &str) -> Answer {
        if self.server.is_none() {
            let mut command = Command::new(&python.program);
            if let Some(site) = &python.modules {
                command.env("PYTHONPATH", site);
            }
            // Neither the folder that we are in nor the user's own modules are searched.
            command.args(["-s", "-c", SERVER, self.second.solver.name()]);
            command.arg(self.limit.as_millis().to_string());
            match Server::start(command, "", false) {
                Ok(server) => self.server = Some(server),
                Err(error) => return Answer::Unreadable(error.to_string()),
            }
        }
        let Some(server) = &mut self.server else {
            return Answer::Unreadable("not started".into());
        };
        let line = match server.send(text) {
            Ok(()) => server.line(self.limit),
            Err(_) => Line::End,
        };
        match line {
            Line::Text(line) => answer(&line),
            Line::End => {
                self.server = None;
                Answer::Unreadable("the solver's process ended".into())
            }
            Line::Late => {
                self.server = None;
                Answer::Unknown("time limit".into())
            }
        }
    }
}

/// A solver's line as an answer.
fn answer(line: &str) -> Answer {
    match line.trim() {
        "unsat" => Answer::Unsat,
        "sat" => Answer::Sat,
        "unknown" => Answer::Unknown("time limit, or given up".into()),
        other => Answer::Unreadable(shown(other)),
    }
}

fn shown(line: &str) -> String {
    line.chars()
        .filter(|c| !c.is_control())
        .take(MAX_MESSAGE)
        .collect()
}

/// Output of a process.
enum Line {
    Text(String),
    End,
    Late,
}

/// A running process whose lines a thread collects. It is killed when it is dropped.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Server {
    /// Starts a process and hands it its first input; `only`: its whole input.
    fn start(mut command: Command, input: &str, only: bool) -> std::io::Result<Server> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (sender, lines) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let pipe = child.stdin.take();
        let mut server = Server {
            child,
            input: pipe,
            lines,
        };
        if let Some(pipe) = &mut server.input {
            // A process that ends before it has read everything has printed why, or prints nothing.
            let _ = pipe.write_all(input.as_bytes());
        }
        if only {
            server.input = None;
        }
        Ok(server)
    }

    fn send(&mut self, text: &str) -> std::io::Result<()> {
        match &mut self.input {
            Some(input) => {
                writeln!(input, "{}", text.len())?;
                input.write_all(text.as_bytes())?;
                input.flush()
            }
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn line(&mut self, limit: Duration) -> Line {
        match self.lines.recv_timeout(limit.saturating_add(GRACE)) {
            Ok(line) => Line::Text(line),
            Err(mpsc::RecvTimeoutError::Timeout) => Line::Late,
            Err(mpsc::RecvTimeoutError::Disconnected) => Line::End,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
