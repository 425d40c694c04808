//! Independent thread scheduling by an adversary: at each turn any warp, any program point, any non-empty subset of the
//! lanes there, which run together for a while. All that the programming model promises is kept, and nothing more.

use super::launch::Random;
use super::machine::{Machine, Step};
use super::observer::Observer;
use super::state::{Block, Warp, lanes};

/// Blocks that run at the same time.
const RESIDENT_BLOCKS: usize = 3;
/// A turn has fewer than 2^this steps; short turns are as likely as long ones.
const TURN_BITS: u64 = 9;

impl<O: Observer> Machine<'_, O> {
    /// Runs all blocks to their end.
    pub(super) fn run_independent(&mut self, blocks: u64, seed: u64) -> Step<()> {
        self.random = Some(Random::new(seed));
        let mut next = 0;
        let mut resident = Vec::new();
        loop {
            resident.retain(|block: &Block| !block.finished());
            while resident.len() < RESIDENT_BLOCKS && next < blocks {
                resident.push(self.new_block(next));
                next += 1;
            }
            if resident.is_empty() {
                return Ok(());
            }
            let Some((b, w)) = self.pick_warp(&resident) else {
                return self.deadlock(&resident).map_or(Ok(()), Err);
            };
            let group = self.pick_group(&resident[b].warps[w]);
            let mut budget = 1 << self.roll(TURN_BITS);
            // No instruction is a meeting point of this schedule.
            self.run_group(&mut resident[b], w, group, u32::MAX, &mut budget)?;
        }
    }

    fn roll(&mut self, n: u64) -> u64 {
        self.random.as_mut().map_or(0, |random| random.below(n))
    }

    /// A warp with lanes that can go on.
    fn pick_warp(&mut self, resident: &[Block]) -> Option<(usize, usize)> {
        let mut candidates = Vec::new();
        for (b, block) in resident.iter().enumerate() {
            let runnable = (0..block.warps.len()).filter(|&w| block.warps[w].runnable() != 0);
            candidates.extend(runnable.map(|w| (b, w)));
        }
        let pick = self.roll(candidates.len() as u64) as usize;
        candidates.get(pick).copied()
    }

    /// Lanes at one program point: all of them, some, or a single one.
    fn pick_group(&mut self, warp: &Warp) -> u32 {
        let runnable = warp.runnable();
        let pick = self.roll(u64::from(runnable.count_ones())) as usize;
        let lane = lanes(runnable).nth(pick).unwrap_or(0);
        let here = warp.lanes_at(runnable, warp.pc[lane]);
        match self.roll(4) {
            0 => 1 << lane,
            1 => (self.roll(1 << 32) as u32 & here) | 1 << lane,
            _ => here,
        }
    }
}
