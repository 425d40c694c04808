//! Blocks of one launch in parallel, with the result of running them one after the other.
//!
//! Each worker runs consecutive blocks on a copy of global memory of its own and notes the bytes that it reads and writes.
//! If nobody has read what a worker before it has written, every block has seen what it would have seen in order, and
//! what was written is put together in the order of the blocks. Otherwise the whole launch runs again, in order.

use super::counters::Counters;
use super::launch::Launch;
use super::machine::{ExecutionResult, Machine};
use super::memory::Arena;
use super::observer::{Observer, TouchKind, Touched};
use super::program::{Inst, Program, Src};
use super::state::Block;
use super::{Options, Outcome, Warning};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Space, Special};
use ptxasw_ptx::decode::form::{Action, Function};
use std::ops::Range;
use std::thread::ScopedJoinHandle;

/// Most workers.
const MAX_WORKERS: u64 = 256;
/// Most bytes that the workers' copies of memory take together.
const MAX_COPIES: u64 = 2 << 30;
/// What a worker has for each byte of global memory, in eighths: the byte, its mark as undefined, a quarter of a writer,
/// a bit in each set and in that of the bytes that were stored.
const EIGHTHS: u64 = 8 + 8 + 16 + 3;

/// Runs all blocks in lockstep; none if they may depend on each other, or there is nothing to gain.
pub(super) fn run(
    program: &Program,
    function: &Function,
    launch: &Launch,
    options: Options,
    blocks: u64,
) -> Option<Outcome> {
    let workers = workers(launch, options.jobs, blocks);
    if workers < 2 || !program.code.iter().all(independent) {
        return None;
    }
    let chunk = |i: u64| i * blocks / workers..(i + 1) * blocks / workers;
    let run_chunk = |range| Chunk::run(program, function, launch, options, range);
    // A fault, too, is left to the run in order: it may come from what a block could not see.
    let chunks: Vec<Option<Chunk>> = std::thread::scope(|scope| {
        let spawn = |i| {
            let work = move || run_chunk(chunk(i)).ok();
            std::thread::Builder::new().spawn_scoped(scope, work)
        };
        let others: Vec<_> = (1..workers).map(spawn).collect();
        let first = run_chunk(chunk(0)).ok();
        let join = |worker: std::io::Result<ScopedJoinHandle<_>>| worker.ok()?.join().ok()?;
        std::iter::once(first)
            .chain(others.into_iter().map(join))
            .collect()
    });
    let chunks = chunks.into_iter();
    let whole = chunks.reduce(|whole, next| whole?.followed_by(next?))??;
    if whole.steps > options.step_limit {
        return None;
    }
    let mut nobody = ();
    let mut machine = Machine::new(program, function, launch, options, &mut nobody).ok()?;
    machine.global = whole.global;
    machine.counters = whole.counters;
    machine.warnings = whole.warnings;
    Some(machine.finish(blocks))
}

/// How many workers there is work and memory for.
fn workers(launch: &Launch, jobs: usize, blocks: u64) -> u64 {
    let bytes: u64 = launch.buffers.iter().map(|b| b.bytes.len() as u64).sum();
    let copies = MAX_COPIES / (bytes * EIGHTHS / 8).max(1);
    (jobs as u64).min(blocks).min(copies).min(MAX_WORKERS)
}

/// Whether an instruction leaves blocks alone: it does not talk to others through global memory, where it would wait in
/// vain for a block of another worker, and does not depend on how much others have done.
fn independent(inst: &Inst) -> bool {
    let shared = |space| !matches!(space, Space::Global | Space::Generic);
    let quiet = match &inst.source.action {
        Action::Do(Opcode::Load(access) | Opcode::Store(access)) => {
            access.order.is_weak() || shared(access.space)
        }
        Action::Do(Opcode::Atomic { space, .. }) => shared(*space),
        _ => true,
    };
    let clock = |src: &Src| matches!(src, Src::Special(Special::Clock));
    quiet && !inst.operands.iter().any(clock)
}

/// What some consecutive blocks have done.
struct Chunk {
    global: Arena,
    counters: Counters,
    warnings: Vec<Warning>,
    steps: u64,
    touches: Touches,
}

