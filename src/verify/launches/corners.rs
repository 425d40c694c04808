//! Launches that expose differences which ordinary ones do not: trip counts, unequal values of scalars with the same use, buffers that
//! end with the last access, contents for which other branches are taken.
//!
//! Most properties cycle through their values with different periods, so that few launches combine many pairs of values.

use super::blocks::threads;
use super::counters::{Counting, Part};
use super::field::AROUND;
use super::shapes::{Contents, Shape};
use super::usage::Usage;
use ptxasw_ptx::decode::form::Function;

/// Launches.
const COUNT: usize = 26;
/// Launches at most in which scalars are compared with constants.
const STEERED: usize = 18;
/// Trip counts: zero, one, remainders of unrolling by two, four and eight, many.
const LENGTHS: [i64; 13] = [10, 0, 1, 4, 17, 2, -1, 8, 64, 7, 33, 9, 6];
/// Of scalars that are neither sizes nor strides.
const PLAIN: [i64; 9] = [0, 2, 1, -3, 5, 17, 4, 8, -1];
/// Of floating-point scalars.
const REALS: [f64; 4] = [0.5, 0.0, 1.0, -2.0];
/// Distances of scalars that are used alike.
const APART: [i64; 7] = [1, -1, 0, 2, -3, 5, -6];
const CONTENTS: [Contents; 7] = [
    Contents::Zero,
    Contents::Any,
    Contents::Signed,
    Contents::Wide,
    Contents::Small,
    Contents::NotANumber,
    Contents::AnyBits,
];
/// Sizes along x: one warp, less, more, several.
const SIZES: [u32; 6] = [32, 27, 64, 128, 3, 96];
/// Of a loop that begins at the thread's index: each thread goes through so many elements, or through one more.
const ROUNDS: [u32; 8] = [3, 0, 7, 1, 8, 4, 2, 20];
/// Threads that go through one more, of those of a warp.
const PARTIAL: u32 = 13;
/// How counters of loops count whose start or step is a scalar. A step of 0 ends where the start is the bound.
const COUNTINGS: [Counting; 9] = [
    from(0, 1, 0),
    from(0, 2, 1),
    from(17, -1, 0),
    Counting::ToEnd {
        signed: true,
        step: 1,
    },
    Counting::ToEnd {
        signed: false,
        step: 1,
    },
    from(-3, 1, 0),
    from(5, 3, 0),
    from(0, 0, 0),
    from(-20, -2, 0),
];
/// Steps several of which wrap to a small number, or to a negative one: an index further on is within bounds, the next one is not.
const LEAPS: [i64; 5] = [1 << 29, 1 << 30, 0x5555_5556, 0x2492_4925, i32::MAX as i64];
/// Bounds of such loops: they have one round.
const SHORT: [i64; 3] = [5, 1, 10];
/// A step and a bound with which indices of 32 bits wrap, and the loop ends after some rounds.
const ROUND_ABOUT: Counting = Counting::Leaps {
    step: 3 << 28,
    bound: Some(7 << 28),
};
/// One launch has so many threads along x.
const FAR: u32 = 4500;

const fn from(start: i64, step: i64, less: i64) -> Counting {
    Counting::Steps { start, step, less }
}

/// Variants of the first shape of a kernel.
pub(super) fn shapes(
    first: &Shape,
    function: &Function,
    usage: &Usage,
    blocks: &[[u32; 3]],
) -> Vec<Shape> {
    let small = |block: &&[u32; 3]| threads(**block) <= 256;
    let own: Vec<[u32; 3]> = match function.required_threads {
        Some(block) => vec![block],
        None => blocks.iter().filter(small).copied().collect(),
    };
    if own.is_empty() {
        return Vec::new();
    }
    let shapes = (0..COUNT).map(|number| {
        let block = own[number % own.len()];
        // Other launches have as many threads as elements.
        let alone = usage.strided && number % 3 != 2;
        let size = match alone {
            true => ROUNDS[number % ROUNDS.len()] * block[0] + PARTIAL.min(block[0] - 1),
            false => SIZES[number % SIZES.len()],
        };
        varied(
            Shape {
                block,
                sizes: [size, first.sizes[1], first.sizes[2]],
                alone,
                tight: alone || number % 2 == 0,
                ..first.clone()
            },
            number,
        )
    });
    let leaps = leaps(first, usage, own[own.len() - 1]);
    shapes.chain(leaps).collect()
}

/// Launches in which the index of a loop whose step is a scalar wraps in 32 bits, or would a few steps further on.
fn leaps(first: &Shape, usage: &Usage, block: [u32; 3]) -> Vec<Shape> {
    if !usage.has(Part::Step) {
        return Vec::new();
    }
    let far = LEAPS.map(|step| Counting::Leaps { step, bound: None });
    let all = far.into_iter().chain([ROUND_ABOUT]).enumerate();
    let shapes = all.map(|(number, counting)| Shape {
        block,
        sizes: [block[0].min(PARTIAL), first.sizes[1], first.sizes[2]],
        counting,
        length: SHORT[number % SHORT.len()],
        alone: true,
        tight: true,
        ..varied(first.clone(), number)
    });
    shapes.collect()
}

/// Launches in which scalars have the values of constants that they are compared with.
pub(super) fn steered(first: &Shape, usage: &Usage) -> Vec<Shape> {
    let constants = usage.fields.iter().map(|field| field.constants.len());
    let count = AROUND.len() * constants.max().unwrap_or(0);
    let shapes = (0..count.min(STEERED)).map(|number| Shape {
        steered: Some(number),
        ..varied(first.clone(), number)
    });
    shapes.collect()
}

/// A launch whose indices need more than 12 bits.
pub(super) fn far(first: &Shape) -> Shape {
    Shape {
        sizes: [FAR, 1, 1],
        adversarial: true,
        ..first.clone()
    }
}

/// The shape with the values of this number for all properties that this module varies.
pub(super) fn varied(shape: Shape, number: usize) -> Shape {
    Shape {
        length: LENGTHS[number % LENGTHS.len()],
        plain: PLAIN[number % PLAIN.len()],
        real: REALS[number / 2 % REALS.len()],
        contents: CONTENTS[number % CONTENTS.len()],
        apart: APART[number % APART.len()],
        counting: COUNTINGS[number % COUNTINGS.len()],
        pitched: number % 4 < 2,
        seed: shape.seed.wrapping_add(0x8000 + 64 * number as u64),
        adversarial: true,
        ..shape
    }
}
