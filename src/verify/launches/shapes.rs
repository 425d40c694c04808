//! Which blocks and sizes a kernel is launched with, the most telling first.

use super::overlap::{self, Pointers};
use super::usage::Usage;
use ptxasw_ptx::decode::form::Function;

/// Block shapes: whole warps, rows that share a warp, half a warp more, planes, all but one warp, one warp.
const BLOCKS: [[u32; 3]; 6] = [
    [128, 1, 1],
    [16, 8, 1],
    [48, 1, 1],
    [8, 8, 4],
    [1000, 1, 1],
    [32, 1, 1],
];
/// Blocks for kernels that allow none of [`BLOCKS`].
const SMALL_BLOCKS: [[u32; 3]; 4] = [[24, 1, 1], [8, 2, 1], [2, 2, 2], [1, 1, 1]];
/// Size of the second and third dimension if a block has one row there: room for a small stencil.
const OTHER: u32 = 5;
/// How much larger than a block they are otherwise.
const MORE: [u32; 2] = [3, 2];
/// Values of scalars that are neither sizes nor strides.
const PLAIN: [i64; 5] = [3, 1, 7, -3, 60];
/// Lengths of loops.
const LENGTHS: [u32; 3] = [3, 5, 1];

/// What a launch is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) block: [u32; 3],
    /// How far indices go along each axis.
    pub(super) sizes: [u32; 3],
    /// In place of the size along x where it is compared with an index: numbers that no array has.
    pub(super) odd: Option<i64>,
    /// Of scalars that are neither sizes nor strides.
    pub(super) plain: i64,
    /// Of what loops, perhaps, are compared with.
    pub(super) length: u32,
    /// Buffers of integers have values of any size, where that makes no difference to addresses.
    pub(super) full_range: bool,
    /// Told apart from other launches with the same sizes.
    pub(super) seed: u64,
    /// Where pointers point.
    pub(super) pointers: Pointers,
    /// In place of all strides and of what nothing is known of: numbers at which addresses wrap or meet.
    pub(super) stride: Option<i64>,
}

impl Shape {
    /// Made to part what merely looks equal: that the original races or fails in it is to be expected.
    pub(super) fn is_adversarial(&self) -> bool {
        self.pointers != Pointers::Apart || self.stride.is_some()
    }
}

/// How a size compares with the block.
#[derive(Clone, Copy)]
enum Size {
    /// Two blocks and some: the last block is partial.
    Several,
    Exact,
    Below,
    Above,
    Few,
    One,
    Zero,
    /// A huge size of the guard, with two blocks of threads.
    Odd(i64),
}

/// By worth: every block shape with one before any with the next.
const ORDER: [Size; 10] = [
    Size::Several,
    Size::Below,
    Size::Few,
    Size::Above,
    Size::Exact,
    Size::One,
    Size::Odd(i32::MIN as i64),
    Size::Odd(-1),
    Size::Odd(i32::MAX as i64),
    Size::Zero,
];

/// Shapes for a kernel.
pub(super) fn shapes(function: &Function, usage: &Usage, seed: u64) -> Vec<Shape> {
    let blocks = blocks(function);
    let mut found: Vec<Shape> = Vec::new();
    for order in ORDER {
        for &block in &blocks {
            let number = found.len();
            let shape = shape(usage, block, order, number, seed);
            let same = |other: &Shape| {
                (other.block, other.sizes, other.odd) == (shape.block, shape.sizes, shape.odd)
            };
            if !found.iter().any(same) {
                found.push(shape);
            }
        }
    }
    // The most telling ones once more, with other contents.
    let again: Vec<Shape> = found.iter().take(blocks.len()).cloned().collect();
    let number = found.len();
    found.extend(again.into_iter().enumerate().map(|(i, shape)| Shape {
        plain: PLAIN[(i + 1) % PLAIN.len()],
        length: LENGTHS[(i + 1) % LENGTHS.len()],
        full_range: !shape.full_range,
        seed: seed_of(seed, number + i),
        ..shape
    }));
    overlap::insert(&mut found, function, usage, blocks.len());
    found
}

fn blocks(function: &Function) -> Vec<[u32; 3]> {
    if let Some(block) = function.required_threads {
        return vec![block];
    }
    let threads = |block: [u32; 3]| block.iter().map(|&n| u64::from(n)).product::<u64>();
    let most = function.max_threads.map_or(1024, threads);
    let allowed = |blocks: &[[u32; 3]]| -> Vec<[u32; 3]> {
        let blocks = blocks.iter().copied();
        blocks.filter(|&block| threads(block) <= most).collect()
    };
    let usual = allowed(&BLOCKS);
    match usual.is_empty() {
        true => allowed(&SMALL_BLOCKS),
        false => usual,
    }
}

fn shape(usage: &Usage, block: [u32; 3], order: Size, number: usize, seed: u64) -> Shape {
    let x = block[0];
    let mut odd = None;
    let size = match order {
        // A huge block is expensive: one and some will do.
        Size::Several if x >= 512 => x + 5,
        Size::Several => 2 * x + 5,
        Size::Exact => x,
        Size::Below => x - 1,
        Size::Above => x + 1,
        Size::Few => 13,
        Size::One => 1,
        Size::Zero => 0,
        Size::Odd(value) => {
            odd = Some(value);
            x + 5
        }
    };
    let other = |axis: usize| match usage.tid[axis] && block[axis] > 1 {
        true => block[axis] + MORE[axis - 1],
        false => OTHER,
    };
    let mut sizes = [size, other(1), other(2)];
    for axis in 0..3 {
        if !usage.bounded(axis) {
            // Nothing is compared with the index: all threads work, and sizes are those of the grid.
            let blocks = sizes[axis].div_ceil(block[axis]).max(1);
            sizes[axis] = blocks * block[axis];
        }
    }
    Shape {
        block,
        sizes,
        odd: odd.filter(|_| usage.bounded(0)),
        plain: PLAIN[number / 7 % PLAIN.len()],
        length: LENGTHS[number / 5 % LENGTHS.len()],
        full_range: number.is_multiple_of(2),
        seed: seed_of(seed, number),
        pointers: Pointers::Apart,
        stride: None,
    }
}

fn seed_of(seed: u64, number: usize) -> u64 {
    seed.wrapping_mul(0x1_0000).wrapping_add(64 * number as u64)
}
