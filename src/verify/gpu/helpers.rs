//! Filling and comparing large buffers on the device: `helpers.ptx`.

use super::driver::{Context, Image, Module, View};
use super::error::GpuError;
use ptxasw_executor::launch::{BufferSpec, Element, Fill};
use std::time::Duration;

/// The kernels.
const TEXT: &str = include_str!("helpers.ptx");
const BLOCK: u32 = 256;
const BLOCKS: u32 = 4096;
/// Our kernels take milliseconds.
const LIMIT: Duration = Duration::from_secs(60);
/// Bytes at the start and at the end of a buffer that are compared with what the host would have written.
const CHECKED: u64 = 4096;

/// `helpers.ptx`, loaded.
pub(super) struct Helpers<'c> {
    context: &'c Context<'c>,
    module: Module<'c>,
}

/// How two buffers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordDifference {
    /// Words of 4 bytes that differ.
    pub(super) words: u64,
    /// The first of them.
    pub(super) first: u64,
}

impl<'c> Helpers<'c> {
    pub(super) fn load(context: &'c Context<'c>) -> Result<Self, GpuError> {
        let module = context.load(&Image::ptx(TEXT.as_bytes()))?;
        Ok(Helpers { context, module })
    }

    /// Fills a buffer with what its description asks for. False if that must be done by the host.
    ///
    /// # Errors
    /// A call fails, or the device's bytes are not those of the host.
    pub(super) fn fill(&self, view: View, buffer: &BufferSpec) -> Result<bool, GpuError> {
        let Some(parameters) = fill_parameters(view.address(), buffer) else {
            return Ok(false);
        };
        self.launch("ptxasw_fill", &parameters)?;
        let size = u64::from(buffer.element.bytes());
        let length = CHECKED.min(view.bytes());
        for offset in [0, (view.bytes() - length) / size * size] {
            let (mut device, mut host) = (vec![0; length as usize], vec![0; length as usize]);
            view.read(offset, &mut device)?;
            buffer
                .fill
                .generate(buffer.element, offset / size, &mut host);
            if device != host {
                let what = "the device fills a buffer with other values than the host";
                return Err(GpuError::Launch(what.to_owned()));
            }
        }
        Ok(true)
    }

    /// Compares the whole words of two buffers of the same size.
    pub(super) fn compare(&self, a: View, b: View) -> Result<Option<WordDifference>, GpuError> {
        let result = self.context.allocate(16)?;
        let mut words = [0; 16];
        words[8..].fill(0xff);
        result.view().write(0, &words)?;
        let parameters = [
            a.address(),
            b.address(),
            a.bytes().min(b.bytes()) / 4,
            result.view().address(),
        ];
        let parameters: Vec<u8> = parameters.iter().flat_map(|p| p.to_le_bytes()).collect();
        self.launch("ptxasw_compare", &parameters)?;
        result.view().read(0, &mut words)?;
        let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| words[8 * i + k]));
        Ok((word(0) > 0).then(|| WordDifference {
            words: word(0),
            first: word(1),
        }))
    }

    fn launch(&self, name: &str, parameters: &[u8]) -> Result<(), GpuError> {
        let function = self.module.function(name)?;
        function.launch([BLOCKS, 1, 1], [BLOCK, 1, 1], 0, parameters)?;
        self.context.wait(LIMIT)
    }
}

/// The parameters of `ptxasw_fill`; none for contents that it does not make.
fn fill_parameters(address: u64, buffer: &BufferSpec) -> Option<Vec<u8>> {
    let element = buffer.element;
    let kind = match element {
        Element::F32 => 0u32,
        Element::F64 => 1,
        Element::I32 | Element::U32 => 2,
        Element::I64 | Element::U64 => 3,
        _ => return None,
    };
    let (how, kind, state, from, width) = match buffer.fill {
        // The bits as they are: a ramp of integers that does not rise.
        Fill::Constant(bits) => (1u32, kind | 2, 0, bits, 0),
        Fill::Ramp { start, step } => (1, kind, 0, real(element, start), real(element, step)),
        Fill::Random { seed, range } => {
            let (from, width) = random_range(element, range)?;
            (0, kind, random_state(seed), from, width)
        }
        Fill::Zero | Fill::Uninitialised | Fill::File { .. } | Fill::Structure { .. } => {
            return None;
        }
    };
    // Constants of 4-byte floats are integers of 4 bytes, of 8-byte ones of 8.
    let words = [address, buffer.count, state, from, width];
    let mut parameters: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    parameters.extend(how.to_le_bytes());
    parameters.extend(kind.to_le_bytes());
    Some(parameters)
}

/// The state of SplitMix64 before its first number, as `executor::launch` seeds it.
fn random_state(seed: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d
}

/// A float as the bits of an `f64`, an integer as it is.
fn real(element: Element, bits: u64) -> u64 {
    match element {
        Element::F32 => f64::from(f32::from_bits(bits as u32)).to_bits(),
        _ => bits,
    }
}

