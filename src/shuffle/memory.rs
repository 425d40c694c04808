//! C3, same memory: nothing between source and destination may change the bytes, and what this thread wrote before the
//! source must not be what the destination reads.
//!
//! Loads of bytes that are constant while the kernel runs (`.nc`, `.const`) are killed by nothing. For all others every
//! event on a path from the source to the destination is looked at once per pair of blocks, and cached.

use super::pair::Pair;
use super::refusal::{ConditionName, Refusal};
use crate::emulator::alias::{self, Harmless};
use crate::emulator::term::{TermId, Terms};
use crate::emulator::trace::{Event, EventKind, Provenance, Trace};
use crate::ir::analyses::Analyses;
use crate::ir::function::BlockId;
use crate::ir::loops::LoopId;
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Events looked at for one pair; a pair with more between is refused.
const MAX_EVENTS_BETWEEN: usize = 1024;
/// Writing or ordering events followed by the analysis of what lies before a source; a kernel with more counts as one
/// whose every source has a write by the same base pointer before it.
const MAX_TRACKED_EVENTS: usize = 2048;

/// Which load of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The source.
    Source,
    /// The destination.
    Destination,
}

/// Why an event that C3 looked at does no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It leaves the bytes of this load alone.
    Harmless(Side, Harmless),
    /// A store before the source, by another pointer: racing lanes apart, the source sees the bytes as the destination does.
    OtherPointer,
    /// Before the source all lanes order memory alike.
    OrderedByAll,
}

/// An event that C3 looked at and passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Its number in the trace.
    pub event: u32,
    /// It can come before the source, not between source and destination.
    pub before: bool,
    /// Why.
    pub reason: Reason,
}

/// How C3 was met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SameMemory {
    /// In words.
    pub proof: String,
    /// The events that were passed, each with every reason.
    pub passed: Vec<Passed>,
}

/// Decides C3 for pairs of loads of one kernel.
pub struct Memory<'a> {
    analyses: &'a Analyses,
    trace: &'a Trace,
    /// Where symbols are defined.
    homes: &'a FxHashMap<TermId, BlockId>,
    /// Indices of all events other than weak loads, in order.
    events: Vec<u32>,
    /// Per pair of blocks: the blocks wholly between them that have such events.
    between: FxHashMap<(BlockId, BlockId), Rc<[BlockId]>>,
    before: Before,
}

impl<'a> Memory<'a> {
    /// Prepares the analysis of a kernel's trace.
    pub fn new(
        analyses: &'a Analyses,
        trace: &'a Trace,
        homes: &'a FxHashMap<TermId, BlockId>,
    ) -> Self {
        let events: Vec<u32> = (0..trace.events.len() as u32)
            .filter(|&i| !is_weak_load(&trace.events[i as usize]))
            .collect();
        Memory {
            analyses,
            trace,
            homes,
            before: Before::new(analyses, trace, &events),
            events,
            between: FxHashMap::default(),
        }
    }

    /// Checks C3 for a pair whose source dominates its destination. Returns how it was met.
    pub fn check(&mut self, terms: &mut Terms, pair: &Pair) -> Result<SameMemory, Refusal> {
        let Pair {
            source,
            destination,
            lanes,
            ..
        } = *pair;
        let mut passed = Vec::new();
        if destination.reads_constant() && source.reads_constant() {
            return Ok(SameMemory {
                proof: "the bytes are constant while the kernel runs".into(),
                passed,
            });
        }
        let events = self.events_between(source, destination)?;
        for &index in &events {
            let event = &self.trace.events[index as usize];
            let one_time = self.one_time(terms, event, source, destination);
            for (side, load) in [(Side::Source, source), (Side::Destination, destination)] {
                let harmless = alias::effect(terms, event, load, one_time)
                    .map_err(|why| killed(event, why))?;
                passed.push(Passed {
                    event: index,
                    before: false,
                    reason: Reason::Harmless(side, harmless),
                });
            }
        }
        if !lanes.is_own() {
            self.check_before(terms, source, destination, &mut passed)?;
        }
        let proof = match events.len() {
            0 => "nothing that writes or orders memory lies between".into(),
            n => format!("{n} events between touch other bytes"),
        };
        Ok(SameMemory { proof, passed })
    }

    /// Whether the addresses of an event and of the two loads speak of the same iteration of every loop. A loop that holds
    /// the event but not the source may have executed the event in iterations before the one that terms speak of.
    fn one_time(&self, terms: &Terms, event: &Event, source: &Event, destination: &Event) -> bool {
        let loops = &self.analyses.loops;
        let outermost = loops
            .around(event.block)
            .take_while(|&id| !loops.contains(id, source.block))
            .last();
        outermost.is_none_or(|id| {
            [event.address, destination.address]
                .into_iter()
                .flatten()
                .all(|address| !self.varies(terms, address, id))
        })
    }

