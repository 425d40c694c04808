//! Operands: the edges of every range, and random ones.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// By seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.bits() % list.len() as u64) as usize]
    }
}

/// The lower bits.
pub fn cut(bits: u32, value: u64) -> u64 {
    match bits {
        64 => value,
        _ => value & ((1 << bits) - 1),
    }
}

/// The value that `bits` bits stand for.
pub fn number(bits: u32, signed: bool, value: u64) -> i128 {
    let value = i128::from(cut(bits, value));
    match signed && value >> (bits - 1) & 1 == 1 {
        true => value - (1 << bits),
        false => value,
    }
}

/// A number modulo 2^bits.
pub fn wrap(bits: u32, value: i128) -> u64 {
    cut(bits, value as u64)
}

/// The least and the greatest number of a type.
pub fn range(bits: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// How the values of an operand are chosen.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// An integer of so many bits.
    Integer(u32),
    /// A shift amount, position or length of 32 bits.
    Amount,
    /// A float of so many bits, with so many bits of fraction.
    Float(u32, u32),
    /// Two floats of 16 bits, with so many bits of fraction.
    Pair(u32),
}

pub const F16: Operand = Operand::Float(16, 10);
pub const BF16: Operand = Operand::Float(16, 7);
pub const F32: Operand = Operand::Float(32, 23);
pub const F64: Operand = Operand::Float(64, 52);

impl Operand {
    /// Values at which something happens.
    pub fn edges(self) -> Vec<u64> {
        match self {
            Operand::Integer(bits) => integer_edges(bits),
            Operand::Amount => amounts(),
            Operand::Float(bits, fraction) => float_edges(bits, fraction),
            Operand::Pair(fraction) => {
                let edges = float_edges(16, fraction);
                let rotated = edges.iter().cycle().skip(7);
                edges
                    .iter()
                    .zip(rotated)
                    .map(|(a, b)| a << 16 | b)
                    .collect()
            }
        }
    }

    /// A random value; floats have exponents near each other more often than not, so that they interact.
    pub fn random(self, random: &mut Random) -> u64 {
        match self {
            Operand::Integer(bits) => {
                let shift = random.bits() % u64::from(bits);
                let value = random.bits();
                cut(
                    bits,
                    if random.bits() & 1 == 0 {
                        value
                    } else {
                        value >> shift
                    },
                )
            }
            Operand::Amount => match random.bits() % 8 {
                0 => random.bits() & 0xFFFF_FFFF,
                _ => random.bits() % 72,
            },
            Operand::Float(bits, fraction) => random_float(random, bits, fraction),
            Operand::Pair(fraction) => {
                random_float(random, 16, fraction) << 16 | random_float(random, 16, fraction)
            }
        }
    }
}

fn integer_edges(bits: u32) -> Vec<u64> {
    let top = 1u64 << (bits - 1);
    let small = [0, 1, 2, 3, 7, 8, 31, 32, 127, 128, 255, 256];
    let mut edges: Vec<u64> = small.to_vec();
    edges.extend([1, 2, 3, 7, 128, 129, 255, 256].map(u64::wrapping_neg));
    edges.extend([top, top - 1, top + 1, top - 2, top >> 1]);
    edges.extend([
        0x5555_5555_5555_5555,
        0xAAAA_AAAA_AAAA_AAAA,
        0x0123_4567_89AB_CDEF,
    ]);
    // The middle, where halves of products meet.
    edges.extend([
        1 << (bits / 2),
        (1 << (bits / 2)) - 1,
        0x7FFF,
        0x8000,
        0x00FF_FFFF,
        0x0080_0000,
    ]);
    let mut edges: Vec<u64> = edges.into_iter().map(|e| cut(bits, e)).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn amounts() -> Vec<u64> {
    let mut edges: Vec<u64> = [
        0, 1, 2, 7, 8, 15, 16, 17, 23, 24, 30, 31, 32, 33, 47, 48, 62, 63, 64, 65,
    ]
    .to_vec();
    edges.extend([
        95,
        96,
        127,
        128,
        200,
        224,
        254,
        255,
        256,
        257,
        288,
        0x101,
        0x1F00,
        0x8000_0000,
        0xFFFF_FFFF,
    ]);
    edges
}

fn float_edges(bits: u32, fraction: u32) -> Vec<u64> {
    let one = ((1u64 << (bits - fraction - 2)) - 1) << fraction;
    let unit = 1u64 << fraction;
    let infinity = (1u64 << (bits - 1)) - unit;
    let positive = [
        0,
        1,
        2,
        unit - 1,
        unit,
        unit + 1,
        one,
        one + 1,
        one - 1,
        one + unit,
        one - unit,
        one + unit / 2,
        one + unit / 4 * 3,
        one + unit + unit / 2,
        one - unit - 1,
        // 1/3, near a power of two of the fraction's length, and where integers end.
        one - 2 * unit + unit / 3,
        one + u64::from(fraction) * unit,
        one + u64::from(fraction) * unit + 1,
        one - u64::from(fraction) * unit,
        one - u64::from(fraction) * unit - unit,
        one - u64::from(fraction) * unit - unit + 1,
        infinity - 1,
        infinity - unit,
        infinity,
        infinity + 1,
        infinity + unit / 2,
        infinity + unit - 1,
    ];
    let sign = 1u64 << (bits - 1);
    positive.into_iter().flat_map(|x| [x, x | sign]).collect()
}

fn random_float(random: &mut Random, bits: u32, fraction: u32) -> u64 {
    let one = ((1u64 << (bits - fraction - 2)) - 1) << fraction;
    let value = cut(bits, random.bits());
    match random.bits() % 8 {
        // Any bits.
        0 | 1 => value,
        // Few bits of fraction, so that ties happen.
        2 => value & !((1u64 << (fraction * 2 / 3)) - 1),
        // Subnormal or nearly so.
        3 => value & ((1 << (bits - 1)) | ((2 << fraction) - 1)),
        // Near 1.
        _ => {
            let exponent = (random.bits() % 8) << fraction;
            let magnitude = one - (4 << fraction) + exponent + cut(fraction, value);
            magnitude | value & 1 << (bits - 1)
        }
    }
}

/// All combinations of edges, as far as they are no more than some thousand (then of every few of them), and as many
/// random rows as asked for.
pub fn rows(operands: &[Operand], random_rows: usize) -> Vec<Vec<u64>> {
    let most = match operands.len() {
        0 | 1 => 1000,
        2 => 40,
        3 => 13,
        _ => 7,
    };
    let mut random = Random::new(operands.len() as u64 * 77 + random_rows as u64);
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for operand in operands {
        let mut edges = operand.edges();
        while edges.len() > most {
            let drop = (random.bits() % edges.len() as u64) as usize;
            edges.remove(drop);
        }
        rows = rows
            .iter()
            .flat_map(|row| edges.iter().map(|&e| [&row[..], &[e]].concat()))
            .collect();
    }
    // Dropped edges come in here.
    for _ in 0..random_rows {
        let row = operands.iter().map(|operand| match random.bits() % 4 {
            0 => random.pick(&operand.edges()),
            _ => operand.random(&mut random),
        });
        rows.push(row.collect());
    }
    rows
}
