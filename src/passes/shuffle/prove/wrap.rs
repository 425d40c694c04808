//! No-wrap obligations of C1 (CONTRACT.md, "Indices of 32 bits").
//!
//! An index `y` that moves by a constant `s` from lane to lane satisfies `ext(y(t) + N*s) = ext(y(t)) + N*s` if
//! * *range*: what is known of `y` at `t` leaves room for `N*s`, or
//! * *guard excludes wrap*: every lane from `t` to `t+N` is present (all clamps require it) and obeys the path condition, and
//!   the condition's bound leaves room for one step `s`: to pass the end of the number line, one of these lanes would have to
//!   be on the last step before it, or
//! * the same after a *run-time check of a uniform value*, or
//! * a *run-time check of the index* itself in the destination's lane.

use super::address::NoWrap;
use ptxasw_emulator::domains::intervals::{self, Line, comparison, interval};
use ptxasw_emulator::term::{TermId, Terms, signed};
use smallvec::SmallVec;

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

/// The reason of an obligation that needs no lane but the destination's.
pub const BY_RANGE: &str = "the range of the index excludes an overflow";

/// Those of `facts` that `discharge` rests on: none of them can be left out.
pub fn used(
    terms: &mut Terms,
    obligation: &NoWrap,
    lanes: i32,
    facts: &[TermId],
    own: &[TermId],
    found: &Discharge,
) -> Vec<TermId> {
    if matches!(found, Discharge::IfInRange { .. }) {
        return Vec::new();
    }
    let (subject, _) = subject(terms, obligation);
    let mut used = intervals::about(terms, subject, facts);
    for fact in used.clone() {
        let without: Vec<TermId> = used
            .iter()
            .copied()
            .filter(|&other| other != fact)
            .collect();
        if discharge(terms, obligation, lanes, &without, own).as_ref() == Some(found) {
            used = without;
        }
    }
    used
}

/// What facts and registers speak of in the place of an index, and the number line of that: numbers of few bits are mostly
/// held zero-extended.
fn subject(terms: &mut Terms, obligation: &NoWrap) -> (TermId, Line) {
    let width = terms.width(obligation.index);
    if width < 32 && !obligation.signed {
        (terms.zext(obligation.index, 32), Line::new(32, false))
    } else {
        (obligation.index, Line::new(width, obligation.signed))
    }
}

/// Decides `obligation` for a neighbour `delta` lanes away, under facts that hold in every lane from the destination's to
/// the neighbour's, and facts of the destination's `own` lane.
pub fn discharge(
    terms: &mut Terms,
    obligation: &NoWrap,
    lanes: i32,
    facts: &[TermId],
    own: &[TermId],
) -> Option<Discharge> {
    if obligation.delta == 0 {
        return Some(Discharge::Proved("equal indices"));
    }
    let index = obligation.index;
    let line = Line::new(terms.width(index), obligation.signed);
    let step = step_per_lane(terms, index, obligation.delta, lanes);
    let (subject, wide) = subject(terms, obligation);
    let facts = intervals::about(terms, subject, facts);
    let mut here = intervals::about(terms, subject, own);
    here.extend_from_slice(&facts);
    let known = interval(terms, subject, &here, wide, None);
    if line.holds(known.shifted(obligation.delta.into())) {
        return Some(Discharge::Proved(BY_RANGE));
    }
    let known = interval(terms, subject, &facts, wide, None);
    if step.is_some_and(|step| line.leaves_room(known, step)) {
        return Some(Discharge::Proved("the guard excludes an overflow"));
    }
    if subject != index {
        return below_edge(subject, line, obligation.delta.into());
    }
    if let Some(step) = step
        && let Some(uniform) = helpful_assumption(terms, index, &facts, line, step)
    {
        return Some(Discharge::IfNotNegative(uniform));
    }
    // Where lanes are no constant step apart, the destination's lane looks at its own index alone.
    let reach = match step {
        Some(step) => step.abs() * MAX_LANES,
        None => MAX_LANES.max(i128::from(obligation.delta).abs()),
    };
    in_range(terms, index, line, reach)
}

