//! Launches that part what is equal in ordinary ones: loops of every length, scalars of one use with different values,
//! buffers that end where the last access ends, contents that decide otherwise.
//!
//! Most properties go through their values with periods of their own, so that few launches bring many pairs of them together.

use super::blocks as block_sizes;
use super::shapes::{Contents, Shape};
use ptxasw_ptx::decode::form::Function;

/// Launches.
const COUNT: usize = 26;
/// Lengths of loops: none, once, what is left of unrolling by two, four and eight, many.
const LENGTHS: [i64; 13] = [10, 0, 1, 4, 17, 2, -1, 8, 64, 7, 33, 9, 6];
/// Of scalars that are neither sizes nor strides.
const PLAIN: [i64; 9] = [0, 2, 1, -3, 5, 17, 4, 8, -1];
/// Of floating-point scalars.
const REALS: [f64; 4] = [0.5, 0.0, 1.0, -2.0];
/// Distances of scalars that are used alike.
const APART: [i64; 5] = [1, -1, 0, 2, 5];
const CONTENTS: [Contents; 7] = [
    Contents::Zero,
    Contents::Any,
    Contents::Signed,
    Contents::Wide,
    Contents::Small,
    Contents::NotANumber,
    Contents::Wide,
];
/// Sizes along x: one warp, less, more, several.
const SIZES: [u32; 6] = [32, 27, 64, 128, 3, 96];
/// One launch has so many threads along x.
const FAR: u32 = 4500;

/// Such shapes, by the first of a kernel's.
pub(super) fn shapes(first: &Shape, function: &Function, blocks: &[[u32; 3]]) -> Vec<Shape> {
    let small = |block: &&[u32; 3]| block_sizes::threads(**block) <= 256;
    let own: Vec<[u32; 3]> = match function.required_threads {
        Some(block) => vec![block],
        None => blocks.iter().filter(small).copied().collect(),
    };
    if own.is_empty() {
        return Vec::new();
    }
    let varied = (0..COUNT).map(|number| {
        let block = own[number % own.len()];
        let size = SIZES[number % SIZES.len()];
        varied(
            Shape {
                block,
                sizes: [size, first.sizes[1], first.sizes[2]],
                tight: number % 2 == 0,
                ..first.clone()
            },
            number,
        )
    });
    varied.collect()
}

/// One with indices beyond 12 bits.
pub(super) fn far(first: &Shape) -> Shape {
    Shape {
        sizes: [FAR, 1, 1],
        adversarial: true,
        ..first.clone()
    }
}

/// A shape with other values of all that this module varies.
pub(super) fn varied(shape: Shape, number: usize) -> Shape {
    Shape {
        length: LENGTHS[number % LENGTHS.len()],
        plain: PLAIN[number % PLAIN.len()],
        real: REALS[number / 2 % REALS.len()],
        contents: CONTENTS[number % CONTENTS.len()],
        apart: APART[number % APART.len()],
        pitched: number % 4 < 2,
        seed: shape.seed.wrapping_add(0x8000 + 64 * number as u64),
        adversarial: true,
        ..shape
    }
}
