//! What a plan is made from, and its regions as far as they are known.

use super::ballot_mask::{Masks, Tracker};
use super::clone::outline::Outliner;
use super::convergence::Waits;
use super::placement::Place;
use crate::shuffle::model::proved::RegionKey;
use crate::shuffle::plan::{Region, WarpCopy};
use crate::shuffle::refusal::Refusal;
use ptxasw_emulator::term::TermId;
use ptxasw_emulator::trace::{Event, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashMap;

/// What the plan is made from.
pub(in crate::shuffle) struct Kernel<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub text: &'a dyn Text,
    pub values: &'a [Option<TermId>],
    pub trace: &'a Trace,
    /// The event of a load by its number.
    pub events: &'a dyn Fn(u32) -> &'a Event,
    pub waits: &'a Waits,
    /// Draws the copies for whole warps.
    pub copies: Outliner<'a>,
    /// Places the clamps of tracked masks.
    pub tracker: Tracker<'a>,
    pub masks: &'a Masks,
}

/// A region, as far as it is known.
pub(in crate::shuffle) struct Planned {
    pub region: Region,
    pub place: Place,
    /// The copy that it belongs to.
    pub copy: Option<WarpCopy>,
}

pub(in crate::shuffle) type Regions = FxHashMap<RegionKey, Result<Planned, Refusal>>;
