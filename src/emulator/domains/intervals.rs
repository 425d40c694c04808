//! Bounds: what facts say of a term, by interval arithmetic over the comparisons in them.
//!
//! A fact `y + e < b` bounds `y + e` by the range of `b`; bounds of `y + e` and `y + f` carry over to each other where the
//! number line has room for `f - e`.

use crate::term::{Binary, Node, TermId, Terms, Unary, signed};
use smallvec::SmallVec;

/// Offsets of one term that facts bound.
const MAX_BOUNDS: usize = 16;

/// The number line of one width and signedness.
#[derive(Clone, Copy)]
pub struct Line {
    /// Least number.
    pub low: i128,
    /// Greatest number.
    pub high: i128,
    signed: bool,
}

impl Line {
    /// The numbers of `width` bits.
    pub fn new(width: u8, signed: bool) -> Self {
        let size = 1i128 << width;
        if signed {
            Line {
                low: -size / 2,
                high: size / 2 - 1,
                signed,
            }
        } else {
            Line {
                low: 0,
                high: size - 1,
                signed,
            }
        }
    }

    /// Whether no number of the interval is off the line.
    pub fn holds(self, interval: Interval) -> bool {
        self.low <= interval.low && interval.high <= self.high
    }

    /// One step from anywhere in the interval stays on the line, either up from every lane or down from every lane.
    pub fn leaves_room(self, interval: Interval, step: i128) -> bool {
        interval.high + step.abs() <= self.high || interval.low - step.abs() >= self.low
    }
}

/// Numbers from `low` to `high`, both included; none if `low` is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Least.
    pub low: i128,
    /// Greatest.
    pub high: i128,
}

impl Interval {
    /// Every number plus `by`.
    pub fn shifted(self, by: i128) -> Interval {
        Interval {
            low: self.low + by,
            high: self.high + by,
        }
    }

