//! C3, same memory: nothing between source and destination may change the bytes, and what this thread wrote before the
//! source must not be what the destination reads.
//!
//! Loads of bytes that are constant while the kernel runs (`.nc`, `.const`) are killed by nothing. For all others the
//! events on all paths from the source to the destination count: what orders memory kills, a store kills unless its
//! bytes are others. That is decided by objects and state spaces, then by bounds of the distance, then by the solver under
//! path conditions.
//!
//! Addresses speak of one iteration of each loop. Where an event may be one of another iteration, the symbols of the loop are
//! renamed in its address: what then is proved holds for any two iterations.

mod reason;

use self::reason::ByParameters;
pub use self::reason::{Passed, Reason, Side};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::refusal::{Refusal, c3};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::dependence::{
    Accesses, Between, Counted, Guarded, Paths, Shape, Span, other_iteration,
};
use ptxasw_emulator::domains::alias::{self, Assumptions, Bytes, Harmless, Kill};
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::solver::disjoint::{Disjoint, Separation, Under};
use ptxasw_emulator::term::Terms;
use ptxasw_emulator::trace::{Event, EventKind, Provenance, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Stores looked at one by one for a pair, on either side of its source; a pair with more is refused.
const MAX_STORES: usize = 1024;
/// Blocks between a source and a destination that are looked at. A value that is held for longer would be spilled.
pub(in crate::shuffle) const MAX_BLOCKS: usize = 1024;

/// How C3 was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SameMemory {
    /// In words.
    pub proof: Cow<'static, str>,
    /// The events that were passed, each with every reason, where they are wanted.
    pub passed: Vec<Passed>,
}

/// What the user chose.
#[derive(Clone, Copy, Default, Debug)]
pub struct Choice {
    /// Taken for granted.
    pub assumed: Assumptions,
    /// All events that are passed are listed, with reasons.
    pub list: bool,
}

/// Decides C3 for pairs of loads of one kernel.
pub struct Memory<'a> {
    analyses: &'a Analyses,
    trace: &'a Trace,
    choice: Choice,
    accesses: &'a Accesses,
    paths: Paths<'a>,
    /// All but weak loads, barriers of the block, and stores to memory that only this thread can name.
    visible: Vec<u32>,
    /// Per space and object of a load: what of that counts before a source.
    before: FxHashMap<(Space, Provenance), Counted>,
    /// All of it, where it is listed.
    all: Option<Counted>,
    separation: Separation<'a>,
}

/// What goes into the words of a proof.
struct ProofSummary {
    events: usize,
    by_parameters: ByParameters,
    by_solver: bool,
    /// What was passed is listed.
    list: bool,
    passed: Vec<Passed>,
}

impl ProofSummary {
    fn new(choice: &Choice) -> Self {
        ProofSummary {
            events: 0,
            by_parameters: ByParameters::default(),
            by_solver: false,
            list: choice.list,
            passed: Vec::new(),
        }
    }

    fn add(&mut self, event: u32, before: bool, reason: Reason) {
        match reason {
            Reason::Harmless(_, how) => self.by_parameters.add(how),
            Reason::Apart(_, apart) => self.by_solver |= apart.under != Under::Nothing,
            _ => {}
        }
        if self.list {
            self.passed.push(Passed {
                event,
                before,
                reason,
            });
        }
    }

    fn words(&self) -> Cow<'static, str> {
        let mut words: Cow<str> = match self.events {
            0 => "nothing that writes or orders memory lies between".into(),
            n => format!("{n} events between touch other bytes").into(),
        };
        if self.by_solver {
            words += "; a store writes other bytes: bit-vector solver";
        }
        if self.by_parameters.declared {
            words += "; pointer parameters declared `noalias`";
        }
        if self.by_parameters.assumed {
            words += "; pointer parameters assumed not to overlap, by choice of the user";
        }
        words
    }
}

impl<'a> Memory<'a> {
    /// Nothing was asked yet.
    pub fn new(
        analyses: &'a Analyses,
        trace: &'a Trace,
        accesses: &'a Accesses,
        separation: Separation<'a>,
        choice: Choice,
    ) -> Self {
        let visible = (0..).zip(&trace.events);
        let visible = visible.filter(|(_, event)| is_visible(event));
        let visible: Vec<u32> = visible.map(|(number, _)| number).collect();
        Memory {
            analyses,
            trace,
            choice,
            accesses,
            paths: Paths::new(&analyses.cfg, accesses),
            before: FxHashMap::default(),
            all: choice.list.then(|| Counted::new(visible.clone())),
            visible,
            separation,
        }
    }

