//! A message with the source lines it speaks of, labels below them.
//!
//! Any bytes can be shown: what is not UTF-8 appears as U+FFFD, control characters as pictures, tabs as blanks, and of
//! very long lines the part around the label.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level as Severity, Origin, Renderer, Snippet as Source,
};

use super::lines::{LineIndex, Span};
use crate::console;

/// Lines longer than this many bytes are cut before the renderer, which fits them to the terminal, sees them.
const MAX_LINE: usize = 4096;

/// Bytes of a cut line that are kept before the first label.
const BEFORE_LABEL: usize = 1024;

/// Bytes of a sentence; a name in it can be of any length.
const MAX_SENTENCE: usize = 1024;

/// Labels at most this many lines apart share one excerpt.
const MAX_GAP: u32 = 4;

/// Stands for what a cut line lacks.
const CUT: &str = "...";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The input cannot be used.
    Error,
    /// Something was not done that might have been.
    Warning,
    /// Information.
    Note,
}

/// A remark on a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What is marked; of several lines, the part on the first.
    pub span: Span,
    /// The remark.
    pub text: String,
    /// Marked with `^` instead of `-`. The first primary label gives the position of the message.
    pub primary: bool,
}

/// A message about a text.
#[derive(Clone, Debug)]
pub struct Snippet<'a> {
    /// How bad it is.
    pub level: Level,
    /// The message, in one line.
    pub title: String,
    /// The name of the text.
    pub path: String,
    /// The text.
    pub text: &'a [u8],
    /// Remarks, in any order.
    pub labels: Vec<Label>,
    /// Further sentences below.
    pub notes: Vec<String>,
}

impl Snippet<'_> {
    /// The message as lines of text, styled where the process shows styles, without a line end at the end.
    ///
    /// It searches the whole text for line ends; for many messages about one text see
    /// [`render_with`](Self::render_with).
    pub fn render(&self) -> String {
        self.render_with(&LineIndex::new(self.text))
    }

    /// As [`render`](Self::render), with the lines of [`Self::text`] already found.
    pub fn render_with(&self, lines: &LineIndex<'_>) -> String {
        let severity = match self.level {
            Level::Error => Severity::ERROR,
            Level::Warning => Severity::WARNING,
            Level::Note => Severity::NOTE,
        };
        let mut group = Group::with_title(severity.primary_title(sentence(&self.title)));
        let mut excerpts = self.excerpts(lines);
        if excerpts.is_empty() {
            group = group.element(Origin::path(self.path.as_str()));
        }
        // The excerpt with the first primary label first: its position is that of the message.
        let main = self.labels.iter().position(|label| label.primary);
        excerpts.sort_by_key(|excerpt| !excerpt.labels.iter().any(|l| Some(l.index) == main));
        for excerpt in excerpts {
            if let Some(start) = excerpt.cut {
                // The renderer cannot know the column in a cut line.
                let position = lines.position(start);
                group = group.element(
                    Origin::path(self.path.as_str())
                        .line(position.line as usize)
                        .char_column(position.column as usize),
                );
            }
            let path = excerpt.cut.is_none().then_some(self.path.as_str());
            group = group.element(
                Source::source(excerpt.text)
                    .line_start(excerpt.first_line as usize)
                    .path(path)
                    .annotations(
                        excerpt
                            .labels
                            .into_iter()
                            .map(|label| self.annotation(label)),
                    ),
            );
        }
        for note in &self.notes {
            group = group.element(Severity::NOTE.message(sentence(note)));
        }
        match console::is_styled() {
            true => Renderer::styled().render(&[group]),
            false => Renderer::plain().render(&[group]),
        }
    }

    fn annotation(&self, placed: Placed) -> Annotation<'_> {
        let label = &self.labels[placed.index];
        let kind = if label.primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let text = Some(sentence(&label.text)).filter(|text| !text.is_empty());
        kind.span(placed.range).label(text)
    }

    /// The labelled lines, cleaned, near ones together.
    fn excerpts(&self, lines: &LineIndex<'_>) -> Vec<Excerpt> {
        let mut labels: Vec<(u32, Span, usize)> = (self.labels.iter().enumerate())
            .map(|(index, label)| (lines.line(label.span.start), label.span, index))
            .collect();
        labels.sort_unstable();
        let mut excerpts: Vec<Excerpt> = Vec::new();
        for on_line in labels.chunk_by(|a, b| a.0 == b.0) {
            let line = on_line[0].0;
            let shown = Window::of(self.text, lines.range(line), on_line);
            match excerpts.last_mut() {
                Some(excerpt) if line - excerpt.last_line <= MAX_GAP => {
                    for between in excerpt.last_line + 1..line {
                        let window = Window::of(self.text, lines.range(between), &[]);
                        excerpt.push(between, window);
                    }
                    excerpt.push(line, shown);
                }
                _ => {
                    let mut excerpt = Excerpt {
                        first_line: line,
                        last_line: line,
                        text: String::new(),
                        labels: Vec::new(),
                        cut: None,
                    };
                    excerpt.push(line, shown);
                    excerpts.push(excerpt);
                }
            }
        }
        excerpts
    }
}

