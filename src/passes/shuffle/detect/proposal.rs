//! Where the bytes of a destination may come from: candidates for each of its elements, put together at one distance.

use super::candidate::{Candidate, Candidates};
use crate::shuffle::model::data::Data;
use ptxasw_ir::lanes::LaneMap;
use smallvec::SmallVec;

/// Proposals tried for one destination.
const MAX_TRIES: usize = 4;
/// Elements with more bytes may be put together from several sources.
const WORD: u8 = 4;

/// Sources for all bytes of a destination.
#[derive(Debug)]
pub(in crate::shuffle) struct Proposal {
    /// From which lane.
    pub lanes: LaneMap,
    /// In the order of the destination's bytes.
    pub pieces: SmallVec<[Piece; 1]>,
}

/// Bytes of a destination that one source may give.
#[derive(Clone, Copy, Debug)]
pub(in crate::shuffle) struct Piece {
    /// Number of the source among the loads.
    pub source: u32,
    /// Where they begin in the source's bytes.
    pub byte: u8,
    /// Where they begin in the destination's bytes.
    pub at: u8,
    /// How many.
    pub bytes: u8,
}

impl Piece {
    /// Where they begin in the source's bytes, less where they begin in the destination's.
    pub fn skip(&self) -> i64 {
        i64::from(self.byte) - i64::from(self.at)
    }

    fn new(wanted: &Wanted, candidate: &Candidate) -> Self {
        Piece {
            source: candidate.source,
            byte: candidate.byte,
            at: wanted.at,
            bytes: wanted.bytes,
        }
    }
}

/// Bytes of a destination, and who may give them.
struct Wanted {
    at: u8,
    bytes: u8,
    found: SmallVec<[Candidate; 2]>,
}

/// Proposals for a destination, the smallest distance first. None if no byte of it has a candidate.
pub(in crate::shuffle) fn of(
    load: u32,
    data: &Data,
    candidates: &Candidates,
) -> Option<Vec<Proposal>> {
    let mut wanted = Vec::new();
    for at in (0..u32::BITS as u8).step_by(data.element.into()) {
        if data.needed >> at & 1 == 1 {
            element(load, at, data.element, candidates, &mut wanted);
        }
    }
    if wanted.iter().all(|one| one.found.is_empty()) {
        return None;
    }
    let first = wanted.first()?;
    let proposals = first.found.iter().take(MAX_TRIES);
    Some(proposals.filter_map(|one| proposal(one, &wanted)).collect())
}

/// The candidates of one element, or of all its parts of some smaller size.
fn element(load: u32, at: u8, bytes: u8, candidates: &Candidates, wanted: &mut Vec<Wanted>) {
    let found = candidates.of(load, at, bytes);
    if found.is_empty() {
        for size in candidates.smaller(bytes).take_while(|&size| size >= WORD) {
            let parts = (at..at + bytes).step_by(size.into());
            let parts: Vec<Wanted> = parts
                .map(|at| Wanted {
                    at,
                    bytes: size,
                    found: candidates.of(load, at, size),
                })
                .collect();
            if parts.iter().all(|part| !part.found.is_empty()) {
                wanted.extend(parts);
                return;
            }
        }
    }
    wanted.push(Wanted { at, bytes, found });
}

/// The proposal that begins with `first`; later bytes come from the same source wherever they can.
fn proposal(first: &Candidate, wanted: &[Wanted]) -> Option<Proposal> {
    let mut pieces: SmallVec<[Piece; 1]> = SmallVec::new();
    for one in wanted {
        let piece = match pieces.last() {
            None => Piece::new(one, first),
            Some(last) => {
                let mut here = one.found.iter().filter(|other| other.lanes == first.lanes);
                let same = here.clone().find(|other| {
                    let piece = Piece::new(one, other);
                    (piece.source, piece.skip()) == (last.source, last.skip())
                });
                Piece::new(one, same.or_else(|| here.next())?)
            }
        };
        pieces.push(piece);
    }
    Some(Proposal {
        lanes: first.lanes,
        pieces,
    })
}
