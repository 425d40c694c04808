//! How random loops are launched: for no iteration, for one, for as many as make a batch or one more or less, for many; over arrays
//! that are one, touch in the first or the last iteration, or lie apart.

use super::shape::{BELOW, Counter, Layout, Own, Relation, Shape, Way};
use crate::random::numbers::Random;
use ptxasw::executor::{Argument, Buffer, Launch};

/// Blocks, of at most 160 threads.
const BLOCKS: [[u32; 3]; 8] = [
    [32, 1, 1],
    [33, 1, 1],
    [20, 1, 1],
    [1, 1, 1],
    [64, 1, 1],
    [8, 3, 1],
    [40, 3, 1],
    [16, 5, 2],
];
/// Those of them that are rows.
const ROWS: u64 = 5;
/// Iterations, but for what is a thread's own.
const TRIPS: [i64; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 12];
/// Bytes of each thread's results.
pub const RESULTS: u64 = 32;
/// Bytes of the table that is never stored to.
pub const TABLE: u64 = 1024;

/// The arguments: both arrays, the table, the results; first counter, bound, step, bias, and of the second number the bound and the step.
pub fn launch(random: &mut Random, shape: &Shape) -> Launch {
    let blocks = if shape.flat {
        ROWS
    } else {
        BLOCKS.len() as u64
    };
    let block = BLOCKS[random.below(blocks) as usize];
    let grid = [1 + random.below(2) as u32, 1, 1];
    let mut launch = Launch::new(grid, block);
    let threads: u32 = grid.iter().chain(&block).product();
    let threads = u64::from(threads);

    let sign = if shape.goes_down() { -1 } else { 1 };
    let step = shape.step.unwrap_or_else(|| match random.below(12) {
        0 => 0,
        1 => -sign,
        2 => sign << 30,
        3 => sign * 3,
        4 | 5 => sign * 2,
        _ => sign,
    });
    let mut trips = TRIPS[random.below(12) as usize];
    if step.abs() > 2 {
        trips = trips.min(8);
    }
    if shape.relation == Relation::Unequal && shape.own != Own::Nothing {
        trips += 3;
    }
    if shape.ways[1] == Way::Fixed && shape.second && random.chance(50) {
        // What is beyond the bound has room.
        trips = trips.min(4);
    }
    // The other exit comes first, or a few iterations later.
    let (limit, second) = match random.chance(50) {
        true => (trips + random.within(-2, 4), 1),
        false => (random.within(-1, 9), random.within(-1, 2)),
    };
    let mut first = random.within(0, 2);
    let first_element = first;
    let over = match shape.relation {
        // Where there is another exit the bound may be stepped over.
        Relation::Unequal if !shape.second => 0,
        _ => random.within(0, step.abs().max(1) - 1),
    };
    let bound = |first: i64| match shape.relation {
        Relation::Unequal => first + trips * step - over * sign,
        Relation::Less => first + trips * step - over,
        Relation::LessEqual => first + trips * step - 1 - over,
        Relation::Greater => first + trips * step + over,
        Relation::GreaterEqual => first + trips * step + 1 + over,
    };
    let mut bias = 0;
    if shape.biased {
        let highest = match shape.signed {
            true => i64::from(i32::MAX),
            false => i64::from(u32::MAX),
        };
        let (end, rest) = match shape.goes_down() {
            true => (highest - i64::from(u32::MAX), -random.within(0, 6)),
            false => (highest, random.within(0, 6)),
        };
        let near = end - trips * step - rest;
        bias = first - near;
        first = near;
    }
    let mut last = bound(first);
    if shape.layout == Layout::GridStride {
        // Lanes end one iteration earlier or later than others.
        last = last * threads as i64 + random.within(0, 1) * random.below(threads) as i64;
    }

    let [_, next] = shape.strides(threads);
    launch.buffers = vec![filled(random, shape.bytes(threads))];
    let at = |index, offset| Argument::Buffer { index, offset };
    let middle = BELOW * next;
    let other = match random.below(6) {
        0 | 1 => {
            launch.buffers.push(filled(random, shape.bytes(threads)));
            at(1, middle)
        }
        place => {
            let ends = [
                0,
                1,
                trips * step,
                (trips - 1) * step,
                (trips + random.within(0, 3)) * step.clamp(-3, 3),
                random.within(0, 9) * step.clamp(-3, 3),
                random.within(-8, 8),
            ];
            let far = first_element + ends[random.below(7) as usize];
            let room = if shape.ways[1] == Way::Fixed { 24 } else { 8 };
            let mut apart = far.clamp(-room, room) * next as i64;
            if shape.layout == Layout::Rows && place == 5 {
                apart += random.within(-1, 1) * shape.widest as i64;
            }
            at(0, middle.wrapping_add_signed(apart))
        }
    };
    let table = launch.buffers.len();
    launch.buffers.push(filled(random, TABLE));
    launch.buffers.push(Buffer {
        bytes: vec![0; (RESULTS * threads) as usize],
        initialised: true,
        element: 1,
    });
    launch.arguments = vec![at(0, middle), other, at(table, 0), at(table + 1, 0)];
    if shape.counter == Counter::Pointer {
        (first, bias) = (first.min(2), 0);
    }
    let numbers = [first, last, step, bias, limit, second];
    let number = |number: i64| Argument::Scalar(number as u64 & 0xffff_ffff);
    launch.arguments.extend(numbers.map(number));
    launch
}

fn filled(random: &mut Random, bytes: u64) -> Buffer {
    let words = (0..bytes.div_ceil(8)).flat_map(|_| random.bits().to_le_bytes());
    Buffer {
        bytes: words.take(bytes as usize).collect(),
        initialised: true,
        element: 1,
    }
}
