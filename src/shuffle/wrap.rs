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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emulator::term::{Symbol, Variance};

    struct Setting {
        terms: Terms,
        /// `ctaid * ntid + tid`, 32 bits.
        i: TermId,
        /// A uniform parameter of 32 bits.
        n: TermId,
    }

    fn setting() -> Setting {
        let mut terms = Terms::new();
        let tid = terms.symbol(Symbol::new("tid.x", 32, Variance::TidX).within(0, 1023));
        let ntid = terms.symbol(Symbol::new("ntid.x", 32, Variance::Uniform).within(1, 1024));
        let ctaid =
            terms.symbol(Symbol::new("ctaid.x", 32, Variance::Uniform).within(0, 0x7fff_fffe));
        let n = terms.symbol(Symbol::new("n", 32, Variance::Uniform));
        let base = terms.mul(ctaid, ntid);
        let i = terms.add(base, tid);
        Setting { terms, i, n }
    }

    fn no_wrap(index: TermId, delta: i64) -> NoWrap {
        NoWrap {
            index,
            delta,
            signed: true,
        }
    }

    #[test]
    fn an_upper_guard_excludes_the_wrap_for_every_distance() {
        let Setting { mut terms, i, n } = setting();
        let guard = terms.less(true, i, n);
        for lanes in [-31, -1, 1, 2, 31] {
            let found = discharge(&mut terms, &no_wrap(i, lanes.into()), lanes, &[guard]);
            assert!(
                matches!(found, Some(Discharge::Proved(_))),
                "{lanes}: {found:?}"
            );
        }
    }

    #[test]
    fn a_lower_guard_excludes_the_wrap_too() {
        let Setting { mut terms, i, .. } = setting();
        let zero = terms.constant(32, 0);
        let negative = terms.less(true, i, zero);
        let guard = terms.not(negative);
        assert!(matches!(
            discharge(&mut terms, &no_wrap(i, -2), -2, &[guard]),
            Some(Discharge::Proved(_))
        ));
    }

    #[test]
    fn an_unsigned_guard_says_nothing_of_a_signed_index() {
        let Setting { mut terms, i, n } = setting();
        let guard = terms.less(false, i, n);
        let found = discharge(&mut terms, &no_wrap(i, 2), 2, &[guard]);
        assert_eq!(found, Some(Discharge::IfNotNegative(n)));
    }

    #[test]
    fn an_index_beyond_the_guard_needs_the_sign_of_the_bound() {
        let Setting { mut terms, i, n } = setting();
        // i < n - 2, and the index is i + 2: n = INT_MIN + 1 lets i + 2 wrap.
        let bound = terms.offset(n, 0u64.wrapping_sub(2));
        let guard = terms.less(true, i, bound);
        let index = terms.offset(i, 2);
        assert_eq!(
            discharge(&mut terms, &no_wrap(index, 1), 1, &[guard]),
            Some(Discharge::IfNotNegative(n))
        );
    }

    #[test]
    fn two_guards_carry_a_bound_to_another_offset() {
        let Setting { mut terms, i, n } = setting();
        let bound = terms.offset(n, 0u64.wrapping_sub(1));
        let one = terms.constant(32, 1);
        let below = terms.less(true, i, one);
        let guards = [terms.less(true, i, bound), terms.not(below)];
        let index = terms.offset(i, 0u64.wrapping_sub(1));
        assert!(matches!(
            discharge(&mut terms, &no_wrap(index, 1), 1, &guards),
            Some(Discharge::Proved(_))
        ));
    }

    #[test]
    fn without_a_guard_the_lane_checks_its_index() {
        let Setting { mut terms, i, .. } = setting();
        let found = discharge(&mut terms, &no_wrap(i, 3), 3, &[]);
        let expected = Discharge::IfInRange {
            index: i,
            offset: 0x8000_0000 - 31,
            limit: 0xffff_ffff - 62,
        };
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_step_that_is_not_the_distance_is_given_up() {
        let Setting { mut terms, i, n } = setting();
        let guard = terms.less(true, i, n);
        assert_eq!(discharge(&mut terms, &no_wrap(i, 3), 2, &[guard]), None);
    }

    /// The checked range is exact: inside it no distance up to 31 wraps, and it is as wide as it can be.
    #[test]
    fn the_range_check_is_tight() {
        let Setting { mut terms, i, .. } = setting();
        let Some(Discharge::IfInRange { offset, limit, .. }) =
            discharge(&mut terms, &no_wrap(i, 1), 1, &[])
        else {
            panic!("a range check")
        };
        let passes = |index: i32| u64::from((index as u32).wrapping_add(offset as u32)) <= limit;
        for (index, expected) in [
            (i32::MAX - 31, true),
            (i32::MAX - 30, false),
            (i32::MIN + 31, true),
            (i32::MIN + 30, false),
            (0, true),
        ] {
            assert_eq!(passes(index), expected, "{index}");
            assert_eq!(
                passes(index),
                (-31..=31).all(|n| index.checked_add(n).is_some())
            );
        }
    }
}
