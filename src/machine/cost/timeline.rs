//! The resident warps of one multiprocessor, replayed.
//!
//! Each of four schedulers issues one instruction a cycle. A warp issues in order: after the cycles that `ptxas` has written into
//! the instruction before, when the scoreboards that it waits for are released, and when the pipe is free; who can issue first
//! does. Loads take turns at the pipe of L1, misses at L2 and at memory, of which the multiprocessor has its share. When a block
//! ends, another one takes its place, until each place has had six (fewer where they are long); measured are those blocks during which all places are
//! taken, as in the middle of a large grid.
//!
//! Instructions have weights: of a loop only some iterations are replayed, and the time of each counts for several.

use super::arch::Gpu;
use super::operation::{Cause, Op, Unit, Work};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Blocks that follow each other in one place, at most: fewer do where they are long.
const GENERATIONS: usize = 6;
/// Instructions of all warps that are replayed, if a block for each place is not more.
const MOST_STEPS: usize = 1 << 21;
/// Schedulers of a multiprocessor.
pub const SCHEDULERS: usize = 4;
/// Scoreboards of a warp.
const SCOREBOARDS: usize = 6;
/// Cycles of work that may wait in front of the pipe of L1.
const QUEUE: f64 = 48.0;
/// Parts of a cycle in the order of events.
const TICKS: f64 = 64.0;

/// What came of a replay.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Replay {
    /// Cycles of a block.
    pub cycles: f64,
    /// Cycles of a warp by cause, in the order of [`Cause::ALL`].
    pub shares: [f64; 8],
}

/// Replays `blocks` blocks of `warps` warps each. `memory_rate` has the bytes that memory gives the multiprocessor in a cycle;
/// `full` is false where no block follows another.
pub fn replay(
    ops: &[Op],
    gpu: &Gpu,
    blocks: usize,
    warps: usize,
    memory_rate: f64,
    full: bool,
) -> Replay {
    let generations = match full {
        true => (MOST_STEPS / (ops.len() * blocks * warps).max(1)).clamp(1, GENERATIONS),
        false => 1,
    };
    let mut machine = Machine {
        ops,
        gpu,
        memory_rate,
        warps: Vec::new(),
        of_block: warps,
        arrived: vec![0; blocks],
        ended: vec![0; blocks],
        events: BinaryHeap::new(),
        issue: [0.0; SCHEDULERS],
        units: [[0.0; Unit::COUNT]; SCHEDULERS],
        l1: 0.0,
        l2: 0.0,
        memory: 0.0,
        misses: vec![(0.0, 0.0); ops.len()],
        left: vec![generations; blocks],
        done: Vec::new(),
    };
    machine.run(blocks);
    machine.replayed()
}

#[derive(Clone, Default)]
struct Warp {
    at: usize,
    begin: f64,
    /// When the last instruction was issued.
    last: f64,
    /// When the schedule and the scoreboards let it issue the next one, and what it has waited for.
    ready: f64,
    base: f64,
    cause: Option<Cause>,
    boards: [Vec<(f64, Cause)>; SCOREBOARDS],
    spent: [f64; 8],
}

struct Machine<'a> {
    ops: &'a [Op],
    gpu: &'a Gpu,
    memory_rate: f64,
    warps: Vec<Warp>,
    of_block: usize,
    /// By block: warps at the barrier, warps that have ended.
    arrived: Vec<usize>,
    ended: Vec<usize>,
    /// When warps are to be looked at, and since when they could go on: who has waited longest goes first.
    events: BinaryHeap<Reverse<(u64, u64, usize)>>,
    /// When each scheduler and pipe is free.
    issue: [f64; SCHEDULERS],
    units: [[f64; Unit::COUNT]; SCHEDULERS],
    l1: f64,
    l2: f64,
    memory: f64,
    /// By instruction: fractions of a miss, and of one that goes to memory, that are still to come.
    misses: Vec<(f64, f64)>,
    /// By place: blocks that are still to come.
    left: Vec<usize>,
    done: Vec<Done>,
}

/// A block that has ended.
struct Done {
    begin: f64,
    end: f64,
    /// Another block follows in its slot.
    follows: bool,
    /// Of the slowest warp.
    cycles: f64,
    /// Of a warp, by cause.
    spent: [f64; 8],
}

