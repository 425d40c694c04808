//! What went wrong in an execution, with the source line.

use ptxasw_base::snippet::{Label, Level, Snippet};
use ptxasw_executor::{AccessKind, ExecutionError, Race, RaceKind, RacingAccess, Thread, Warning};
use ptxasw_ir::types::Space;
use ptxasw_ptx::ast::Span;

/// The message for a fault. `path` and `text` are of the module that was run.
pub fn error<'a>(error: &ExecutionError, path: &str, text: &'a [u8]) -> Snippet<'a> {
    Snippet {
        level: Level::Error,
        title: error.fault.to_string(),
        path: path.to_owned(),
        text,
        labels: labels(error.span),
        notes: error.thread.iter().map(in_thread).collect(),
    }
}

/// The message for a warning.
pub fn warning<'a>(warning: &Warning, path: &str, text: &'a [u8]) -> Snippet<'a> {
    Snippet {
        level: Level::Warning,
        title: warning.kind.to_string(),
        path: path.to_owned(),
        text,
        labels: labels(warning.span),
        notes: vec![in_thread(&warning.thread)],
    }
}

/// The message for a data race: both statements.
pub fn race<'a>(race: &Race, path: &str, text: &'a [u8]) -> Snippet<'a> {
    let place = format!(
        "{} of {} bytes at offset {} of {} in {} memory",
        access_name(race.second.kind),
        race.bytes,
        race.offset,
        race.region,
        if race.space == Space::Shared {
            "shared"
        } else {
            "global"
        }
    );
    let mut notes = vec![
        format!("first: {}", racing(&race.first)),
        format!("then, unordered: {}", racing(&race.second)),
        place,
    ];
    if race.count > 1 {
        notes.push(format!("{} times for these statements", race.count));
    }
    let label = |access: &RacingAccess, text: &str, primary| Label {
        span: access.span,
        text: text.to_owned(),
        primary,
    };
    let labels = match race.first.span == race.second.span {
        true => vec![label(&race.second, "races with itself", true)],
        false => vec![
            label(&race.second, "this access", true),
            label(&race.first, "races with this one", false),
        ],
    };
    let (level, title) = match race.kind {
        RaceKind::WriteWrite => (Level::Error, "data race of two stores"),
        RaceKind::WriteRead => (Level::Error, "data race: a store, then a load"),
        RaceKind::ReadWrite => (Level::Error, "data race: a load, then a store"),
        RaceKind::SameValue => (Level::Warning, "two threads store the same value"),
    };
    Snippet {
        level,
        title: title.to_owned(),
        path: path.to_owned(),
        text,
        labels,
        notes,
    }
}

fn racing(access: &RacingAccess) -> String {
    format!("{} by {}", access_name(access.kind), access.thread)
}

fn access_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Load => "load",
        AccessKind::Store => "store",
        AccessKind::Atomic => "atomic",
    }
}

/// An empty span stands for no statement.
fn labels(span: Span) -> Vec<Label> {
    let label = Label {
        span,
        text: String::new(),
        primary: true,
    };
    Some(label)
        .filter(|_| span.start < span.end)
        .into_iter()
        .collect()
}

fn in_thread(thread: &Thread) -> String {
    format!("in {thread}")
}
