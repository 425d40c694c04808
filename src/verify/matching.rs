//! Which statements of two texts are the same: what rewriting has left alone, and what replaces what.
//!
//! Statements that occur once in both texts are anchors (a longest chain of them in the same order); between two anchors
//! the search goes on, until nothing in common is left. Registers have names of their own in compiled code, so nearly
//! every statement is an anchor.

use ptxasw_ptx::decode::form::Function;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Statements of the original, and what the rewritten text has in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) original: Range<usize>,
    pub(super) rewritten: Range<usize>,
}

/// The statements of a function, one for each instruction, blanks made equal.
pub(super) fn statements(text: &[u8], function: &Function) -> Vec<String> {
    let instructions = function.instructions.iter();
    instructions
        .map(|instruction| {
            let bytes = text.get(instruction.span.range()).unwrap_or_default();
            let text = String::from_utf8_lossy(bytes);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// What differs between two lists, in order.
pub(super) fn changes(original: &[String], rewritten: &[String]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut open = vec![(0..original.len(), 0..rewritten.len())];
    while let Some((mut a, mut b)) = open.pop() {
        while !a.is_empty() && !b.is_empty() && original[a.start] == rewritten[b.start] {
            a.start += 1;
            b.start += 1;
        }
        while !a.is_empty() && !b.is_empty() && original[a.end - 1] == rewritten[b.end - 1] {
            a.end -= 1;
            b.end -= 1;
        }
        if a.is_empty() && b.is_empty() {
            continue;
        }
        let anchors = anchors(original, rewritten, a.clone(), b.clone());
        if anchors.is_empty() {
            found.push(Change {
                original: a,
                rewritten: b,
            });
            continue;
        }
        for (i, j) in anchors {
            open.push((a.start..i, b.start..j));
            (a.start, b.start) = (i + 1, j + 1);
        }
        open.push((a, b));
    }
    found.sort_by_key(|change| (change.original.start, change.rewritten.start));
    found
}

/// The longest chain of statements that occur once in both ranges.
fn anchors(
    original: &[String],
    rewritten: &[String],
    a: Range<usize>,
    b: Range<usize>,
) -> Vec<(usize, usize)> {
    let mut seen: FxHashMap<&str, [(u32, usize); 2]> = FxHashMap::default();
    for (side, (list, range)) in [(original, a.clone()), (rewritten, b)].iter().enumerate() {
        for i in range.clone() {
            let slot = &mut seen.entry(&list[i]).or_default()[side];
            *slot = (slot.0 + 1, i);
        }
    }
    let once = a.filter_map(|i| match seen.get(original[i].as_str()) {
        Some([(1, i), (1, j)]) => Some((*i, *j)),
        _ => None,
    });
    longest_chain(&once.collect::<Vec<_>>())
}

/// The longest subsequence whose second numbers rise; the first ones rise already.
fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length of a chain: the pair that ends the one with the least end. And by pair: the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|l| ends[l]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        chain.push(pairs[index]);
        next = before[index];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split(' ')
            .filter(|w| !w.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn check(a: &str, b: &str, expected: &[(Range<usize>, Range<usize>)]) {
        let expected: Vec<Change> = expected
            .iter()
            .map(|(original, rewritten)| Change {
                original: original.clone(),
                rewritten: rewritten.clone(),
            })
            .collect();
        assert_eq!(changes(&lines(a), &lines(b)), expected, "{a} / {b}");
    }

    #[test]
    fn insertions_and_replacements() {
        check("a b c", "a b c", &[]);
        check("", "", &[]);
        check("a b c d", "a x b y y d", &[(1..1, 1..2), (2..3, 3..5)]);
        check("a b", "", &[(0..2, 0..0)]);
        check("", "a", &[(0..0, 0..1)]);
        check("a b c", "x y", &[(0..3, 0..2)]);
    }

    #[test]
    fn repeated_statements() {
        // The bar occurs twice: no anchor of the whole, and yet found between others.
        check("a bar b bar c", "a bar x b bar c", &[(2..2, 2..3)]);
        check("bar bar bar", "bar x bar", &[(1..2, 1..2)]);
    }

    #[test]
    fn statements_that_changed_places() {
        let found = changes(&lines("a b c d e"), &lines("a d b c e"));
        let kept: usize = found.iter().map(|change| change.original.len()).sum();
        assert_eq!(kept, 1);
    }
}
