//! Order: comparisons that follow from others, by integer difference constraints.
//!
//! A term is a shape (its sum without the constant) plus a constant. Where neither side of a comparison wraps, `x + c < y + d`
//! bounds the difference of two shapes, and bounds of differences add up along paths. How far a shape can go decides
//! what wraps, and what does not wrap narrows how far it can go: a few rounds reach what guards say.

use super::intervals::{self, Comparison, Line};
use crate::term::{Binary, Node, TermId, Terms, Unary, signed};
use smallvec::SmallVec;

/// Shapes that one question can be about.
const MAX_SHAPES: usize = 6;
/// Facts that one question can rest on.
const MAX_FACTS: usize = 32;
/// Rounds in which bounds sharpen each other.
const ROUNDS: usize = 4;
/// The node of the number 0.
const ZERO: usize = 0;
/// No bound; two of them can be added.
const FAR: i128 = i128::MAX / 4;

/// Whether `goal`, one bit, holds wherever all `facts` do, with `assumed`, if given, taken as not negative.
pub fn implied(terms: &mut Terms, goal: TermId, facts: &[TermId], assumed: Option<TermId>) -> bool {
    if terms.as_const(goal) == Some(1) || facts.contains(&goal) {
        return true;
    }
    match *terms.node(goal) {
        Node::Binary(Binary::And, a, b) => {
            return implied(terms, a, facts, assumed) && implied(terms, b, facts, assumed);
        }
        Node::Unary(Unary::Not, inner) => {
            if let Node::Binary(Binary::Equal, a, b) = *terms.node(inner)
                && terms.width(a) > 1
            {
                return differ(terms, a, b, facts, assumed);
            }
        }
        _ => {}
    }
    compared(terms, goal, facts, assumed)
}

/// As [`implied`], for a comparison.
fn compared(terms: &mut Terms, goal: TermId, facts: &[TermId], assumed: Option<TermId>) -> bool {
    let Some(comparison) = intervals::comparison(terms, goal) else {
        return false;
    };
    if intervals::decide(terms, goal, facts) == Some(true) {
        return true;
    }
    System::new(terms, &comparison, facts, assumed)
        .is_some_and(|mut system| system.solve(terms, &comparison))
}

/// Two terms differ if one is less than the other, in either reading.
fn differ(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    facts: &[TermId],
    assumed: Option<TermId>,
) -> bool {
    let (a, b) = compared_by_equality(terms, a, b);
    [(true, a, b), (true, b, a), (false, a, b), (false, b, a)]
        .into_iter()
        .any(|(is_signed, low, high)| {
            let less = terms.less(is_signed, low, high);
            compared(terms, less, facts, assumed)
        })
}

/// An equality is kept as that of a difference with a number: its two sides again.
fn compared_by_equality(terms: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    let width = terms.width(a);
    let difference = terms.sub(a, b);
    let (constant, atoms) = terms.affine(difference);
    let (minus, plus): (Vec<_>, Vec<_>) = atoms
        .into_iter()
        .partition(|&(_, coefficient)| signed(width, coefficient) < 0);
    let minus: Vec<_> = minus
        .into_iter()
        .map(|(atom, coefficient)| (atom, coefficient.wrapping_neg()))
        .collect();
    let a = terms.sum(width, constant, &plus);
    let b = terms.sum(width, 0, &minus);
    (a, b)
}

/// Those of `facts` that speak of what `goal` compares, or of what those facts compare it with.
pub fn about(terms: &mut Terms, goal: TermId, facts: &[TermId]) -> Vec<TermId> {
    let mut shapes: SmallVec<[TermId; MAX_SHAPES]> = SmallVec::new();
    let mut goals = vec![goal];
    while let Some(goal) = goals.pop() {
        match *terms.node(goal) {
            Node::Binary(Binary::And, a, b) => goals.extend([a, b]),
            _ => {
                let goal = match *terms.node(goal) {
                    Node::Unary(Unary::Not, inner) => inner,
                    _ => goal,
                };
                if let Node::Binary(op, a, b) = *terms.node(goal) {
                    let (a, b) = match op {
                        Binary::Equal => compared_by_equality(terms, a, b),
                        _ => (a, b),
                    };
                    for side in [a, b] {
                        shapes.push(split(terms, side).0);
                    }
                }
            }
        }
    }
    let mut found = Vec::new();
    for _ in 0..2 {
        for &fact in facts {
            let Some(sides) = sides(terms, fact) else {
                continue;
            };
            let speaks =
                |shape: &TermId| shapes.contains(shape) && terms.as_const(*shape).is_none();
            if !found.contains(&fact) && sides.iter().any(speaks) {
                found.push(fact);
                if shapes.len() < MAX_SHAPES {
                    shapes.extend(sides);
                }
            }
        }
    }
    found
}

/// The shapes of both sides of a comparison.
fn sides(terms: &mut Terms, fact: TermId) -> Option<[TermId; 2]> {
    let comparison = intervals::comparison(terms, fact)?;
    Some([
        split(terms, comparison.left).0,
        split(terms, comparison.right).0,
    ])
}

/// A term as its shape and its constant.
pub fn split(terms: &mut Terms, t: TermId) -> (TermId, i128) {
    let width = terms.width(t);
    let (constant, _) = terms.affine(t);
    let shape = terms.offset(t, constant.wrapping_neg());
    (shape, signed(width, constant).into())
}

/// A term as a node of the system plus a constant.
#[derive(Clone, Copy)]
struct NodeOffset {
    node: usize,
    constant: i128,
}

