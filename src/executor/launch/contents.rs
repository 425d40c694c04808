//! What buffers hold before a launch.

use super::{Buffer, Element, PointerField};
use std::path::PathBuf;

/// The contents of a buffer, as described. Values are bits of the element's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fill {
    /// All bytes zero.
    Zero,
    /// All elements the same.
    Constant(u64),
    /// `start`, `start + step`, `start + 2 * step`, ...: integers wrap, floats are computed as `f64` and rounded once.
    Ramp {
        /// The first element.
        start: u64,
        /// The distance of two elements.
        step: u64,
    },
    /// Not to be read before the kernel writes it.
    Uninitialised,
    /// Random, the same for the same seed.
    Random {
        /// Of the generator.
        seed: u64,
        /// The least and the largest value; floats stay below the largest. None: floats in [-1, 1), integers of any
        /// value.
        range: Option<(u64, u64)>,
    },
    /// Bytes of a file, little-endian.
    File {
        /// The file.
        path: PathBuf,
        /// Bytes before the first element.
        skip: u64,
    },
    /// A structure that holds pointers into other buffers, as GCC's OpenACC hands over all arguments of a kernel. The
    /// elements are bytes.
    Structure {
        /// Its bytes, with zeros for the pointers.
        bytes: Vec<u8>,
        /// The pointers in it.
        pointers: Vec<PointerField>,
    },
}

impl Fill {
    /// Random contents over the whole range of the type.
    pub const fn random(seed: u64) -> Fill {
        Fill::Random { seed, range: None }
    }

    /// 0, 1, 2, ...
    pub fn ramp(element: Element) -> Fill {
        Fill::Ramp {
            start: 0,
            step: element.from_real(1.0),
        }
    }

    /// Fills `out` with the elements from number `first` on; zeros where the contents are uninitialised, in a file, or
    /// pointers.
    /// Any part of a buffer can be made by itself. Bytes of `out` after its last whole element stay as they are.
    pub fn generate(&self, element: Element, first: u64, out: &mut [u8]) {
        let size = usize::from(element.bytes());
        match *self {
            Fill::Structure { ref bytes, .. } => {
                let from = bytes.iter().skip(first as usize).copied();
                let zeros = std::iter::repeat(0);
                let places = out.iter_mut().zip(from.chain(zeros));
                places.for_each(|(place, byte)| *place = byte);
            }
            Fill::Zero | Fill::Uninitialised | Fill::File { .. } => out.fill(0),
            Fill::Constant(bits) => each(out, size, |_| bits),
            Fill::Ramp { start, step } if element.is_float() => {
                let (start, step) = (element.real(start), element.real(step));
                each(out, size, |i| {
                    element.from_real(start + step * (first + i) as f64)
                });
            }
            Fill::Ramp { start, step } => each(out, size, |i| {
                start.wrapping_add(step.wrapping_mul(first.wrapping_add(i)))
            }),
            Fill::Random { seed, range } => {
                let mut random = Random::new(seed);
                random.skip(first);
                let draw = Draw::new(element, range);
                each(out, size, |_| draw.value(&mut random));
            }
        }
    }
}

/// Sets each element of `out` to the lower bytes of a value.
fn each(out: &mut [u8], size: usize, mut value: impl FnMut(u64) -> u64) {
    for (i, place) in out.chunks_exact_mut(size).enumerate() {
        place.copy_from_slice(&value(i as u64).to_le_bytes()[..size]);
    }
}

/// How one random number becomes an element.
enum Draw {
    Real {
        element: Element,
        from: f64,
        width: f64,
    },
    /// From `from` so many values.
    Integer { from: u64, values: u128 },
}

impl Draw {
    fn new(element: Element, range: Option<(u64, u64)>) -> Draw {
        if element.is_float() {
            let (from, to) = match range {
                Some((from, to)) => (element.real(from), element.real(to)),
                None => (-1.0, 1.0),
            };
            return Draw::Real {
                element,
                from,
                width: to - from,
            };
        }
        let (from, to) = match (range, element) {
            (Some(range), _) => range,
            (None, Element::Bool) => (0, 1),
            (None, _) => {
                return Draw::Integer {
                    from: 0,
                    values: 1 << (8 * element.bytes()),
                };
            }
        };
        let values = (element.integer(to) - element.integer(from)).max(0) as u128 + 1;
        Draw::Integer { from, values }
    }

