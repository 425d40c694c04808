//! Rows of three words: integers of all sizes, floats and doubles, their edges and random ones.

/// Rows.
const ROWS: usize = 4096;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

/// Words at which something happens, as integers of 16, 32 and 64 bits.
const INTEGERS: [u64; 22] = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    0x7F,
    0x80,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX,
];

/// Floats and doubles: zeros, subnormal numbers, ones, halves, large and infinite ones, NaN.
const REALS: [f64; 20] = [
    0.0,
    1.0,
    1.5,
    0.5,
    2.5,
    3.5,
    1.0 / 3.0,
    0.1,
    1e-40,
    1e-45,
    1.1754943508222875e-38,
    3.4028234663852886e38,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    2147483647.0,
    4294967295.0,
    9.223372036854775e18,
    f64::INFINITY,
    f64::NAN,
];

/// Three words for each row.
pub fn words() -> Vec<u64> {
    let mut random = Random(11);
    let mut words = Vec::with_capacity(3 * ROWS);
    for _ in 0..ROWS {
        // Words of one kind meet each other, so that floats are computed with floats.
        let kind = random.below(8);
        for _ in 0..3 {
            words.push(word(&mut random, kind));
        }
    }
    words
}

fn word(random: &mut Random, kind: usize) -> u64 {
    match kind {
        0 => INTEGERS[random.below(INTEGERS.len())],
        1 => INTEGERS[random.below(INTEGERS.len())].wrapping_sub(random.bits() % 3),
        2 => random.bits(),
        3 => random.bits() >> random.below(64),
        4 => {
            let real = signed(random, REALS);
            u64::from((real as f32).to_bits())
        }
        5 => signed(random, REALS).to_bits(),
        6 => {
            // Halves in the lower bits; as floats near each other.
            let value = near(random);
            u64::from((value as f32).to_bits()) | (random.bits() & 3)
        }
        _ => near(random).to_bits(),
    }
}

fn signed<const N: usize>(random: &mut Random, list: [f64; N]) -> f64 {
    let value = list[random.below(N)];
    if random.bits() & 1 == 0 {
        value
    } else {
        -value
    }
}

/// A number of moderate size with all bits of its fraction.
fn near(random: &mut Random) -> f64 {
    let fraction = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let size = [1.0, 1.0, 0.01, 300.0, 1e6, 3e9, 1e15][random.below(7)];
    (fraction * 2.0 - 1.0) * size
}
