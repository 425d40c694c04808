//! Block shapes a kernel was written for: candidates inferred from its code, each tried on the original.

use super::repair;
use super::shapes::{self, Shape};
use super::usage::Usage;
use crate::Kernel;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Function, Module};

/// Blocks of a kernel that uses one dimension: whole warps, half a warp more, all but one warp, one warp.
const LINES: [[u32; 3]; 4] = [[128, 1, 1], [48, 1, 1], [1000, 1, 1], [32, 1, 1]];
/// Before them where it uses two dimensions, or three: rows that share a warp, planes.
const ROWS: [[u32; 3]; 1] = [[16, 8, 1]];
const PLANES: [[u32; 3]; 2] = [[16, 8, 1], [8, 8, 4]];
/// Blocks that are tried where the original survives few of those.
const MORE_LINES: [u32; 5] = [256, 512, 64, 1024, 1];
const MORE_ROWS: [[u32; 3]; 8] = [
    [16, 16, 1],
    [32, 8, 1],
    [32, 32, 1],
    [32, 4, 1],
    [8, 8, 1],
    [64, 4, 1],
    [32, 16, 1],
    [4, 4, 1],
];
const MORE_PLANES: [[u32; 3]; 3] = [[4, 4, 4], [8, 8, 8], [32, 4, 2]];
/// Blocks for kernels that allow none of these.
const SMALL: [[u32; 3]; 4] = [[24, 1, 1], [8, 2, 1], [2, 2, 2], [1, 1, 1]];
/// Most blocks have about so many threads.
const USUAL: u32 = 256;
/// Most inferred candidates.
const MOST_INFERRED: usize = 12;
/// How many blocks are enough: inferred ones, all, and all where less usual ones have to be tried.
const INFERRED: usize = 2;
const ENOUGH: usize = 6;
const FEW: usize = 3;
/// What one trial may take, in warp instructions, and all together.
const TRIAL: u64 = 1 << 18;
const TRIALS: u64 = 1 << 20;

/// The blocks to launch a kernel with, inferred ones first.
pub(super) fn blocks(kernel: Kernel, usage: &Usage, seed: u64) -> Vec<[u32; 3]> {
    found(kernel, usage, seed, [INFERRED, ENOUGH, FEW], TRIALS)
}

/// The first of them.
pub(super) fn one(kernel: Kernel, usage: &Usage, seed: u64) -> Option<[u32; 3]> {
    found(kernel, usage, seed, [1; 3], TRIAL).first().copied()
}

/// Blocks that the original survives: inferred ones, usual ones, then less usual ones, each kind until the numbers in `enough` are reached or `left`
/// warp instructions are spent.
fn found(kernel: Kernel, usage: &Usage, seed: u64, enough: [usize; 3], left: u64) -> Vec<[u32; 3]> {
    let Kernel {
        module, function, ..
    } = kernel;
    if let Some(block) = function.required_threads {
        return vec![block];
    }
    let allowed = |blocks: Vec<[u32; 3]>| -> Vec<[u32; 3]> {
        let most = function.max_threads.map_or(1024, threads);
        blocks.into_iter().filter(|&b| threads(b) <= most).collect()
    };
    let first: &[[u32; 3]] = match usage.tid {
        [_, _, true] => &PLANES,
        [_, true, _] => &ROWS,
        _ => &[],
    };
    let mut usual = allowed([first, &LINES].concat());
    if usual.is_empty() {
        usual = allowed(SMALL.to_vec());
    }
    let mut trial = Trial {
        kernel,
        usage,
        seed,
        good: Vec::new(),
        left,
    };
    let [of_code, of_all, few] = enough;
    trial.all(&allowed(inferred(module, function, usage)), of_code);
    trial.all(&usual, of_all);
    trial.all(&allowed(more(usage)), few);
    match trial.good.is_empty() {
        true => usual,
        false => trial.good,
    }
}

/// Threads of a block.
pub(super) fn threads(block: [u32; 3]) -> u64 {
    let threads = block.iter().map(|&n| u64::from(n));
    threads.fold(1, u64::saturating_mul)
}

/// Tries launches with one block after the other.
struct Trial<'a> {
    kernel: Kernel<'a>,
    usage: &'a Usage,
    seed: u64,
    good: Vec<[u32; 3]>,
    /// Warp instructions.
    left: u64,
}