    /// Whether a term has a symbol of the loop's own.
    fn varies(&self, terms: &Terms, term: TermId, inside: LoopId) -> bool {
        terms.reachable(&[term]).into_iter().any(|part| {
            let home = self.homes.get(&terms.own_symbol(part));
            home.is_some_and(|&block| self.analyses.loops.contains(inside, block))
        })
    }

    /// Indices of all events, other than weak loads, on paths from `source` to `destination` that do not pass `source` again.
    fn events_between(&mut self, source: &Event, destination: &Event) -> Result<Vec<u32>, Refusal> {
        let mut found = Vec::new();
        if self.events.is_empty() {
            return Ok(found);
        }
        let trace = self.trace;
        let blocks = if source.block == destination.block && source.position < destination.position
        {
            None
        } else {
            Some(self.blocks_between(source.block, destination.block))
        };
        let events = &self.events;
        let mut add = |block: BlockId, from: u32, to: u32| {
            let start = trace.blocks[block.index()].start;
            found.extend_from_slice(within(events, start + from..start + to));
        };
        let len = |block: BlockId| trace.of_block(block).len() as u32;
        let Some(blocks) = blocks else {
            add(source.block, source.position + 1, destination.position);
            return bounded(found);
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
        bounded(found)
    }

    /// Blocks with events between the two, see [`Cfg::between`](crate::ir::cfg::Cfg::between).
    fn blocks_between(&mut self, from: BlockId, to: BlockId) -> Rc<[BlockId]> {
        let (cfg, trace, events) = (&self.analyses.cfg, self.trace, &self.events);
        self.between
            .entry((from, to))
            .or_insert_with(|| {
                let mut blocks = cfg.between(from, to);
                blocks.retain(|&block: &BlockId| {
                    !within(events, trace.blocks[block.index()].clone()).is_empty()
                });
                blocks.into()
            })
            .clone()
    }

    /// What this thread did before `source`, back to the last barrier of the block.
    fn check_before(
        &self,
        terms: &mut Terms,
        source: &Event,
        destination: &Event,
        passed: &mut Vec<Passed>,
    ) -> Result<(), Refusal> {
        let Some(events) = self.before.events(self.trace, &self.events, source) else {
            return Err(Refusal::new(
                ConditionName::C3,
                "too many writes in the kernel to follow them all",
            ));
        };
        for index in events {
            let event = &self.trace.events[index as usize];
            let reason = match &event.kind {
                EventKind::Store(_) => self
                    .earlier_store(terms, event, source, destination)
                    .ok_or_else(|| {
                        Refusal::new(
                            ConditionName::C3,
                            "the thread stored by the same pointer before the source",
                        )
                        .at(event.origin, "store before the source")
                        .lift("a block barrier between the store and the loads")
                    })?,
                _ if !event.guarded && self.executed_by_all(event, source) => Reason::OrderedByAll,
                _ if active(Mutation::PartialAcquire) => Reason::OrderedByAll,
                _ => {
                    return Err(Refusal::new(
                        ConditionName::C3,
                        "memory is ordered before the source by a part of the lanes only",
                    )
                    .at(event.origin, "orders memory for some lanes"));
                }
            };
            passed.push(Passed {
                event: index,
                before: true,
                reason,
            });
        }
        Ok(())
    }

    /// Why a store before the source is not what the destination reads; none if it may be.
    fn earlier_store(
        &self,
        terms: &mut Terms,
        event: &Event,
        source: &Event,
        destination: &Event,
    ) -> Option<Reason> {
        let apart = alias::apart(terms, event, destination);
        if let Some(how @ (Harmless::Spaces | Harmless::Variables)) = apart {
            return Some(Reason::Harmless(Side::Destination, how));
        }
        let same_base = event.provenance == destination.provenance
            || event.provenance == Provenance::Unknown
            || destination.provenance == Provenance::Unknown;
        if !same_base || active(Mutation::OwnStoreBeforeSource) {
            return Some(Reason::OtherPointer);
        }
        // In a loop the store may be one of an iteration before, where its address was another.
        let one_time =
            !self.in_one_loop(event, source) && self.one_time(terms, event, source, destination);
        apart
            .filter(|_| one_time)
            .map(|how| Reason::Harmless(Side::Destination, how))
    }

    /// Some loop holds both.
    fn in_one_loop(&self, event: &Event, source: &Event) -> bool {
        let loops = &self.analyses.loops;
        loops
            .around(source.block)
            .any(|id| loops.contains(id, event.block))
    }

    /// Every thread that gets to `source` has executed `event`.
    fn executed_by_all(&self, event: &Event, source: &Event) -> bool {
        self.analyses
            .dominators
            .dominates(event.block, source.block)
    }
}

/// The refusal of a pair with a killing event between.
fn killed(event: &Event, why: &'static str) -> Refusal {
    Refusal::new(
        ConditionName::C3,
        format!("{why} between source and destination"),
    )
    .at(event.origin, why)
    .lift(if event.address.is_some() {
        "`const ... __restrict__` pointers, which make the load `ld.global.nc`"
    } else {
        "loading the value before it"
    })
}

/// Those of a sorted list of event indices that lie in a range.
fn within(events: &[u32], range: std::ops::Range<u32>) -> &[u32] {
    let start = events.partition_point(|&event| event < range.start);
    let end = events.partition_point(|&event| event < range.end);
    events.get(start..end).unwrap_or_default()
}

/// The events between a pair, if they are not too many.
fn bounded(found: Vec<u32>) -> Result<Vec<u32>, Refusal> {
    if found.len() > MAX_EVENTS_BETWEEN {
        return Err(Refusal::new(
            ConditionName::C3,
            "too many memory events between source and destination",
        ));
    }
    Ok(found)
}

fn is_weak_load(event: &Event) -> bool {
    event.load().is_some_and(|access| access.order.is_weak())
}

/// For each block, which writing or ordering events can have happened since the last barrier of the block.
struct Before {
    /// Indices of the tracked events; none if there are too many.
    tracked: Option<Vec<u32>>,
    /// Per block, a bit set of `tracked` at its start.
    at_start: Vec<Vec<u64>>,
}

impl Before {
    fn new(analyses: &Analyses, trace: &Trace, events: &[u32]) -> Self {
        let tracked: Vec<u32> = events
            .iter()
            .copied()
            .filter(|&i| {
                let event = &trace.events[i as usize];
                !event.space_is_private() && !event.is_block_barrier()
            })
            .collect();
        if tracked.is_empty() {
            return Before {
                tracked: Some(tracked),
                at_start: Vec::new(),
            };
        }
        if tracked.len() > MAX_TRACKED_EVENTS {
            return Before {
                tracked: None,
                at_start: Vec::new(),
            };
        }
        let at_start = Self::solve(analyses, trace, events, &tracked);
        Before {
            tracked: Some(tracked),
            at_start,
        }
    }

