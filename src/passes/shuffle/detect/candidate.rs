//! Candidates by simulation: which load reads in lane `i + N` what another reads in lane `i`.
//!
//! The addresses of all loads are evaluated for 63 neighbouring threads under pseudo-random inputs. Each load has its address
//! in the thread at the centre in a hash table, piece by piece (*granules*: aligned, of the sizes that some load of the kernel
//! asks for). A source adds itself wherever one of its own granules is found, in all 63 threads. So the table has one entry
//! for each granule of a load, most of the look-ups find nothing, and there is no pairwise search. What is found here is
//! only proposed; [`address`](crate::shuffle::prove::address) proves or drops it.

use super::exchanged::Exchanged;
use ptxasw_emulator::term::{Node, Order, ROW_CENTRE, ROW_THREADS, RowAssignment, TermId, Terms};
use ptxasw_ir::lanes::LaneMap;
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
/// What an address under the first assignment is multiplied by before that under the second is added: one number stands for
/// both.
const WEIGHT: u64 = 0xa24b_aed4_963e_e407;
/// Sources kept for one address fingerprint: the loads of one address before any of them is covered.
pub(super) const MAX_SOURCES: usize = 8;
/// Bytes of the widest load.
const MAX_BYTES: u8 = 32;
/// Threads of a row in which a source's address must be the destination's, besides the one at the centre. Indices of a table
/// with few entries agree in one thread by chance, and a proof that fails costs much more than this look.
pub(super) const MIN_OTHERS: usize = 4;

/// A proposed source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the source among the loads.
    pub source: u32,
    /// From which lane.
    pub lanes: LaneMap,
    /// Where the bytes begin in the source's.
    pub byte: u8,
}

/// The addresses of all loads in a row of threads, and the sources that were admitted so far.
pub struct Candidates {
    /// Addresses under both assignments, as one number: one row for all that differ by constants.
    rows: Vec<[u64; ROW_THREADS]>,
    /// The row of each load, and what is added to it for this load.
    row_of: Vec<(u32, u64)>,
    kinds: Vec<u64>,
    /// Of the whole loads.
    bytes: Vec<u32>,
    /// Sizes of granules in bytes, a bit for each power of two.
    sizes: u8,
    /// Sources by the fingerprint of what they may give: of each granule of a load.
    sources: FxHashMap<u64, SmallVec<[Candidate; 2]>>,
    max_delta: i8,
    exchanged: Exchanged,
}

impl Candidates {
    /// Evaluates the addresses; `kinds` distinguishes loads that can't stand for each other (space), `bytes` are those
    /// of the whole loads, `sizes` those of the elements of all loads.
    pub fn new(
        terms: &Terms,
        addresses: &[TermId],
        kinds: &[u64],
        bytes: &[u32],
        sizes: impl Iterator<Item = u8>,
        max_delta: i8,
    ) -> Self {
        let (firsts, row_of) = shapes(terms, addresses);
        let order = Order::of_most(terms, &firsts);
        let mut rows = vec![[0u64; ROW_THREADS]; firsts.len()];
        for assignment in &SEEDS {
            terms.evaluate_row(&order, assignment, |row, first, values| {
                for (one, value) in rows[row][first..].iter_mut().zip(values) {
                    *one = one.wrapping_mul(WEIGHT).wrapping_add(*value);
                }
            });
        }
        // Other maps than shifts are looked for between whole loads of one size.
        let whole = kinds.iter().zip(bytes);
        let whole: Vec<u64> = whole
            .map(|(kind, bytes)| kind << 8 | u64::from(*bytes))
            .collect();
        let mut candidates = Candidates {
            exchanged: Exchanged::new(terms, &order, addresses, &whole),
            rows,
            row_of,
            kinds: kinds.to_vec(),
            sizes: sizes.fold(0, |sizes, bytes| sizes | bytes),
            sources: FxHashMap::default(),
            max_delta,
            bytes: bytes.to_vec(),
        };
        candidates.sources.reserve(addresses.len());
        for load in 0..addresses.len() as u32 {
            candidates.expect(load);
        }
        candidates
    }

    /// Makes room for the sources of a load.
    fn expect(&mut self, load: u32) {
        let end = self.bytes[load as usize].min(MAX_BYTES.into()) as u8;
        for size in (0..u8::BITS).map(|bit| 1u8 << bit) {
            if self.sizes & size == 0 {
                continue;
            }
            for byte in (0..end).step_by(size.into()) {
                let at = self.fingerprint(load, ROW_CENTRE, byte, size);
                self.sources.entry(at).or_default();
            }
        }
    }

    /// The sizes of granules below `bytes`, the largest first.
    pub fn smaller(&self, bytes: u8) -> impl Iterator<Item = u8> + use<> {
        let sizes = self.sizes & (bytes - 1);
        (0..u8::BITS)
            .rev()
            .map(|bit| 1 << bit)
            .filter(move |size| sizes & size != 0)
    }