/// The least value and the width, or for integers the number of values, 0 for all of 64 bits.
fn random_range(element: Element, range: Option<(u64, u64)>) -> Option<(u64, u64)> {
    Some(match (element, range) {
        (Element::F32 | Element::F64, None) => ((-1f64).to_bits(), 2f64.to_bits()),
        (Element::F32 | Element::F64, Some((from, to))) => {
            let value = |bits| f64::from_bits(real(element, bits));
            (value(from).to_bits(), (value(to) - value(from)).to_bits())
        }
        (Element::I32 | Element::U32, None) => (0, 1 << 32),
        (_, None) => (0, 0),
        (Element::U32, Some((from, to))) => (from, to.checked_sub(from)?.checked_add(1)?),
        (Element::I32, Some((from, to))) => {
            let width = i64::from(to as i32) - i64::from(from as i32);
            (from, u64::try_from(width).ok()?.checked_add(1)?)
        }
        // Rare, and the whole range does not fit: the host does it.
        (_, Some(_)) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_executor::{Launch, Schedule, run};
    use ptxasw_ptx::decode::form;

    fn module() -> form::Module {
        ptxasw_ptx::decode::decode(&ptxasw_ptx::parse(TEXT.as_bytes()).unwrap()).unwrap()
    }

    fn function<'m>(module: &'m form::Module, name: &str) -> &'m form::Function {
        let named = |f: &&form::Function| &*f.name == name;
        module.functions.iter().find(named).unwrap()
    }

    fn number(bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// Our fill, run by the executor, gives the bytes of the host's.
    #[test]
    fn fills_are_those_of_the_host() {
        let module = module();
        let f32 = |value: f32| u64::from(value.to_bits());
        for (element, fill) in [
            (Element::F32, Fill::random(3)),
            (Element::F64, Fill::random(4)),
            (Element::U32, Fill::random(5)),
            (Element::I64, Fill::random(6)),
            (
                Element::F32,
                Fill::Random {
                    seed: 7,
                    range: Some((f32(0.1), f32(0.7))),
                },
            ),
            (
                Element::I32,
                Fill::Random {
                    seed: 8,
                    range: Some((0xffff_fff0, 5)),
                },
            ),
            (Element::F32, Fill::ramp(Element::F32)),
            (
                Element::F32,
                Fill::Ramp {
                    start: f32(0.3),
                    step: f32(-0.1),
                },
            ),
            (Element::F64, Fill::ramp(Element::F64)),
            (Element::U32, Fill::Ramp { start: 9, step: 3 }),
            (Element::F32, Fill::Constant(0x7fc0_0001)),
            (Element::F64, Fill::Constant(1 << 63)),
        ] {
            let count = 150;
            let buffer = BufferSpec {
                name: None,
                element,
                count,
                fill: fill.clone(),
            };
            let parameters = fill_parameters(0, &buffer).unwrap();
            let room = ptxasw_executor::Buffer::filled(element, count, Fill::Zero);
            let mut launch = Launch::new([2, 1, 1], [32, 1, 1]).with_buffer(room);
            let (words, rest) = parameters.split_at(40);
            for word in words.chunks(8).skip(1).chain(rest.chunks(4)) {
                launch = launch.with_scalar(number(word));
            }
            let entry = function(&module, "ptxasw_fill");
            let outcome = run(&module, entry, &launch, Schedule::Lockstep).unwrap();
            let expected = ptxasw_executor::Buffer::filled(element, count, fill.clone());
            assert_eq!(
                outcome.buffers[0].bytes, expected.bytes,
                "{element} {fill:?}"
            );
        }
    }

    #[test]
    fn what_the_host_must_fill() {
        let buffer = |element, fill| BufferSpec {
            name: None,
            element,
            count: 1,
            fill,
        };
        let range = Some((0, 9));
        for buffer in [
            buffer(Element::F16, Fill::random(1)),
            buffer(Element::F32, Fill::Zero),
            buffer(Element::U64, Fill::Random { seed: 1, range }),
        ] {
            assert_eq!(fill_parameters(0, &buffer), None, "{buffer:?}");
        }
    }

    /// Count and first index of the words that differ.
    #[test]
    fn comparison() {
        let module = module();
        let buffer = |fill| ptxasw_executor::Buffer::filled(Element::U32, 200, fill);
        let same = buffer(Fill::random(1));
        let mut other = same.clone();
        for i in [77, 78, 199] {
            other.bytes[4 * i] ^= 1;
        }
        for (b, count, expected) in [
            (&same, 200, [0, u64::MAX]),
            (&other, 200, [3, 77]),
            (&other, 77, [0, u64::MAX]),
        ] {
            let mut result = ptxasw_executor::Buffer::filled(Element::U64, 2, Fill::Zero);
            result.bytes[8..].fill(0xff);
            let launch = Launch::new([2, 1, 1], [32, 1, 1])
                .with_buffer(same.clone())
                .with_buffer(b.clone())
                .with_scalar(count)
                .with_buffer(result);
            let entry = function(&module, "ptxasw_compare");
            let outcome = run(&module, entry, &launch, Schedule::Lockstep).unwrap();
            let result = &outcome.buffers[2].bytes;
            assert_eq!([number(&result[..8]), number(&result[8..])], expected);
        }
    }
}
