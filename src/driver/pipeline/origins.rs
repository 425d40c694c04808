//! Places of a text that edits have changed, as places of the text before.

use memchr::memchr_iter;
use ptxasw_ptx::text::edit::Edit;

/// How a place of a text comes from a place of an earlier text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    /// It is that place.
    Kept,
    /// It repeats the statement at that place, in a second copy of a region.
    Copied,
    /// It was inserted there, or replaces what was there.
    Inserted,
}

/// A stretch of a text that comes from an earlier text: it goes up to where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins.
    pub from: u32,
    /// The place of the earlier text: of its first byte if it moves along, else of all of it.
    pub to: u32,
    /// Each byte comes from a byte of its own.
    pub moves: bool,
    /// How it comes from there.
    pub descent: Descent,
}

/// For each place of a text, the place of an earlier text from which it comes. Places are offsets in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins(Vec<Stretch>);

impl Origins {
    /// Of a text whose stretches are these, in order.
    pub fn new(stretches: Vec<Stretch>) -> Self {
        Origins(stretches)
    }

    /// Those of a text after its edits, which are in order.
    pub fn after_edits(edits: &[Edit]) -> Self {
        let mut origins = Origins(Vec::with_capacity(2 * edits.len() + 1));
        let (mut new, mut old) = (0, 0);
        for edit in edits {
            origins.push(new, old, true, Descent::Kept);
            new += edit.at.start.saturating_sub(old);
            let inserted = |origins: &mut Self, from| {
                origins.push(from, edit.at.start, false, Descent::Inserted);
            };
            inserted(&mut origins, new);
            for (line, from) in copied_lines(edit) {
                origins.push(new + line.start, from, false, Descent::Copied);
                inserted(&mut origins, new + line.end);
            }
            new += edit.text.len() as u32;
            old = edit.at.end;
        }
        origins.push(new, old, true, Descent::Kept);
        origins
    }

    /// Adds a stretch, in place of one that has no length.
    fn push(&mut self, from: u32, to: u32, moves: bool, descent: Descent) {
        if self.0.last().is_some_and(|last| last.from == from) {
            self.0.pop();
        }
        self.0.push(Stretch {
            from,
            to,
            moves,
            descent,
        });
    }

    fn index(&self, at: u32) -> usize {
        let after = self.0.partition_point(|stretch| stretch.from <= at);
        after.saturating_sub(1)
    }

    /// The place of the earlier text, and how this one comes from there.
    pub fn origin(&self, at: u32) -> (u32, Descent) {
        match self.0.get(self.index(at)) {
            Some(stretch) => (stretch.origin(at), stretch.descent),
            None => (at, Descent::Kept),
        }
    }

    /// The place of the earlier text.
    pub fn before(&self, at: u32) -> u32 {
        self.origin(at).0
    }

    /// As places of a text that is earlier still: the earlier text has these origins.
    pub fn of(self, earlier: &Origins) -> Self {
        let mut all = Origins(Vec::with_capacity(self.0.len() + earlier.0.len()));
        let ends = self.0.iter().skip(1).map(|next| next.from);
        for (stretch, end) in self.0.iter().zip(ends.chain([u32::MAX])) {
            if !stretch.moves {
                let (to, before) = earlier.origin(stretch.to);
                let descent = match (stretch.descent, before) {
                    (Descent::Kept, before) => before,
                    (descent, _) => descent,
                };
                all.push(stretch.from, to, false, descent);
                continue;
            }
            let to = stretch.to.saturating_add(end - stretch.from);
            let parts = earlier.0[earlier.index(stretch.to)..].iter();
            for part in parts.take_while(|part| part.from < to || part.from <= stretch.to) {
                let start = part.from.max(stretch.to);
                let from = stretch.from + (start - stretch.to);
                all.push(from, part.origin(start), part.moves, part.descent);
            }
        }
        all
    }
}

impl Stretch {
    fn origin(self, at: u32) -> u32 {
        match self.moves {
            true => self.to + at.saturating_sub(self.from),
            false => self.to,
        }
    }
}

/// The lines of an edit's text that repeat statements: where each is in that text, and the statement's offset.
fn copied_lines(edit: &Edit) -> impl Iterator<Item = (std::ops::Range<u32>, u32)> {
    let text = edit.text.as_bytes();
    let ends: Vec<u32> = match edit.copies.is_empty() {
        true => Vec::new(),
        false => memchr_iter(b'\n', text).map(|end| end as u32).collect(),
    };
    let length = text.len() as u32;
    edit.copies.iter().map(move |&(in_front, from)| {
        let start = in_front.checked_sub(1).map_or(0, |last| {
            ends.get(last as usize).map_or(length, |end| end + 1)
        });
        let end = ends.get(in_front as usize).map_or(length, |end| end + 1);
        (start..end, from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_base::lines::LineIndex;
    use ptxasw_ptx::ast::Span;
    use ptxasw_ptx::text::edit::apply;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            at: Span::new(start, end),
            text: text.into(),
            ..Edit::default()
        }
    }

    /// For each line of the new text, the line that it comes from.
    fn lines(before: &[u8], after: &[u8], origins: &Origins) -> Vec<u32> {
        let (before, after) = (LineIndex::new(before), LineIndex::new(after));
        let count = after.text().split(|&byte| byte == b'\n').count() as u32;
        let starts = (1..count).map(|line| after.range(line).start as u32);
        starts.map(|at| before.line(origins.before(at))).collect()
    }

    #[test]
    fn places_lead_back() {
        let first = b"a\nb\nc\nd\n";
        // a / x / y / b / z / d: c becomes z, in front of b two lines are inserted.
        let edits = [edit(2, 2, "x\ny\n"), edit(4, 5, "z")];
        let second = apply(first, &edits).unwrap();
        let origins = Origins::after_edits(&edits);
        assert_eq!(lines(first, &second, &origins), [1, 2, 2, 2, 3, 4]);
        assert_eq!(origins.origin(6), (2, Descent::Kept));
        assert_eq!(origins.origin(8), (4, Descent::Inserted));
        // Then lines 2 and 3 go.
        let edits = [edit(2, 6, "")];
        let third = apply(&second, &edits).unwrap();
        let origins = Origins::after_edits(&edits).of(&origins);
        assert_eq!(lines(first, &third, &origins), [1, 2, 3, 4]);
    }

    #[test]
    fn a_line_that_repeats_another_stands_for_that() {
        let text = b"a\nb\nc\nd\n";
        let copies = Edit {
            copies: vec![(1, 4), (2, 6)],
            ..edit(2, 2, "x\nC\nD\n")
        };
        let after = apply(text, std::slice::from_ref(&copies)).unwrap();
        let origins = Origins::after_edits(&[copies]);
        assert_eq!(lines(text, &after, &origins), [1, 2, 3, 4, 2, 3, 4]);
        assert_eq!(origins.origin(4), (4, Descent::Copied));
        // What replaces a copy was inserted at the statement that it repeats.
        let later = Origins::after_edits(&[edit(4, 5, "e")]).of(&origins);
        assert_eq!(later.origin(4), (4, Descent::Inserted));
        assert_eq!(later.origin(6), (6, Descent::Copied));
    }

    #[test]
    fn without_edits_every_place_stands_for_itself() {
        let origins = Origins::after_edits(&[]);
        assert_eq!(origins.origin(7), (7, Descent::Kept));
        assert_eq!(origins.clone().of(&origins), origins);
    }
}
