//! Which blocks and sizes a kernel is launched with, the most telling first.

use super::blocks;
use super::corners;
use super::counters::{Counting, Part};
use super::iterations;
use super::overlap::{self, Pointers};
use super::usage::Usage;
use ptxasw_executor::Spacing;
use ptxasw_ptx::decode::form::Function;

/// Size of the second and third dimension if a block has one row there: room for a small stencil.
const OTHER: u32 = 5;
/// How much larger than a block they are otherwise.
const MORE: [u32; 2] = [3, 2];
/// Values of scalars that are neither sizes nor strides.
const PLAIN: [i64; 5] = [3, 1, 7, -3, 60];
/// Lengths of loops.
const LENGTHS: [i64; 5] = [3, 10, 1, 5, 0];
/// Their starts and steps, where these are scalars.
const STARTS: [i64; 3] = [0, 2, 5];
const STEPS: [i64; 2] = [1, 3];

/// Blocks that are tried with sizes that no array has.
const ODD: usize = 2;

/// Launches before those of one thread with overlapping buffers, and how many of these come then.
const FIRST: usize = 2;
const EARLY: usize = 6;

/// Of which everything is a multiple where vectors ask for it.
pub(super) const ROUND: i64 = 16;

/// What buffers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// Integers of any size, where that makes no difference to addresses or branches; else small ones.
    Any,
    /// Small integers.
    Small,
    /// Small integers of either sign.
    Signed,
    /// Integers up to some thousands.
    Wide,
    /// Zeros.
    Zero,
    /// Floating-point numbers that are none.
    NotANumber,
    /// Floating-point numbers of any magnitude; other integers as [`Contents::Wide`].
    AnyBits,
}

/// What a launch is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) block: [u32; 3],
    /// How far indices go along each axis.
    pub(super) sizes: [u32; 3],
    /// In place of the size along x where it is compared with an index: numbers that no array has.
    pub(super) odd: Option<i64>,
    /// Of scalars that are neither sizes nor strides.
    pub(super) plain: i64,
    /// Of what loops, perhaps, are compared with.
    pub(super) length: i64,
    /// Of the counters of loops whose start or step is a scalar.
    pub(super) counting: Counting,
    /// One block goes through all elements.
    pub(super) alone: bool,
    /// Of floating-point scalars.
    pub(super) real: f64,
    /// The distance of scalars that are used alike.
    pub(super) apart: i64,
    /// What is added to addresses without an index is as long as a row; else as any other scalar.
    pub(super) pitched: bool,
    pub(super) contents: Contents,
    /// Told apart from other launches with the same sizes.
    pub(super) seed: u64,
    /// Where pointers point.
    pub(super) pointers: Pointers,
    /// In place of all strides and of what nothing is known of: numbers at which addresses wrap or meet.
    pub(super) stride: Option<i64>,
    /// Scalars that are compared with constants get one of these, or a number next to it: which, by this number.
    pub(super) steered: Option<usize>,
    /// Of which sizes, strides and lengths are multiples.
    pub(super) round: i64,
    /// Buffers end where the original's last access ends, and begin where its first one does.
    pub(super) tight: bool,
    /// Made to part what merely looks equal: that the original races or fails in it is to be expected.
    pub(super) adversarial: bool,
}

impl Shape {
    /// Its loops may well run for ever.
    pub(super) fn may_not_end(&self, usage: &Usage) -> bool {
        let steps = self.stride.is_some() || self.counting.may_not_end();
        self.odd.is_some() || steps && (usage.has(Part::Step) || usage.has(Part::Start))
    }

    /// Where an index wraps it leads into another buffer: else the original would fail in it.
    pub(super) fn spacing(&self) -> Spacing {
        match self.odd.is_some() || self.stride.is_some() || self.steered.is_some() {
            true => Spacing::Even,
            false => Spacing::Spread,
        }
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
pub(super) fn shapes(
    function: &Function,
    usage: &Usage,
    blocks: &[[u32; 3]],
    seed: u64,
) -> Vec<Shape> {
    let mut found: Vec<Shape> = Vec::new();
    for order in ORDER {
        let most = match order {
            Size::Odd(_) | Size::Zero => ODD,
            _ => blocks.len(),
        };
        for &block in blocks.iter().take(most) {
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
        contents: match shape.contents {
            Contents::Any => Contents::Small,
            _ => Contents::Any,
        },
        seed: seed_of(seed, number + i),
        ..shape
    }));
    let Some(first) = found.first().cloned() else {
        return found;
    };
    let mut corners = corners::shapes(&first, function, usage, blocks);
    corners.extend(corners::steered(&first, usage));
    let mut overlapping = overlap::shapes(&first, function, usage);
    let at = blocks.len().min(found.len());
    // One thread costs next to nothing, and a kernel that is long may leave room for few launches.
    let single = |shape: &mut Shape| blocks::threads(shape.block) == 1;
    let early: Vec<Shape> = overlapping.extract_if(.., single).take(EARLY).collect();
    let early = early
        .into_iter()
        .chain(iterations::shapes(&first, function, usage));
    found.splice(at..at, corners.into_iter().chain(overlapping));
    found.splice(at.min(FIRST)..at.min(FIRST), early);
    found.push(corners::far(&first));
    found
}

/// A shape with few of these blocks.
pub(super) fn few(usage: &Usage, block: [u32; 3], seed: u64) -> Shape {
    shape(usage, block, Size::Above, 0, seed)
}

fn shape(usage: &Usage, block: [u32; 3], order: Size, number: usize, seed: u64) -> Shape {
    let x = block[0];
    let mut odd = None;
    let size = match order {
        // A huge block is expensive: one and some will do.
        Size::Several if blocks::threads(block) >= 512 => x.saturating_add(5),
        Size::Several => 2 * x + 5,
        Size::Exact => x,
        Size::Below => x.saturating_sub(1),
        Size::Above => x.saturating_add(1),
        Size::Few => 13,
        Size::One => 1,
        Size::Zero => 0,
        Size::Odd(value) => {
            odd = Some(value);
            x.saturating_add(5)
        }
    };
    let other = |axis: usize| match usage.tid[axis] && block[axis] > 1 {
        true => block[axis].saturating_add(MORE[axis - 1]),
        false => OTHER,
    };
    let mut sizes = [size, other(1), other(2)];
    for axis in 0..3 {
        if !usage.bounded(axis) {
            // Nothing is compared with the index: all threads work, and sizes are those of the grid.
            let blocks = sizes[axis].div_ceil(block[axis].max(1)).max(1);
            sizes[axis] = blocks.saturating_mul(block[axis]);
        }
    }
    Shape {
        block,
        sizes,
        odd: odd.filter(|_| usage.bounded(0)),
        plain: PLAIN[number / 7 % PLAIN.len()],
        length: LENGTHS[number / 5 % LENGTHS.len()],
        counting: Counting::Steps {
            start: STARTS[number % STARTS.len()],
            step: STEPS[number % STEPS.len()],
            less: 0,
        },
        alone: false,
        real: 0.5,
        apart: 0,
        pitched: number.is_multiple_of(2),
        contents: match number.is_multiple_of(2) {
            true => Contents::Any,
            false => Contents::Small,
        },
        seed: seed_of(seed, number),
        pointers: Pointers::Apart,
        stride: None,
        steered: None,
        round: 1,
        tight: false,
        adversarial: false,
    }
}

fn seed_of(seed: u64, number: usize) -> u64 {
    seed.wrapping_mul(0x1_0000).wrapping_add(64 * number as u64)
}