/// A sentence, or the beginning and the end of one that is too long.
pub fn sentence(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_SENTENCE {
        return text.into();
    }
    let first: String = text.chars().take(MAX_SENTENCE / 4).collect();
    let last = text.char_indices().rev().nth(MAX_SENTENCE / 8);
    let last = last.map_or("", |(start, _)| &text[start..]);
    format!("{first}{CUT}{last}").into()
}

/// A label by its index, and the bytes of an excerpt that it marks.
struct Placed {
    range: Range<usize>,
    index: usize,
}

/// Some lines in a row.
struct Excerpt {
    first_line: u32,
    last_line: u32,
    text: String,
    /// The labels, placed in [`Self::text`].
    labels: Vec<Placed>,
    /// The start of the first label on a line that was cut.
    cut: Option<u32>,
}

impl Excerpt {
    fn push(&mut self, line: u32, window: Window) {
        if !self.text.is_empty() || line > self.first_line {
            self.text.push('\n');
        }
        let offset = self.text.len();
        self.last_line = line;
        self.text.push_str(&window.text);
        self.labels
            .extend(window.labels.into_iter().map(|placed| Placed {
                range: placed.range.start + offset..placed.range.end + offset,
                ..placed
            }));
        self.cut = self.cut.or(window.cut);
    }
}

/// One line, or the part of it around its labels, as UTF-8.
struct Window {
    text: String,
    labels: Vec<Placed>,
    /// The start of the first label if the line was cut.
    cut: Option<u32>,
}

impl Window {
    fn of(text: &[u8], line: Range<usize>, labels: &[(u32, Span, usize)]) -> Self {
        let mut shown = line.clone();
        if line.len() > MAX_LINE {
            let first = labels.first().map_or(line.start, |l| l.1.start as usize);
            let latest = line.end.max(MAX_LINE) - MAX_LINE;
            shown.start = first
                .saturating_sub(BEFORE_LABEL)
                .clamp(line.start, latest.max(line.start));
            shown.end = (shown.start + MAX_LINE).min(line.end);
        }
        let (mut clean, offsets) = clean(text.get(shown.clone()).unwrap_or_default());
        let before = if shown.start > line.start { CUT } else { "" };
        clean.insert_str(0, before);
        if shown.end < line.end {
            clean.push_str(CUT);
        }
        // A byte of the text to one of the cleaned line.
        let place = |at: u32| {
            let at = (at as usize).clamp(shown.start, shown.end) - shown.start;
            before.len() + offsets.get(at).copied().unwrap_or_default()
        };
        let placed = labels.iter().map(|&(_, span, index)| {
            let start = place(span.start);
            Placed {
                range: start..place(span.end).max(start),
                index,
            }
        });
        Window {
            labels: placed.collect(),
            cut: (labels.first().map(|label| label.1.start)).filter(|_| shown.start > line.start),
            text: clean,
        }
    }
}

/// A line as UTF-8, and for each of its bytes and its end the offset of the character it became part of.
fn clean(bytes: &[u8]) -> (String, Vec<usize>) {
    let mut text = String::with_capacity(bytes.len());
    let mut offsets = Vec::with_capacity(bytes.len() + 1);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            offsets.extend(std::iter::repeat_n(text.len(), character.len_utf8()));
            // A carriage return amid a line would end it.
            text.push(if character == '\r' {
                '\u{240d}'
            } else {
                character
            });
        }
        for _ in chunk.invalid() {
            offsets.push(text.len());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    offsets.push(text.len());
    (text, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_no_label() {
        let snippet = Snippet {
            level: Level::Warning,
            title: "nothing to do".to_owned(),
            path: "k.ptx".to_owned(),
            text: b"",
            labels: Vec::new(),
            notes: vec!["no load".to_owned()],
        };
        let shown = snippet.render();
        assert!(shown.starts_with("warning: nothing to do\n"), "{shown}");
        assert!(shown.contains("--> k.ptx"), "{shown}");
        assert!(shown.contains("= note: no load"), "{shown}");
    }

    #[test]
    fn labels_outside_the_text() {
        let snippet = Snippet {
            level: Level::Note,
            title: "odd".to_owned(),
            path: "k.ptx".to_owned(),
            text: b"one\ntwo",
            labels: vec![
                Label {
                    span: Span::new(5, 4),
                    text: "backwards".to_owned(),
                    primary: true,
                },
                Label {
                    span: Span::new(90, 99),
                    text: "behind".to_owned(),
                    primary: false,
                },
            ],
            notes: Vec::new(),
        };
        assert!(snippet.render().contains("k.ptx:2:2"));
    }
}
