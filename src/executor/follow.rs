//! What one thread of a launch executes, step by step.

use super::launch::Launch;
use super::observer::{Observer, TouchKind, Touched};
use super::program::Inst;
use super::state::Block;
use super::{ExecutionError, Options, Outcome, Schedule, observed};
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Function, Module};
use smallvec::SmallVec;

/// Most events that are kept: a thread of an ordinary kernel has some thousands.
const MAX_EVENTS: usize = 1 << 22;

/// An instruction that a thread has executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What [`super::instruction_at`] takes.
    pub instruction: u32,
    /// The registers that it wrote, as bits, in the order of its results; 0 where a result is not named.
    pub results: SmallVec<[u64; 2]>,
    /// Of a store or an atomic in global memory: the region (the launch's buffers, then the module's variables) and the
    /// bytes written in it.
    pub stored: Option<(usize, std::ops::Range<usize>)>,
}

/// Runs a kernel and records what one thread does, up to its end, a fault, or a few million events. `thread` is its
/// number in the grid.
pub fn follow(
    module: &Module,
    function: &Function,
    launch: &Launch,
    schedule: Schedule,
    options: Options,
    thread: u64,
) -> (Result<Outcome, ExecutionError>, Vec<Event>) {
    let mut follower = Follower {
        thread,
        events: Vec::new(),
        stored: None,
    };
    let result = observed(module, function, launch, schedule, options, &mut follower);
    (result, follower.events)
}

/// Watches one thread.
struct Follower {
    thread: u64,
    events: Vec<Event>,
    /// Bytes that the current instruction has written so far.
    stored: Option<(usize, std::ops::Range<usize>)>,
}

impl Observer for Follower {
    fn executed(&mut self, block: &Block, w: usize, pc: u32, inst: &Inst, on: u32) {
        let first = block.first_thread + w as u64 * 32;
        let Some(lane) = self.thread.checked_sub(first).filter(|&lane| lane < 32) else {
            return;
        };
        if on >> lane & 1 == 0 || self.events.len() >= MAX_EVENTS {
            return;
        }
        let registers = &block.warps[w].registers;
        let value = |dst: &Option<super::program::Dst>| {
            dst.map_or(0, |dst| registers.value(dst.reg, lane as usize))
        };
        self.events.push(Event {
            instruction: pc,
            results: inst.results.iter().map(value).collect(),
            stored: self.stored.take(),
        });
    }

    fn touched(&mut self, _: &Block, _: &Inst, touched: Touched) {
        let place = touched.place;
        if touched.thread != self.thread
            || touched.kind == TouchKind::Load
            || !matches!(place.space, Space::Global)
        {
            return;
        }
        let end = place.offset + touched.bytes as usize;
        match &mut self.stored {
            Some((region, range)) if *region == place.region => {
                *range = range.start.min(place.offset)..range.end.max(end);
            }
            stored => *stored = Some((place.region, place.offset..end)),
        }
    }
}