    /// Admits load number `source` as a source of the bytes `given` (bit 0 the first).
    pub fn admit(&mut self, source: u32, given: u32) {
        if u64::from(given) + 1 == 1 << self.bytes[source as usize].min(u32::BITS) {
            self.exchanged.admit(source);
        }
        for size in (0..u8::BITS).map(|bit| 1u8 << bit) {
            if self.sizes & size == 0 {
                continue;
            }
            let granule = ((1u64 << size) - 1) as u32;
            for byte in (0..MAX_BYTES).step_by(size.into()) {
                if given >> byte & granule == granule {
                    self.enter(source, byte, size);
                }
            }
        }
    }

    fn enter(&mut self, source: u32, byte: u8, size: u8) {
        for delta in -self.max_delta..=self.max_delta {
            let lanes = LaneMap::Shift(delta);
            let at = self.fingerprint(
                source,
                ROW_CENTRE.wrapping_add_signed(delta.into()),
                byte,
                size,
            );
            let Some(found) = self.sources.get_mut(&at) else {
                continue;
            };
            let mut known = found.iter();
            let known = known.position(|known| (known.source, known.byte) == (source, byte));
            // A uniform address has one fingerprint at all distances; only distance 0 is worth keeping.
            match known {
                Some(known) if lanes.distance() < found[known].lanes.distance() => {
                    found[known].lanes = lanes;
                }
                Some(_) => {}
                None if found.len() < MAX_SOURCES => found.push(Candidate {
                    source,
                    lanes,
                    byte,
                }),
                None => {}
            }
        }
    }

    /// The admitted sources of `size` bytes from byte `at` of load number `destination`, the smallest distance first, the
    /// nearest load first among equals.
    pub fn of(&self, destination: u32, at: u8, size: u8) -> SmallVec<[Candidate; 2]> {
        let print = self.fingerprint(destination, ROW_CENTRE, at, size);
        let mut found = self.sources.get(&print).cloned().unwrap_or_default();
        found.retain(|candidate| self.agrees_elsewhere(destination, at, candidate));
        found.sort_by_key(|candidate| {
            (
                candidate.lanes.distance(),
                std::cmp::Reverse(candidate.source),
                candidate.lanes,
                candidate.byte,
            )
        });
        let max_distance = self.max_delta.unsigned_abs().into();
        if at == 0 && u32::from(size) == self.bytes[destination as usize] {
            found.extend(self.exchanged.of(destination, max_distance));
        }
        found
    }

    /// Whether byte `at` of the destination is the candidate's in more threads of the row than the one at the centre.
    fn agrees_elsewhere(&self, destination: u32, at: u8, candidate: &Candidate) -> bool {
        let delta = candidate.lanes.shift().unwrap_or(0);
        let threads = 0..ROW_THREADS;
        let agreeing = threads.filter(|&thread| {
            let other = thread.checked_add_signed(delta.into());
            let other = other.filter(|&other| thread != ROW_CENTRE && other < ROW_THREADS);
            other.is_some_and(|other| {
                self.address(candidate.source, other, candidate.byte)
                    == self.address(destination, thread, at)
            })
        });
        agreeing.take(MIN_OTHERS).count() == MIN_OTHERS
    }

    fn fingerprint(&self, load: u32, thread: usize, byte: u8, size: u8) -> u64 {
        let kind = self.kinds[load as usize] << 8 | u64::from(size);
        mix(kind, self.address(load, thread, byte))
    }

    /// Where byte number `byte` of a load is, under both assignments.
    fn address(&self, load: u32, thread: usize, byte: u8) -> u64 {
        let (row, more) = self.row_of[load as usize];
        let row = self.rows[row as usize][thread];
        row.wrapping_add(more).wrapping_add(further(byte.into()))
    }
}

/// What a number of bytes adds to an address under both assignments.
fn further(bytes: u64) -> u64 {
    WEIGHT.wrapping_add(1).wrapping_mul(bytes)
}

/// The addresses without those that differ from an earlier one by a constant; for each address, which of these it is or
/// differs from, and what it has more in a row.
fn shapes(terms: &Terms, addresses: &[TermId]) -> (Vec<TermId>, Vec<(u32, u64)>) {
    let mut known: FxHashMap<&[(TermId, u64)], (u32, u64)> = FxHashMap::default();
    let mut firsts = Vec::new();
    let row_of = addresses.iter().map(|&address| {
        let mut alone = || {
            firsts.push(address);
            (firsts.len() as u32 - 1, 0)
        };
        match terms.node(address) {
            // Narrower sums wrap where numbers of 64 bits don't.
            Node::Affine {
                constant,
                terms: atoms,
            } if terms.width(address) == 64 => {
                let &mut (row, first) =
                    known.entry(atoms).or_insert_with(|| (alone().0, *constant));
                (row, further(constant.wrapping_sub(first)))
            }
            _ => alone(),
        }
    });
    let row_of = row_of.collect();
    (firsts, row_of)
}

pub(in crate::shuffle) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(29) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}
