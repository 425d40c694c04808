//! A launch of a kernel: sizes, buffers and arguments, and their one-line text form.

use half::{bf16, f16};

/// A buffer in global memory, as the host allocates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The contents.
    pub bytes: Vec<u8>,
    /// Whether the contents may be read before the kernel writes them.
    pub initialised: bool,
    /// Bytes of an element, for messages: 1, 2, 4 or 8.
    pub element: u8,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A scalar, as bits; the parameter's size decides how many count.
    Scalar(u64),
    /// The address of a byte of a buffer.
    Buffer {
        /// Index into [`Launch::buffers`].
        index: usize,
        /// Bytes from its start.
        offset: u64,
    },
    /// A structure by value: index into [`Launch::structures`].
    Structure(usize),
}

/// Sizes and arguments of one launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// The buffers that the arguments point into.
    pub buffers: Vec<Buffer>,
    /// Structures that are passed by value.
    pub structures: Vec<Vec<u8>>,
}

/// Why a launch's text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("launch: `{word}`: {reason}")]
pub struct LaunchError {
    /// The word at fault.
    pub word: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Most bytes of one buffer.
pub const MAX_BUFFER: u64 = 1 << 31;

impl Launch {
    /// A launch without arguments.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        Launch {
            grid,
            block,
            dynamic_shared: 0,
            arguments: Vec::new(),
            buffers: Vec::new(),
            structures: Vec::new(),
        }
    }

    /// Appends a buffer and an argument that points to its start.
    pub fn with_buffer(mut self, buffer: Buffer) -> Self {
        self.arguments.push(Argument::Buffer {
            index: self.buffers.len(),
            offset: 0,
        });
        self.buffers.push(buffer);
        self
    }

    /// Appends a scalar argument.
    pub fn with_scalar(mut self, bits: u64) -> Self {
        self.arguments.push(Argument::Scalar(bits));
        self
    }

    /// Reads `grid=3,2 block=128 shared=1024 args=buf:f32:4096,same:0:+16,i32:100`; a leading `launch:` is skipped.
    ///
    /// Arguments, in the order of the parameters:
    /// - `buf:TYPE:COUNT`, then `:zero`, `:ramp` (0, 1, 2, ...), `:uninit` or `:seed=N`. Without one the seed is the
    ///   buffer's index. Random floats are in [-1, 1), random integers in [0, 16);
    /// - `same:I` or `same:I:+BYTES`: a pointer into buffer number I (from 0, in the order of the `buf` words);
    /// - scalars `i32:`, `u32:`, `i64:`, `u64:`, `f32:`, `f64:` and a value; integers also in hexadecimal.
    pub fn parse(text: &str) -> Result<Launch, LaunchError> {
        let text = text.trim();
        let text = text.strip_prefix("launch:").unwrap_or(text);
        let mut launch = Launch::new([1; 3], [1; 3]);
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(("grid", value)) => launch.grid = dimensions(word, value)?,
                Some(("block", value)) => launch.block = dimensions(word, value)?,
                Some(("shared", value)) => {
                    launch.dynamic_shared = value.parse().map_err(|_| bad(word, "no size"))?;
                }
                Some(("args", value)) => {
                    for argument in value.split(',').filter(|a| !a.is_empty()) {
                        launch.parse_argument(argument)?;
                    }
                }
                _ => return Err(bad(word, "neither grid=, block=, shared= nor args=")),
            }
        }
        Ok(launch)
    }

    fn parse_argument(&mut self, word: &str) -> Result<(), LaunchError> {
        let mut parts = word.splitn(2, ':');
        let (kind, rest) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        match kind {
            "buf" => {
                let buffer = parse_buffer(word, rest, self.buffers.len() as u64)?;
                self.arguments.push(Argument::Buffer {
                    index: self.buffers.len(),
                    offset: 0,
                });
                self.buffers.push(buffer);
            }
            "same" => {
                let (index, offset) = rest.split_once(':').unwrap_or((rest, "0"));
                let index = index.parse().map_err(|_| bad(word, "no buffer number"))?;
                if index >= self.buffers.len() {
                    return Err(bad(word, "no such buffer before it"));
                }
                let offset = integer(offset.trim_start_matches('+'))
                    .ok_or_else(|| bad(word, "no offset"))?;
                self.arguments.push(Argument::Buffer { index, offset });
            }
            _ => {
                let bits = scalar(kind, rest).ok_or_else(|| bad(word, "no scalar"))?;
                self.arguments.push(Argument::Scalar(bits));
            }
        }
        Ok(())
    }
}

fn bad(word: &str, reason: &'static str) -> LaunchError {
    LaunchError {
        word: word.to_owned(),
        reason,
    }
}

fn dimensions(word: &str, value: &str) -> Result<[u32; 3], LaunchError> {
    let mut result = [1; 3];
    for (i, part) in value.split([',', 'x']).enumerate() {
        let n = part.parse().map_err(|_| bad(word, "no number"))?;
        *result
            .get_mut(i)
            .ok_or_else(|| bad(word, "more than three dimensions"))? = n;
    }
    Ok(result)
}

fn integer(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text
            .parse::<u64>()
            .ok()
            .or_else(|| text.parse::<i64>().ok().map(|v| v as u64)),
    }
}

fn scalar(kind: &str, value: &str) -> Option<u64> {
    match kind {
        "i32" | "u32" => integer(value).map(|v| v & 0xffff_ffff),
        "i64" | "u64" => integer(value),
        "f32" => value.parse().ok().map(|v: f32| u64::from(v.to_bits())),
        "f64" => value.parse().ok().map(f64::to_bits),
        _ => None,
    }
}

