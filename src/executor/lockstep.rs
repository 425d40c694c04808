//! The lockstep schedule: as before Volta, lanes that diverge at a branch run one side after the other and meet again at the
//! branch's immediate post-dominator.
//!
//! Each warp has a stack of [`Entry`]s. An entry of which some lanes are in an entry above waits for those; the topmost
//! other entry that can go on runs. So a `.sync` instruction that waits for lanes of another side lets that side run.

use super::lanes::lanes;
use super::machine::{ExecutionResult, Machine};
use super::observer::Observer;
use super::state::{Block, Entry, Point, Warp};
use std::ops::Range;

/// Steps after which another warp has its turn: a warp may spin until another one has stored.
const QUANTUM: u64 = 1 << 14;

impl<O: Observer> Machine<'_, O> {
    /// Runs blocks to their end, one after the other.
    pub(super) fn run_blocks(&mut self, blocks: Range<u64>) -> ExecutionResult<()> {
        for number in blocks {
            let mut block = self.new_block(number);
            self.run_lockstep(&mut block)?;
            self.observer.finished(&block);
        }
        Ok(())
    }

    /// Runs one block to its end.
    fn run_lockstep(&mut self, block: &mut Block) -> ExecutionResult<()> {
        while !block.finished() {
            let mut progress = false;
            for w in 0..block.warps.len() {
                let mut budget = QUANTUM;
                while budget > 0 {
                    let meet = |warp: &Warp, last, group| self.meeting_point(warp, last, group);
                    let Some(entry) = select(&mut block.warps[w], &meet) else {
                        break;
                    };
                    let Entry {
                        lanes: group,
                        reconverge,
                        ..
                    } = block.warps[w].entries[entry];
                    let live = group & block.warps[w].live();
                    let last = self.run_group(block, w, live, reconverge, &mut budget)?;
                    let warp = &mut block.warps[w];
                    let split = self.meeting_point(warp, last, group);
                    if let Some(entry) = warp.entries.get_mut(entry) {
                        entry.split = split;
                    }
                    progress = true;
                }
            }
            if !progress {
                let blocks = std::slice::from_ref(block);
                return self.deadlock(blocks).map_or(Ok(()), Err);
            }
        }
        Ok(())
    }
}

/// Where lanes that diverge at a place meet again.
type Meet<'f> = &'f dyn Fn(&Warp, Point, u32) -> Point;

/// The entry to run next: removes entries that are done, and splits those whose lanes have diverged.
fn select(warp: &mut Warp, meeting_point: Meet) -> Option<usize> {
    let mut above = 0;
    let mut index = warp.entries.len();
    while index > 0 {
        index -= 1;
        let entry = warp.entries[index];
        let group = entry.lanes & warp.live();
        if group == 0 {
            warp.entries.remove(index);
            continue;
        }
        if group & above != 0 {
            above |= group;
            continue;
        }
        let point = warp.point(group.trailing_zeros() as usize % 32);
        if warp.lanes_in(group, point) != group {
            split(warp, index, group, meeting_point);
            // The new entries are above this one.
            index = warp.entries.len();
            above = 0;
            continue;
        }
        if point == entry.reconverge && warp.entries.len() > 1 && index > 0 {
            warp.entries.remove(index);
            continue;
        }
        if warp.runnable() & group == group {
            return Some(index);
        }
        above |= group;
    }
    None
}

/// Replaces an entry whose lanes are at different places by one for the place where they meet, and above it one for each
/// place where they are, the lowest instruction on top.
fn split(warp: &mut Warp, index: usize, group: u32, meeting_point: Meet) {
    let meet = warp.entries[index].split;
    let mut parts: Vec<(Point, u32)> = Vec::new();
    for lane in lanes(group) {
        let point = warp.point(lane);
        match parts.iter_mut().find(|(at, _)| *at == point) {
            Some((_, mask)) => *mask |= 1 << lane,
            None => parts.push((point, 1 << lane)),
        }
    }
    parts.sort_unstable_by(|a, b| b.cmp(a));
    let children = parts.into_iter().filter(|&(point, _)| point != meet);
    let children: Vec<Entry> = children
        .map(|(point, lanes)| Entry {
            lanes,
            reconverge: meet,
            split: meeting_point(warp, point, lanes),
        })
        .collect();
    warp.entries.splice(index + 1..index + 1, children);
}
