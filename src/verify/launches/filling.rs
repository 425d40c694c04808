//! Launches of a given size, for estimates of time; some of their blocks are executed, as a sample.

use super::blocks;
use super::build::{Rooms, build};
use super::repair::{grow, rounds};
use super::shapes::{self, Contents, Shape};
use super::usage::Usage;
use crate::Kernel;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_executor::{Options, profile::profile};
use ptxasw_machine::cost::trace::Work;

/// Trip count of loops.
const LENGTH: u32 = 64;
/// A launch whose blocks take too many steps has so many times fewer of them in the next try.
const FEWER: u64 = 4;
/// Tries, larger buffers included.
const TRIES: usize = 24;
/// Blocks that are tried.
const BLOCKS: usize = 8;
/// Largest room that a buffer is given, in bytes.
const ROOM: u64 = 1 << 28;
/// A buffer that turns out too small becomes so many times larger than the access asks for: each try executes blocks.
const SPARE: u64 = 4;
const SEED: u64 = 1;

/// A launch of about so many threads. Some of its blocks were executed, within so many steps together.
pub(crate) fn filling(kernel: Kernel, threads: u64, steps: u64) -> Option<LaunchSpec> {
    if super::has_too_much(kernel) {
        return None;
    }
    let (module, function) = (kernel.module, kernel.function);
    let usage = Usage::of(module, function);
    let block = blocks::one(kernel, &usage, SEED)?;
    let mut count = threads.checked_div(blocks::threads(block))?.max(1);
    let mut shape = sized(&usage, block, count);
    let mut rooms = Rooms::default();
    let options = Options {
        step_limit: steps / BLOCKS as u64,
        undefined_results: true,
        ..Options::default()
    };
    for _ in 0..TRIES {
        let spec = build(module, function, &usage, &shape, &rooms);
        let work = Work::of_spec(&spec).ok()?;
        let (launch, sparse) = work.parts();
        let ran = sample(spec.grid).into_iter().try_for_each(|block| {
            let profiled = profile(module, function, launch, sparse, options, &[block]);
            profiled.0
        });
        let Err(error) = ran else {
            return Some(spec);
        };
        if rounds(&mut shape, &error.fault)
            || grow(&mut rooms, &spec, launch, &error.fault, ROOM, SPARE)
        {
            continue;
        }
        if count == 1 {
            return None;
        }
        count = (count / FEWER).max(1);
        shape = Shape {
            round: shape.round,
            ..sized(&usage, block, count)
        };
        rooms = Rooms::default();
    }
    None
}

/// The blocks that are executed: those at the ends along each axis, the farthest first, and one in the middle.
fn sample(grid: [u32; 3]) -> [u64; BLOCKS] {
    let [x, y, z] = grid.map(u64::from);
    let (plane, total) = (x * y, x * y * z);
    let ends = [
        total,
        plane,
        x,
        3 * plane,
        2 * plane,
        plane + 1 - x,
        total / 2,
        1,
    ];
    ends.map(|end| end.clamp(1, total.max(1)) - 1)
}

/// A shape with about so many blocks, the same number along each axis of `%ctaid` that the kernel uses.
fn sized(usage: &Usage, block: [u32; 3], count: u64) -> Shape {
    let axes = (0..3).filter(|&axis| usage.ctaid[axis]).count();
    let side = match axes {
        0 | 1 => count,
        2 => count.isqrt(),
        _ => (count as f64).cbrt() as u64,
    };
    let sizes = [0, 1, 2].map(|axis| match (usage.ctaid[axis], usage.tid[axis]) {
        (true, true) => (side as u32).max(1).saturating_mul(block[axis]),
        (true, false) => (side as u32).max(1),
        (false, true) => block[axis],
        (false, false) => 1,
    });
    Shape {
        sizes,
        length: i64::from(LENGTH),
        contents: Contents::Small,
        pitched: true,
        ..shapes::few(usage, block, SEED)
    }
}