    fn meet(self, other: Interval) -> Interval {
        Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// The facts that [`interval`] can draw on: comparisons of `index` plus a constant.
pub fn about(terms: &mut Terms, index: TermId, facts: &[TermId]) -> Vec<TermId> {
    let mut speaks_of_it = |&fact: &TermId| {
        comparison(terms, fact).is_some_and(|comparison| {
            [comparison.left, comparison.right]
                .into_iter()
                .any(|side| terms.difference(index, side).is_some())
        })
    };
    facts
        .iter()
        .copied()
        .filter(|fact| speaks_of_it(fact))
        .collect()
}

/// What ranges and facts say of `index`, with `assumed`, if given, taken as not negative.
pub fn interval(
    terms: &mut Terms,
    index: TermId,
    facts: &[TermId],
    line: Line,
    assumed: Option<TermId>,
) -> Interval {
    let width = terms.width(index);
    let own = interval_on(terms, index, facts, line, assumed);
    let other = Line::new(width, !line.signed);
    let found = interval_on(terms, index, facts, other, assumed);
    // Both readings agree on numbers from 0 to the signed maximum.
    if found.low >= 0 && found.high <= Line::new(width, true).high {
        own.meet(found)
    } else {
        own
    }
}

/// As [`interval`], from the facts that bound the index on this very line.
fn interval_on(
    terms: &mut Terms,
    index: TermId,
    facts: &[TermId],
    line: Line,
    assumed: Option<TermId>,
) -> Interval {
    // Bounds of `index + e` for the offsets e that the facts speak of; the index itself is the first.
    let mut bounds: SmallVec<[(i128, Interval); MAX_BOUNDS]> = SmallVec::new();
    bounds.push((0, range(terms, index, line, assumed)));
    for &fact in facts {
        if let Some(comparison) = comparison(terms, fact) {
            add_bounds(terms, index, &comparison, line, assumed, &mut bounds);
        }
    }
    // A bound of `index + e` carries over to `index + f` if that does not wrap. Twice reaches every combination of two.
    for _ in 0..2 {
        for from in 0..bounds.len() {
            for to in 0..bounds.len() {
                let moved = bounds[from].1.shifted(bounds[to].0 - bounds[from].0);
                if line.holds(moved) {
                    bounds[to].1 = bounds[to].1.meet(moved);
                }
            }
        }
    }
    bounds[0].1
}

/// `left < right`, `left <= right` or `left = right`, signed or unsigned.
pub struct Comparison {
    /// Left operand.
    pub left: TermId,
    /// Right operand.
    pub right: TermId,
    relation: Relation,
    /// Both are read as two's complement.
    pub signed: bool,
}

impl Comparison {
    /// The left is less than the right.
    pub fn is_strict(&self) -> bool {
        self.relation == Relation::Less
    }

    /// Both are equal.
    pub fn is_equality(&self) -> bool {
        self.relation == Relation::Equal
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    LessEqual,
    Equal,
}

/// Reads a one-bit term as a comparison.
pub fn comparison(terms: &Terms, fact: TermId) -> Option<Comparison> {
    let (inner, negated) = match *terms.node(fact) {
        Node::Unary(Unary::Not, inner) => (inner, true),
        _ => (fact, false),
    };
    match *terms.node(inner) {
        Node::Binary(kind @ (Binary::SLess | Binary::ULess), a, b) => {
            let (left, right, relation) = if negated {
                (b, a, Relation::LessEqual)
            } else {
                (a, b, Relation::Less)
            };
            Some(Comparison {
                left,
                right,
                relation,
                signed: kind == Binary::SLess,
            })
        }
        Node::Binary(Binary::Equal, left, right) if !negated => Some(Comparison {
            left,
            right,
            relation: Relation::Equal,
            signed: true,
        }),
        _ => None,
    }
}

fn add_bounds(
    terms: &mut Terms,
    index: TermId,
    comparison: &Comparison,
    line: Line,
    assumed: Option<TermId>,
    bounds: &mut SmallVec<[(i128, Interval); MAX_BOUNDS]>,
) {
    let width = terms.width(index);
    let gap = i128::from(comparison.relation == Relation::Less);
    for (this, other, above) in [
        (comparison.left, comparison.right, true),
        (comparison.right, comparison.left, false),
    ] {
        if bounds.len() >= MAX_BOUNDS || terms.width(this) != width {
            continue;
        }
        let Some(offset) = terms.difference(index, this) else {
            continue;
        };
        let Some(limit) = bound(terms, other, comparison, above, gap, line, assumed) else {
            continue;
        };
        let offset = i128::from(signed(width, offset));
        match bounds.iter_mut().find(|(known, _)| *known == offset) {
            Some((_, interval)) => *interval = interval.meet(limit),
            None => {
                let known = range(terms, this, line, assumed);
                bounds.push((offset, known.meet(limit)));
            }
        }
    }
}

/// What `this < other` (`above`) or `other < this` says of `this` as a number of `line`.
fn bound(
    terms: &mut Terms,
    other: TermId,
    comparison: &Comparison,
    above: bool,
    gap: i128,
    line: Line,
    assumed: Option<TermId>,
) -> Option<Interval> {
    let width = terms.width(other);
    let own = Line::new(width, comparison.signed);
    let limit = range(terms, other, own, assumed);
    let on_own = match (comparison.relation, above) {
        (Relation::Equal, _) => limit,
        (_, true) => Interval {
            low: own.low,
            high: limit.high - gap,
        },
        (_, false) => Interval {
            low: limit.low + gap,
            high: own.high,
        },
    };
    // A bound on the other line helps where both lines agree: on numbers from 0 to the signed maximum.
    if own.signed == line.signed || (on_own.low >= 0 && on_own.high <= Line::new(width, true).high)
    {
        Some(on_own)
    } else {
        None
    }
}

/// The range of a term on a line.
fn range(terms: &mut Terms, term: TermId, line: Line, assumed: Option<TermId>) -> Interval {
    let known = if line.signed {
        let (low, high) = terms.signed_range(term);
        Interval {
            low: low.into(),
            high: high.into(),
        }
    } else {
        let (low, high) = terms.unsigned_range(term);
        Interval {
            low: low.into(),
            high: high.into(),
        }
    };
    let Some(assumed) = assumed else { return known };
    let width = terms.width(term);
    if terms.width(assumed) != width {
        return known;
    }
    let Some(offset) = terms.difference(assumed, term) else {
        return known;
    };
    let not_negative = Interval {
        low: 0,
        high: Line::new(width, true).high,
    };
    let moved = not_negative.shifted(signed(width, offset).into());
    if line.holds(moved) {
        known.meet(moved)
    } else {
        known
    }
}

/// Whether a condition is true or false under facts, where bounds decide it.
pub fn decide(terms: &mut Terms, condition: TermId, facts: &[TermId]) -> Option<bool> {
    if let Some(bit) = terms.as_const(condition) {
        return Some(bit == 1);
    }
    let negated = terms.not(condition);
    let known = facts.iter().find_map(|&fact| {
        if fact == condition {
            return Some(true);
        }
        (fact == negated).then_some(false)
    });
    if known.is_some() {
        return known;
    }
    let comparison = comparison(terms, condition)?;
    let line = Line::new(terms.width(comparison.left), comparison.signed);
    let left = interval(terms, comparison.left, facts, line, None);
    let right = interval(terms, comparison.right, facts, line, None);
    match comparison.relation {
        Relation::Less if left.high < right.low => Some(true),
        Relation::Less if left.low >= right.high => Some(false),
        Relation::LessEqual if left.high <= right.low => Some(true),
        Relation::LessEqual if left.low > right.high => Some(false),
        Relation::Equal if left.high < right.low || right.high < left.low => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    #[test]
    fn facts_decide_conditions_that_follow() {
        let mut terms = Terms::new();
        let n = terms.symbol(Symbol::new("n", 32, Variance::Of(Level::Uniform)));
        let constant = |terms: &mut Terms, value: i32| terms.constant(32, value as u32 as u64);
        let ten = constant(&mut terms, 10);
        let twenty = constant(&mut terms, 20);
        let below_ten = terms.less(true, n, ten);
        let below_twenty = terms.less(true, n, twenty);
        let above_twenty = terms.not(below_twenty);
        assert_eq!(decide(&mut terms, below_twenty, &[below_ten]), Some(true));
        assert_eq!(decide(&mut terms, above_twenty, &[below_ten]), Some(false));
        assert_eq!(decide(&mut terms, below_ten, &[below_twenty]), None);
        // The unsigned reading of a signed bound without a lower end says nothing.
        let unsigned = terms.less(false, n, twenty);
        assert_eq!(decide(&mut terms, unsigned, &[below_ten]), None);
        let zero = constant(&mut terms, 0);
        let negative = terms.less(true, n, zero);
        let not_negative = terms.not(negative);
        assert_eq!(
            decide(&mut terms, unsigned, &[below_ten, not_negative]),
            Some(true)
        );
    }

    #[test]
    fn an_equality_that_bounds_exclude_is_false() {
        let mut terms = Terms::new();
        let n = terms.symbol(Symbol::new("n", 32, Variance::Of(Level::Uniform)));
        let ten = terms.constant(32, 10);
        let seventeen = terms.constant(32, 17);
        let below_ten = terms.less(false, n, ten);
        let equal = terms.equal(n, seventeen);
        assert_eq!(decide(&mut terms, equal, &[below_ten]), Some(false));
    }
}
