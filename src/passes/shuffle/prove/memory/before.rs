//! What a thread did before a load: for each block, which writing or ordering events can have happened since the last
//! barrier of the thread block.

use ptxasw_emulator::trace::{Event, EventKind, Provenance, Trace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// Blocks times events that are followed: 16 MiB. A kernel with more counts as one whose every source has a write by the same
/// base pointer before it.
const MAX_BITS: usize = 1 << 27;

/// See the module's documentation.
pub(super) struct Before {
    /// Indices of the tracked events.
    tracked: Vec<u32>,
    /// Positions among the tracked ones of the stores by each base, and of all else by none that is known.
    by_base: FxHashMap<Provenance, Vec<u32>>,
    /// Indices of the barriers after which all that was written is visible.
    resets: Vec<u32>,
    /// Per block, a bit set of `tracked` at its start; none if that would be too large.
    at_start: Option<Vec<Bits>>,
}

/// A set of tracked events.
#[derive(Clone, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn empty(len: usize) -> Self {
        Bits(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, range: Range<usize>) {
        let Range { mut start, end } = range;
        while start < end {
            let here = (64 - start % 64).min(end - start);
            self.0[start / 64] |= u64::MAX >> (64 - here) << (start % 64);
            start += here;
        }
    }

    /// Adds another set; whether it had something new.
    fn add(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, &new) in self.0.iter_mut().zip(&other.0) {
            changed |= new & !*word != 0;
            *word |= new;
        }
        changed
    }

    fn holds(&self, i: usize) -> bool {
        self.0
            .get(i / 64)
            .is_some_and(|word| word >> (i % 64) & 1 == 1)
    }
}

/// Tracked events that count for some loads.
pub(super) struct Relevant {
    /// Their positions among the tracked ones, in order.
    positions: Vec<u32>,
    /// Those that can have happened before a block, where that was asked for; of more than are looked at only so many.
    at_start: FxHashMap<BlockId, Rc<[u32]>>,
}

impl Relevant {
    /// Of positions in any order.
    pub(super) fn of(mut positions: Vec<u32>) -> Self {
        positions.sort_unstable();
        Relevant {
            positions,
            at_start: FxHashMap::default(),
        }
    }

    fn before(&mut self, block: BlockId, start: &Bits, most: usize) -> Rc<[u32]> {
        let positions = &self.positions;
        let found = self.at_start.entry(block).or_insert_with(|| {
            let happened = |position: &u32| start.holds(*position as usize);
            let found = positions.iter().copied().filter(happened);
            found.take(most.saturating_add(1)).collect()
        });
        Rc::clone(found)
    }

    fn within(&self, range: Range<usize>) -> &[u32] {
        within(&self.positions, range.start as u32..range.end as u32)
    }
}

impl Before {
    /// Follows `events` (all but weak loads) along the blocks.
    pub(super) fn new(analyses: &Analyses, trace: &Trace, events: &[u32]) -> Self {
        let event = |&index: &u32| &trace.events[index as usize];
        let of = |wanted: &dyn Fn(&Event) -> bool| -> Vec<u32> {
            let wanted = |index: &u32| wanted(event(index));
            events.iter().copied().filter(wanted).collect()
        };
        let mut before = Before {
            tracked: of(&|event| !is_private(event) && !event.is_block_barrier()),
            resets: of(&Event::is_block_barrier),
            by_base: FxHashMap::default(),
            at_start: None,
        };
        for (position, event) in (0..).zip(before.tracked.iter().map(event)) {
            let base = match event.kind {
                EventKind::Store(_) => event.provenance,
                _ => Provenance::Unknown,
            };
            before.by_base.entry(base).or_default().push(position);
        }
        let blocks = trace.blocks.len();
        if before.tracked.len().saturating_mul(blocks) <= MAX_BITS {
            before.at_start = Some(before.solve(analyses, trace));
        }
        before
    }

    /// The tracked events.
    pub(super) fn tracked(&self) -> &[u32] {
        &self.tracked
    }

    /// Positions among the tracked events of all that are not stores by another base than `base`.
    pub(super) fn perhaps_by(&self, base: Provenance) -> Vec<u32> {
        if base == Provenance::Unknown {
            return (0..self.tracked.len() as u32).collect();
        }
        let by = |base| self.by_base.get(&base).into_iter().flatten().copied();
        by(base).chain(by(Provenance::Unknown)).collect()
    }

