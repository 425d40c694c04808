//! What is tested of distances of accesses: that they are in no range in which bytes meet.

use super::entry::{Entry, Writing, plus, times};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::op::{Comparison, Op};
use ptxasw_ir::patch::{Cursor, Ref};
use ptxasw_ir::types::{Kind, Type};
use std::collections::BTreeMap;

/// Bound of what is added to the pointers of all gaps of a hull, so that no sum of such numbers wraps: the length of the range that is tested is at most twice this, and that of the ends.
const MAX_HULL: i128 = 1 << 61;

/// Pointers with the factors by which they are added.
pub type Pointers = Vec<(TermId, i64)>;

/// A number that the entry computes: a term of 64 bits, or a shorter one with its sign.
pub type Stride = TermId;

/// Where bytes meet: modulo 2 to the width, the sum of pointers is in a range, with `factor * stride` added for each stride, any
/// factor of its range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Gap {
    /// The sum. None: it is zero, and what meets are places of one array.
    pub pointers: Pointers,
    /// Bits of the distance.
    pub width: u8,
    /// The least and the greatest.
    pub range: (i128, i128),
    /// Numbers with the range of their factors, which are those of the distance, negated.
    pub strides: BTreeMap<Stride, (i64, i64)>,
    /// The largest that everything but the pointers can be, of all that were joined.
    pub reach: i128,
    /// Some of the strides are extents: what loops add to the distance is between the ends of their multiples.
    pub over_loops: bool,
}

/// What tests must have in common to become one: their pointers, or the stride of places of one array.
pub type GapKey = (Pointers, Option<TermId>);

impl Gap {
    /// Negates a gap whose first factor is negative, and returns whether it did: `-sum` is in the negated range where `sum` is in the range.
    /// The range itself is left to the caller.
    pub fn make_canonical(&mut self) -> bool {
        let first = match self.pointers.first() {
            Some(&(_, factor)) => factor,
            // The stride itself is on the other side of the equation.
            None => self.strides.values().next().map_or(0, |range| -range.0),
        };
        if first >= 0 {
            return false;
        }
        for (_, factor) in &mut self.pointers {
            *factor = factor.wrapping_neg();
        }
        for range in self.strides.values_mut() {
            *range = (range.1.wrapping_neg(), range.0.wrapping_neg());
        }
        true
    }

    /// What tests must have in common to become one.
    pub fn key(&self) -> GapKey {
        (self.pointers.clone(), self.only_stride())
    }

    /// The stride of places of one array.
    pub fn only_stride(&self) -> Option<TermId> {
        let stride = self.strides.keys().next().copied();
        stride.filter(|_| self.pointers.is_empty())
    }

