//! What is tested once at the kernel's entry: that accesses share no byte, and that addresses are aligned.
//!
//! The distance of two accesses is a sum. What of it all threads agree on and the entry can compute is tested there; for the rest its
//! range is enough. Tests of the same two pointers become one, of all distances at which some pair of bytes meets (their hull).

use super::entry::{Entry, Roots, plus, times};
use crate::emulator::alias::{self, Bytes};
use crate::emulator::term::{TermId, Terms};
use crate::ir::op::{Comparison, Op};
use crate::ir::patch::{Cursor, Ref};
use crate::ir::types::{Kind, Space, Type};
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes over which the part of a distance that is not tested may spread: a test of more would nearly always fail.
const MAX_SPREAD: u64 = 1 << 20;
/// Bound of everything that is added to the pointers of a distance: no sum of such numbers wraps.
const MAX_REACH: i128 = 1 << 60;

/// A distance that must not be met: a number in [`Checks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GapId(u32);

/// A sum of pointers, as they are added to each other.
type Pointers = Vec<(TermId, u64)>;

/// Where bytes meet: the sum of pointers is in `low ..= high`, with `least * s` to `greatest * s` added for each stride `s`.
#[derive(Clone, Debug)]
struct Gap {
    pointers: Pointers,
    low: i128,
    high: i128,
    strides: BTreeMap<TermId, (i64, i64)>,
}

/// That a sum is zero modulo 2 to its width.
pub type Aligned = TermId;

/// Tests that decisions may rest on.
pub struct Checks<'s> {
    /// What the entry can compute.
    pub entry: Entry<'s>,
    roots: &'s Roots,
    gaps: Vec<Gap>,
    known: FxHashMap<(TermId, u32, u32), Option<GapId>>,
}

/// All tests of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    gaps: Vec<Gap>,
    aligned: BTreeSet<Aligned>,
}

impl<'s> Checks<'s> {
    /// Nothing is tested yet.
    pub fn new(entry: Entry<'s>, roots: &'s Roots) -> Self {
        Checks {
            entry,
            roots,
            gaps: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// What must be tested for two accesses to share no byte; none if nothing that the entry can test shows it.
    pub fn apart(&mut self, terms: &mut Terms, first: &Bytes, second: &Bytes) -> Option<GapId> {
        let (from, to) = alias::comparable(first, second)?;
        if first.counted_in != Space::Global {
            return None;
        }
        let distance = terms.sub(to, from);
        let key = (distance, first.count, second.count);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let found = self.gap(terms, distance, first.count, second.count);
        let found = found.map(|gap| {
            self.gaps.push(gap);
            GapId(self.gaps.len() as u32 - 1)
        });
        self.known.insert(key, found);
        found
    }

    fn gap(&self, terms: &mut Terms, distance: TermId, from: u32, to: u32) -> Option<Gap> {
        let (constant, atoms) = terms.affine(distance);
        let (tested, rest): (Pointers, Pointers) = atoms
            .iter()
            .partition(|(atom, _)| self.entry.ready(terms, *atom).is_some());
        let (mut pointers, others): (Pointers, Pointers) = tested
            .iter()
            .partition(|(atom, _)| self.roots.pointers.contains(atom));
        let mut strides = BTreeMap::new();
        let mut reach = 0i128;
        if pointers.is_empty() {
            // A hull of several multiples of one stride would hold 0.
            pointers = others;
        } else {
            for (atom, factor) in others {
                let (least, greatest) = terms.signed_range(atom);
                let largest = least.unsigned_abs().max(greatest.unsigned_abs());
                reach += i128::from(largest) * i128::from(factor as i64).abs();
                let factor = (factor as i64).checked_neg()?;
                strides.insert(atom, (factor, factor));
            }
        }
        if reach > MAX_REACH && !active(Mutation::ReachUnchecked) {
            return None;
        }
        let rest = terms.sum(64, 0, &rest);
        let (least, greatest) = terms.signed_range(rest);
        if pointers.is_empty() || greatest.abs_diff(least) > MAX_SPREAD {
            return None;
        }
        let constant = i128::from(constant as i64);
        let (from, to) = match active(Mutation::CheckOfOneByte) {
            true => (1, 1),
            false => (i128::from(from), i128::from(to)),
        };
        let gap = Gap {
            low: -(to - 1) - constant - i128::from(greatest),
            high: from - 1 - constant - i128::from(least),
            pointers,
            strides,
        };
        (gap.low.abs().max(gap.high.abs()) < MAX_REACH).then(|| gap.canonical())
    }

    /// The tests that decisions rest on.
    pub fn tests(
        &self,
        gaps: impl IntoIterator<Item = GapId>,
        aligned: impl IntoIterator<Item = Aligned>,
    ) -> Tests {
        let mut hulls: BTreeMap<Pointers, Gap> = BTreeMap::new();
        for id in gaps {
            let gap = &self.gaps[id.0 as usize];
            match hulls.get_mut(&gap.pointers) {
                Some(hull) => hull.join(gap),
                None => {
                    hulls.insert(gap.pointers.clone(), gap.clone());
                }
            }
        }
        Tests {
            gaps: hulls.into_values().collect(),
            aligned: aligned.into_iter().collect(),
        }
    }
}

impl Gap {
    /// With a first pointer that is added, and the negation of what it was if it is subtracted.
    fn canonical(self) -> Self {
        match self.pointers.first() {
            Some(&(_, factor)) if (factor as i64) < 0 => Gap {
                pointers: self
                    .pointers
                    .iter()
                    .map(|&(atom, factor)| (atom, factor.wrapping_neg()))
                    .collect(),
                low: -self.high,
                high: -self.low,
                strides: self
                    .strides
                    .iter()
                    .map(|(&atom, &(least, greatest))| (atom, (-greatest, -least)))
                    .collect(),
            },
            _ => self,
        }
    }

    /// Where bytes of one or the other meet.
    fn join(&mut self, other: &Gap) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
        for (atom, (least, greatest)) in &mut self.strides {
            let (low, high) = other.strides.get(atom).copied().unwrap_or((0, 0));
            (*least, *greatest) = ((*least).min(low), (*greatest).max(high));
        }
        for (&atom, &(least, greatest)) in &other.strides {
            let own = self.strides.entry(atom);
            own.or_insert((least.min(0), greatest.max(0)));
        }
    }

    /// True where no bytes meet.
    fn write(&self, checks: &Checks, terms: &Terms, at: &mut Cursor) -> Option<Ref> {
        let width = 64;
        let mut sum = None;
        for &(atom, factor) in &self.pointers {
            let one = checks.entry.write(terms, atom, at)?;
            let one = times(at, one, factor);
            sum = Some(plus(at, sum, one));
        }
        let mut length = Ref::Constant(64, (self.high - self.low) as u64);
        let mut sum = plus(at, sum, Ref::Constant(64, (-self.low) as u64));
        for (&atom, &(least, greatest)) in &self.strides {
            let stride = checks.entry.write(terms, atom, at)?;
            let (one, other) = (scaled(at, stride, least), scaled(at, stride, greatest));
            let mut end = one;
            if least != greatest {
                let signed = true;
                let relu = false;
                let ends = &[one, other];
                let high = at.single(
                    Op::Max {
                        width,
                        signed,
                        relu,
                    },
                    ends,
                );
                end = at.single(
                    Op::Min {
                        width,
                        signed,
                        relu,
                    },
                    ends,
                );
                let spread = at.single(Op::Sub { width }, &[high, end]);
                length = plus(at, Some(length), spread);
            }
            sum = at.single(Op::Sub { width }, &[sum, end]);
        }
        let outside = Op::Compare {
            comparison: Comparison::Gt,
            ty: Type::new(Kind::Unsigned, width),
            logic: None,
            ftz: false,
        };
        Some(at.single(outside, &[sum, length]))
    }
}

fn scaled(at: &mut Cursor, value: Ref, factor: i64) -> Ref {
    match factor {
        0 => Ref::Constant(64, 0),
        _ => times(at, value, factor as u64),
    }
}

impl Tests {
    /// Nothing is tested.
    pub fn is_empty(&self) -> bool {
        self.gaps.is_empty() && self.aligned.is_empty()
    }

