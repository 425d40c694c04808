//! Text edits: nothing else changes a module's text.

use crate::ast::Span;
use thiserror::Error;

/// The bytes `at` are replaced by `text`; an empty `at` inserts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, as byte offsets into the original text.
    pub at: Span,
    /// The text that replaces it.
    pub text: String,
    /// Lines of `text` that repeat statements of the original: how many line ends are in front, and the statement's offset.
    pub copies: Vec<(u32, u32)>,
}

/// How far edits move what comes after them.
#[derive(Debug)]
pub struct Shifts {
    /// Where each edit ends, and how many bytes longer the text is up to there.
    ends: Vec<(u32, i64)>,
}

impl Shifts {
    /// Of edits in the order of the text.
    pub fn new(edits: &[Edit]) -> Self {
        let mut longer = 0;
        let ends = edits.iter().map(|edit| {
            longer += edit.text.len() as i64 - i64::from(edit.at.end - edit.at.start);
            (edit.at.end, longer)
        });
        Shifts {
            ends: ends.collect(),
        }
    }

    /// How many bytes longer the text in front of a place is.
    fn longer(&self, offset: u32) -> i64 {
        let before = self.ends.partition_point(|&(end, _)| end <= offset);
        before.checked_sub(1).map_or(0, |last| self.ends[last].1)
    }

    /// A place, which no edit replaces.
    pub fn offset(&self, offset: u32) -> u32 {
        (i64::from(offset) + self.longer(offset)) as u32
    }

    /// A span in which there is no edit.
    pub fn span(&self, span: Span) -> Span {
        let longer = self.longer(span.start);
        let moved = |offset: u32| (i64::from(offset) + longer) as u32;
        Span::new(moved(span.start), moved(span.end))
    }
}

/// Why a list of edits cannot be applied to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// An edit begins before the one in front of it ends.
    #[error("the edit at byte {start} begins before the previous one ends, at byte {end}")]
    Order {
        /// Where the edit begins.
        start: u32,
        /// Where the edit in front of it ends.
        end: u32,
    },
    /// An edit ends before it begins, or after the end of the text.
    #[error("the edit of bytes {} to {} lies outside of the text of {length} bytes", at.start, at.end)]
    Range {
        /// The bytes that were to be replaced.
        at: Span,
        /// The length of the text.
        length: usize,
    },
}

/// The text after all `edits`, which must be sorted and must not overlap, as pieces of the two. Insertions at the same place
/// keep the order of the list.
///
/// # Errors
/// The first edit that is out of order, or lies outside of the text.
pub fn pieces<'t>(text: &'t [u8], edits: &'t [Edit]) -> Result<Vec<&'t [u8]>, EditError> {
    pieces_between(text, edits, 0, text.len())
}

/// The [`pieces`], put together.
///
/// # Errors
/// See [`pieces`].
pub fn apply(text: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    Ok(pieces(text, edits)?.concat())
}

/// The edits as one that replaces everything from the first to the last; as they are where that cannot be.
pub fn join(text: &[u8], edits: Vec<Edit>) -> Vec<Edit> {
    let ends = |(first, last): (&Edit, &Edit)| Span::new(first.at.start, last.at.end);
    let Some(at) = edits.first().zip(edits.last()).map(ends) else {
        return edits;
    };
    let joined = pieces_between(text, &edits, at.start as usize, at.end as usize).ok();
    match joined.and_then(|pieces| String::from_utf8(pieces.concat()).ok()) {
        Some(text) => vec![Edit {
            at,
            text,
            ..Edit::default()
        }],
        None => edits,
    }
}

/// The bytes from `start` to `end` after all `edits`, which lie there.
fn pieces_between<'t>(
    text: &'t [u8],
    edits: &'t [Edit],
    start: usize,
    end: usize,
) -> Result<Vec<&'t [u8]>, EditError> {
    let mut pieces = Vec::with_capacity(2 * edits.len() + 1);
    let mut done = start;
    for edit in edits {
        let at = edit.at;
        let (from, to) = (at.start as usize, at.end as usize);
        if from < done {
            return Err(EditError::Order {
                start: at.start,
                end: done as u32,
            });
        }
        let (Some(kept), Some(_)) = (text.get(done..from), text.get(from..to)) else {
            return Err(EditError::Range {
                at,
                length: text.len(),
            });
        };
        pieces.extend([kept, edit.text.as_bytes()]);
        done = to;
    }
    pieces.push(text.get(done..end).unwrap_or_default());
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            at: Span::new(start, end),
            text: text.into(),
            ..Edit::default()
        }
    }

    #[test]
    fn replaces_and_inserts() {
        let edits = [
            edit(0, 0, "<"),
            edit(1, 3, "__"),
            edit(3, 3, "!"),
            edit(3, 3, "?"),
            edit(5, 5, ">"),
        ];
        assert_eq!(apply(b"abcde", &edits).unwrap(), b"<a__!?de>");
    }

    #[test]
    fn refuses_what_overlaps_or_lies_outside() {
        let overlapping = [edit(0, 3, ""), edit(2, 4, "")];
        assert_eq!(
            apply(b"abcde", &overlapping),
            Err(EditError::Order { start: 2, end: 3 })
        );
        let outside = Span::new(4, 6);
        let edits = [edit(4, 6, "")];
        assert_eq!(
            apply(b"abcde", &edits),
            Err(EditError::Range {
                at: outside,
                length: 5
            })
        );
        assert!(apply(b"abcde", &[edit(7, 7, "")]).is_err());
        assert!(apply(b"abcde", &[edit(3, 2, "")]).is_err());
    }

    #[test]
    fn what_cannot_be_joined_stays_as_it_is() {
        let overlapping = vec![edit(0, 3, ""), edit(2, 4, "")];
        assert_eq!(join(b"abcde", overlapping.clone()), overlapping);
        let around_no_text = vec![edit(1, 1, "<"), edit(2, 2, ">")];
        assert_eq!(join(b"a\xffc", around_no_text.clone()), around_no_text);
        assert_eq!(join(b"abc", around_no_text), [edit(1, 2, "<b>")]);
        assert!(join(b"abc", Vec::new()).is_empty());
    }

    proptest! {
        /// Cutting a text into pieces and replacing every second one is the same as joining the new pieces.
        #[test]
        fn applies_like_a_join(pieces in prop::collection::vec(("[a-z]{0,4}", "[A-Z]{0,4}", any::<bool>()), 0..12)) {
            let (mut text, mut expected, mut edits) = (String::new(), String::new(), Vec::new());
            for (old, new, replaced) in &pieces {
                let start = text.len() as u32;
                text.push_str(old);
                expected.push_str(if *replaced { new } else { old });
                if *replaced {
                    edits.push(edit(start, text.len() as u32, new));
                }
            }
            prop_assert_eq!(apply(text.as_bytes(), &edits).unwrap(), expected.clone().into_bytes());
            let joined = join(text.as_bytes(), edits);
            prop_assert!(joined.len() <= 1);
            prop_assert_eq!(apply(text.as_bytes(), &joined).unwrap(), expected.into_bytes());
            prop_assert_eq!(apply(text.as_bytes(), &[]).unwrap(), text.into_bytes());
        }
    }
}