    /// What it rests on.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        let pointers = self.pointers.iter().map(|&(root, _)| root);
        pointers.chain(self.strides.keys().copied())
    }

    /// Instructions that the test takes, roughly.
    pub fn cost(&self) -> usize {
        let strides = self.strides.values();
        let strides = strides.map(|(least, greatest)| if least == greatest { 2 } else { 6 });
        match self.only_stride() {
            Some(_) => 3,
            None => 4 + usize::from(self.width < 64) + strides.sum::<usize>(),
        }
    }

    /// Where bytes of one or the other meet.
    pub fn join(&mut self, other: &Gap) {
        self.reach += other.reach;
        self.over_loops |= other.over_loops;
        self.range = hull(self.range, other.range);
        let absent = match self.pointers.is_empty() {
            // The same stride in both.
            true => None,
            false => Some((0, 0)),
        };
        for (stride, (least, greatest)) in &mut self.strides {
            if let Some(&(low, high)) = other.strides.get(stride).or(absent.as_ref()) {
                (*least, *greatest) = hull((*least, *greatest), (low, high));
            }
        }
        for (&stride, &(least, greatest)) in &other.strides {
            let own = self.strides.entry(stride);
            own.or_insert((least.min(0), greatest.max(0)));
        }
    }

    /// Whether no sum of the test wraps: no stride's hull is larger than all reaches together.
    pub fn is_bounded(&self) -> bool {
        self.reach < MAX_HULL
    }

    /// True where no bytes meet.
    pub fn write(&self, entry: &Entry, terms: &Terms, at: &mut Writing) -> Option<Ref> {
        match self.only_stride() {
            Some(stride) => self.write_stride(entry.number(terms, stride, at)?, at),
            None => self.write_sum(entry, terms, at),
        }
    }

    /// Places of one array, so many strides from each other, are apart where the stride is long enough, and not so long that
    /// the distance wraps: the shortest, and what may be added to it.
    fn lengths(&self) -> Option<(i128, u64)> {
        let reach = self.range.0.abs().max(self.range.1.abs());
        let &(least, greatest) = self.strides.values().next()?;
        // The factors are negated, and positive before that.
        let (most, fewest) = (-i128::from(least), -i128::from(greatest));
        if fewest <= 0 {
            return None;
        }
        let shortest = reach / fewest + 1;
        let longest = match active(Mutation::ReachUnchecked) {
            true => i128::from(i64::MAX),
            false => ((1i128 << self.width) - 1 - reach) / most,
        };
        let longest = longest.min(i128::from(i64::MAX));
        Some((shortest, u64::try_from(longest - shortest).ok()?))
    }

    fn write_stride(&self, stride: Ref, at: &mut Cursor) -> Option<Ref> {
        let (shortest, length) = self.lengths()?;
        let above = plus(at, Some(stride), Ref::Constant(64, (-shortest) as u64));
        Some(compared(
            at,
            Comparison::Le,
            above,
            Ref::Constant(64, length),
        ))
    }

    /// What [`Gap::write`] computes, as a term of one bit; none where solvers would have no answer: sums of the ends of several
    /// hulls take them minutes.
    pub fn holds(&self, terms: &mut Terms) -> Option<TermId> {
        let hulls = self.strides.values().filter(|ends| ends.0 != ends.1);
        if hulls.count() > 1 || self.over_loops {
            return None;
        }
        if let Some(stride) = self.only_stride() {
            let (shortest, length) = self.lengths()?;
            let stride = number(terms, stride);
            let above = terms.offset(stride, (-shortest) as u64);
            let length = terms.constant(64, length);
            let longer = terms.less(false, length, above);
            return Some(terms.not(longer));
        }
        let (low, high) = self.range;
        let mut sum = terms.constant(64, (-low) as u64);
        for &(root, factor) in &self.pointers {
            let one = number(terms, root);
            let one = terms.scale(one, factor as u64);
            sum = terms.add(sum, one);
        }
        let mut length = terms.constant(64, (high - low) as u64);
        for (&stride, &(least, greatest)) in &self.strides {
            let stride = number(terms, stride);
            let (mut end, other) = (
                terms.scale(stride, least as u64),
                terms.scale(stride, greatest as u64),
            );
            if least != greatest {
                let ascending = terms.less(true, end, other);
                let high = terms.ite(ascending, other, end);
                end = terms.ite(ascending, end, other);
                let spread = terms.sub(high, end);
                length = terms.add(length, spread);
            }
            sum = terms.sub(sum, end);
        }
        if self.width < 64 {
            let low = terms.truncate(sum, self.width);
            sum = terms.zext(low, 64);
        }
        Some(terms.less(false, length, sum))
    }

    fn write_sum(&self, entry: &Entry, terms: &Terms, at: &mut Writing) -> Option<Ref> {
        let width = 64;
        let mut sum = None;
        for &(root, factor) in &self.pointers {
            let one = entry.number(terms, root, at)?;
            sum = Some(match (sum, factor) {
                (Some(sum), -1) => at.single(Op::Sub { width }, &[sum, one]),
                _ => {
                    let one = times(at, one, factor as u64);
                    plus(at, sum, one)
                }
            });
        }
        let (low, high) = self.range;
        let mut length = Ref::Constant(64, (high - low) as u64);
        let mut sum = plus(at, sum, Ref::Constant(64, (-low) as u64));
        for (&stride, &(least, greatest)) in &self.strides {
            let stride = entry.number(terms, stride, at)?;
            let mut scaled = |factor| match factor {
                0 => Ref::Constant(64, 0),
                _ => times(at, stride, factor as u64),
            };
            let (mut end, other) = (scaled(least), scaled(greatest));
            if least != greatest {
                let (signed, relu) = (true, false);
                let ends = &[end, other];
                let max = Op::Max {
                    width,
                    signed,
                    relu,
                };
                let min = Op::Min {
                    width,
                    signed,
                    relu,
                };
                let high = at.single(max, ends);
                end = at.single(min, ends);
                let spread = at.single(Op::Sub { width }, &[high, end]);
                length = plus(at, Some(length), spread);
            }
            sum = at.single(Op::Sub { width }, &[sum, end]);
        }
        if self.width < 64 {
            let mask = Ref::Constant(64, (1 << self.width) - 1);
            sum = at.single(Op::And { width }, &[sum, mask]);
        }
        Some(compared(at, Comparison::Gt, sum, length))
    }
}

/// The smallest range that contains both.
pub fn hull<T: Ord>(one: (T, T), other: (T, T)) -> (T, T) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// A term of 64 bits, or a shorter one with its sign: what [`Entry::number`] computes.
fn number(terms: &mut Terms, term: TermId) -> TermId {
    match terms.width(term) {
        64 => term,
        _ => terms.sext(term, 64),
    }
}

fn compared(at: &mut Cursor, comparison: Comparison, one: Ref, other: Ref) -> Ref {
    let compare = Op::Compare {
        comparison,
        ty: Type::new(Kind::Unsigned, 64),
        logic: None,
        ftz: false,
    };
    at.single(compare, &[one, other])
}
