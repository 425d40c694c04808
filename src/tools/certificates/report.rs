//! What a replay found, as a table and as JSON.

use super::Solver;
use ptxasw_base::table::{Table, row};
use serde::Serialize;
use std::fmt;

/// Characters of a name or a sentence that are shown.
const MAX_SHOWN: usize = 400;

/// What a solver answers to a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The claim is proved.
    Unsat,
    /// It is not: there are values of the names for which it is false.
    Sat,
    /// No answer within the limit, with the reason.
    Unknown(String),
    /// The text was not understood.
    Unreadable(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Unsat => f.write_str("proved"),
            Answer::Sat => f.write_str("sat, so it is not proved"),
            Answer::Unknown(reason) => write!(f, "no answer: {reason}"),
            Answer::Unreadable(reason) => write!(f, "not understood: {reason}"),
        }
    }
}

/// A solver's answer to one file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Asked {
    /// Who.
    pub solver: Solver,
    /// Its answer.
    pub answer: Answer,
    /// How long it took.
    pub milliseconds: f64,
}

/// A replayed file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Replayed {
    /// Its path.
    pub file: String,
    /// What it claims.
    pub about: String,
    /// Why no solver is available, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// The answers of all solvers.
    pub answers: Vec<Asked>,
    /// The hypotheses contradict each other.
    pub vacuous: bool,
}

impl Replayed {
    /// Whether all solvers answer that the claim holds.
    pub fn proved(&self) -> bool {
        self.unreadable.is_none()
            && !self.answers.is_empty()
            && self
                .answers
                .iter()
                .all(|asked| asked.answer == Answer::Unsat)
    }
}

/// A whole replay.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The solvers that were asked, and how they were reached.
    pub solvers: Vec<(Solver, String)>,
    /// Number of different texts.
    pub different: usize,
    /// All files, in order.
    pub files: Vec<Replayed>,
}

impl Report {
    /// Whether every file is proved by every solver.
    pub fn proved(&self) -> bool {
        self.files.iter().all(Replayed::proved)
    }

    /// Files whose hypotheses contradict each other.
    pub fn vacuous(&self) -> usize {
        self.files.iter().filter(|file| file.vacuous).count()
    }

    /// One line for each file that is not proved or vacuous.
    fn problems(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for file in &self.files {
            if let Some(reason) = &file.unreadable {
                lines.push(format!("failed: {}: {reason}", shown(&file.file)));
            }
            for asked in &file.answers {
                if asked.answer != Answer::Unsat {
                    let (solver, answer) = (asked.solver, &asked.answer);
                    let (file, about) = (shown(&file.file), shown(&file.about));
                    lines.push(format!("failed: {file}: {solver}: {answer} ({about})"));
                }
            }
            if file.vacuous {
                lines.push(format!(
                    "warning: {}: its hypotheses contradict each other: it holds of nothing",
                    shown(&file.file)
                ));
            }
        }
        lines
    }

    /// The row of a solver: unsat, sat, unknown, unreadable, and the slowest answer.
    fn row(&self, solver: Solver) -> ([usize; 4], Option<(f64, &str)>) {
        let mut counts = [0; 4];
        let mut slowest: Option<(f64, &str)> = None;
        for file in &self.files {
            for asked in file.answers.iter().filter(|asked| asked.solver == solver) {
                let column = match asked.answer {
                    Answer::Unsat => 0,
                    Answer::Sat => 1,
                    Answer::Unknown(_) => 2,
                    Answer::Unreadable(_) => 3,
                };
                counts[column] += 1;
                if slowest.is_none_or(|(time, _)| time < asked.milliseconds) {
                    slowest = Some((asked.milliseconds, &file.file));
                }
            }
        }
        (counts, slowest)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.problems() {
            writeln!(f, "{line}")?;
        }
        let words = "solver  unsat  sat  unknown  unreadable  slowest";
        let mut table = Table::headed("<>>>><", words);
        for &(solver, _) in &self.solvers {
            let ([unsat, sat, unknown, unreadable], slowest) = self.row(solver);
            let mut row = row!(solver, unsat, sat, unknown, unreadable);
            if let Some((time, file)) = slowest {
                row.add_cell(format!("{time:.0} ms, {file}"));
            }
            table.row(row);
        }
        write!(f, "{table}")?;
        let unasked = self.files.iter().filter(|file| file.unreadable.is_some());
        let failed = self.files.iter().filter(|file| !file.proved());
        write!(
            f,
            "{} files, {} different texts: {} failed (of these {} unreadable), {} vacuous",
            self.files.len(),
            self.different,
            failed.count(),
            unasked.count(),
            self.vacuous()
        )
    }
}
/// Words of a folder of others, which may hold anything, for a terminal.
fn shown(text: &str) -> String {
    let harmless = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let shown: String = text.chars().take(MAX_SHOWN).map(harmless).collect();
    match text.chars().nth(MAX_SHOWN).is_some() {
        true => shown + "...",
        false => shown,
    }
}
