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

mod before;
mod classes;
mod parameters;
mod reason;
mod stores;
mod unchanged;

use self::before::{Before, Relevant};
use self::classes::Classes;
use self::parameters::ByParameters;
pub use self::reason::{Passed, Reason, Side};
use crate::shuffle::model::pair::Pair;
use crate::shuffle::refusal::{Refusal, c3};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::conditions::PathConditions;
use ptxasw_emulator::domains::alias::{self, Assumptions, Harmless, Kill};
use ptxasw_emulator::solver::Solver;
use ptxasw_emulator::solver::disjoint::{Separation, Under};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::{Event, EventKind, Provenance, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::reachability::Reachability;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
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

/// Decides C3 for pairs of loads of one kernel.
pub struct Memory<'a> {
    analyses: &'a Analyses,
    trace: &'a Trace,
    choice: Choice,
    classes: Classes,
    reachability: Reachability,
    /// Per pair of blocks: the blocks wholly between them that have events.
    between: FxHashMap<(BlockId, BlockId), Option<Rc<[BlockId]>>>,
    before: Before,
    /// Per space and object of a load: the tracked events that count before a source.
    relevant: FxHashMap<(Space, Provenance), Relevant>,
    /// All tracked events, where they are listed.
    all: Relevant,
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
    /// Prepares the analysis of a kernel's trace.
    pub fn new(
        analyses: &'a Analyses,
        trace: &'a Trace,
        terms: &mut Terms,
        conditions: &'a PathConditions,
        def_blocks: &'a FxHashMap<TermId, BlockId>,
        choice: Choice,
    ) -> Self {
        let mut separation =
            Separation::new(terms, analyses, conditions, def_blocks, choice.assumed);
        let classes = Classes::new(analyses, trace, terms, &mut separation.distances);
        let before = Before::new(analyses, trace, &classes.events);
        let all = match choice.list {
            true => before.perhaps_by(Provenance::Unknown),
            false => Vec::new(),
        };
        Memory {
            analyses,
            trace,
            choice,
            before,
            all: Relevant::of(all),
            classes,
            reachability: Reachability::default(),
            between: FxHashMap::default(),
            relevant: FxHashMap::default(),
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

    // ---- between ----------------------------------------------------------------------------------------------------

    fn check_between(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        pair: &Pair,
        found: &mut ProofSummary,
    ) -> Result<(), Refusal> {
        let spans = self.spans_between(pair.source, pair.destination);
        let spans = spans.ok_or_else(|| Refusal::new(&c3::BLOCKS))?;
        found.events = spans.iter().map(ExactSizeIterator::len).sum();
        if found.events == 0 {
            return Ok(());
        }
        let mut place = |load: &Event| {
            let zero = terms.constant(64, 0);
            let address = load.address.unwrap_or(zero);
            let (shape, constant) = self.separation.distances.shape(terms, address);
            (load.bytes(), shape, constant)
        };
        let loads = [place(pair.source), place(pair.destination)];
        let source_block = pair.source.block;
        let assumed = self.choice.assumed;
        let open = self
            .classes
            .open(&spans, loads, source_block, self.analyses, assumed);
        if open.events.len() > MAX_STORES {
            return Err(Refusal::new(&c3::EVENTS));
        }
        found.by_parameters.merge(open.left_out);
        let events = match self.choice.list {
            true => {
                let all = spans
                    .iter()
                    .flat_map(|span| &self.classes.events[span.clone()]);
                all.copied().collect()
            }
            false => open.events,
        };
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
        // A loop that holds the event but not the source may have executed it in iterations before the one that terms
        // speak of.
        let loops = &self.analyses.loops;
        let outermost = loops
            .around(event.block)
            .take_while(|&id| !loops.contains(id, pair.source.block))
            .last();
        self.apart(terms, solver, event, outermost, pair, side)
            .ok_or(Kill::Store)
    }

    /// Positions, among the events of [`Classes`], of all on paths from `source` to `destination` that do not pass `source`
    /// again; none if there are too many.
    fn spans_between(&mut self, source: &Event, destination: &Event) -> Option<Vec<Range<usize>>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        if self.classes.events.is_empty() {
            return Some(spans);
        }
        let blocks = if source.block == destination.block && source.position < destination.position
        {
            None
        } else {
            Some(self.blocks_between(source.block, destination.block)?)
        };
        let trace = self.trace;
        let classes = &self.classes;
        let mut add = |block: BlockId, from: u32, to: u32| {
            let start = trace.blocks[block.index()].start;
            let span = classes.positions(start + from..start + to);
            match spans.last_mut() {
                _ if span.is_empty() => {}
                Some(last) if last.end == span.start => last.end = span.end,
                _ => spans.push(span),
            }
        };
        let len = |block: BlockId| trace.of_block(block).len() as u32;
        let Some(blocks) = blocks else {
            add(source.block, source.position + 1, destination.position);
            return Some(spans);
        };
        add(source.block, source.position + 1, len(source.block));
        let mut whole_destination = false;
        for &block in blocks.iter() {
            whole_destination |= block == destination.block;
            add(block, 0, len(block));
        }
        if !whole_destination {
            add(destination.block, 0, destination.position);
        }
        Some(spans)
    }

    /// Blocks with events between the two, see [`Reachability`]; none if those between are too many.
    fn blocks_between(&mut self, from: BlockId, to: BlockId) -> Option<Rc<[BlockId]>> {
        let (cfg, trace, classes) = (&self.analyses.cfg, self.trace, &self.classes);
        let reachability = &mut self.reachability;
        self.between
            .entry((from, to))
            .or_insert_with(|| {
                let blocks = reachability
                    .blocks(cfg, from, to, MAX_BLOCKS)?
                    .iter()
                    .copied();
                let events = |block: BlockId| trace.blocks[block.index()].clone();
                let with_events = |&block: &BlockId| !classes.positions(events(block)).is_empty();
                Some(blocks.filter(with_events).collect())
            })
            .clone()
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
        let too_many = || Refusal::new(&c3::WRITES);
        let key = (pair.destination.space, pair.destination.provenance);
        if !self.relevant.contains_key(&key) {
            let relevant = self.relevant_to(pair.destination);
            self.relevant.insert(key, relevant);
        }
        let relevant = self.relevant.get_mut(&key).ok_or_else(too_many)?;
        let events = self
            .before
            .events(self.trace, pair.source, relevant, MAX_STORES);
        let mut events = events.ok_or_else(too_many)?;
        if self.choice.list {
            events = self
                .before
                .events(self.trace, pair.source, &mut self.all, usize::MAX)
                .ok_or_else(too_many)?;
        }
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

    /// The tracked events that objects alone do not pass: what orders memory, and stores by the base of the destination.
    fn relevant_to(&self, destination: &Event) -> Relevant {
        let tracked = self.before.tracked();
        let counts = |&position: &u32| {
            let event = &self.trace.events[tracked[position as usize] as usize];
            !matches!(event.kind, EventKind::Store(_))
                || self.earlier_object(event, destination).is_none()
        };
        // A store by another base than the destination's never counts.
        let mut perhaps = self.before.perhaps_by(destination.provenance);
        perhaps.retain(counts);
        Relevant::of(perhaps)
    }

    /// Why a store before the source is not of the object that the destination reads; none if it may be.
    fn earlier_object(&self, event: &Event, destination: &Event) -> Option<Reason> {
        // What is assumed of parameters need not be: without a race, no other lane reads what this one wrote.
        let assumed = Assumptions::default();
        if let Some(how @ (Harmless::Spaces | Harmless::Variables)) =
            alias::objects_apart(&event.bytes(), &destination.bytes(), assumed)
        {
            return Some(Reason::Harmless(Side::Destination, how));
        }
        let same_base = event.provenance == destination.provenance
            || event.provenance == Provenance::Unknown
            || destination.provenance == Provenance::Unknown;
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
        if let Some(reason) = self.earlier_object(event, pair.destination) {
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
