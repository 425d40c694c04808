//! Candidates of the lane maps that are no shifts: which load reads what another reads in lane `i ^ k`, or in lane `k`.
//!
//! The addresses are evaluated in two warps whose rows are whole warps. As `A(i ^ k) = B(i)` is equivalent to
//! `A(i) = B(i ^ k)`, an exclusive or is looked up from the destination's side, among the sources' own addresses. Only
//! a destination that reads the same in a whole warp can take a fixed lane's value; without one, no source is entered lane by
//! lane. Kernels without bit operations on thread numbers and without `%laneid` have neither, and
//! cost nothing.

use super::candidate::{Candidate, MAX_SOURCES, MIN_OTHERS, mix};
use ptxasw_emulator::term::{Binary, Node, Order, TermId, Terms, Unary, WARP_THREADS};
use ptxasw_ir::lanes::LaneMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Two warps: a seed for what is unknown, and `%tid.x` of lane 0.
const WARPS: [(u64, u64); 2] = [(0x4528_21e6_38d0_1377, 480), (0xbe54_66cf_34e9_0c6c, 320)];
/// The lanes at which the warps are looked at: no shift is an exclusive or for both.
const OWN: [usize; 2] = [0, WARP_THREADS - 1];

/// A load in both warps.
struct Print {
    /// In the lanes of [`OWN`].
    own: u64,
    /// In the lanes that an exclusive or with the index leads to.
    xor: [u64; WARP_THREADS],
    /// In the lane of the index, the same in both warps.
    lane: [u64; WARP_THREADS],
    /// It reads one address in a whole warp, but not in all.
    broadcast: bool,
}

/// The prints of all loads, and the sources that were admitted so far. Empty where there is nothing to find.
pub(super) struct Exchanged {
    prints: Vec<Print>,
    by_own: FxHashMap<u64, SmallVec<[u32; 2]>>,
    by_lane: FxHashMap<u64, SmallVec<[Candidate; 2]>>,
    /// Some load can take a fixed lane's value.
    broadcast: bool,
}

impl Exchanged {
    /// Evaluates the addresses, if there is anything to find in `terms_of_all`; `kinds` distinguishes loads that can't stand for
    /// each other.
    pub fn new(terms: &Terms, terms_of_all: &Order, addresses: &[TermId], kinds: &[u64]) -> Self {
        let prints: Vec<Print> = match has_lane_bits(terms, terms_of_all) {
            false => Vec::new(),
            true => {
                let order = Order::of_most(terms, addresses);
                let [first, second] =
                    WARPS.map(|(seed, tid_x)| terms.evaluate_warp(&order, seed, tid_x));
                let rows = first.iter().zip(&second).zip(kinds);
                rows.map(|((first, second), &kind)| Print::new(first, second, kind))
                    .collect()
            }
        };
        Exchanged {
            broadcast: prints.iter().any(|print| print.broadcast),
            prints,
            by_own: FxHashMap::default(),
            by_lane: FxHashMap::default(),
        }
    }

    /// Admits load number `source` as a source.
    pub fn admit(&mut self, source: u32) {
        let Some(print) = self.prints.get(source as usize) else {
            return;
        };
        let found = self.by_own.entry(print.own).or_default();
        if found.len() < MAX_SOURCES {
            found.push(source);
        }
        if !self.broadcast || print.broadcast {
            return;
        }
        for (lane, &print) in (0..).zip(&print.lane) {
            let found = self.by_lane.entry(print).or_default();
            if found.len() < MAX_SOURCES {
                let lanes = LaneMap::Lane(lane);
                let byte = 0;
                found.push(Candidate {
                    source,
                    lanes,
                    byte,
                });
            }
        }
    }

    /// The admitted sources of load number `destination`.
    pub fn of(&self, destination: u32, max_distance: u32) -> SmallVec<[Candidate; 2]> {
        let mut found = SmallVec::new();
        let Some(print) = self.prints.get(destination as usize) else {
            return found;
        };
        for (mask, at) in (0..).zip(&print.xor).skip(1) {
            let sources = self.by_own.get(at).into_iter().flatten();
            let sources =
                sources.filter(|&&source| self.prints[source as usize].gives(print, mask));
            let lanes = LaneMap::Xor(mask);
            found.extend(sources.map(|&source| Candidate {
                source,
                lanes,
                byte: 0,
            }));
        }
        if print.broadcast {
            found.extend(self.by_lane.get(&print.own).into_iter().flatten().copied());
        }
        found.retain(|candidate| candidate.lanes.distance() <= max_distance);
        found
    }
}

impl Print {
    fn new(first: &[u64; WARP_THREADS], second: &[u64; WARP_THREADS], kind: u64) -> Self {
        let print = |[one, other]: [usize; 2]| mix(mix(kind, first[one]) ^ kind, second[other]);
        let same = |warp: &[u64]| warp.iter().all(|value| *value == warp[0]);
        let both_same = same(first) && same(second);
        Print {
            own: print(OWN),
            xor: std::array::from_fn(|mask| print(OWN.map(|lane| lane ^ mask))),
            lane: std::array::from_fn(|lane| print([lane; 2])),
            broadcast: both_same,
        }
    }

    /// Whether other lanes than those of [`OWN`] find theirs in lane `i ^ mask`, too: a few agree by chance.
    fn gives(&self, destination: &Print, mask: u8) -> bool {
        let lanes = (0..WARP_THREADS).filter(|lane| !OWN.contains(lane));
        let agreeing =
            lanes.filter(|&lane| self.lane[lane ^ usize::from(mask)] == destination.lane[lane]);
        agreeing.take(MIN_OTHERS).count() == MIN_OTHERS
    }
}

/// Whether some address takes single bits of what differs between lanes, or may be counted from lane 0.
fn has_lane_bits(terms: &Terms, order: &Order) -> bool {
    terms.lane_numbers().count() > 1
        || order
            .terms()
            .iter()
            .any(|&t| !terms.is_row_uniform(t) && is_of_bits(terms, t))
}

fn is_of_bits(terms: &Terms, t: TermId) -> bool {
    match *terms.node(t) {
        Node::Binary(op, ..) => matches!(
            op,
            Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::UDiv
                | Binary::URem
                | Binary::SDiv
                | Binary::SRem
        ),
        // Others only cut a register to a narrower one.
        Node::Unary(Unary::Extract(low), _) => low > 0 || !matches!(terms.width(t), 8 | 16 | 32),
        _ => false,
    }
}