/// `left + gap <= right`, between the integers that two terms are on the fact's own line.
struct Constraint {
    left: NodeOffset,
    right: NodeOffset,
    gap: i128,
    signed: bool,
}

/// Bounds of differences of shapes on one line.
struct System {
    line: Line,
    signed: bool,
    width: u8,
    shapes: SmallVec<[TermId; MAX_SHAPES]>,
    constraints: Vec<Constraint>,
    /// `most[a][b]`: the value of node a less that of node b is at most this.
    most: Vec<Vec<i128>>,
}

impl System {
    fn new(
        terms: &mut Terms,
        goal: &Comparison,
        facts: &[TermId],
        assumed: Option<TermId>,
    ) -> Option<Self> {
        let width = terms.width(goal.left);
        let zero = terms.constant(width, 0);
        let mut system = System {
            line: Line::new(width, goal.signed),
            signed: goal.signed,
            width,
            shapes: SmallVec::from_slice(&[zero]),
            constraints: Vec::new(),
            most: Vec::new(),
        };
        system.node_offset(terms, goal.left)?;
        system.node_offset(terms, goal.right)?;
        // Facts about the goal's shapes, then about the shapes that those bring in.
        let mut taken = vec![false; facts.len()];
        for _ in 0..2 {
            for (&fact, taken) in facts.iter().zip(&mut taken) {
                *taken = *taken || system.add(terms, fact);
            }
        }
        let count = system.shapes.len();
        system.most = vec![vec![FAR; count]; count];
        for node in 0..count {
            let shape = system.shapes[node];
            let known = intervals::interval(terms, shape, facts, system.line, assumed);
            system.most[node][ZERO] = known.high;
            system.most[ZERO][node] = -known.low;
            system.most[node][node] = 0;
        }
        Some(system)
    }

    fn node_offset(&mut self, terms: &mut Terms, t: TermId) -> Option<NodeOffset> {
        let (shape, constant) = split(terms, t);
        // A constant is read as the line reads it.
        let constant = match terms.as_const(t) {
            Some(bits) if !self.signed => bits.into(),
            _ => constant,
        };
        let node = match self.shapes.iter().position(|&known| known == shape) {
            Some(node) => node,
            None if self.shapes.len() < MAX_SHAPES => {
                self.shapes.push(shape);
                self.shapes.len() - 1
            }
            None => return None,
        };
        Some(NodeOffset { node, constant })
    }

    /// Takes a fact in, if it speaks of a shape of the system.
    fn add(&mut self, terms: &mut Terms, fact: TermId) -> bool {
        let Some(comparison) = intervals::comparison(terms, fact) else {
            return false;
        };
        if terms.width(comparison.left) != self.width || self.constraints.len() >= MAX_FACTS {
            return false;
        }
        let known = |system: &Self, terms: &mut Terms, t: TermId| {
            let (shape, _) = split(terms, t);
            terms.as_const(shape).is_none() && system.shapes.contains(&shape)
        };
        if !known(self, terms, comparison.left) && !known(self, terms, comparison.right) {
            return false;
        }
        let (Some(left), Some(right)) = (
            self.node_offset(terms, comparison.left),
            self.node_offset(terms, comparison.right),
        ) else {
            return false;
        };
        let gap = i128::from(comparison.is_strict());
        let mut push = |left, right, gap| {
            self.constraints.push(Constraint {
                left,
                right,
                gap,
                signed: comparison.signed,
            });
        };
        push(left, right, gap);
        if comparison.is_equality() {
            push(right, left, 0);
        }
        true
    }

    /// Least and greatest integer that a term can be.
    fn range(&self, at: NodeOffset) -> (i128, i128) {
        (
            at.constant - self.most[ZERO][at.node],
            at.constant + self.most[at.node][ZERO],
        )
    }

    /// Whether a term's node and constant give the number that it is on the system's line.
    fn exact(&self, at: NodeOffset) -> bool {
        let (low, high) = self.range(at);
        self.line.low <= low && high <= self.line.high
    }

    /// Whether a constraint holds between the integers on the system's line.
    fn applies(&self, constraint: &Constraint) -> bool {
        if !self.exact(constraint.left) || !self.exact(constraint.right) {
            return false;
        }
        // Both lines agree on numbers from 0 to the signed maximum.
        let most = Line::new(self.width, true).high;
        let common = |at| {
            let (low, high) = self.range(at);
            low >= 0 && high <= most
        };
        constraint.signed == self.signed || (common(constraint.left) && common(constraint.right))
    }

    fn solve(&mut self, terms: &mut Terms, goal: &Comparison) -> bool {
        let count = self.shapes.len();
        for _ in 0..ROUNDS {
            for index in 0..self.constraints.len() {
                let constraint = &self.constraints[index];
                if self.applies(constraint) {
                    let (left, right) = (constraint.left, constraint.right);
                    let most = right.constant - left.constant - constraint.gap;
                    let known = &mut self.most[left.node][right.node];
                    *known = most.min(*known);
                }
            }
            for through in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        let around = self.most[from][through] + self.most[through][to];
                        if around < self.most[from][to] {
                            self.most[from][to] = around;
                        }
                    }
                }
            }
        }
        let (Some(left), Some(right)) = (
            self.node_offset(terms, goal.left),
            self.node_offset(terms, goal.right),
        ) else {
            return false;
        };
        if goal.is_equality() || !self.exact(left) || !self.exact(right) {
            return false;
        }
        let gap = i128::from(goal.is_strict());
        self.most[left.node][right.node] <= right.constant - left.constant - gap
    }
}

#[cfg(test)]
mod tests;
