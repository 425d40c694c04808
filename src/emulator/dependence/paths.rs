//! The spans of events between two accesses, and the events that can have happened before one.

use super::{Accesses, Span};
use crate::trace::Event;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::reachability::Reachability;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Blocks that all searches for what happened before go through.
const MAX_VISITS: usize = 1 << 27;

/// Finds what lies on paths, and remembers it.
pub struct Paths<'a> {
    cfg: &'a Cfg,
    accesses: &'a Accesses,
    reachability: Reachability,
    /// The blocks wholly between two that have events which may change memory.
    between: FxHashMap<(BlockId, BlockId), Option<Rc<[BlockId]>>>,
    /// What is left of [`MAX_VISITS`].
    left: usize,
}

/// What lies between two accesses: parts of their blocks, and whole blocks.
pub struct Between {
    first: Span,
    whole: Rc<[BlockId]>,
    last: Option<Span>,
}

impl Between {
    /// All of it.
    pub fn spans<'s>(&'s self, accesses: &'s Accesses) -> impl Iterator<Item = Span> + Clone + 's {
        let whole = self.whole.iter();
        let whole = whole.map(|&block| (block, 0..accesses.block(block).len));
        let ends = std::iter::once(&self.first).chain(&self.last).cloned();
        ends.chain(whole)
    }
}

/// Events that count for some accesses, and which of them can have happened before a block.
pub struct Counted {
    /// Their numbers, ascending.
    events: Vec<u32>,
    at_start: FxHashMap<BlockId, Vec<u32>>,
}

impl Counted {
    /// Events by their numbers, ascending.
    pub fn new(events: Vec<u32>) -> Self {
        Counted {
            events,
            at_start: FxHashMap::default(),
        }
    }
}

impl<'a> Paths<'a> {
    /// Nothing is known yet.
    pub fn new(cfg: &'a Cfg, accesses: &'a Accesses) -> Self {
        Paths {
            cfg,
            accesses,
            reachability: Reachability::default(),
            between: FxHashMap::default(),
            left: MAX_VISITS,
        }
    }

    /// What lies on paths from one access to another that do not pass the first again; none if that is more than `most` blocks.
    pub fn between(&mut self, from: &Event, to: &Event, most: usize) -> Option<Between> {
        if from.block == to.block && from.position < to.position {
            return Some(Between {
                first: (from.block, from.position + 1..to.position),
                whole: Rc::default(),
                last: None,
            });
        }
        let whole = self.blocks_between(from.block, to.block, most)?;
        let end = self.accesses.block(from.block).len;
        let last = (to.block, 0..to.position);
        Some(Between {
            first: (from.block, from.position + 1..end),
            last: (!whole.contains(&to.block)).then_some(last),
            whole,
        })
    }

    fn blocks_between(&mut self, from: BlockId, to: BlockId, most: usize) -> Option<Rc<[BlockId]>> {
        let (cfg, accesses, reachability) = (self.cfg, self.accesses, &mut self.reachability);
        let find = || {
            let all = reachability.blocks(cfg, from, to, most)?.iter().copied();
            Some(all.filter(|&block| accesses.has_changes(block)).collect())
        };
        self.between.entry((from, to)).or_insert_with(find).clone()
    }

    /// Those of some events that the thread may have executed before an access and after the last barrier of the thread block, ascending;
    /// none if they are more than `most`, or took too long to find.
    pub fn before(&mut self, at: &Event, counted: &mut Counted, most: usize) -> Option<Vec<u32>> {
        if counted.events.is_empty() {
            return Some(Vec::new());
        }
        let listed = self.accesses.block(at.block);
        let barrier = listed.after_barrier(at.position);
        let here = listed.within(&counted.events, &(barrier.unwrap_or(0)..at.position));
        if here.len() > most {
            return None;
        }
        let mut found = here.to_vec();
        if barrier.is_none() {
            if !counted.at_start.contains_key(&at.block) {
                let all = self.at_start(at.block, &counted.events, most)?;
                counted.at_start.insert(at.block, all);
            }
            found.extend(counted.at_start.get(&at.block)?);
            // In a loop an event in front of the access may have happened before.
            found.sort_unstable();
            found.dedup();
        }
        (found.len() <= most).then_some(found)
    }

    /// Those of some events that can have happened before a block; of more than `most` only some.
    fn at_start(&mut self, block: BlockId, events: &[u32], most: usize) -> Option<Vec<u32>> {
        let accesses = self.accesses;
        let ends = |block: BlockId| {
            let listed = accesses.block(block);
            listed.after_barrier(listed.len).is_some()
        };
        let blocks = self.reachability.before(self.cfg, block, ends);
        self.left = self.left.checked_sub(blocks.len())?;
        let mut found = Vec::new();
        for &block in blocks {
            let listed = accesses.block(block);
            let start = listed.after_barrier(listed.len).unwrap_or(0);
            found.extend(listed.within(events, &(start..listed.len)));
            if found.len() > most {
                break;
            }
        }
        Some(found)
    }
}
