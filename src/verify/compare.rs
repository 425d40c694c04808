//! What two runs leave in memory, bit for bit.

use ptxasw_executor::{FinalBuffer, Outcome, WRITER_GRANULE, Writer};
use serde::Serialize;

/// A piece of global memory that two runs have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// A buffer of the launch, by index.
    Buffer(usize),
    /// A `.global` variable of both modules.
    Variable(Box<str>),
}

/// Bits of an element, some bytes of which may be undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The bits; zero where undefined.
    pub bits: u64,
    /// The undefined bytes, the lowest in bit 0.
    pub undefined: u8,
}

/// An element in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DifferingElement {
    pub(super) memory: Memory,
    /// Index of the region in the arena of the rewritten module.
    pub(super) region: usize,
    /// First byte.
    pub(super) offset: usize,
    /// Bytes.
    pub(super) size: u8,
    pub(super) original: Value,
    pub(super) rewritten: Value,
    /// Who stored last in the original, and in the rewritten kernel.
    pub(super) writers: [Option<Writer>; 2],
}

impl DifferingElement {
    /// How many units in the last place the two are apart.
    pub(super) fn ulps(&self) -> Option<u64> {
        distance(self.size, self.original, self.rewritten)
    }

    /// How many units in the last place the two are apart from what another run leaves there.
    pub(super) fn errors(&self, reference: &Outcome) -> Option<[u64; 2]> {
        let memory = match &self.memory {
            Memory::Buffer(index) => reference.buffers.get(*index)?,
            Memory::Variable(name) => {
                let mut variables = reference.variables.iter();
                &variables.find(|variable| variable.name == *name)?.memory
            }
        };
        let right = value(memory, self.offset, usize::from(self.size));
        let error = |found| distance(self.size, right, found);
        Some([error(self.original)?, error(self.rewritten)?])
    }
}

/// How many units in the last place two values are apart, read as floating-point numbers of so many bytes; none if one is
/// undefined or not a number, or there is no such type. Zeros of both signs are one number.
fn distance(size: u8, one: Value, other: Value) -> Option<u64> {
    let [one, other] = [one, other].map(|value| {
        let (bits, infinity) = match size {
            4 => (32, 0x7f80_0000),
            8 => (64, 0x7ff0_0000_0000_0000),
            _ => return None,
        };
        let negative = value.bits >> (bits - 1) == 1;
        let magnitude = value.bits & (u64::MAX >> (65 - bits));
        let number = value.undefined == 0 && magnitude <= infinity;
        let signed = i128::from(magnitude);
        number.then_some(if negative { -signed } else { signed })
    });
    u64::try_from((one? - other?).unsigned_abs()).ok()
}

/// A piece of memory after two runs.
pub(super) struct Pair<'a> {
    pub(super) memory: Memory,
    region: usize,
    before: &'a FinalBuffer,
    after: &'a FinalBuffer,
}

/// All pieces of memory that both runs have, in a fixed order: buffers, then variables as the rewritten module has them.
pub(super) fn pairs<'a>(before: &'a Outcome, after: &'a Outcome) -> Vec<Pair<'a>> {
    let buffers = before.buffers.iter().zip(&after.buffers).enumerate();
    let mut pairs: Vec<Pair> = buffers
        .map(|(i, (before, after))| Pair {
            memory: Memory::Buffer(i),
            region: i,
            before,
            after,
        })
        .collect();
    for variable in &after.variables {
        let same = before.variables.iter().find(|v| v.name == variable.name);
        if let Some(original) = same {
            pairs.push(Pair {
                memory: Memory::Variable(variable.name.clone()),
                region: variable.region,
                before: &original.memory,
                after: &variable.memory,
            });
        }
    }
    pairs
}

impl Pair<'_> {
    /// The first byte from `from` on that differs. A byte that is undefined in both is equal.
    pub(super) fn first_byte(&self, from: usize) -> Option<usize> {
        let (a, b) = (self.before, self.after);
        if from == 0 && a.bytes == b.bytes && a.undefined == b.undefined {
            return None;
        }
        let end = a.bytes.len().max(b.bytes.len());
        (from..end).find(|&i| byte(a, i) != byte(b, i))
    }

    /// The element that a byte is in.
    pub(super) fn place(&self, byte: usize) -> DifferingElement {
        let size = usize::from(self.before.element.clamp(1, 8));
        let offset = byte / size * size;
        let writer = |buffer: &FinalBuffer| {
            let writer = buffer.writers.get(byte / WRITER_GRANULE);
            writer.filter(|w| w.thread > 0).copied()
        };
        DifferingElement {
            memory: self.memory.clone(),
            region: self.region,
            offset,
            size: size as u8,
            original: value(self.before, offset, size),
            rewritten: value(self.after, offset, size),
            writers: [writer(self.before), writer(self.after)],
        }
    }
}