    /// Instructions that the tests take, roughly.
    pub fn cost(&self) -> usize {
        let gaps = self.gaps.iter().map(|gap| {
            let strides = gap.strides.values();
            let strides = strides.map(|(least, greatest)| if least == greatest { 2 } else { 6 });
            4 + strides.sum::<usize>()
        });
        let aligned = match self.aligned.len() {
            0 => 0,
            tests => 2 + tests,
        };
        gaps.sum::<usize>() + aligned
    }

    /// Behind how many instructions of the entry block everything is there that is tested.
    pub fn ready(&self, checks: &Checks, terms: &Terms) -> Option<usize> {
        let gaps = self.gaps.iter().flat_map(|gap| {
            let pointers = gap.pointers.iter().map(|&(atom, _)| atom);
            pointers.chain(gap.strides.keys().copied())
        });
        let all = gaps.chain(self.aligned.iter().copied());
        let ready = all.map(|term| checks.entry.ready(terms, term));
        ready.collect::<Option<Vec<usize>>>()?.into_iter().max()
    }

    /// One bit: all tests hold. None if there is none.
    pub fn write(&self, checks: &Checks, terms: &Terms, at: &mut Cursor) -> Option<Ref> {
        let mut all = self.write_aligned(checks, terms, at);
        if !self.aligned.is_empty() && all.is_none() {
            return None;
        }
        if active(Mutation::AlignmentIgnored) {
            all = None;
        }
        for gap in &self.gaps {
            let one = gap.write(checks, terms, at)?;
            all = Some(match all {
                None => one,
                Some(all) => at.single(Op::And { width: 1 }, &[all, one]),
            });
        }
        match active(Mutation::CheckIgnored) {
            true => Some(at.equal(64, Ref::Constant(64, 0), Ref::Constant(64, 0))),
            false => all,
        }
    }

    /// True where all sums are aligned.
    fn write_aligned(&self, checks: &Checks, terms: &Terms, at: &mut Cursor) -> Option<Ref> {
        let width = 64;
        let mut by_bits: BTreeMap<u8, Ref> = BTreeMap::new();
        for &term in &self.aligned {
            let one = checks.entry.write(terms, term, at)?;
            let bits = terms.width(term);
            let all = match by_bits.get(&bits) {
                None => one,
                Some(&all) => at.single(Op::Or { width }, &[all, one]),
            };
            by_bits.insert(bits, all);
        }
        let mut low = None;
        for (bits, all) in by_bits {
            let mask = Ref::Constant(64, (1 << bits) - 1);
            let one = at.single(Op::And { width }, &[all, mask]);
            low = Some(match low {
                None => one,
                Some(low) => at.single(Op::Or { width }, &[low, one]),
            });
        }
        low.map(|low| at.equal(64, low, Ref::Constant(64, 0)))
    }
}
