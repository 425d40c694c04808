//! Counterexamples at edges: values under which the two sides of a comparison meet, or an extended index is about to wrap.
//!
//! Pseudo-random numbers hardly ever meet `n = i + 1`, and each claim that fails only there would start the solver. Such values
//! are found by solving for one symbol: most terms grow by a constant with it, which one more evaluation shows. What comes
//! out is evaluated as any other assignment is: a term that grows otherwise costs an evaluation and nothing else.

use super::sampling::{Outcome, Trial, Values};
use crate::term::{Binary, Node, Order, SymbolId, TermId, Terms, Unary, mask};

/// A difference of two terms, and the value that it is to have.
struct Edge {
    width: u8,
    /// Where the terms are in the order; none for 0.
    left: usize,
    right: Option<usize>,
    target: u64,
}

impl Edge {
    fn new(terms: &Terms, order: &Order, left: TermId, right: Option<TermId>, target: u64) -> Self {
        // The order is by number.
        let position = |t: TermId| order.terms().partition_point(|&other| other < t);
        let width = terms.width(left);
        Edge {
            width,
            left: position(left),
            right: right.map(position),
            target: target & mask(width),
        }
    }

    /// What the difference lacks to its target, given the values of all terms.
    fn missing(&self, values: &[u64]) -> u64 {
        let right = self.right.map_or(0, |right| values[right]);
        let difference = values[self.left].wrapping_sub(right);
        self.target.wrapping_sub(difference) & mask(self.width)
    }
}

/// The edges of all comparisons and extensions in the order.
fn edges(terms: &Terms, order: &Order) -> Vec<Edge> {
    let mut found = Vec::new();
    for &t in order.terms() {
        let (left, right, targets) = match *terms.node(t) {
            Node::Binary(Binary::Equal, a, b) => (a, Some(b), [0, 0]),
            Node::Binary(Binary::ULess | Binary::SLess, a, b) => (a, Some(b), [0, u64::MAX]),
            Node::Unary(Unary::Sext, a) => {
                let least = 1 << (terms.width(a) - 1);
                (a, None, [least, least - 1])
            }
            // A sign, which is another one in the next lane.
            Node::Unary(Unary::Extract(low), a) if low + 1 == terms.width(a) => {
                (a, None, [0, u64::MAX])
            }
            Node::Unary(Unary::Zext, a) if matches!(terms.node(a), Node::Affine { .. }) => {
                (a, None, [0, u64::MAX])
            }
            _ => continue,
        };
        let distinct = 1 + usize::from(targets[0] != targets[1]);
        let targets = targets[..distinct].iter();
        found.extend(targets.map(|&target| Edge::new(terms, order, left, right, target)));
    }
    found
}

/// The least number that is `wanted` if multiplied by `slope`, modulo 2^width, and the distance to the next one.
fn quotient(wanted: u64, slope: u64, width: u8) -> Option<(u64, i128)> {
    let twos = slope.trailing_zeros();
    if slope == 0 || wanted.trailing_zeros() < twos {
        return None;
    }
    let odd = slope >> twos;
    // Each step doubles the number of low bits that are right.
    let inverse = (0..6).fold(1u64, |x, _| {
        x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
    });
    let bits = width - twos as u8;
    let least = (wanted >> twos).wrapping_mul(inverse) & mask(bits);
    Some((least, 1 << bits))
}

/// The value of a symbol that grows by `more`, or by that less `modulus`, if one of them is in its range.
fn grown(terms: &Terms, id: SymbolId, value: u64, (more, modulus): (u64, i128)) -> Option<u64> {
    let (least, greatest) = terms.symbol_data(id).unsigned_range;
    let up = i128::from(value) + i128::from(more);
    let mut both = [up, up - modulus].into_iter();
    both.find_map(|value| {
        let value = u64::try_from(value).ok()?;
        (least..=greatest).contains(&value).then_some(value)
    })
}

/// Values under which the claim fails, found from one of the `bases` by a change of one symbol, in so many evaluations at
/// most.
pub(super) fn counterexample(
    trial: &mut Trial,
    bases: &[Values],
    evaluations: u64,
) -> Option<Values> {
    let (terms, order) = (trial.terms, trial.order);
    let edges = edges(terms, order);
    let mut left = evaluations;
    for base in bases {
        trial.evaluate(base);
        let missing: Vec<u64> = edges
            .iter()
            .map(|edge| edge.missing(&trial.values))
            .collect();
        let mut values = base.clone();
        for (at, &(id, value)) in base.iter().enumerate() {
            let (least, greatest) = terms.symbol_data(id).unsigned_range;
            let up = value < greatest;
            if least == greatest || edges.is_empty() {
                continue;
            }
            left = left.checked_sub(1)?;
            values[at].1 = if up { value + 1 } else { value - 1 };
            if trial.evaluate(&values) == Outcome::Refuted {
                return Some(values);
            }
            let solutions = edges.iter().zip(&missing).filter_map(|(edge, &missing)| {
                let then = edge.missing(&trial.values);
                let slope = match up {
                    true => missing.wrapping_sub(then),
                    false => then.wrapping_sub(missing),
                };
                let solution = quotient(missing, slope & mask(edge.width), edge.width)?;
                grown(terms, id, value, solution)
            });
            let mut solutions: Vec<u64> = solutions.collect();
            solutions.sort_unstable();
            solutions.dedup();
            for solution in solutions {
                left = left.checked_sub(1)?;
                values[at].1 = solution;
                if trial.evaluate(&values) == Outcome::Refuted {
                    return Some(values);
                }
            }
            values[at].1 = value;
        }
    }
    None
}
