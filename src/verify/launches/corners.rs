//! Launches that expose differences which ordinary ones do not: trip counts, unequal values of scalars with the same use, buffers that
//! end with the last access, contents for which other branches are taken.
//!
//! Most properties cycle through their values with different periods, so that few launches combine many pairs of values.

use super::blocks::threads;
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
const APART: [i64; 5] = [1, -1, 0, 2, 5];
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
/// One launch has so many threads along x.
const FAR: u32 = 4500;

/// Variants of the first shape of a kernel.
pub(super) fn shapes(first: &Shape, function: &Function, blocks: &[[u32; 3]]) -> Vec<Shape> {
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
        pitched: number % 4 < 2,
        seed: shape.seed.wrapping_add(0x8000 + 64 * number as u64),
        adversarial: true,
        ..shape
    }
}
