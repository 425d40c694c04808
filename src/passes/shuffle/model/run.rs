//! What the conditions of one kernel are decided by; each condition adds its methods in a file of its own.

use super::evidence::Carried;
use super::options::Options;
use crate::shuffle::plan::{Condition, Wrapping};
use crate::shuffle::prove::memory::Memory;
use crate::shuffle::refusal::Refusal;
use crate::shuffle::region::ballot_mask::Masks;
use crate::shuffle::region::clone::DivergentRegions;
use crate::shuffle::region::convergence::Convergence;
use crate::shuffle::region::placement::Holders;
use ptxasw_emulator::conditions::PathConditions;
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::{Event, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ir::patch::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// What the conditions are decided by.
pub(in crate::shuffle) struct Run<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub conditions: &'a PathConditions,
    pub trace: &'a Trace,
    pub values: &'a [Option<TermId>],
    pub text: &'a dyn Text,
    pub terms: &'a mut Terms,
    pub solver: &'a mut dyn Solver,
    pub options: &'a Options,
    pub memory: Memory<'a>,
    pub convergence: &'a Convergence,
    pub parts: &'a DivergentRegions,
    pub masks: &'a Masks,
    pub loads: &'a [u32],
    pub queries: u32,
    /// Something is promised of a value.
    pub has_promises: bool,
    /// [`Terms::rebuilt`] may not grow beyond this.
    pub steps: u64,
    /// Which registers hold what, once it was asked.
    pub holders: Option<Holders>,
    /// How conditions were met.
    pub met: FxHashSet<Arc<[Condition]>>,
    /// Whether memory holds each of the carried values, where that was asked; by number, and whether the bytes are constant.
    pub known_carried: FxHashMap<(u32, bool), Result<Rc<Carried>, Refusal>>,
    /// Calls and the like that may end a thread.
    pub may_exit: Vec<&'a Event>,
    /// Barriers that all threads of the block pass together.
    pub barriers: Vec<&'a Event>,
}

impl<'a> Run<'a> {
    /// Masks are tracked in the parts of this kernel; there are no copies.
    pub fn tracks(&self) -> bool {
        self.options.wrapping.is_some_and(Wrapping::tracks)
    }

    pub fn event(&self, load: u32) -> &'a Event {
        &self.trace.events[self.loads[load as usize] as usize]
    }
}
