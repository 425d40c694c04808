//! One random case: a kernel, its launches, and the options to rewrite it with.

use crate::random::generate::{self, Style};
use crate::random::numbers::Random;
use ptxasw::executor::{Argument, Buffer, Launch, Schedule, Spacing};
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::pipeline::Options;
use ptxasw::solver::Limits;

/// Words of the arrays that are read.
const DATA_WORDS: usize = 1 << 15;
/// Byte offset of the point that pointers of loads point to.
const MIDDLE: u64 = (DATA_WORDS as u64 / 2) * 4;
/// Words of each thread in the scratch array.
pub const OWN_WORDS: u32 = 8;
/// Blocks of any shape.
const BLOCKS: [[u32; 3]; 9] = [
    [128, 1, 1],
    [48, 1, 1],
    [16, 8, 1],
    [8, 8, 4],
    [33, 3, 1],
    [64, 2, 1],
    [32, 2, 2],
    [20, 1, 1],
    [5, 13, 1],
];
/// The address of the executor's buffer number 0, and the distance to the next where these are spaced evenly: `an_address_is_where_it_is_expected`.
const FIRST_BUFFER: u64 = 0x7000_2000_0100;
const NEXT_BUFFER: u64 = (1 << 33) + 0x200;
/// From an index before the end of the number line to the one after it, for elements of four bytes.
const WRAP_BYTES: u64 = 1 << 34;

/// A random case.
pub struct Case {
    /// The kernel.
    pub text: String,
    /// Its launches.
    pub launches: Vec<Launch>,
    /// How it is rewritten.
    pub options: Options,
}

impl Case {
    /// The case of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let style = Style {
            wrap: match random.below(5) {
                0 => Some(true),
                1 => Some(false),
                _ => None,
            },
            block: random
                .chance(20)
                .then(|| BLOCKS[random.below(BLOCKS.len() as u64) as usize]),
        };
        let text = generate::kernel(&mut random, &style);
        let launches = (0..2).map(|_| launch(&mut random, &style)).collect();
        let options = options(&mut random, &style);
        Case {
            text,
            launches,
            options,
        }
    }
}

fn options(random: &mut Random, style: &Style) -> Options {
    let mut options = Options {
        jobs: 1,
        // Hard questions would take most of the time.
        solver: match random.chance(5) {
            true => Limits::default(),
            false => Limits {
                rlimit: 20_000,
                ..Limits::default()
            },
        },
        ..Options::default()
    };
    options.synthesis.max_delta = [31, 31, 8, 3][random.below(4) as usize];
    let rows = style.block.is_some_and(|[x, ..]| x % 32 == 0);
    let full = style.block.is_some_and(|[x, y, z]| x * y * z % 32 == 0);
    options.synthesis.wrapping = match random.below(8) {
        0 => Some(Wrapping::Row),
        1 => Some(Wrapping::AnyRow),
        2 => Some(Wrapping::Paper),
        3 if rows => Some(Wrapping::WholeRows),
        4 if full => Some(Wrapping::Full),
        5 => Some(Wrapping::Halo),
        _ => None,
    };
    options
}

/// The arguments of [`generate::kernel`]: pa, pb, pw, po, n, m, k.
fn launch(random: &mut Random, style: &Style) -> Launch {
    let block = match style.block {
        Some(block) => block,
        None if random.chance(1) => [1000, 1, 1],
        None => BLOCKS[random.below(BLOCKS.len() as u64) as usize],
    };
    let grid = [random.within(1, 2) as u32, random.within(1, 2) as u32, 1];
    let threads: u32 = grid.iter().chain(&block).product();
    let width = i64::from(grid[0] * block[0]);
    let near = random.within(-4, 40);
    // The offset of all indices: small, or such that some of them wrap.
    let k = match style.wrap {
        None => random.within(0, 9),
        Some(true) => i64::from(i32::MAX) - random.within(0, width + 20),
        Some(false) => i64::from(u32::MAX) - random.within(0, width + 20),
    };
    let n = k + match random.below(4) {
        0 => width,
        1 => near,
        2 => random.within(0, width),
        _ => width + 50,
    };
    let n = match random.below(12) {
        0 => random.bits() as u32,
        1 => [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff][random.below(5) as usize],
        _ => n as u32,
    };
    let m = random.within(-3, 40) as u32;
    let mut launch = Launch::new(grid, block);
    launch.spacing = Spacing::Even;
    launch.buffers = vec![
        data(random, DATA_WORDS),
        data(random, (threads * OWN_WORDS) as usize),
        data(random, DATA_WORDS),
        zeros(threads as usize * 2),
    ];
    let at = |index, offset| Argument::Buffer { index, offset };
    let pa = match style.wrap {
        None => at(0, MIDDLE),
        Some(_) => {
            let upper = FIRST_BUFFER + 2 * NEXT_BUFFER + MIDDLE;
            Argument::Scalar(upper.wrapping_sub(4 * k as u64))
        }
    };
    let pb = match style.wrap {
        None if random.chance(50) => at(0, MIDDLE + 4 * random.below(4)),
        None => at(2, MIDDLE),
        Some(_) => pa,
    };
    launch.arguments = vec![
        pa,
        pb,
        at(1, 0),
        at(3, 0),
        Argument::Scalar(n.into()),
        Argument::Scalar(m.into()),
        Argument::Scalar(k as u64 & 0xffff_ffff),
    ];
    launch
}

fn data(random: &mut Random, words: usize) -> Buffer {
    let bytes = (0..words).flat_map(|_| (random.bits() as u32).to_le_bytes());
    Buffer {
        bytes: bytes.collect(),
        initialised: true,
        element: 4,
    }
}

fn zeros(words: usize) -> Buffer {
    Buffer {
        bytes: vec![0; words * 4],
        initialised: true,
        element: 4,
    }
}

// A wrapped index is an address of the first buffer.
const _: () = assert!(2 * NEXT_BUFFER - WRAP_BYTES < MIDDLE);

#[test]
fn an_address_is_where_it_is_expected() {
    let text = "
        .version 7.8
        .target sm_80
        .address_size 64
        .visible .entry k(.param .u64 a, .param .u64 b) {
            .reg .b64 %rd<3>;
            ld.param.u64 %rd1, [a];
            ld.param.u64 %rd2, [b];
            st.global.u64 [%rd2], %rd1;
            st.global.u64 [%rd2+8], %rd2;
            ret;
        }";
    let tree = ptxasw::ptx::parse(text.as_bytes()).unwrap();
    let module = ptxasw::ptx::decode::decode(&tree).unwrap();
    let mut launch = Launch::new([1; 3], [1; 3])
        .with_buffer(zeros(4))
        .with_buffer(zeros(4));
    launch.spacing = Spacing::Even;
    let kernel = &module.functions[0];
    let outcome = ptxasw::executor::run(&module, kernel, &launch, Schedule::Lockstep).unwrap();
    let expected = [FIRST_BUFFER, FIRST_BUFFER + NEXT_BUFFER].map(u64::to_le_bytes);
    assert_eq!(outcome.buffers[1].bytes, expected.as_flattened());
}