/// By how much the index grows from one lane to the next, if that is a constant and `delta` is that many steps.
pub(super) fn step_per_lane(
    terms: &mut Terms,
    index: TermId,
    delta: i64,
    lanes: i32,
) -> Option<i128> {
    let step = match terms.lane_step(index) {
        Some(step) => step,
        None => {
            let next = terms.shift_lane(index, 1);
            terms.difference(index, next)?
        }
    };
    let step = signed(terms.width(index), step);
    (i128::from(step) * i128::from(lanes) == i128::from(delta)).then_some(step.into())
}

/// The check of a narrow number: as close to the edge as the distance allows, since there are few numbers.
fn below_edge(index: TermId, line: Line, delta: i128) -> Option<Discharge> {
    let (low, high) = (line.low.max(-delta), line.high - delta.max(0));
    (low <= high).then_some(Discharge::IfInRange {
        index,
        offset: (-low as u64) & u64::from(u32::MAX),
        limit: (high - low) as u64,
    })
}

/// The check that every lane can make for itself: the index is at least so far from both ends.
fn in_range(terms: &Terms, index: TermId, line: Line, margin: i128) -> Option<Discharge> {
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
    let mut tried: SmallVec<[TermId; 8]> = SmallVec::new();
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
                if tried.contains(&candidate) {
                    continue;
                }
                tried.push(candidate);
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

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_emulator::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

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
        let ntid =
            terms.symbol(Symbol::new("ntid.x", 32, Variance::Of(Level::Uniform)).within(1, 1024));
        let ctaid = terms.symbol(
            Symbol::new("ctaid.x", 32, Variance::Of(Level::Uniform)).within(0, 0x7fff_fffe),
        );
        let n = terms.symbol(Symbol::new("n", 32, Variance::Of(Level::Uniform)));
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
            let found = discharge(&mut terms, &no_wrap(i, lanes.into()), lanes, &[guard], &[]);
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
            discharge(&mut terms, &no_wrap(i, -2), -2, &[guard], &[]),
            Some(Discharge::Proved(_))
        ));
    }

    #[test]
    fn an_unsigned_guard_says_nothing_of_a_signed_index() {
        let Setting { mut terms, i, n } = setting();
        let guard = terms.less(false, i, n);
        let found = discharge(&mut terms, &no_wrap(i, 2), 2, &[guard], &[]);
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
            discharge(&mut terms, &no_wrap(index, 1), 1, &[guard], &[]),
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
            discharge(&mut terms, &no_wrap(index, 1), 1, &guards, &[]),
            Some(Discharge::Proved(_))
        ));
    }

    #[test]
    fn without_a_guard_the_lane_checks_its_index() {
        let Setting { mut terms, i, .. } = setting();
        let found = discharge(&mut terms, &no_wrap(i, 3), 3, &[], &[]);
        let expected = Discharge::IfInRange {
            index: i,
            offset: 0x8000_0000 - 31,
            limit: 0xffff_ffff - 62,
        };
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_step_that_is_not_the_distance_needs_a_check() {
        let Setting { mut terms, i, n } = setting();
        let guard = terms.less(true, i, n);
        let found = discharge(&mut terms, &no_wrap(i, 40), 2, &[guard], &[]);
        let expected = Discharge::IfInRange {
            index: i,
            offset: 0x8000_0000 - 40,
            limit: 0xffff_ffff - 80,
        };
        assert_eq!(found, Some(expected));
    }

    /// The checked range is exact: inside it no distance up to 31 wraps, and it is as wide as it can be.
    #[test]
    fn the_range_check_is_tight() {
        let Setting { mut terms, i, .. } = setting();
        let Some(Discharge::IfInRange { offset, limit, .. }) =
            discharge(&mut terms, &no_wrap(i, 1), 1, &[], &[])
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
