//! Candidates by simulation: which load reads in lane `i + N` what another reads in lane `i`.
//!
//! The addresses of all loads are evaluated for 63 neighbouring threads under pseudo-random inputs. A destination's value at
//! the centre is looked up among the values of all sources at all distances: one hash table, no pairwise search. What is
//! found here is only proposed; [`super::address`] proves or drops it.

use super::exchanged::Exchanged;
use crate::emulator::term::{LaneMap, ROW_CENTRE, ROW_THREADS, RowAssignment, TermId, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Independent assignments; a false candidate would have to agree under both.
const SEEDS: [RowAssignment; 2] = [
    RowAssignment {
        seed: 0x243f_6a88_85a3_08d3,
        tid_x: 495,
        lane_id: 512,
    },
    RowAssignment {
        seed: 0x1319_8a2e_0370_7344,
        tid_x: 336,
        lane_id: 352,
    },
];
/// Sources kept for one address fingerprint: the loads of one address before any of them is covered.
pub(super) const MAX_SOURCES: usize = 8;

/// A proposed source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the source among the loads.
    pub source: u32,
    /// From which lane.
    pub lanes: LaneMap,
}

/// The fingerprints of all loads, and the sources that were admitted so far.
pub struct Candidates {
    fingerprints: Vec<[u64; ROW_THREADS]>,
    sources: FxHashMap<u64, SmallVec<[Candidate; 2]>>,
    max_delta: i8,
    exchanged: Exchanged,
}

impl Candidates {
    /// Evaluates the addresses; `kinds` distinguishes loads that can't stand for each other (width, space).
    pub fn new(terms: &Terms, addresses: &[TermId], kinds: &[u64], max_delta: i8) -> Self {
        let mut fingerprints = vec![[0; ROW_THREADS]; addresses.len()];
        for assignment in &SEEDS {
            let rows = terms.evaluate_row(addresses, assignment);
            for ((print, row), &kind) in fingerprints.iter_mut().zip(&rows).zip(kinds) {
                for (slot, &value) in print.iter_mut().zip(row) {
                    *slot = mix(*slot ^ kind, value);
                }
            }
        }
        Candidates {
            fingerprints,
            sources: FxHashMap::default(),
            max_delta,
            exchanged: Exchanged::new(terms, addresses, kinds),
        }
    }

    /// Admits load number `source` as a source.
    pub fn admit(&mut self, source: u32) {
        self.exchanged.admit(source);
        let print = self.fingerprints[source as usize];
        for delta in -self.max_delta..=self.max_delta {
            let at = print[ROW_CENTRE.wrapping_add_signed(delta.into())];
            let found = self.sources.entry(at).or_default();
            // A uniform address has one fingerprint at all distances; only distance 0 is worth keeping.
            if found.len() < MAX_SOURCES && !found.iter().any(|known| known.source == source) {
                found.push(Candidate {
                    source,
                    lanes: LaneMap::Shift(delta),
                });
            } else if let Some(known) = found.iter_mut().find(|known| known.source == source)
                && u32::from(delta.unsigned_abs()) < known.lanes.distance()
            {
                known.lanes = LaneMap::Shift(delta);
            }
        }
    }

    /// The admitted sources of load number `destination`: by shifts, the smallest distance first, the nearest load first among
    /// equals; then by other lane maps.
    pub fn of(&self, destination: u32) -> SmallVec<[Candidate; 2]> {
        let at = self.fingerprints[destination as usize][ROW_CENTRE];
        let mut found = self.sources.get(&at).cloned().unwrap_or_default();
        found.sort_by_key(|candidate| {
            (
                candidate.lanes.distance(),
                std::cmp::Reverse(candidate.source),
                candidate.lanes,
            )
        });
        let max_distance = self.max_delta.unsigned_abs().into();
        found.extend(self.exchanged.of(destination, max_distance));
        found
    }
}

pub(super) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(29) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}