    fn solve(&self, analyses: &Analyses, trace: &Trace) -> Vec<Bits> {
        let blocks = trace.blocks.len();
        let mut at_start = vec![Bits::empty(self.tracked.len()); blocks];
        if self.tracked.is_empty() {
            return at_start;
        }
        let order = analyses.cfg.reverse_post_order();
        let mut work: VecDeque<BlockId> = order.iter().copied().collect();
        let mut queued = vec![true; blocks];
        while let Some(block) = work.pop_front() {
            queued[block.index()] = false;
            let at_end = self.after(
                &at_start[block.index()],
                trace.blocks[block.index()].clone(),
            );
            for next in analyses.cfg.successors(block) {
                if at_start[next.index()].add(&at_end) && !queued[next.index()] {
                    queued[next.index()] = true;
                    work.push_back(next);
                }
            }
        }
        at_start
    }

    /// What can have happened after the events of `range`, which lie in one block, if it was `start` before them.
    fn after(&self, start: &Bits, range: Range<u32>) -> Bits {
        let resets = within(&self.resets, range.clone());
        let (mut set, first) = match resets.last() {
            Some(&reset) => (Bits::empty(self.tracked.len()), reset + 1),
            None => (start.clone(), range.start),
        };
        set.insert(positions(&self.tracked, first..range.end));
        set
    }

    /// The events before `at` that count; none if they could not be followed, or are more than `most`.
    pub(super) fn events(
        &self,
        trace: &Trace,
        at: &Event,
        relevant: &mut Relevant,
        most: usize,
    ) -> Option<Vec<u32>> {
        let start = self.at_start.as_ref()?.get(at.block.index())?;
        let first = trace.blocks[at.block.index()].start;
        let end = first + at.position;
        let reset = within(&self.resets, first..end).last();
        let earlier = match reset {
            Some(_) => Rc::default(),
            None => relevant.before(at.block, start, most),
        };
        let here = reset.map_or(first, |reset| reset + 1)..end;
        let here = relevant.within(positions(&self.tracked, here));
        if earlier.len().max(here.len()) > most {
            return None;
        }
        let mut found: Vec<u32> = earlier.iter().chain(here).copied().collect();
        // In a loop an event at this place may have happened before.
        if !earlier.is_empty() {
            found.sort_unstable();
            found.dedup();
        }
        for position in &mut found {
            *position = self.tracked[*position as usize];
        }
        (found.len() <= most).then_some(found)
    }
}

/// The positions of a range of event indices in a sorted list of them.
pub(super) fn positions(events: &[u32], range: Range<u32>) -> Range<usize> {
    let start = events.partition_point(|&event| event < range.start);
    let end = events.partition_point(|&event| event < range.end);
    start..end.max(start)
}

/// Those of a sorted list of event indices that lie in a range.
pub(super) fn within(events: &[u32], range: Range<u32>) -> &[u32] {
    &events[positions(events, range)]
}

/// A store to memory that only this thread can name.
fn is_private(event: &Event) -> bool {
    matches!(event.kind, EventKind::Store(_))
        && matches!(event.space, Space::Local | Space::ParamFunc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A range that is inserted by words is the set of its numbers.
        #[test]
        fn ranges_are_inserted_whole(start in 0..200usize, length in 0..200usize, other in 0..400usize) {
            let (range, len) = (start..start + length, 400);
            let mut bits = Bits::empty(len);
            bits.insert(other..other + 1);
            bits.insert(range.clone());
            for i in 0..len + 100 {
                prop_assert_eq!(bits.holds(i), range.contains(&i) || i == other);
            }
        }

        /// What happened before a block, of what counts.
        #[test]
        fn what_counts_is_in_order(mut some in prop::collection::vec(0..400u32, 0..50), range in (0..200usize, 0..200usize), most in 0..60usize) {
            let happened = range.0..range.0 + range.1;
            let mut start = Bits::empty(400);
            start.insert(happened.clone());
            let mut relevant = Relevant::of(some.clone());
            some.sort_unstable();
            let both: Vec<u32> = some.into_iter().filter(|&i| happened.contains(&(i as usize))).collect();
            prop_assert_eq!(relevant.within(happened), both.as_slice());
            let found = relevant.before(BlockId(0), &start, most);
            prop_assert_eq!(&found[..], &both[..both.len().min(most + 1)]);
        }
    }
}
