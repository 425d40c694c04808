//! The spans of events between two accesses, and those in front of one.

use super::{Accesses, Span};
use crate::trace::Event;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::reachability::Reachability;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Finds spans with events that may change memory, and remembers what lies between and in front of blocks.
pub struct Paths<'a> {
    cfg: &'a Cfg,
    accesses: &'a Accesses,
    reachability: Reachability,
    /// The spans of the blocks wholly between two.
    between: FxHashMap<(BlockId, BlockId), Option<Rc<[Span]>>>,
    before: FxHashMap<BlockId, Rc<[Span]>>,
}

impl<'a> Paths<'a> {
    /// Nothing is known yet.
    pub fn new(cfg: &'a Cfg, accesses: &'a Accesses) -> Self {
        Paths {
            cfg,
            accesses,
            reachability: Reachability::default(),
            between: FxHashMap::default(),
            before: FxHashMap::default(),
        }
    }

    /// What lies on paths from one access to another that do not pass the first again; none if that is more than `most` blocks.
    pub fn between(&mut self, from: &Event, to: &Event, most: usize) -> Option<Vec<Span>> {
        if from.block == to.block && from.position < to.position {
            return Some(vec![(from.block, from.position + 1..to.position)]);
        }
        let (_, rest) = self.whole(from.block);
        let whole = self.blocks_between(from.block, to.block, most)?;
        let mut spans = vec![(from.block, from.position + 1..rest.end)];
        spans.extend(whole.iter().cloned());
        if !whole.iter().any(|(block, _)| *block == to.block) {
            spans.push((to.block, 0..to.position));
        }
        Some(spans)
    }

    fn blocks_between(&mut self, from: BlockId, to: BlockId, most: usize) -> Option<Rc<[Span]>> {
        if let Some(known) = self.between.get(&(from, to)) {
            return known.clone();
        }
        let all = self.reachability.blocks(self.cfg, from, to, most);
        let all = all.map(|all| all.to_vec()).map(|all| {
            let spans = all.into_iter().map(|block| self.whole(block));
            spans.filter(|span| self.changes(span)).collect()
        });
        self.between.entry((from, to)).or_insert(all).clone()
    }

    /// What the thread may have done in the block of an event, and before it came to that block, back to the last barrier of the thread
    /// block on each path.
    pub fn before(&mut self, event: &Event) -> (Span, Rc<[Span]>) {
        let (here, barrier) = self.since_barrier((event.block, 0..event.position));
        if barrier {
            return (here, Rc::default());
        }
        if let Some(known) = self.before.get(&event.block) {
            return (here, Rc::clone(known));
        }
        let (mut seen, mut spans) = (FxHashSet::default(), Vec::new());
        let mut work = vec![event.block];
        while let Some(block) = work.pop() {
            for previous in self.cfg.predecessors(block) {
                if !seen.insert(previous) {
                    continue;
                }
                let (span, barrier) = self.since_barrier(self.whole(previous));
                if !barrier {
                    work.push(previous);
                }
                if self.changes(&span) {
                    spans.push(span);
                }
            }
        }
        let spans: Rc<[Span]> = spans.into();
        self.before.insert(event.block, Rc::clone(&spans));
        (here, spans)
    }

    /// The part of a block's first events after the last barrier among them; whether there is one.
    fn since_barrier(&self, (block, span): Span) -> (Span, bool) {
        let after = self.accesses.block(block).after_barrier(span.end);
        ((block, after.unwrap_or(0)..span.end), after.is_some())
    }

    fn whole(&self, block: BlockId) -> Span {
        (block, 0..self.accesses.block(block).len)
    }

    fn changes(&self, span: &Span) -> bool {
        !self.accesses.changes(span).is_empty()
    }
}
