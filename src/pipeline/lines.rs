//! Lines of a text that edits have changed, as lines of the text before.

use crate::ptx::text::edit::Edit;
use memchr::memchr_iter;

/// For each line of a text, the line of an earlier text that it stands for. Inserted lines stand for the one that they repeat, or else
/// for the one at which they were inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(Vec<u32>);

impl Lines {
    /// Of these lines, from the first on.
    pub fn new(lines: Vec<u32>) -> Self {
        Lines(lines)
    }

    /// Those of a text after its edits, which are in order.
    pub fn after_edits(text: &[u8], edits: &[Edit]) -> Self {
        let mut lines = vec![1];
        let (mut line, mut done) = (1, 0);
        let numbers: Vec<u32> = match edits.iter().any(|edit| !edit.copies.is_empty()) {
            true => memchr_iter(b'\n', text).map(|end| end as u32).collect(),
            false => Vec::new(),
        };
        let ends = |bytes: &[u8]| memchr_iter(b'\n', bytes).count() as u32;
        let kept = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        for edit in edits {
            let (start, end) = (edit.at.start as usize, edit.at.end as usize);
            let next = line + ends(kept(done, start));
            lines.extend(line + 1..=next);
            let first = lines.len() - 1;
            lines.extend((0..ends(edit.text.as_bytes())).map(|_| next));
            for &(ends, from) in &edit.copies {
                let repeated = numbers.partition_point(|&end| end < from) as u32 + 1;
                if let Some(line) = lines.get_mut(first + ends as usize) {
                    *line = repeated;
                }
            }
            line = next + ends(kept(start, end));
            done = end;
        }
        lines.extend(line + 1..=line + ends(kept(done, text.len())));
        Lines(lines)
    }

    /// The line of the earlier text, from 1; 0, which is none, stays.
    pub fn before(&self, line: u32) -> u32 {
        match line.checked_sub(1) {
            Some(index) => self
                .0
                .get(index as usize)
                .or(self.0.last())
                .copied()
                .unwrap_or(line),
            None => 0,
        }
    }

    /// As lines of a text that is earlier still: the lines of the earlier text are these.
    pub fn of(mut self, earlier: &Lines) -> Self {
        for line in &mut self.0 {
            *line = earlier.before(*line);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::ast::Span;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            at: Span::new(start, end),
            text: text.into(),
            ..Edit::default()
        }
    }

    #[test]
    fn lines_lead_back() {
        let text = b"a\nb\nc\nd\n";
        // a / x / y / b / z / d: c becomes z, in front of b two lines are inserted.
        let edits = [edit(2, 2, "x\ny\n"), edit(4, 5, "z")];
        let lines = Lines::after_edits(text, &edits);
        let back = |lines: &Lines| (0..=7).map(|line| lines.before(line)).collect::<Vec<_>>();
        assert_eq!(back(&lines), [0, 1, 2, 2, 2, 3, 4, 5]);
        // Then lines 2 and 3 go.
        let again = Lines::after_edits(b"a\nx\ny\nb\nz\nd\n", &[edit(2, 6, "")]).of(&lines);
        assert_eq!(back(&again), [0, 1, 2, 3, 4, 5, 5, 5]);
    }

    #[test]
    fn a_line_that_repeats_another_stands_for_that() {
        let copies = Edit {
            copies: vec![(1, 4), (2, 6)],
            ..edit(2, 2, "x\nC\nD\n")
        };
        let lines = Lines::after_edits(b"a\nb\nc\nd\n", &[copies]);
        assert_eq!(lines, Lines(vec![1, 2, 3, 4, 2, 3, 4, 5]));
    }

    #[test]
    fn without_edits_every_line_stands_for_itself() {
        let lines = Lines::after_edits(b"a\nb", &[]);
        assert_eq!(lines, Lines(vec![1, 2]));
    }
}