/// A defined byte; none for an undefined one, and for one past the end.
fn byte(buffer: &FinalBuffer, i: usize) -> Option<u8> {
    let undefined = buffer.undefined.get(i).is_some_and(|&u| u != 0);
    buffer.bytes.get(i).copied().filter(|_| !undefined)
}

fn value(buffer: &FinalBuffer, offset: usize, size: usize) -> Value {
    let mut value = Value {
        bits: 0,
        undefined: 0,
    };
    for i in 0..size {
        match byte(buffer, offset + i) {
            Some(byte) => value.bits |= u64::from(byte) << (8 * i),
            None => value.undefined |= 1 << i,
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_executor::{Counters, FinalVariable};

    fn buffer(bytes: &[u8], undefined: &[u8]) -> FinalBuffer {
        FinalBuffer {
            bytes: bytes.to_vec(),
            element: 4,
            writers: Vec::new(),
            undefined: undefined.to_vec(),
        }
    }

    fn outcome(buffer: FinalBuffer, variables: &[(&str, u8)]) -> Outcome {
        let variables = variables.iter().enumerate();
        Outcome {
            buffers: vec![buffer],
            variables: variables
                .map(|(i, (name, byte))| FinalVariable {
                    name: (*name).into(),
                    region: 1 + i,
                    memory: FinalBuffer {
                        bytes: vec![*byte],
                        element: 1,
                        writers: Vec::new(),
                        undefined: Vec::new(),
                    },
                })
                .collect(),
            counters: Counters::default(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn undefined_bytes_are_equal_only_to_undefined_ones() {
        let first = |a: FinalBuffer, b: FinalBuffer| {
            let (a, b) = (outcome(a, &[]), outcome(b, &[]));
            pairs(&a, &b)[0].first_byte(0)
        };
        let ones = [1; 8];
        assert_eq!(first(buffer(&ones, &[]), buffer(&ones, &[])), None);
        let last = [0, 0, 0, 0, 0, 0, 0, 1];
        assert_eq!(first(buffer(&ones, &last), buffer(&ones, &[])), Some(7));
        let other = [1, 1, 1, 1, 1, 1, 1, 2];
        assert_eq!(first(buffer(&ones, &last), buffer(&other, &last)), None);
        assert_eq!(first(buffer(&ones, &[]), buffer(&other, &[])), Some(7));
    }

    #[test]
    fn an_element_with_its_values() {
        let a = outcome(buffer(&[1, 2, 3, 4, 5, 6, 7, 8], &[]), &[]);
        let undefined = [0, 0, 0, 0, 0, 0, 1, 0];
        let b = outcome(buffer(&[1, 2, 3, 4, 5, 6, 7, 8], &undefined), &[]);
        let place = pairs(&a, &b)[0].place(6);
        assert_eq!((place.offset, place.size), (4, 4));
        assert_eq!(
            (place.original.bits, place.original.undefined),
            (0x0807_0605, 0)
        );
        assert_eq!(
            (place.rewritten.bits, place.rewritten.undefined),
            (0x0800_0605, 4)
        );
    }

    #[test]
    fn distances_in_units_in_the_last_place() {
        let distance = |a: f32, b: f32| {
            let [a, b] = [a, b].map(|x| buffer(&x.to_bits().to_le_bytes(), &[]));
            let (a, b) = (outcome(a, &[]), outcome(b, &[]));
            pairs(&a, &b)[0].place(0).ulps()
        };
        assert_eq!(distance(1.0, 1.0 + 2.0 * f32::EPSILON), Some(2));
        assert_eq!(distance(0.0, -0.0), Some(0));
        assert_eq!(distance(f32::from_bits(1), -f32::from_bits(2)), Some(3));
        assert_eq!(distance(f32::MAX, f32::INFINITY), Some(1));
        assert_eq!(distance(f32::NAN, 1.0), None);
    }

    #[test]
    fn variables_are_paired_by_name() {
        let a = outcome(buffer(&[], &[]), &[("x", 1), ("y", 2)]);
        let b = outcome(buffer(&[], &[]), &[("y", 3), ("z", 4)]);
        let pairs = pairs(&a, &b);
        assert_eq!(pairs.len(), 2);
        assert_eq!(pairs[1].memory, Memory::Variable("y".into()));
        assert_eq!((pairs[1].region, pairs[1].first_byte(0)), (1, Some(0)));
    }
}