fn parse_buffer(word: &str, rest: &str, index: u64) -> Result<Buffer, LaunchError> {
    let mut parts = rest.split(':');
    let ty = parts
        .next()
        .and_then(Element::parse)
        .ok_or_else(|| bad(word, "unknown element type"))?;
    let count: u64 = parts
        .next()
        .and_then(integer)
        .ok_or_else(|| bad(word, "no element count"))?;
    if count.saturating_mul(u64::from(ty.bytes())) > MAX_BUFFER {
        return Err(bad(word, "the buffer is too large"));
    }
    let fill = match parts.next() {
        None => Fill::Random(index),
        Some("zero") => Fill::Zero,
        Some("ramp") => Fill::Ramp,
        Some("uninit") => Fill::Uninitialised,
        Some(seed) => seed
            .strip_prefix("seed=")
            .and_then(integer)
            .map(Fill::Random)
            .ok_or_else(|| bad(word, "unknown contents"))?,
    };
    match parts.next() {
        Some(_) => Err(bad(word, "more parts than type, count and contents")),
        None => Ok(Buffer::filled(ty, count, fill)),
    }
}

/// The element type of a generated buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Element {
    F16,
    Bf16,
    F32,
    F64,
    /// An integer of so many bytes.
    Integer(u8),
}

impl Element {
    fn parse(word: &str) -> Option<Element> {
        Some(match word {
            "f16" => Element::F16,
            "bf16" => Element::Bf16,
            "f32" => Element::F32,
            "f64" => Element::F64,
            "i8" | "u8" => Element::Integer(1),
            "i16" | "u16" => Element::Integer(2),
            "i32" | "u32" => Element::Integer(4),
            "i64" | "u64" => Element::Integer(8),
            _ => return None,
        })
    }

    /// Size in bytes.
    pub fn bytes(self) -> u8 {
        match self {
            Element::F16 | Element::Bf16 => 2,
            Element::F32 => 4,
            Element::F64 => 8,
            Element::Integer(bytes) => bytes,
        }
    }

    /// The bits of a small number as this type.
    fn bits(self, value: f64) -> u64 {
        match self {
            Element::F16 => u64::from(f16::from_f64(value).to_bits()),
            Element::Bf16 => u64::from(bf16::from_f64(value).to_bits()),
            Element::F32 => u64::from((value as f32).to_bits()),
            Element::F64 => value.to_bits(),
            Element::Integer(_) => value as i64 as u64,
        }
    }
}

/// The contents of a generated buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// All bytes zero.
    Zero,
    /// 0, 1, 2, ...
    Ramp,
    /// Not to be read.
    Uninitialised,
    /// Random by this seed: floats in [-1, 1), integers in [0, 16).
    Random(u64),
}

impl Buffer {
    /// A buffer of `count` elements.
    pub fn filled(ty: Element, count: u64, fill: Fill) -> Buffer {
        let size = usize::from(ty.bytes());
        let mut bytes = Vec::with_capacity(count as usize * size);
        let mut random = Random::new(match fill {
            Fill::Random(seed) => seed,
            _ => 0,
        });
        for i in 0..count {
            let bits = match fill {
                Fill::Zero | Fill::Uninitialised => 0,
                Fill::Ramp => ty.bits(i as f64),
                Fill::Random(_) => match ty {
                    Element::Integer(_) => random.below(16),
                    _ => ty.bits(random.unit() * 2.0 - 1.0),
                },
            };
            bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
        }
        Buffer {
            bytes,
            initialised: fill != Fill::Uninitialised,
            element: ty.bytes(),
        }
    }
}

/// A small reproducible random generator (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// By seed.
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for `n` = 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// A number in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form() {
        let launch = Launch::parse(
            "launch: grid=3,2 block=16x8 shared=64 args=buf:f32:4:ramp,same:0:+4,i32:-1,f64:0.5,buf:u16:2:uninit,u64:0x10",
        )
        .unwrap();
        assert_eq!((launch.grid, launch.block), ([3, 2, 1], [16, 8, 1]));
        assert_eq!(launch.dynamic_shared, 64);
        let ramp: Vec<u8> = [0f32, 1.0, 2.0, 3.0]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        assert_eq!(launch.buffers[0].bytes, ramp);
        assert_eq!(launch.buffers[1].bytes.len(), 4);
        assert!(!launch.buffers[1].initialised);
        assert_eq!(
            launch.arguments,
            [
                Argument::Buffer {
                    index: 0,
                    offset: 0
                },
                Argument::Buffer {
                    index: 0,
                    offset: 4
                },
                Argument::Scalar(0xffff_ffff),
                Argument::Scalar(0.5f64.to_bits()),
                Argument::Buffer {
                    index: 1,
                    offset: 0
                },
                Argument::Scalar(16),
            ]
        );
    }

    #[test]
    fn random_contents_are_reproducible_and_finite() {
        let a = Buffer::filled(Element::F32, 1000, Fill::Random(7));
        assert_eq!(a, Buffer::filled(Element::F32, 1000, Fill::Random(7)));
        assert_ne!(a, Buffer::filled(Element::F32, 1000, Fill::Random(8)));
        for chunk in a.bytes.chunks(4) {
            let value = f32::from_le_bytes(chunk.try_into().unwrap());
            assert!((-1.0..1.0).contains(&value));
        }
    }

    #[test]
    fn refused() {
        for text in [
            "grid=1,2,3,4",
            "grid=x",
            "threads=4",
            "args=buf:f32",
            "args=buf:f99:4",
            "args=same:0",
            "args=i32:x",
            "args=buf:f64:99999999999",
            "args=buf:f32:4:zero:zero",
        ] {
            assert!(Launch::parse(text).is_err(), "{text}");
        }
    }
}