impl Trial<'_> {
    /// Takes those that the kernel survives, until there are so many.
    fn all(&mut self, blocks: &[[u32; 3]], enough: usize) {
        for &block in blocks {
            if self.good.len() >= enough || self.left == 0 {
                return;
            }
            if !self.good.contains(&block) && self.survives(block) {
                self.good.push(block);
            }
        }
    }

    fn survives(&mut self, block: [u32; 3]) -> bool {
        let shape: Shape = shapes::few(self.usage, block, self.seed);
        let (kernel, usage) = (self.kernel, self.usage);
        repair::survives(kernel, usage, &shape, TRIAL, &mut self.left)
    }
}

/// Candidates from bounds, constants and shared arrays of the code.
fn inferred(module: &Module, function: &Function, usage: &Usage) -> Vec<[u32; 3]> {
    let arrays = module.variables.iter().chain(&function.variables);
    let arrays = arrays.filter(|one| one.space == Space::Shared && one.bytes > 0);
    let elements: Vec<u32> = arrays
        .flat_map(|one| [4, 8, 16, u64::from(one.ty.bits / 8).max(1)].map(|size| one.bytes / size))
        .filter_map(|count| u32::try_from(count).ok())
        .collect();
    // A bound is most often the block that the kernel is launched with.
    let bound = function.max_threads.into_iter();
    let more = match usage.tid {
        [_, false, false] => lines(usage, &elements),
        _ => tiles(usage, &elements),
    };
    let mut found: Vec<[u32; 3]> = Vec::new();
    for block in bound.chain(more) {
        let sensible = (1..=1024).contains(&threads(block)) && block[0] > 1;
        if sensible && !found.contains(&block) && found.len() < MOST_INFERRED {
            found.push(block);
        }
    }
    found
}

/// Extents along an axis, from constants that `%tid` is compared with.
fn extents(usage: &Usage, axis: usize) -> impl Iterator<Item = u32> + '_ {
    let numbers = usage.limits[axis].iter().rev().copied();
    numbers
        .flat_map(|n| [n, n + 1, 2 * n])
        .filter(|n| n.is_power_of_two() || n % 32 == 0)
}

/// One-dimensional candidates, those near the usual size first.
fn lines(usage: &Usage, elements: &[u32]) -> Vec<[u32; 3]> {
    let whole = elements.iter().copied().filter(|count| count % 32 == 0);
    let mut widths: Vec<u32> = extents(usage, 0).chain(whole).collect();
    widths.sort_by_key(|width| (width.abs_diff(USUAL), *width));
    widths.into_iter().map(|x| [x, 1, 1]).collect()
}

/// Two-dimensional candidates. A row of a tile has a border of up to two elements, or one of padding against bank conflicts; its pitch is in
/// elements or in bytes.
fn tiles(usage: &Usage, elements: &[u32]) -> Vec<[u32; 3]> {
    let pitches = usage.rows.iter().flatten();
    let mut widths: Vec<u32> = pitches
        .flat_map(|&pitch| [pitch, pitch / 4])
        .flat_map(|pitch| [0, 1, 2].map(|border| pitch.saturating_sub(border)))
        .chain(extents(usage, 0))
        .filter(|n| n.is_power_of_two() && (4..=64).contains(n))
        .collect();
    widths.sort_unstable_by(|a, b| b.cmp(a));
    widths.dedup();
    let mut found = Vec::new();
    for &x in &widths {
        found.extend(extents(usage, 1).map(|y| [x, y, 1]));
        found.push([x, x, 1]);
        let heights = elements.iter().flat_map(|&count| {
            [0, 1, 2].map(|border| (count / (x + border)).saturating_sub(border))
        });
        let heights = heights.filter(|y| y.is_power_of_two());
        found.extend(heights.chain([8, 4]).map(|y| [x, y, 1]));
    }
    found
}

/// Less usual blocks.
fn more(usage: &Usage) -> Vec<[u32; 3]> {
    let lines = MORE_LINES.map(|x| [x, 1, 1]);
    let [_, rows, planes] = usage.tid;
    let rows = MORE_ROWS.iter().filter(|_| rows || planes);
    let planes = MORE_PLANES.iter().filter(|_| planes);
    planes.chain(rows).copied().chain(lines).collect()
}