    fn solve(analyses: &Analyses, trace: &Trace, events: &[u32], tracked: &[u32]) -> Vec<Vec<u64>> {
        let words = tracked.len().div_ceil(64);
        let blocks = trace.blocks.len();
        let mut at_start = vec![vec![0u64; words]; blocks];
        let mut work: std::collections::VecDeque<BlockId> =
            analyses.cfg.reverse_post_order().iter().copied().collect();
        let mut queued = vec![true; blocks];
        while let Some(block) = work.pop_front() {
            queued[block.index()] = false;
            let mut set = at_start[block.index()].clone();
            for &index in within(events, trace.blocks[block.index()].clone()) {
                step(&mut set, trace, tracked, index);
            }
            for next in analyses.cfg.successors(block) {
                let target = &mut at_start[next.index()];
                let mut changed = false;
                for (word, &new) in target.iter_mut().zip(&set) {
                    changed |= new & !*word != 0;
                    *word |= new;
                }
                if changed && !queued[next.index()] {
                    queued[next.index()] = true;
                    work.push_back(next);
                }
            }
        }
        at_start
    }

    /// The events before `at`; none if they could not be tracked.
    fn events(&self, trace: &Trace, events: &[u32], at: &Event) -> Option<Vec<u32>> {
        let tracked = self.tracked.as_ref()?;
        let Some(start) = self.at_start.get(at.block.index()) else {
            return Some(Vec::new());
        };
        let mut set = start.clone();
        let first = trace.blocks[at.block.index()].start;
        for &index in within(events, first..first + at.position) {
            step(&mut set, trace, tracked, index);
        }
        let events = tracked
            .iter()
            .enumerate()
            .filter(|(i, _)| set[i / 64] >> (i % 64) & 1 == 1);
        Some(events.map(|(_, &index)| index).collect())
    }
}

fn step(set: &mut [u64], trace: &Trace, tracked: &[u32], index: u32) {
    if trace.events[index as usize].is_block_barrier() {
        set.fill(0);
    } else if let Ok(i) = tracked.binary_search(&index) {
        set[i / 64] |= 1 << (i % 64);
    }
}

impl Event {
    /// A store to memory that only this thread can name.
    fn space_is_private(&self) -> bool {
        matches!(self.kind, EventKind::Store(_))
            && matches!(self.space, Space::Local | Space::ParamFunc)
    }
}