    /// Checks C3 for a pair whose source dominates its destination. Returns how it was met.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        pair: &Pair,
    ) -> Result<SameMemory, Refusal> {
        if pair.destination.reads_constant() && pair.source.reads_constant() {
            return Ok(SameMemory {
                proof: "the bytes are constant while the kernel runs".into(),
                passed: Vec::new(),
            });
        }
        let mut found = ProofSummary::new(&self.choice);
        self.check_between(terms, solver, pair, &mut found)?;
        if !pair.lanes.is_own() {
            self.check_before(terms, solver, pair, &mut found)?;
        }
        let proof = found.words();
        Ok(SameMemory {
            proof,
            passed: found.passed,
        })
    }

    /// What of the events from a load to a later point may touch its bytes: all that were passed, where they are wanted, or the
    /// refusal for the first that may. `later` is the load as if it were there.
    pub fn unchanged(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        load: &Event,
        later: &Event,
    ) -> Result<Vec<Passed>, Refusal> {
        let pair = Pair {
            source: load,
            destination: later,
            lanes: LaneMap::OWN,
            skip: 0,
        };
        let mut found = ProofSummary::new(&self.choice);
        self.check_between(terms, solver, &pair, &mut found)?;
        Ok(found.passed)
    }

    // ---- between ----------------------------------------------------------------------------------------------------

    fn check_between(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        pair: &Pair,
        found: &mut ProofSummary,
    ) -> Result<(), Refusal> {
        let between = self
            .paths
            .between(pair.source, pair.destination, MAX_BLOCKS)
            .ok_or_else(|| Refusal::new(&c3::BLOCKS))?;
        let accesses = self.accesses;
        let changes = |span: Span| accesses.changes(&span);
        let all = between.spans(accesses).map(changes);
        found.events = all.clone().map(<[u32]>::len).sum();
        if found.events == 0 {
            return Ok(());
        }
        let mut events = self.open_between(terms, pair, &between, &mut found.by_parameters)?;
        if self.choice.list {
            events = all.flatten().copied().collect();
            events.sort_unstable();
        }
        for index in events {
            let event = &self.trace.events[index as usize];
            for side in [Side::Source, Side::Destination] {
                let reason = self
                    .harmless(terms, solver, event, pair, side)
                    .map_err(|why| killed(event, why))?;
                found.add(index, false, reason);
            }
        }
        Ok(())
    }

    /// The events between that may touch the bytes of one of the loads, in order, as far as objects and constants decide it.
    fn open_between(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        between: &Between,
        left_out: &mut ByParameters,
    ) -> Result<Vec<u32>, Refusal> {
        let bytes = [pair.source, pair.destination].map(Event::bytes);
        let loads = bytes.each_ref().map(|bytes| Guarded {
            place: Shape::place(terms, &mut self.separation.distances, bytes),
            bytes,
            here: pair.destination.block,
        });
        let (accesses, assumed) = (self.accesses, self.choice.assumed);
        let (mut events, mut stores) = (Vec::new(), Vec::new());
        for span in between.spans(accesses) {
            events.extend(accesses.others(&span).iter().take(MAX_STORES + 1));
            let other = self.other_iteration(span.0, pair);
            let loads = loads.map(|load| load.in_iteration(other));
            for class in accesses.stored(&span) {
                for load in &loads {
                    let most = MAX_STORES + 1;
                    let how = accesses.may_write(class, &span, load, assumed, most, &mut stores);
                    how.into_iter().for_each(|how| left_out.add(how));
                }
            }
            // Each store can be there for both loads.
            if events.len() > MAX_STORES || stores.len() > 2 * MAX_STORES {
                return Err(Refusal::new(&c3::EVENTS));
            }
        }
        events.extend(stores.iter().map(|&id| accesses.get(id).event));
        events.sort_unstable();
        events.dedup();
        match events.len() > MAX_STORES {
            true => Err(Refusal::new(&c3::EVENTS)),
            false => Ok(events),
        }
    }

    /// The outermost loop of which an event between the two may be of another iteration than the one that terms speak of.
    fn other_iteration(&self, block: BlockId, pair: &Pair) -> Option<LoopId> {
        other_iteration(&self.analyses.loops, block, pair.source.block, &[])
    }

    /// Why an event between the two leaves the bytes of one of them alone.
    fn harmless(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        pair: &Pair,
        side: Side,
    ) -> Result<Reason, Kill> {
        if let Some(how) = alias::kills_all(event)? {
            return Ok(Reason::Harmless(side, how));
        }
        let other = self.other_iteration(event.block, pair);
        self.apart(terms, solver, event, other, pair, side)
            .ok_or(Kill::Store)
    }

    /// Why a store shares no byte with one of the loads. `other`: the outermost loop of which it may be in another iteration.
    fn apart(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        other: Option<LoopId>,
        pair: &Pair,
        side: Side,
    ) -> Option<Reason> {
        let load = match side {
            Side::Source => pair.source,
            Side::Destination => pair.destination,
        };
        let later = (&load.bytes(), pair.destination.block);
        let how = self.separation.prove(terms, solver, event, other, later)?;
        Some(match how {
            Disjoint::Structure(how) => Reason::Harmless(side, how),
            Disjoint::Terms(apart) => Reason::Apart(side, apart),
        })
    }

    // ---- before -----------------------------------------------------------------------------------------------------

    /// What this thread did before `source`, back to the last barrier of the block.
    fn check_before(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        pair: &Pair,
        found: &mut ProofSummary,
    ) -> Result<(), Refusal> {
        let events = self
            .events_before(pair)
            .ok_or_else(|| Refusal::new(&c3::WRITES))?;
        for index in events {
            let event = &self.trace.events[index as usize];
            let reason = match &event.kind {
                EventKind::Store(_) => {
                    self.earlier_store(terms, solver, event, pair)
                        .ok_or_else(|| {
                            Refusal::new(&c3::BEFORE).at(event.origin, "store before the source")
                        })?
                }
                _ if !event.guarded && self.executed_by_all(event, pair.source) => {
                    Reason::OrderedByAll
                }
                _ if active(Mutation::PartialAcquire) => Reason::OrderedByAll,
                _ => {
                    return Err(Refusal::new(&c3::BEFORE_ORDERED)
                        .at(event.origin, "orders memory for some lanes"));
                }
            };
            found.add(index, true, reason);
        }
        Ok(())
    }

    /// The events before the source that objects alone do not pass, in order: what orders memory, and stores by the base of the
    /// destination. All, where they are listed; none if they are more than [`MAX_STORES`].
    fn events_before(&mut self, pair: &Pair) -> Option<Vec<u32>> {
        let read = pair.destination.bytes();
        let key = (read.space, read.provenance);
        if !self.before.contains_key(&key) {
            let counted = Counted::new(self.perhaps_read(&read));
            self.before.insert(key, counted);
        }
        let counted = self.before.get_mut(&key)?;
        let found = self.paths.before(pair.source, counted, MAX_STORES)?;
        match &mut self.all {
            Some(all) => self.paths.before(pair.source, all, usize::MAX),
            None => Some(found),
        }
    }

    /// The visible events that are not of another object than what is read.
    fn perhaps_read(&self, read: &Bytes) -> Vec<u32> {
        let perhaps = |&number: &u32| {
            let event = &self.trace.events[number as usize];
            let is_store = matches!(event.kind, EventKind::Store(_));
            !is_store || self.earlier_object(&event.bytes(), read).is_none()
        };
        self.visible.iter().copied().filter(perhaps).collect()
    }

    /// Why a store before the source is not of the object that the destination reads; none if it may be.
    fn earlier_object(&self, written: &Bytes, read: &Bytes) -> Option<Reason> {
        // What is assumed of parameters need not be: without a race, no other lane reads what this one wrote.
        let assumed = Assumptions::default();
        if let Some(how @ (Harmless::Spaces | Harmless::Variables)) =
            alias::objects_apart(written, read, assumed)
        {
            return Some(Reason::Harmless(Side::Destination, how));
        }
        let same_base = written.provenance == read.provenance
            || written.provenance == Provenance::Unknown
            || read.provenance == Provenance::Unknown;
        (!same_base || active(Mutation::OwnStoreBeforeSource)).then_some(Reason::OtherPointer)
    }

    /// Why a store before the source is not what the destination reads; none if it may be.
    fn earlier_store(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        pair: &Pair,
    ) -> Option<Reason> {
        let read = pair.destination.bytes();
        if let Some(reason) = self.earlier_object(&event.bytes(), &read) {
            return Some(reason);
        }
        // In a loop the store may be one of an iteration before.
        let outermost = self.analyses.loops.around(event.block).last();
        self.apart(terms, solver, event, outermost, pair, Side::Destination)
    }

    /// Every thread that gets to `source` has executed `event`.
    fn executed_by_all(&self, event: &Event, source: &Event) -> bool {
        self.analyses
            .dominators
            .dominates(event.block, source.block)
    }
}

/// Whether another thread may notice an event since the last barrier of the block: no weak loads, nor stores to memory that only this
/// thread can name.
fn is_visible(event: &Event) -> bool {
    match &event.kind {
        EventKind::Load(access) => !access.order.is_weak(),
        EventKind::Store(_) => !matches!(event.space, Space::Local | Space::ParamFunc),
        _ => !event.is_block_barrier(),
    }
}

/// The refusal of a pair with a killing event between.
fn killed(event: &Event, why: Kill) -> Refusal {
    let (reason, label) = match why {
        Kill::Store => (&c3::STORE, "a store that may write the same bytes"),
        Kill::OrderedStore => (&c3::ORDERED_STORE, "a store that orders memory"),
        Kill::OrderedLoad => (&c3::ORDERED_LOAD, "a volatile or ordering load"),
        Kill::Atomic => (&c3::ATOMIC, "an atomic operation"),
        Kill::Barrier => (&c3::BARRIER, "a barrier"),
        Kill::Fence => (&c3::FENCE, "a fence"),
        Kill::Unknown => (&c3::CALL, "a call or unknown instruction"),
    };
    Refusal::new(reason).at(event.origin, label)
}
