//! Distances of accesses, taken apart into what the kernel's entry can test and what is bounded.
//!
//! All of it holds modulo 2 to a width. Modulo 2^64 a distance often has no bound, because the 32-bit index in it may wrap:
//! `4*sext(i + n) - 4*sext(i)`. Modulo 2^34 it is `4*n`.

use super::entry::{Entry, Roots, plus, times};
use crate::emulator::term::{Node, TermId, Terms, Unary};
use crate::ir::op::{Comparison, Op};
use crate::ir::patch::{Cursor, Ref};
use crate::ir::types::{Kind, Type};
use crate::mutation::{Mutation, active};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Bytes over which the part of a distance that is not tested may spread: a test of more would nearly always fail.
const MAX_SPREAD: u64 = 1 << 20;
/// Bound of everything that is added to the pointers of a distance: no sum of such numbers wraps.
const MAX_REACH: i128 = 1 << 60;
/// The same of all gaps of a hull: the length of the range that is tested is at most twice this, and that of the ends.
const MAX_HULL: i128 = 1 << 61;
/// What is added for a stride at most.
const MAX_STRIDE: i128 = 1 << 48;
/// Widths below 64 bits that are tried.
const MAX_WIDTHS: usize = 3;

/// Pointers with the factors by which they are added.
pub type Pointers = Vec<(TermId, i64)>;

/// A number that the entry computes: a term of 64 bits, or a shorter one with its sign.
type Stride = TermId;

/// Where bytes meet: modulo 2 to the width, the sum of pointers is in `low ..= high`, with `factor * stride` added for each stride,
/// any factor of its range.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The sum. None: it is zero, and what meets are places of one array.
    pub pointers: Pointers,
    /// Bits of the distance.
    pub width: u8,
    low: i128,
    high: i128,
    strides: BTreeMap<Stride, (i64, i64)>,
    /// The largest that everything but the pointers can be, of all that were joined.
    reach: i128,
}

/// The widths modulo which a distance may be known, in the order in which they are tried.
pub fn widths(terms: &Terms, distance: TermId) -> SmallVec<[u8; 4]> {
    let mut widths: SmallVec<[u8; 4]> = SmallVec::new();
    for &(atom, factor) in &terms.affine(distance).1 {
        if let Node::Unary(Unary::Zext | Unary::Sext, inner) = *terms.node(atom) {
            let width = u32::from(terms.width(inner)) + factor.trailing_zeros();
            if width < 64 && !widths.contains(&(width as u8)) {
                widths.push(width as u8);
            }
        }
    }
    widths.sort_unstable_by_key(|&width| std::cmp::Reverse(width));
    widths.truncate(MAX_WIDTHS);
    widths.insert(0, 64);
    widths
}

impl Gap {
    /// Where `from` bytes at one address meet `to` bytes that are at a distance of it; none if the entry cannot test that.
    pub fn new(
        terms: &mut Terms,
        (entry, roots): (&Entry, &Roots),
        distance: TermId,
        (from, to): (u32, u32),
        width: u8,
    ) -> Option<Gap> {
        let low = terms.truncate(distance, width);
        let (constant, atoms) = terms.affine(low);
        let (tested, rest): (Vec<_>, Vec<_>) = atoms
            .iter()
            .partition(|(atom, _)| entry.ready(terms, *atom).is_some());
        let mut pointers = Pointers::new();
        let mut strides: BTreeMap<Stride, (i64, i64)> = BTreeMap::new();
        let mut reach = 0i128;
        for &(atom, factor) in &tested {
            let signed = signed(factor, width);
            if let Some(root) = roots.of(terms, atom) {
                pointers.push((root, signed));
                continue;
            }
            let (stride, range) = stride(terms, atom, factor, width)?;
            let largest = range.0.unsigned_abs().max(range.1.unsigned_abs());
            let reached = i128::from(largest) * i128::from(signed).abs();
            if reached > MAX_STRIDE && width == 64 && tested.len() > 1 {
                // A part of a pointer: a hull of several multiples of it would hold everything.
                pointers.push((atom, signed));
                continue;
            }
            reach += reached;
            let negated = signed.checked_neg()?;
            // Two atoms that are one number modulo the width.
            if strides.insert(stride, (negated, negated)).is_some() {
                return None;
            }
        }
        let alone = tested.len() == 1 && pointers.is_empty();
        let rest = terms.sum(width, 0, &rest);
        let (least, greatest) = terms.signed_range(rest);
        // Places of one array are tested to be far enough from each other, and not too far.
        let far = reach > MAX_REACH && !alone;
        let nothing = pointers.is_empty() && !alone;
        if far || nothing || greatest.abs_diff(least) > MAX_SPREAD {
            return None;
        }
        let constant = i128::from(signed(constant, width));
        let (from, to) = match active(Mutation::CheckOfOneByte) {
            true => (1, 1),
            false => (i128::from(from), i128::from(to)),
        };
        let gap = Gap {
            low: -(to - 1) - constant - i128::from(greatest),
            high: from - 1 - constant - i128::from(least),
            pointers,
            width,
            strides,
            reach: if alone { 0 } else { reach },
        };
        (gap.low.abs().max(gap.high.abs()) < MAX_REACH).then(|| gap.canonical())
    }

