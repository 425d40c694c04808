//! Which blocks a kernel was written for: what its code says of them, tried out.

use super::build::Rooms;
use super::repair;
use super::shapes::{self, Shape};
use super::usage::Usage;
use crate::Kernel;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Function, Module};

/// Blocks of a kernel that knows one dimension: whole warps, half a warp more, all but one warp, one warp.
const LINES: [[u32; 3]; 4] = [[128, 1, 1], [48, 1, 1], [1000, 1, 1], [32, 1, 1]];
/// The same of one that knows rows, and of one that knows planes.
const ROWS: [[u32; 3]; 5] = [
    [16, 8, 1],
    [128, 1, 1],
    [48, 1, 1],
    [1000, 1, 1],
    [32, 1, 1],
];
const PLANES: [[u32; 3]; 6] = [
    [16, 8, 1],
    [8, 8, 4],
    [128, 1, 1],
    [48, 1, 1],
    [1000, 1, 1],
    [32, 1, 1],
];
/// Blocks that are tried where few of those are any good.
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
/// Most blocks that the code speaks of.
const MOST_INFERRED: usize = 12;
/// So many of these are enough, and so many of all.
const INFERRED: usize = 2;
const ENOUGH: usize = 6;
const FEW: usize = 3;
/// What one trial may take, in warp instructions, and all together.
const TRIAL: u64 = 1 << 18;
const TRIALS: u64 = 1 << 20;

/// The blocks to launch a kernel with, the most telling first.
pub(super) fn blocks(kernel: Kernel, usage: &Usage, seed: u64) -> Vec<[u32; 3]> {
    found(kernel, usage, seed, [INFERRED, ENOUGH, FEW], TRIALS)
}

/// One of them.
pub(super) fn one(kernel: Kernel, usage: &Usage, seed: u64) -> Option<[u32; 3]> {
    found(kernel, usage, seed, [1; 3], TRIAL).first().copied()
}

/// Those that the kernel survives: so many that its code speaks of, so many with the usual ones, and others as long as there
/// are fewer than so many.
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
    let mut usual = allowed(match usage.tid {
        [_, _, true] => PLANES.to_vec(),
        [_, true, _] => ROWS.to_vec(),
        _ => LINES.to_vec(),
    });
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
        let limit = TRIAL.min(self.left);
        let rooms = &mut Rooms::default();
        repair::survives(kernel, usage, &shape, rooms, limit, &mut self.left)
    }
}

/// Blocks that constants in the code speak of.
fn inferred(module: &Module, function: &Function, usage: &Usage) -> Vec<[u32; 3]> {
    let mut found: Vec<[u32; 3]> = Vec::new();
    let mut add = |block: [u32; 3]| {
        let sensible = (1..=1024).contains(&threads(block)) && block[0] > 1;
        if sensible && !found.contains(&block) && found.len() < MOST_INFERRED {
            found.push(block);
        }
    };
    // A bound is most often what the kernel is launched with.
    function.max_threads.into_iter().for_each(&mut add);
    let limits = |axis: usize| {
        let numbers = usage.limits[axis].iter().rev().copied();
        numbers
            .flat_map(|n| [n, n + 1, 2 * n])
            .filter(|n| n.is_power_of_two() || n % 32 == 0)
    };
    let arrays = module.variables.iter().chain(&function.variables);
    let arrays = arrays.filter(|one| one.space == Space::Shared && one.bytes > 0);
    let elements: Vec<u32> = arrays
        .flat_map(|one| [4, 8, 16, u64::from(one.ty.bits / 8).max(1)].map(|size| one.bytes / size))
        .filter_map(|count| u32::try_from(count).ok())
        .collect();
    if !usage.tid[1] && !usage.tid[2] {
        let whole = elements.iter().copied().filter(|count| count % 32 == 0);
        let mut widths: Vec<u32> = limits(0).chain(whole).collect();
        widths.sort_by_key(|width| (width.abs_diff(USUAL), *width));
        widths.into_iter().for_each(|x| add([x, 1, 1]));
        return found;
    }
    // A tile with a border of up to two, or with padding of one against bank conflicts.
    let rows = usage.rows.iter().flatten().copied();
    let mut widths: Vec<u32> = rows
        .flat_map(|row| {
            [
                row,
                row.saturating_sub(1),
                row.saturating_sub(2),
                row / 4,
                row / 4 - (row > 3) as u32,
            ]
        })
        .chain(limits(0))
        .filter(|n| n.is_power_of_two() && (4..=64).contains(n))
        .collect();
    widths.sort_unstable_by(|a, b| b.cmp(a));
    widths.dedup();
    for &x in &widths {
        limits(1).for_each(|y| add([x, y, 1]));
        add([x, x, 1]);
        for &count in &elements {
            for border in [0, 1, 2] {
                let y = (count / (x + border)).saturating_sub(border);
                if y.is_power_of_two() {
                    add([x, y, 1]);
                }
            }
        }
        [8, 4].iter().for_each(|&y| add([x, y, 1]));
    }
    found
}

/// Other usual blocks.
fn more(usage: &Usage) -> Vec<[u32; 3]> {
    let lines = MORE_LINES.map(|x| [x, 1, 1]);
    let [_, rows, planes] = usage.tid;
    let rows = MORE_ROWS.iter().filter(|_| rows || planes);
    let planes = MORE_PLANES.iter().filter(|_| planes);
    planes.chain(rows).copied().chain(lines).collect()
}
