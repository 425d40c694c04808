//! Launches of a given size, for estimates of time: some of their blocks are executed, the others are like these.

use super::blocks;
use super::build::{Rooms, build};
use super::repair::grow;
use super::shapes::{self, Contents, ROUND, Shape};
use super::usage::Usage;
use crate::Kernel;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_executor::{Fault, Options, profile::profile};
use ptxasw_machine::cost::trace::Work;

/// What loops go through.
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

/// A launch of about so many threads, of which some blocks terminate within so many steps together.
pub(crate) fn filling(kernel: Kernel, threads: u64, steps: u64) -> Option<LaunchSpec> {
    if super::has_too_much(kernel) {
        return None;
    }
    let usage = Usage::of(kernel.module, kernel.function);
    let block = blocks::one(kernel, &usage, SEED)?;
    let mut count = threads.checked_div(blocks::threads(block))?.max(1);
    let mut rooms = Rooms::default();
    let mut round = 1;
    for _ in 0..TRIES {
        let shape = Shape {
            round,
            ..shape(&usage, block, count)
        };
        let spec = build(kernel.module, kernel.function, &usage, &shape, &rooms);
        let work = Work::of_spec(&spec).ok()?;
        let total = work.blocks();
        let options = Options {
            step_limit: steps / BLOCKS as u64,
            undefined_results: true,
            ..Options::default()
        };
        let [x, y, _] = spec.grid.map(u64::from);
        // The ends along each axis, the farthest first, and one in the middle.
        let plane = x * y;
        let ends: [u64; BLOCKS] = [
            total,
            plane,
            x,
            3 * plane,
            2 * plane,
            plane + 1 - x,
            total / 2,
            1,
        ];
        let some = ends.map(|end| end.clamp(1, total) - 1);
        let (module, function) = (kernel.module, kernel.function);
        let (launch, sparse) = work.parts();
        let ran = some.into_iter().try_for_each(|block| {
            let profiled = profile(module, function, launch, sparse, options, &[block]);
            profiled.0
        });
        match ran {
            Ok(()) => return Some(spec),
            Err(error) if grow(&mut rooms, &spec, launch, &error.fault, ROOM, SPARE) => {}
            Err(error) if round == 1 && matches!(error.fault, Fault::Misaligned { .. }) => {
                round = ROUND;
            }
            Err(_) if count > 1 => {
                count = (count / FEWER).max(1);
                rooms = Rooms::default();
            }
            Err(_) => return None,
        }
    }
    None
}

/// A shape with about so many blocks, as even as can be along the axes that the kernel looks at.
fn shape(usage: &Usage, block: [u32; 3], count: u64) -> Shape {
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
