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
use ptxasw_emulator::dependence::{Accesses, Guarded, Paths, Shape, Span, other_iteration};
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
use std::rc::Rc;

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

/// The block of a source, and the space and object of what its destinations read.
type Reader = (BlockId, Space, Provenance);

/// Decides C3 for pairs of loads of one kernel.
pub struct Memory<'a> {
    analyses: &'a Analyses,
    trace: &'a Trace,
    choice: Choice,
    accesses: &'a Accesses,
    paths: Paths<'a>,
    /// What counts of that which can have happened before a block; of more than are looked at only so many.
    before: FxHashMap<Reader, Rc<[u32]>>,
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
        Memory {
            analyses,
            trace,
            choice,
            accesses,
            paths: Paths::new(&analyses.cfg, accesses),
            before: FxHashMap::default(),
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
        let spans = self
            .paths
            .between(pair.source, pair.destination, MAX_BLOCKS)
            .ok_or_else(|| Refusal::new(&c3::BLOCKS))?;
        let accesses = self.accesses;
        let all = spans.iter().map(|span| accesses.changes(span));
        found.events = all.clone().map(<[u32]>::len).sum();
        if found.events == 0 {
            return Ok(());
        }
        let mut events = self.open_between(terms, pair, &spans, &mut found.by_parameters)?;
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

    /// The events in some spans that may touch the bytes of one of the loads, in order, as far as objects and constants decide it.
    fn open_between(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        spans: &[Span],
        left_out: &mut ByParameters,
    ) -> Result<Vec<u32>, Refusal> {
        let bytes = [pair.source, pair.destination].map(Event::bytes);
        let loads = bytes.each_ref().map(|bytes| Guarded {
            place: Shape::place(terms, &mut self.separation.distances, bytes),
            bytes,
            here: pair.destination.block,
        });
        let (accesses, assumed) = (self.accesses, self.choice.assumed);
        let too_many = || Refusal::new(&c3::EVENTS);
        let mut open: Vec<u32> = Vec::new();
        for span in spans {
            open.extend(accesses.others(span).iter().take(2 * MAX_STORES + 1));
            let same = self.other_iteration(span.0, pair).is_none();
            for class in accesses.stored(span) {
                for load in &loads {
                    match accesses.may_write(class, span, load, same, assumed, MAX_STORES + 1) {
                        Err(how) => left_out.add(how),
                        Ok(stores) if stores.len() > MAX_STORES => return Err(too_many()),
                        Ok(stores) => open.extend(stores.iter().map(|&id| accesses.get(id).event)),
                    }
                }
            }
            // Each can be there for both loads.
            if open.len() > 2 * MAX_STORES {
                return Err(too_many());
            }
        }
        open.sort_unstable();
        open.dedup();
        match open.len() > MAX_STORES {
            true => Err(too_many()),
            false => Ok(open),
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
        let (here, spans) = self.paths.before(pair.source);
        let read = pair.destination.bytes();
        let key = (here.0, read.space, read.provenance);
        let earlier = match self.before.get(&key) {
            // A barrier in front of the source leaves nothing.
            _ if spans.is_empty() => Rc::default(),
            Some(known) => Rc::clone(known),
            None => {
                let found: Rc<[u32]> = self.perhaps_read(&spans, &read).into();
                self.before.insert(key, Rc::clone(&found));
                found
            }
        };
        let mut found = self.perhaps_read(std::slice::from_ref(&here), &read);
        found.extend(earlier.iter());
        found.sort_unstable();
        // In a loop an event in front of the source may have happened before.
        found.dedup();
        if found.len() > MAX_STORES {
            return None;
        }
        if self.choice.list {
            let spans = spans.iter().chain([&here]);
            let all = spans.flat_map(|span| self.accesses.changes(span)).copied();
            found = all.filter(|&event| self.is_visible(event)).collect();
            found.sort_unstable();
            found.dedup();
        }
        Some(found)
    }

    /// The events in some spans that are not of another object than what is read; of more than are looked at only some.
    fn perhaps_read(&self, spans: &[Span], read: &Bytes) -> Vec<u32> {
        let accesses = self.accesses;
        let mut found = Vec::new();
        for span in spans {
            let mut add = |events: &mut dyn Iterator<Item = u32>| {
                let visible = events.filter(|&number| {
                    let event = &self.trace.events[number as usize];
                    let is_store = matches!(event.kind, EventKind::Store(_));
                    let other = is_store && self.earlier_object(&event.bytes(), read).is_some();
                    !other && self.is_visible(number)
                });
                found.extend(visible.take(MAX_STORES + 1));
            };
            add(&mut accesses.others(span).iter().copied());
            let stores = &accesses.block(span.0).stores;
            for class in accesses.stored(span) {
                let written = &accesses.class(class).bytes;
                if self.earlier_object(written, read).is_none() {
                    let all = accesses.inside(&stores[&class].all, &span.1);
                    add(&mut all.map(|id| accesses.get(id).event));
                }
            }
            if found.len() > MAX_STORES {
                break;
            }
        }
        found
    }

    /// Whether an event is no store to memory that only this thread can name.
    fn is_visible(&self, event: u32) -> bool {
        let event = &self.trace.events[event as usize];
        !matches!(event.kind, EventKind::Store(_))
            || !matches!(event.space, Space::Local | Space::ParamFunc)
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
