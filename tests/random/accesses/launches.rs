//! How random kernels are launched: blocks of one and two dimensions, with and without warps that are not full, and pointers that
//! are one, or so many bytes apart.

use super::{MIDDLE, OWN_BYTES};
use crate::random::numbers::Random;
use ptxasw::executor::{Argument, Buffer, Launch};

/// Blocks, of at most 128 threads: shared memory has room for no more.
const BLOCKS: [[u32; 2]; 9] = [
    [32, 1],
    [48, 1],
    [20, 1],
    [16, 4],
    [8, 3],
    [5, 7],
    [1, 33],
    [32, 2],
    [40, 3],
];

pub fn launch(random: &mut Random, widest: u64) -> Launch {
    let [x, y] = BLOCKS[random.below(BLOCKS.len() as u64) as usize];
    let mut launch = Launch::new([2, 1, 1], [x, y, 1]);
    let bytes = u64::from(2 * x * y) * OWN_BYTES;
    let filled = (0..bytes).map(|_| random.bits() as u8).collect();
    let buffer = |bytes| Buffer {
        bytes,
        initialised: true,
        element: 1,
    };
    launch.buffers = vec![
        buffer(filled),
        buffer(vec![7; bytes as usize]),
        buffer(vec![0; bytes as usize]),
    ];
    let at = |index, offset| Argument::Buffer { index, offset };
    let apart = widest * random.below(1 + 32 / widest);
    let second = match random.below(4) {
        0 => at(1, MIDDLE),
        1 => at(0, MIDDLE - apart),
        _ => at(0, MIDDLE + apart),
    };
    let n = random.below(5);
    launch.arguments = vec![at(0, MIDDLE), second, at(2, 0), Argument::Scalar(n)];
    launch
}