impl Machine<'_> {
    fn run(&mut self, blocks: usize) {
        if self.ops.is_empty() {
            return;
        }
        self.warps = vec![Warp::default(); blocks * self.of_block];
        for block in 0..blocks {
            self.start(block, block as f64 * self.gpu.block_start.value);
        }
        while let Some(Reverse((tick, _, warp))) = self.events.pop() {
            let now = tick as f64 / TICKS;
            let free = self.free(warp, now);
            if free > now {
                self.push(warp, free);
            } else {
                self.step(warp, now);
            }
        }
    }

    /// The mean of the blocks during which all places are taken; of all where there is none.
    fn replayed(&self) -> Replay {
        let all_begun = self.arrived.len() as f64 * self.gpu.block_start.value;
        let ends = self
            .done
            .iter()
            .filter(|one| !one.follows)
            .map(|one| one.end);
        let first_end = ends.fold(f64::INFINITY, f64::min);
        let steady = |one: &&Done| one.begin >= all_begun && one.end <= first_end;
        let mut measured: Vec<&Done> = self.done.iter().filter(steady).collect();
        if measured.is_empty() {
            measured.extend(&self.done);
        }
        let count = measured.len().max(1) as f64;
        let mut replay = Replay::default();
        for one in measured {
            replay.cycles += one.cycles / count;
            for (share, spent) in replay.shares.iter_mut().zip(one.spent) {
                *share += spent / count;
            }
        }
        replay
    }

    fn push(&mut self, warp: usize, time: f64) {
        let [time, since] = [time, self.warps[warp].ready].map(|time| (time * TICKS).ceil() as u64);
        self.events.push(Reverse((time, since, warp)));
    }

    fn start(&mut self, block: usize, now: f64) {
        for warp in block * self.of_block..(block + 1) * self.of_block {
            self.warps[warp] = Warp {
                begin: now,
                last: now,
                ready: now,
                base: now,
                ..Warp::default()
            };
            self.push(warp, now);
        }
    }

    /// When the scheduler and the pipe of a warp's next instruction are free.
    fn free(&self, warp: usize, now: f64) -> f64 {
        let scheduler = warp % SCHEDULERS;
        let free = now.max(self.issue[scheduler]);
        match self.ops[self.warps[warp].at].work {
            Work::Compute(unit) => free.max(self.units[scheduler][unit as usize]),
            Work::Shared(_) | Work::Shuffle | Work::Load(_) | Work::Store { .. } => {
                free.max(self.l1 - QUEUE)
            }
            Work::Constant | Work::Barrier => free,
        }
    }

    /// Issues a warp's next instruction.
    fn step(&mut self, number: usize, now: f64) {
        let warp = &mut self.warps[number];
        let op = self.ops[warp.at];
        // The cycles since the last instruction, by cause.
        let mut spend = |cause: Cause, cycles: f64| {
            warp.spent[cause as usize] += cycles.max(0.0) * op.weight;
        };
        spend(Cause::Issue, warp.base - warp.last);
        spend(warp.cause.unwrap_or(Cause::Other), warp.ready - warp.base);
        spend(Cause::Pipe, now - warp.ready);
        let scheduler = number % SCHEDULERS;
        self.issue[scheduler] = now + 1.0;
        let (done, cause) = self.execute(number, op, now);
        let warp = &mut self.warps[number];
        for (board, time) in [(op.write, done), (op.read, now + 12.0)] {
            if let Some(board) = board {
                warp.boards[usize::from(board) % SCOREBOARDS].push((time, cause));
            }
        }
        warp.at += 1;
        warp.last = now;
        warp.base = now + f64::from(op.stall.max(1));
        let block = number / self.of_block;
        if warp.at == self.ops.len() {
            self.end(block, now);
            return;
        }
        self.look_ahead(number);
        if op.work == Work::Barrier {
            self.arrive(block, number, now);
        } else {
            self.push(number, self.warps[number].ready);
        }
    }

    /// When the scoreboards let a warp go on, and why not before.
    fn look_ahead(&mut self, number: usize) {
        let warp = &mut self.warps[number];
        let op = self.ops[warp.at];
        warp.ready = warp.base;
        warp.cause = None;
        for (board, flight) in warp.boards.iter_mut().enumerate() {
            let left = match op.left {
                _ if op.waits >> board & 1 != 0 => 0,
                Some((one, left)) if usize::from(one) == board => usize::from(left),
                _ => continue,
            };
            let count = flight.len().saturating_sub(left);
            for (time, cause) in flight.drain(..count) {
                if time > warp.ready {
                    (warp.ready, warp.cause) = (time, Some(cause));
                }
            }
        }
    }

    /// A warp has come to a barrier: it opens for the last one.
    fn arrive(&mut self, block: usize, number: usize, now: f64) {
        self.arrived[block] += 1;
        if self.arrived[block] + self.ended[block] < self.of_block {
            return;
        }
        self.arrived[block] = 0;
        for other in block * self.of_block..(block + 1) * self.of_block {
            let warp = &mut self.warps[other];
            let waits = warp.at > 0
                && warp.at < self.ops.len()
                && self.ops[warp.at - 1].work == Work::Barrier
                && warp.at == self.warps[number].at;
            if waits {
                let warp = &mut self.warps[other];
                if now > warp.ready {
                    (warp.ready, warp.cause) = (now, Some(Cause::Barrier));
                }
                let ready = warp.ready;
                self.push(other, ready);
            }
        }
    }

    fn end(&mut self, block: usize, now: f64) {
        self.ended[block] += 1;
        if self.ended[block] < self.of_block {
            return;
        }
        self.ended[block] = 0;
        self.left[block] -= 1;
        let warps = &self.warps[block * self.of_block..(block + 1) * self.of_block];
        let mut spent = [0.0; 8];
        for warp in warps {
            for (sum, spent) in spent.iter_mut().zip(warp.spent) {
                *sum += spent / warps.len() as f64;
            }
        }
        let cycles = warps.iter().map(|warp| warp.spent.iter().sum::<f64>());
        self.done.push(Done {
            begin: warps[0].begin,
            end: now,
            follows: self.left[block] > 0,
            cycles: cycles.fold(0.0, f64::max),
            spent,
        });
        if self.left[block] > 0 {
            self.start(block, now + 1.0);
        }
    }

    /// Takes what an instruction needs; when its result is there, and what a wait for it is.
    fn execute(&mut self, number: usize, op: Op, now: f64) -> (f64, Cause) {
        let gpu = self.gpu;
        let mut pass = |passes: f64| {
            self.l1 = self.l1.max(now) + passes * gpu.pass.value;
            self.l1
        };
        match op.work {
            Work::Compute(unit) => {
                self.units[number % SCHEDULERS][unit as usize] = now + unit.interval(gpu);
                (now + unit.latency(gpu), Cause::Other)
            }
            Work::Constant => (now + gpu.constant_latency.value, Cause::Other),
            Work::Shared(passes) => (pass(passes) + gpu.shared_latency.value, Cause::Shared),
            Work::Shuffle => (pass(1.0) + gpu.shuffle_latency.value, Cause::Shared),
            Work::Barrier => (now, Cause::Barrier),
            Work::Store {
                sectors,
                from_memory,
            } => {
                pass(1.0);
                self.l2 = self.l2.max(now) + sectors * gpu.store_sector.value;
                self.memory = self.memory.max(now) + from_memory * 32.0 / self.memory_rate;
                // The queue of stores is long, but not endless.
                self.l1 = self
                    .l1
                    .max(self.l2 - 8.0 * QUEUE)
                    .max(self.memory - 32.0 * QUEUE);
                (self.l1, Cause::L1)
            }
            Work::Load(load) => {
                let there = pass(load.passes);
                let (misses, far) = &mut self.misses[self.warps[number].at];
                *misses += load.missing;
                if *misses < 1.0 {
                    return (there + gpu.l1_latency.value, Cause::L1);
                }
                *misses -= 1.0;
                *far += load.from_memory;
                let bytes = load.missed * 32.0;
                self.l2 = self.l2.max(there) + bytes / gpu.l2_bytes_per_cycle.value;
                self.memory = self.memory.max(there) + bytes * load.from_memory / self.memory_rate;
                if *far < 1.0 {
                    return (self.l2 + gpu.l2_latency.value, Cause::L2);
                }
                *far -= 1.0;
                (
                    self.memory.max(self.l2) + gpu.memory_latency.value,
                    Cause::Memory,
                )
            }
        }
    }
}

#[cfg(test)]
mod tests;