    /// With a first factor that is positive: where a sum is in a range, its negation is in the negated range.
    fn canonical(mut self) -> Self {
        let first = match self.pointers.first() {
            Some(&(_, factor)) => factor,
            // The stride itself is on the other side of the equation.
            None => self.strides.values().next().map_or(0, |range| -range.0),
        };
        if first >= 0 {
            return self;
        }
        for (_, factor) in &mut self.pointers {
            *factor = factor.wrapping_neg();
        }
        for range in self.strides.values_mut() {
            *range = (range.1.wrapping_neg(), range.0.wrapping_neg());
        }
        (self.low, self.high) = (-self.high, -self.low);
        self
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
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        let absent = match self.pointers.is_empty() {
            // The same stride in both.
            true => None,
            false => Some((0, 0)),
        };
        for (stride, (least, greatest)) in &mut self.strides {
            if let Some(&(low, high)) = other.strides.get(stride).or(absent.as_ref()) {
                (*least, *greatest) = ((*least).min(low), (*greatest).max(high));
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
    pub fn write(&self, entry: &Entry, terms: &Terms, at: &mut Cursor) -> Option<Ref> {
        match self.only_stride() {
            Some(stride) => self.write_stride(entry.number(terms, stride, at)?, at),
            None => self.write_sum(entry, terms, at),
        }
    }

    /// Places of one array, so many strides from each other, are apart where the stride is long enough, and not so long that
    /// the distance wraps: the shortest, and what may be added to it.
    fn lengths(&self) -> Option<(i128, u64)> {
        let reach = self.low.abs().max(self.high.abs());
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
        if hulls.count() > 1 {
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
        let mut sum = terms.constant(64, (-self.low) as u64);
        for &(root, factor) in &self.pointers {
            let one = number(terms, root);
            let one = terms.scale(one, factor as u64);
            sum = terms.add(sum, one);
        }
        let mut length = terms.constant(64, (self.high - self.low) as u64);
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

    fn write_sum(&self, entry: &Entry, terms: &Terms, at: &mut Cursor) -> Option<Ref> {
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
        let mut length = Ref::Constant(64, (self.high - self.low) as u64);
        let mut sum = plus(at, sum, Ref::Constant(64, (-self.low) as u64));
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

/// A number of so many bits as two's complement.
fn signed(bits: u64, width: u8) -> i64 {
    let above = 64 - u32::from(width);
    (bits << above) as i64 >> above
}

/// The number that stands for an atom with a factor, and its range. An extension of a number of at most 32 bits is that number
/// with its sign, where the factor makes no difference between the extensions.
fn stride(terms: &mut Terms, atom: TermId, factor: u64, width: u8) -> Option<(Stride, (i64, i64))> {
    if let Node::Unary(op @ (Unary::Zext | Unary::Sext), inner) = *terms.node(atom) {
        let bits = terms.width(inner);
        let either = u32::from(bits) + factor.trailing_zeros() >= u32::from(width);
        if matches!(bits, 16 | 32) && (op == Unary::Sext || either) {
            return Some((inner, terms.signed_range(inner)));
        }
        // What is not negative is the same with its sign.
        let wide = terms.zext(inner, 64);
        return Some((wide, terms.signed_range(wide)));
    }
    (width == 64).then(|| (atom, terms.signed_range(atom)))
}
