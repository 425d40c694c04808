//! The search: each load in turn, its candidates, and the conditions C1 to C6 for each.

use super::candidate::Candidates;
use super::proposal;
use super::proposal::{Piece, Proposal};
use crate::shuffle::model::data::{Data, kind};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::model::proved::{Basis, Proved, ProvedPart, RegionKey};
use crate::shuffle::model::run::Run;
use crate::shuffle::plan::Condition;
use crate::shuffle::prove::c1_address::SameBytes;
use crate::shuffle::prove::memory::SameMemory;
use crate::shuffle::prove::{c2_instance, carried, lanes};
use crate::shuffle::refusal::{Refusal, c1, limit};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::TermId;
use ptxasw_ir::lanes::LaneMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The refusal of a load of which only some bytes have a source, or not all at one distance.
fn only_in_part() -> Refusal {
    Refusal::new(&c1::PARTIAL)
}

pub(in crate::shuffle) fn no_source() -> Refusal {
    Refusal::new(&c1::NO_SOURCE)
}

impl<'a> Run<'a> {
    /// Decides every load, in the order of the walk: a source comes before its destinations.
    pub fn all(&mut self) -> (Vec<Proved>, Vec<Option<Box<Refusal>>>) {
        let zero = self.terms.constant(64, 0);
        let count = self.loads.len() as u32;
        let addresses: Vec<TermId> = (0..count)
            .map(|load| self.event(load).address.unwrap_or(zero))
            .collect();
        let kinds: Vec<u64> = (0..count).map(|load| kind(self.event(load))).collect();
        let data: Vec<Result<Data, Refusal>> = (0..count)
            .map(|load| self.eligible(self.event(load)))
            .collect();
        let bytes: Vec<u32> = (0..count).map(|load| self.event(load).bytes).collect();
        let sizes = data.iter().flatten().map(|data| data.element);
        let max_delta = self.options.largest_distance();
        let mut candidates =
            Candidates::new(self.terms, &addresses, &kinds, &bytes, sizes, max_delta);
        if active(Mutation::PreviousIteration) {
            for (load, data) in (0..).zip(&data) {
                data.iter()
                    .for_each(|data| candidates.admit(load, data.given));
            }
        }
        let (mut proved, mut refusals) = (Vec::new(), vec![None; count as usize]);
        for (load, data) in (0..).zip(data) {
            match data {
                Err(refusal) => refusals[load as usize] = Some(refusal.into()),
                Ok(data) if self.event(load).carried.is_some() => {
                    candidates.admit(load, data.given);
                }
                // What is proved by now holds all the same.
                Ok(_) if self.terms.len() > self.options.limits.terms => {
                    refusals[load as usize] = Some(self.options.limits.refuse_terms().into());
                }
                Ok(data) => match self.cover(load, &data, &candidates, proved.len() as u32) {
                    Ok(shuffle) => proved.push(shuffle),
                    Err(refusal) => {
                        refusals[load as usize] = Some(refusal.into());
                        candidates.admit(load, data.given);
                    }
                },
            }
        }
        (proved, refusals)
    }

    /// The best proved sources of a load, or the reason why the nearest candidate failed.
    fn cover(
        &mut self,
        load: u32,
        data: &Data,
        candidates: &Candidates,
        covered: u32,
    ) -> Result<Proved, Refusal> {
        let mut first = None;
        for proposal in proposal::of(load, data, candidates).ok_or_else(no_source)? {
            if covered >= self.options.max_shuffles {
                return Err(Refusal::new(&limit::SHUFFLES));
            }
            if self.terms.rebuilt() >= self.steps {
                return Err(self.options.limits.refuse_steps());
            }
            match self.prove(load, &proposal) {
                Ok(proved) => return Ok(proved),
                Err(refusal) => first = first.or(Some(refusal)),
            }
        }
        Err(first.unwrap_or_else(only_in_part))
    }

    /// Conditions C1 to C6 for all parts of a destination.
    fn prove(&mut self, load: u32, proposal: &Proposal) -> Result<Proved, Refusal> {
        let mut parts: SmallVec<[ProvedPart; 1]> = SmallVec::new();
        for piece in &proposal.pieces {
            let skip = piece.skip();
            let known = parts
                .iter_mut()
                .find(|part| (part.source, part.skip) == (piece.source, skip));
            match known {
                Some(part) => match part.bytes.last_mut() {
                    Some((at, bytes)) if *at + *bytes == piece.at => *bytes += piece.bytes,
                    _ => part.bytes.push((piece.at, piece.bytes)),
                },
                None => parts.push(self.prove_part(load, proposal.lanes, piece)?),
            }
        }
        Ok(Proved {
            destination: load,
            lanes: proposal.lanes,
            region_key: match self.parts.of(self.event(load).block) {
                Some(_) if self.tracks() => match self.masks.of(self.event(load).block) {
                    Some(mask) => RegionKey::Mask(mask),
                    // Only its own values need no mask.
                    None => RegionKey::Head(self.convergence.head(self.event(load).block).block),
                },
                Some(part) => RegionKey::Copy(part),
                None => RegionKey::Head(self.convergence.head(self.event(load).block).block),
            },
            parts,
        })
    }

    /// Pairs with equal conditions share one copy of them.
    fn shared(&mut self, conditions: [Condition; 6]) -> Arc<[Condition]> {
        if let Some(known) = self.met.get(conditions.as_slice()) {
            return known.clone();
        }
        let conditions: Arc<[Condition]> = conditions.into();
        self.met.insert(conditions.clone());
        conditions
    }

    /// Conditions C1 to C6 for one pair.
    fn prove_part(
        &mut self,
        load: u32,
        lanes: LaneMap,
        piece: &Piece,
    ) -> Result<ProvedPart, Refusal> {
        let pair = Pair {
            source: self.event(piece.source),
            destination: self.event(load),
            lanes,
            skip: piece.skip(),
        };
        let mut c2 = c2_instance::check(self.analyses, pair.source, pair.destination)?;
        let constant = pair.source.reads_constant() && pair.destination.reads_constant();
        let carried = self.check_carried(pair.source, constant)?;
        if !carried.is_empty() {
            c2 = carried::PROOF.into();
        }
        let same = self.same_bytes(&pair)?;
        let by = same.by();
        let SameBytes {
            proof: c1,
            wanted,
            distance,
            guards,
            rests_on,
            algebra: _,
            reading,
        } = same;
        let SameMemory { proof: c3, passed } = self.memory.check(self.terms, self.solver, &pair)?;
        self.check_callers(&pair)?;
        let (c4, c5) = if pair.lanes.is_own() {
            let own = "the thread's own value";
            (own.into(), own.into())
        } else {
            (
                self.check_participation(&pair)?.into(),
                lanes::check(self.function, pair.lanes)?,
            )
        };
        let (c6, vote) = self.no_hole(&pair)?;
        let mut names = ["C1", "C2", "C3", "C4", "C5", "C6"].into_iter();
        let conditions = [c1, c2, c3, c4, c5, c6].map(|proof| Condition {
            name: names.next().unwrap_or_default(),
            proof,
        });
        let basis = Basis {
            guards,
            rests_on,
            reading,
            passed,
            carried,
        };
        Ok(ProvedPart {
            source: piece.source,
            skip: pair.skip,
            bytes: SmallVec::from_slice(&[(piece.at, piece.bytes)]),
            vote,
            wanted,
            distance: distance.map(|check| pair.distance(check)),
            conditions: self.shared(conditions),
            by,
            basis: self.options.certificates.then(|| basis.into()),
        })
    }
}
