//! The lockstep schedule: as before Volta, lanes that part at a branch run one side after the other and meet again at
//! the branch's immediate post-dominator.
//!
//! Each warp has a stack of [`Entry`]s. An entry of which some lanes are in an entry above waits for those; the topmost
//! other entry that can go on runs. So a `.sync` instruction that waits for lanes of another side lets that side run.

use super::machine::{Machine, Step};
use super::observer::Observer;
use super::state::{Block, Entry, Warp, lanes};

/// Steps after which another warp has its turn: a warp may spin until another one has stored.
const QUANTUM: u64 = 1 << 14;

impl<O: Observer> Machine<'_, O> {
    /// Runs one block to its end.
    pub(super) fn run_lockstep(&mut self, block: &mut Block) -> Step<()> {
        while !block.finished() {
            let mut progress = false;
            for w in 0..block.warps.len() {
                let mut budget = QUANTUM;
                while budget > 0 {
                    let Some(entry) = select(&mut block.warps[w], &|pc| self.reconvergence(pc))
                    else {
                        break;
                    };
                    let Entry {
                        lanes: group,
                        reconverge,
                        ..
                    } = block.warps[w].entries[entry];
                    let live = group & block.warps[w].live();
                    let last = self.run_group(block, w, live, reconverge, &mut budget)?;
                    let split = self.reconvergence(last);
                    if let Some(entry) = block.warps[w].entries.get_mut(entry) {
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

    fn reconvergence(&self, pc: u32) -> u32 {
        let end = self.program.code.len() as u32;
        let inst = self.program.code.get(pc as usize);
        inst.map_or(end, |inst| inst.reconverge)
    }
}

/// The entry to run next: removes entries that are done, and splits those whose lanes have parted.
fn select(warp: &mut Warp, reconvergence: &dyn Fn(u32) -> u32) -> Option<usize> {
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
        let pc = warp.pc[group.trailing_zeros() as usize % 32];
        if warp.lanes_at(group, pc) != group {
            split(warp, index, group, reconvergence);
            // The new entries stand above this one.
            index = warp.entries.len();
            above = 0;
            continue;
        }
        if pc == entry.reconverge && warp.entries.len() > 1 && index > 0 {
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

/// Replaces an entry whose lanes are at different instructions by one for the place where they meet, and above it one
/// for each place where they are, the lowest instruction on top.
fn split(warp: &mut Warp, index: usize, group: u32, reconvergence: &dyn Fn(u32) -> u32) {
    let meet = warp.entries[index].split;
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for lane in lanes(group) {
        let pc = warp.pc[lane];
        match parts.iter_mut().find(|(at, _)| *at == pc) {
            Some((_, mask)) => *mask |= 1 << lane,
            None => parts.push((pc, 1 << lane)),
        }
    }
    parts.sort_unstable_by(|a, b| b.cmp(a));
    let children = parts.into_iter().filter(|&(pc, _)| pc != meet);
    let children: Vec<Entry> = children
        .map(|(pc, lanes)| Entry {
            lanes,
            reconverge: meet,
            split: reconvergence(pc),
        })
        .collect();
    warp.entries.splice(index + 1..index + 1, children);
}