    fn value(&self, random: &mut Random) -> u64 {
        match *self {
            Draw::Real {
                element,
                from,
                width,
            } => element.from_real(from + random.unit() * width),
            Draw::Integer { from, values } => match u64::try_from(values) {
                Ok(values) => from.wrapping_add(random.below(values)),
                Err(_) => random.next(),
            },
        }
    }
}

impl Buffer {
    /// A buffer of `count` elements. The contents of a file are not read: [`super::BufferSpec::instantiate`] does that.
    pub fn filled(element: Element, count: u64, fill: Fill) -> Buffer {
        let mut bytes = vec![0; count as usize * usize::from(element.bytes())];
        fill.generate(element, 0, &mut bytes);
        Buffer {
            bytes,
            initialised: fill != Fill::Uninitialised,
            element: element.bytes(),
        }
    }
}

/// The step of the generator's state.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small reproducible random generator (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// By seed.
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(GOLDEN) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// As if so many numbers had been drawn.
    fn skip(&mut self, count: u64) {
        self.0 = self.0.wrapping_add(GOLDEN.wrapping_mul(count));
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for `n` = 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(fill: Fill, count: u64) -> Vec<f32> {
        let buffer = Buffer::filled(Element::F32, count, fill);
        let chunks = buffer.bytes.chunks(4);
        chunks
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn random_contents_are_reproducible_and_in_range() {
        let a = floats(Fill::random(7), 1000);
        assert_eq!(a, floats(Fill::random(7), 1000));
        assert_ne!(a, floats(Fill::random(8), 1000));
        assert!(a.iter().all(|v| (-1.0..1.0).contains(v)));
        assert!(a.iter().any(|v| *v < -0.9) && a.iter().any(|v| *v > 0.9));
    }

    #[test]
    fn random_integers_meet_both_ends() {
        let fill = Fill::Random {
            seed: 1,
            range: Some((0xfe, 0x02)),
        };
        let buffer = Buffer::filled(Element::I8, 200, fill);
        let values: Vec<i8> = buffer.bytes.iter().map(|&b| b as i8).collect();
        assert_eq!(values.iter().min(), Some(&-2));
        assert_eq!(values.iter().max(), Some(&2));
        let all = Buffer::filled(Element::U8, 10_000, Fill::random(1));
        let mut seen = [false; 256];
        all.bytes.iter().for_each(|&b| seen[usize::from(b)] = true);
        assert_eq!(seen, [true; 256]);
        let whole = Buffer::filled(Element::U64, 100, Fill::random(1));
        assert!(whole.bytes.chunks(8).any(|c| c[7] >= 0x80));
        let truths = Buffer::filled(Element::Bool, 100, Fill::random(1));
        assert!(truths.bytes.iter().all(|&b| b < 2));
    }

    #[test]
    fn ramps() {
        assert_eq!(floats(Fill::ramp(Element::F32), 3), [0.0, 1.0, 2.0]);
        let fill = Fill::Ramp {
            start: Element::I16.parse_value("3").unwrap(),
            step: Element::I16.parse_value("-2").unwrap(),
        };
        let buffer = Buffer::filled(Element::I16, 4, fill);
        assert_eq!(buffer.bytes, [3, 0, 1, 0, 0xff, 0xff, 0xfd, 0xff]);
    }

    #[test]
    fn parts_are_the_same_as_the_whole() {
        let range = Some((0, 9));
        for fill in [
            Fill::Random { seed: 3, range },
            Fill::ramp(Element::U32),
            Fill::Constant(5),
        ] {
            let whole = Buffer::filled(Element::U32, 100, fill.clone()).bytes;
            let mut part = [0; 40];
            fill.generate(Element::U32, 30, &mut part);
            assert_eq!(whole[120..160], part);
        }
    }
}
