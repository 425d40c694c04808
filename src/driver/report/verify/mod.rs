//! What a comparison of two modules found.
//!
//! `text`, with `reach`, is for people, `json` for programs; `values` shows elements as their types ask for.

mod json;
mod reach;
mod text;
mod values;

pub use json::json;
pub use text::text;

use ptxasw_base::lines::LineIndex;
use ptxasw_executor::Schedule;
use ptxasw_verify::{KernelReport, Verdict};

/// What was compared: the two texts and their names.
pub struct Subject<'a> {
    /// The original's name and text.
    pub original: (&'a str, &'a [u8]),
    /// The rewritten module's name and text.
    pub rewritten: (&'a str, &'a [u8]),
    /// The schedules of each launch.
    pub schedules: &'a [Schedule],
    /// Show every launch.
    pub all_launches: bool,
}

impl<'a> Subject<'a> {
    fn lines(&self) -> [LineIndex<'a>; 2] {
        [
            LineIndex::new(self.original.1),
            LineIndex::new(self.rewritten.1),
        ]
    }
}

/// The finding in one word, as both forms of the report have it.
fn word(report: &KernelReport) -> &'static str {
    match report.verdict {
        Verdict::Equal => "equal",
        Verdict::Different(_) => "different",
        Verdict::UndefinedBehaviour(_) => "undefined behaviour",
        Verdict::CouldNotRun(_) => "could not be run",
    }
}
