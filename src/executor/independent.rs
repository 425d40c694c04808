//! Independent thread scheduling by an adversary: at each turn any warp, any program point, any non-empty subset of the
//! lanes there, which run together for a while. All that the programming model promises is kept, and nothing more.
//!
//! Chance alone seldom brings lanes together again that have diverged. So in half of the runs the adversary lies in wait at one
//! instruction that shows a lane which others run with it: it holds the lanes of a warp there until all have come, each on its
//! own path and in its own iteration, and then lets them go on together.

use super::asynchronous::Landing;
use super::lanes::lanes;
use super::launch::Random;
use super::machine::{ExecutionResult, Machine};
use super::observer::Observer;
use super::state::{Block, Point, Warp};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::Action;

/// Blocks that run at the same time.
const RESIDENT_BLOCKS: usize = 3;
/// Held lanes go on before all have come in one turn of so many: another lane may be waiting for them.
const PATIENCE: u64 = 8;
/// Ticks of the clocks in a step, at least: more than in lockstep.
const SLOWEST: u64 = 2;
/// Different paces of the clocks.
const PACES: u64 = 5;
/// A turn has fewer than 2^this steps; short turns are as likely as long ones.
const TURN_BITS: u64 = 9;

impl<O: Observer> Machine<'_, O> {
    /// Runs all blocks to their end.
    pub(super) fn run_independent(&mut self, blocks: u64, seed: u64) -> ExecutionResult<()> {
        self.random = Some(Random::new(seed));
        self.first_elected = Random::new(!seed).below(32) as u32;
        // What is read from a clock depends on the schedule, as other races do.
        self.pace = SLOWEST + seed % PACES;
        if self.program.code.iter().any(|i| i.asynchronous.is_some()) {
            self.landing = Landing::of(seed);
        }
        let hold = self.ambush();
        let mut next = 0;
        let mut resident = Vec::new();
        loop {
            resident.retain(|block: &Block| {
                if block.finished() {
                    self.observer.finished(block);
                }
                !block.finished()
            });
            while resident.len() < RESIDENT_BLOCKS && next < blocks {
                resident.push(self.new_block(next));
                next += 1;
            }
            if resident.is_empty() {
                return Ok(());
            }
            self.land_some(&mut resident);
            let Some((b, w)) = self.pick_warp(&resident) else {
                return self.deadlock(&resident).map_or(Ok(()), Err);
            };
            let warp = &resident[b].warps[w];
            let group = self.pick_group(warp, hold);
            let held = hold.is_some_and(|pc| warp.lanes_at(group, pc) == group);
            let mut budget = if held { 1 } else { 1 << self.roll(TURN_BITS) };
            let stop = hold.filter(|_| !held);
            let stop = stop.map_or(Point::NOWHERE, Point::anywhere);
            self.run_group(&mut resident[b], w, group, stop, &mut budget)?;
        }
    }

    /// The instruction before which this run holds lanes, if it does.
    fn ambush(&mut self) -> Option<u32> {
        let shows_active_lanes = |opcode: &Opcode| match opcode {
            Opcode::ActiveMask | Opcode::Elect => true,
            Opcode::Shuffle { sync, .. } | Opcode::Vote { sync, .. } => !sync,
            _ => false,
        };
        let code = self.program.code.iter().enumerate();
        let points: Vec<u32> = code
            .filter(|(_, inst)| matches!(&inst.source.action, Action::Do(opcode) if shows_active_lanes(opcode)))
            .map(|(pc, _)| pc as u32)
            .collect();
        if points.is_empty() || self.roll(2) == 0 {
            return None;
        }
        let pick = self.roll(points.len() as u64) as usize;
        points.get(pick).copied()
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
    fn pick_group(&mut self, warp: &Warp, hold: Option<u32>) -> u32 {
        let mut runnable = warp.runnable();
        let held = hold.map_or(0, |pc| warp.lanes_at(runnable, pc));
        if held != 0 && held != runnable && self.roll(PATIENCE) != 0 {
            runnable &= !held;
        }
        let pick = self.roll(u64::from(runnable.count_ones())) as usize;
        let lane = lanes(runnable).nth(pick).unwrap_or(0);
        let here = warp.lanes_in(runnable, warp.point(lane));
        match self.roll(4) {
            0 => 1 << lane,
            1 => (self.roll(1 << 32) as u32 & here) | 1 << lane,
            _ => here,
        }
    }
}
