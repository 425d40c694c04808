//! What is tested once at the kernel's entry: that accesses share no byte, that addresses are aligned, and that pointers are
//! of global memory.
//!
//! Tests of the same two pointers become one, of all distances at which some pair of bytes meets (their hull).

use super::entry::{Entry, Roots};
use super::gaps::{Gap, Pointers, widths};
use crate::emulator::alias::{self, Bytes};
use crate::emulator::term::{TermId, Terms};
use crate::ir::op::Op;
use crate::ir::patch::{Cursor, Ref};
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Two accesses that may share bytes: a number in [`Checks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GapId(u32);

/// Pairs of accesses of one test that are stated.
const MAX_STATED: usize = 128;

/// That a sum is zero modulo 2 to its width.
pub type Aligned = TermId;

/// The distance of two accesses, and the bytes of both.
type Pair = (TermId, u32, u32);

/// Tests that decisions may rest on.
pub struct Checks<'s> {
    /// What the entry can compute.
    pub entry: Entry<'s>,
    roots: &'s Roots,
    gaps: Vec<(Pair, Gap)>,
    known: FxHashMap<Pair, Option<GapId>>,
}

/// What one test shows, as a claim: where it holds, so many bytes share none with others at a distance.
#[derive(Clone, Copy, Debug)]
pub struct TestedPair {
    /// The test, one bit.
    pub test: TermId,
    /// From the first bytes to the others, modulo 2 to its width: who meets there at no distance meets nowhere.
    pub distance: TermId,
    /// How many there are of each.
    pub bytes: (u32, u32),
}

/// All tests of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    gaps: Vec<Gap>,
    aligned: BTreeSet<Aligned>,
    /// Generic pointers that must be of global memory.
    global: BTreeSet<TermId>,
    /// The pairs that the gaps are of, each with the index of its gap.
    pairs: Vec<(Pair, usize)>,
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
        let pair = (distance, first.count, second.count);
        if let Some(&known) = self.known.get(&pair) {
            return known;
        }
        let widths = widths(terms, distance).into_iter();
        let found = widths
            .filter_map(|width| self.gap(terms, pair, width))
            .next();
        let found = found.map(|gap| {
            self.gaps.push((pair, gap));
            GapId(self.gaps.len() as u32 - 1)
        });
        self.known.insert(pair, found);
        found
    }

    fn gap(&self, terms: &mut Terms, pair: Pair, width: u8) -> Option<Gap> {
        let (distance, from, to) = pair;
        Gap::new(
            terms,
            (&self.entry, self.roots),
            distance,
            (from, to),
            width,
        )
    }

    /// The tests that decisions rest on; none if a sum of one could wrap.
    pub fn tests(
        &self,
        terms: &mut Terms,
        gaps: &BTreeSet<GapId>,
        aligned: BTreeSet<Aligned>,
        global: BTreeSet<TermId>,
    ) -> Option<Tests> {
        type Key = (Pointers, Option<TermId>);
        let key = |gap: &Gap| -> Key { (gap.pointers.clone(), gap.only_stride()) };
        let mut narrowest: BTreeMap<Key, u8> = BTreeMap::new();
        for id in gaps {
            let gap = &self.gaps[id.0 as usize].1;
            let width = narrowest.entry(key(gap)).or_insert(64);
            *width = gap.width.min(*width);
        }
        let mut hulls: BTreeMap<(Key, u8), (Gap, Vec<Pair>)> = BTreeMap::new();
        for id in gaps {
            let (pair, own) = &self.gaps[id.0 as usize];
            // Modulo one width strides are the same numbers, and there is one test.
            let width = narrowest[&key(own)];
            let gap = self.gap(terms, *pair, width).filter(|_| width < own.width);
            let gap = gap.unwrap_or_else(|| own.clone());
            match hulls.get_mut(&(key(&gap), gap.width)) {
                Some((hull, pairs)) => {
                    hull.join(&gap);
                    pairs.push(*pair);
                }
                None => {
                    hulls.insert((key(&gap), gap.width), (gap, vec![*pair]));
                }
            }
        }
        let (gaps, pairs): (Vec<Gap>, Vec<Vec<Pair>>) = hulls.into_values().unzip();
        let pairs = pairs.into_iter().enumerate();
        let pairs = pairs.flat_map(|(gap, of)| of.into_iter().map(move |pair| (pair, gap)));
        let bounded = gaps.iter().all(Gap::is_bounded);
        bounded.then_some(Tests {
            pairs: pairs.collect(),
            gaps,
            aligned,
            global,
        })
    }
}

impl Tests {
    /// Nothing is tested.
    pub fn is_empty(&self) -> bool {
        self.gaps.is_empty() && self.aligned.is_empty() && self.global.is_empty()
    }

    /// What pairs of accesses rest on, as far as [`Gap::holds`] states it, and there are not too many of them.
    pub fn shown(&self, terms: &mut Terms) -> Vec<TestedPair> {
        let mut pairs = vec![0; self.gaps.len()];
        for &(_, gap) in &self.pairs {
            pairs[gap] += 1;
        }
        let gaps = self.gaps.iter().zip(pairs);
        let stated = gaps.map(|(gap, pairs)| gap.holds(terms).filter(|_| pairs <= MAX_STATED));
        let tests: Vec<Option<TermId>> = stated.collect();
        let shown = self
            .pairs
            .iter()
            .filter_map(|&((distance, from, to), gap)| {
                Some(TestedPair {
                    test: tests[gap]?,
                    distance: terms.truncate(distance, self.gaps[gap].width),
                    bytes: (from, to),
                })
            });
        shown.collect()
    }

    /// Instructions that the tests take, roughly.
    pub fn cost(&self) -> usize {
        let gaps = self.gaps.iter().map(Gap::cost);
        let aligned = match self.aligned.len() {
            0 => 0,
            tests => 2 + tests,
        };
        gaps.sum::<usize>() + aligned + 2 * self.global.len()
    }

    /// Behind how many instructions of the entry block everything is there that is tested.
    pub fn ready(&self, checks: &Checks, terms: &Terms) -> Option<usize> {
        let all = self.gaps.iter().flat_map(Gap::terms);
        let all = all.chain(self.aligned.iter().chain(&self.global).copied());
        let ready = all.map(|term| checks.entry.ready(terms, term));
        ready.collect::<Option<Vec<usize>>>()?.into_iter().max()
    }

    /// One bit: all tests hold. None if there is none.
    pub fn write(
        &self,
        checks: &Checks,
        terms: &Terms,
        at: &mut Cursor,
        hold: bool,
    ) -> Option<Ref> {
        let mut all = self.write_aligned(checks, terms, at);
        if !self.aligned.is_empty() && all.is_none() {
            return None;
        }
        if active(Mutation::AlignmentIgnored) {
            all = Some(at.equal(64, Ref::Constant(64, 0), Ref::Constant(64, 0)));
        }
        for gap in &self.gaps {
            let one = gap.write(&checks.entry, terms, at)?;
            all = Some(both(all, one, at));
        }
        for &pointer in &self.global {
            let address = checks.entry.write(terms, pointer, at)?;
            let space = Space::Global;
            let one = at.single(Op::IsSpace { space }, &[address]);
            all = Some(both(all, one, at));
        }
        match active(Mutation::CheckIgnored) || hold {
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

/// One bit: both hold.
fn both(all: Option<Ref>, one: Ref, at: &mut Cursor) -> Ref {
    match all {
        None => one,
        Some(all) => at.single(Op::And { width: 1 }, &[all, one]),
    }
}
