//! No-wrap obligations of C1 (soundness.md, "32-bit indices").
//!
//! An index `y` that moves by a constant `s` from lane to lane satisfies `ext(y(t) + N*s) = ext(y(t)) + N*s` if
//! * *range*: what is known of `y` at `t` leaves room for `N*s`, or
//! * *guard excludes wrap*: every lane from `t` to `t+N` is present (all clamps require it) and obeys the path condition, and
//!   the condition's bound leaves room for one step `s`: to pass the end of the number line, one of these lanes would have
//!   to stand on the last step before it, or
//! * the same after a *run-time check of a uniform value*, or
//! * a *run-time check of the index* itself in the destination's lane.

use super::address::{NoWrap, sign_extend};
use crate::emulator::term::{Binary, Node, TermId, Terms, Unary};
use smallvec::SmallVec;

/// Facts of one shape that are combined.
const MAX_BOUNDS: usize = 16;
/// Largest |N|: the lanes of a warp.
const MAX_LANES: i128 = 31;

/// How an obligation is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discharge {
    /// Proved; in words.
    Proved(&'static str),
    /// Holds if this uniform term is not negative.
    IfNotNegative(TermId),
    /// Holds where `index + offset <= limit`, unsigned.
    IfInRange {
        /// The index.
        index: TermId,
        /// Added modulo 2^width.
        offset: u64,
        /// Bound.
        limit: u64,
    },
}

/// Decides `obligation` for a neighbour `delta` lanes away, under facts that hold in every lane from the destination's to
/// the neighbour's.
pub fn discharge(
    terms: &mut Terms,
    obligation: &NoWrap,
    lanes: i32,
    facts: &[TermId],
) -> Option<Discharge> {
    if obligation.delta == 0 {
        return Some(Discharge::Proved("equal indices"));
    }
    let index = obligation.index;
    let line = Line::new(terms.width(index), obligation.signed);
    let step = step_per_lane(terms, index, obligation.delta, lanes);
    let known = interval(terms, index, facts, line, None);
    if line.holds(known.shifted(obligation.delta.into())) {
        return Some(Discharge::Proved("the index' range excludes a wrap"));
    }
    if step.is_some_and(|step| line.leaves_room(known, step)) {
        return Some(Discharge::Proved("the guard excludes a wrap"));
    }
    if let Some(step) = step
        && let Some(uniform) = helpful_assumption(terms, index, facts, line, step)
    {
        return Some(Discharge::IfNotNegative(uniform));
    }
    step.and_then(|step| in_range(terms, index, line, step))
}

/// By how much the index grows from one lane to the next, if that is a constant and `delta` is that many steps.
fn step_per_lane(terms: &mut Terms, index: TermId, delta: i64, lanes: i32) -> Option<i128> {
    let next = terms.shift_lane(index, 1);
    let width = terms.width(index);
    let difference = terms.sub(next, index);
    let step = sign_extend(width, terms.as_const(difference)?);
    (i128::from(step) * i128::from(lanes) == i128::from(delta)).then_some(step.into())
}

/// The check that every lane can make for itself: the index is at least 31 steps from both ends.
fn in_range(terms: &Terms, index: TermId, line: Line, step: i128) -> Option<Discharge> {
    let margin = step.abs() * MAX_LANES;
    let (low, high) = (line.low + margin, line.high - margin);
    if low >= high {
        return None;
    }
    let mask = (1u128 << terms.width(index)) - 1;
    Some(Discharge::IfInRange {
        index,
        offset: ((-low) as u128 & mask) as u64,
        limit: (high - low) as u64,
    })
}

/// A uniform term whose sign, once checked, lets a guard exclude the wrap.
fn helpful_assumption(
    terms: &mut Terms,
    index: TermId,
    facts: &[TermId],
    line: Line,
    step: i128,
) -> Option<TermId> {
    for &fact in facts {
        let Some(comparison) = comparison(terms, fact) else {
            continue;
        };
        for side in [comparison.left, comparison.right] {
            let (_, atoms) = terms.affine(side);
            if atoms.is_empty() || !terms.is_uniform(side) {
                continue;
            }
            let without_constant = without_constant(terms, side);
            for candidate in [without_constant, side] {
                if terms.signed_range(candidate).0 < 0
                    && line.leaves_room(interval(terms, index, facts, line, Some(candidate)), step)
                {
                    return Some(candidate);
                }
            }
        }
    }
    None
}

fn without_constant(terms: &mut Terms, term: TermId) -> TermId {
    let (constant, _) = terms.affine(term);
    let width = terms.width(term);
    let constant = terms.constant(width, constant);
    terms.sub(term, constant)
}

/// The number line of one width and signedness.
#[derive(Clone, Copy)]
struct Line {
    low: i128,
    high: i128,
    signed: bool,
}

impl Line {
    fn new(width: u8, signed: bool) -> Self {
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

    fn holds(self, interval: Interval) -> bool {
        self.low <= interval.low && interval.high <= self.high
    }

    /// One step from anywhere in the interval stays on the line, either up from every lane or down from every lane.
    fn leaves_room(self, interval: Interval, step: i128) -> bool {
        interval.high + step.abs() <= self.high || interval.low - step.abs() >= self.low
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    fn shifted(self, by: i128) -> Interval {
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

/// What ranges and facts say of `index`, with `assumed`, if given, taken as not negative.
fn interval(
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
struct Comparison {
    left: TermId,
    right: TermId,
    relation: Relation,
    signed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    LessEqual,
    Equal,
}

fn comparison(terms: &Terms, fact: TermId) -> Option<Comparison> {
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
        let difference = terms.sub(this, index);
        let Some(offset) = terms.as_const(difference) else {
            continue;
        };
        let Some(limit) = bound(terms, other, comparison, above, gap, line, assumed) else {
            continue;
        };
        let offset = i128::from(sign_extend(width, offset));
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
    let difference = terms.sub(term, assumed);
    let Some(offset) = terms.as_const(difference) else {
        return known;
    };
    let not_negative = Interval {
        low: 0,
        high: Line::new(width, true).high,
    };
    let moved = not_negative.shifted(sign_extend(width, offset).into());
    if line.holds(moved) {
        known.meet(moved)
    } else {
        known
    }
}