impl Chunk {
    fn run(
        program: &Program,
        function: &Function,
        launch: &Launch,
        options: Options,
        blocks: Range<u64>,
    ) -> ExecutionResult<Chunk> {
        let mut touches = Touches::default();
        let mut machine = Machine::new(program, function, launch, options, &mut touches)?;
        machine.run_blocks(blocks)?;
        Ok(Chunk {
            global: machine.global,
            counters: machine.counters,
            warnings: machine.warnings,
            steps: machine.steps,
            touches,
        })
    }

    /// Adds the blocks that follow; none if they have read what these have written.
    fn followed_by(mut self, next: Chunk) -> Option<Chunk> {
        if next.touches.read.meets(&self.touches.written) {
            return None;
        }
        for (number, region) in self.global.regions.iter_mut().enumerate() {
            let Some(written) = next.touches.written.regions.get(number) else {
                continue;
            };
            for (word, &bits) in written.iter().enumerate().filter(|&(_, &bits)| bits != 0) {
                region.take_bytes(&next.global.regions[number], word * 64, bits);
            }
        }
        self.touches.written.add(next.touches.written);
        self.counters += next.counters;
        for warning in next.warnings {
            if self.warnings.iter().all(|known| known.span != warning.span) {
                self.warnings.push(warning);
            }
        }
        self.steps += next.steps;
        Some(self)
    }
}

/// A set of bytes of global memory: by region, 64 bytes in a word.
#[derive(Debug, Default)]
struct ByteSet {
    regions: Vec<Vec<u64>>,
}

impl ByteSet {
    fn insert(&mut self, region: usize, offset: usize, bytes: usize) {
        if self.regions.len() <= region {
            self.regions.resize_with(region + 1, Vec::new);
        }
        let set = &mut self.regions[region];
        let last = (offset + bytes - 1) / 64;
        if set.len() <= last {
            set.resize((last + 1).max(2 * set.len()), 0);
        }
        // Mostly one word: accesses are aligned.
        let mut at = offset;
        for (word, bits) in set.iter_mut().enumerate().take(last + 1).skip(offset / 64) {
            let count = (offset + bytes - at).min(64 * (word + 1) - at);
            *bits |= (u64::MAX >> (64 - count)) << (at % 64);
            at += count;
        }
    }

    fn meets(&self, other: &ByteSet) -> bool {
        let regions = self.regions.iter().zip(&other.regions);
        regions
            .flat_map(|(a, b)| a.iter().zip(b))
            .any(|(a, b)| a & b != 0)
    }

    fn add(&mut self, other: ByteSet) {
        if self.regions.len() < other.regions.len() {
            self.regions.resize_with(other.regions.len(), Vec::new);
        }
        for (set, more) in self.regions.iter_mut().zip(other.regions) {
            if set.len() < more.len() {
                set.resize(more.len(), 0);
            }
            for (word, bits) in set.iter_mut().zip(more) {
                *word |= bits;
            }
        }
    }
}

/// The bytes of global memory that were read and written.
#[derive(Debug, Default)]
struct Touches {
    read: ByteSet,
    written: ByteSet,
}

impl Observer for Touches {
    #[inline]
    fn touched(&mut self, _: &Block, _: &Inst, touched: Touched) {
        let place = touched.place;
        if !matches!(place.space, Space::Global | Space::Generic) {
            return;
        }
        let bytes = touched.bytes as usize;
        if touched.kind != TouchKind::Store {
            self.read.insert(place.region, place.offset, bytes);
        }
        if touched.kind != TouchKind::Load {
            self.written.insert(place.region, place.offset, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_bytes() {
        let (mut a, mut b) = (ByteSet::default(), ByteSet::default());
        a.insert(1, 60, 4);
        a.insert(1, 128, 64);
        b.insert(1, 64, 4);
        assert!(!a.meets(&b) && !b.meets(&a));
        b.insert(1, 191, 1);
        assert!(a.meets(&b));
        let mut whole = ByteSet::default();
        whole.add(a);
        assert!(whole.meets(&b));
        // An access over the border of a word.
        let mut c = ByteSet::default();
        c.insert(0, 62, 4);
        assert_eq!(c.regions[0][..2], [0b11 << 62, 0b11]);
    }
}
