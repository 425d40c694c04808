//! What is known of a pair once all conditions are met.

use super::evidence::{Carried, Guard, ProofMethod, RestsOn};
use crate::shuffle::plan::Condition;
use crate::shuffle::prove::memory::Passed;
use crate::shuffle::region::placement::Wanted;
use ptxasw_emulator::solver::Reading;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::lanes::LaneMap;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// A proved shuffle: every byte of the destination comes from some source.
#[derive(Debug)]
pub(in crate::shuffle) struct Proved {
    pub destination: u32,
    pub lanes: LaneMap,
    /// The region of the destination.
    pub region_key: RegionKey,
    /// What the bytes of the destination are: one for each source and distance between both's bytes.
    pub parts: SmallVec<[ProvedPart; 1]>,
}

/// What a region belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::shuffle) enum RegionKey {
    /// Where lanes converge: the head.
    Head(BlockId),
    /// A tracked mask, by its number.
    Mask(u32),
    /// A copy for whole warps, by the number of its part.
    Copy(u32),
}

/// Bytes of a destination that one source gives.
#[derive(Debug)]
pub(in crate::shuffle) struct ProvedPart {
    pub source: u32,
    /// Where they begin in the source's bytes, less where they begin in the destination's.
    pub skip: i64,
    /// Which bytes of the destination: where they begin and how many, in order.
    pub bytes: SmallVec<[(u8, u8); 1]>,
    /// C6 asks for a vote of the mask on the source's guard.
    pub vote: bool,
    /// Run-time checks that C1 asks for.
    pub wanted: SmallVec<[Wanted; 1]>,
    /// Bytes from the source's to the destination's address in one thread, if they must be checked at run time.
    pub distance: Option<u64>,
    /// How C1 to C6 were met, in order.
    pub conditions: Arc<[Condition]>,
    /// By what C1 was decided.
    pub by: ProofMethod,
    /// What the certificate has to name; none where no certificates are wanted.
    pub basis: Option<Box<Basis>>,
}

/// What a proof rests on.
#[derive(Debug)]
pub(in crate::shuffle) struct Basis {
    /// The indices that do not wrap.
    pub guards: SmallVec<[Guard; 1]>,
    /// What decided cases rest on.
    pub rests_on: RestsOn,
    /// How C1 is to be read; none if it was assumed.
    pub reading: Option<Reading>,
    /// What C3 passed.
    pub passed: Vec<Passed>,
    /// What a carried source rests on, itself first; empty for a load.
    pub carried: Vec<Rc<Carried>>,
}
