//! The buffers of a launch on the device: filled, kept, compared.
//!
//! Small ones are compared on the host. Of large ones the results of the original stay on the device, and the rewritten
//! kernel gets buffers of its own; where the device has no room for both, the host keeps a copy of the original's.

use super::device::size;
use super::driver::{Context, Memory, View};
use super::error::{CallError, GpuError};
use super::helpers::Helpers;
use ptxasw_executor::launch::{BufferSpec, Element, Fill, LaunchSpec};
use serde::Serialize;

/// From this size of all buffers on the device fills and compares them.
const LARGE: u64 = 64 << 20;
/// Bytes of one copy.
const CHUNK: usize = 16 << 20;
/// Device memory that is left for the driver and the kernels.
const SPARE: u64 = 512 << 20;

/// The first element of a buffer that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The buffer's name, or `buffer N` without one; or a variable of the module.
    pub buffer: String,
    /// The element.
    pub element: u64,
    /// Its value after the original.
    pub original: String,
    /// Its value after the rewritten kernel.
    pub rewritten: String,
    /// How many elements of the buffer differ, or words of 4 bytes of a large one.
    pub count: u64,
}

/// The allocations of a launch, in its order.
pub(super) struct Buffers<'c> {
    memory: Vec<Memory<'c>>,
}

/// What the original left.
pub(super) enum Kept<'c> {
    /// On the device.
    Device(Buffers<'c>),
    /// On the host.
    Host(Vec<Vec<u8>>),
}

impl<'c> Buffers<'c> {
    /// Allocates the buffers of a launch.
    pub(super) fn allocate(context: &'c Context<'c>, spec: &LaunchSpec) -> Result<Self, CallError> {
        let allocate = |buffer: &BufferSpec| context.allocate(buffer.bytes());
        Ok(Buffers {
            memory: spec
                .buffers
                .iter()
                .map(allocate)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The addresses.
    pub(super) fn addresses(&self) -> Vec<u64> {
        let views = self.memory.iter().map(Memory::view);
        views.map(|view| view.address()).collect()
    }

    /// Sets the contents that the launch describes. What is uninitialised is zero, so that runs can be compared.
    pub(super) fn fill(
        &self,
        spec: &LaunchSpec,
        helpers: Option<&Helpers>,
    ) -> Result<(), GpuError> {
        let addresses = self.addresses();
        let address = |buffer: usize, offset: i64| {
            let start = addresses.get(buffer).copied().unwrap_or(0);
            start.wrapping_add_signed(offset)
        };
        for (memory, buffer) in self.memory.iter().zip(&spec.buffers) {
            let view = memory.view();
            if let Some(bytes) = buffer.structure(address) {
                view.write(0, &bytes)?;
                continue;
            }
            if matches!(buffer.fill, Fill::Zero | Fill::Uninitialised) {
                view.set(0)?;
                continue;
            }
            if let Some(helpers) = helpers
                && helpers.fill(view, buffer)?
            {
                continue;
            }
            write(view, buffer)?;
        }
        Ok(())
    }

    /// Copies all buffers to the host.
    fn read(&self) -> Result<Vec<Vec<u8>>, GpuError> {
        let mut copies = Vec::new();
        for memory in &self.memory {
            copies.push(read(memory.view())?);
        }
        Ok(copies)
    }

    /// The first difference to what was kept. Structures that hold pointers are not compared: the addresses are those of
    /// the run's own allocations.
    pub(super) fn compare(
        &self,
        kept: &Kept,
        spec: &LaunchSpec,
        helpers: Option<&Helpers>,
    ) -> Result<Option<Difference>, GpuError> {
        for (i, (memory, buffer)) in self.memory.iter().zip(&spec.buffers).enumerate() {
            if let Fill::Structure { .. } = buffer.fill {
                continue;
            }
            let after = memory.view();
            let found = match (kept, helpers) {
                (Kept::Device(before), Some(helpers)) => {
                    on_device(before.memory[i].view(), after, buffer.element, helpers)?
                }
                (Kept::Device(before), None) => {
                    compare_with(&read(before.memory[i].view())?, after, buffer.element)?
                }
                (Kept::Host(before), _) => compare_with(&before[i], after, buffer.element)?,
            };
            if let Some(found) = found {
                let name = buffer.name.clone();
                return Ok(Some(Difference {
                    buffer: name.unwrap_or_else(|| format!("buffer {i}")),
                    ..found
                }));
            }
        }
        Ok(None)
    }

    /// Keeps what the original left in these buffers, and gives buffers for the next run.
    pub(super) fn keep(
        self,
        context: &'c Context<'c>,
        spec: &LaunchSpec,
    ) -> Result<(Kept<'c>, Buffers<'c>), GpuError> {
        let all = spec.buffer_bytes();
        if large(spec) && context.free_memory()? >= all.saturating_add(SPARE) {
            match Buffers::allocate(context, spec) {
                Ok(next) => return Ok((Kept::Device(self), next)),
                Err(error) if error.out_of_memory() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok((Kept::Host(self.read()?), self))
    }
}

/// Whether the device fills and compares the buffers.
pub(super) fn large(spec: &LaunchSpec) -> bool {
    spec.buffer_bytes() >= LARGE
}

/// What a failed allocation of the launch's buffers means.
pub(super) fn no_room(error: CallError, context: &Context, spec: &LaunchSpec) -> GpuError {
    if !error.out_of_memory() {
        return error.into();
    }
    let free = context.free_memory().unwrap_or(0);
    let (needed, free) = (size(spec.buffer_bytes()), size(free));
    GpuError::Launch(format!(
        "the buffers need {needed}, and the device has {free} free: {error}"
    ))
}

/// Fills a buffer from the host, piece by piece.
fn write(view: View, buffer: &BufferSpec) -> Result<(), GpuError> {
    let mut chunk = vec![0; CHUNK.min(view.bytes() as usize)];
    let mut offset = 0;
    while offset < view.bytes() {
        let length = chunk.len().min((view.bytes() - offset) as usize);
        let part = &mut chunk[..length];
        let first = offset / u64::from(buffer.element.bytes());
        buffer.write(first, part).map_err(|error| {
            GpuError::Launch(format!("cannot read the contents of a buffer: {error}"))
        })?;
        view.write(offset, part)?;
        offset += length as u64;
    }
    Ok(())
}

/// A copy of device memory.
pub(super) fn read(view: View) -> Result<Vec<u8>, GpuError> {
    let mut bytes = Vec::new();
    let length = usize::try_from(view.bytes()).unwrap_or(usize::MAX);
    if bytes.try_reserve_exact(length).is_err() {
        let needed = size(view.bytes());
        return Err(GpuError::Launch(format!(
            "the host has no room for a copy of {needed}"
        )));
    }
    bytes.resize(length, 0);
    for (i, part) in bytes.chunks_mut(CHUNK).enumerate() {
        view.read((i * CHUNK) as u64, part)?;
    }
    Ok(bytes)
}

/// Compares device memory with bytes of the host, piece by piece. The buffer's name is left to the caller.
pub(super) fn compare_with(
    before: &[u8],
    after: View,
    element: Element,
) -> Result<Option<Difference>, GpuError> {
    let mut chunk = vec![0; CHUNK.min(before.len())];
    let mut found: Option<Difference> = None;
    for (i, before) in before.chunks(CHUNK).enumerate() {
        let part = &mut chunk[..before.len()];
        after.read((i * CHUNK) as u64, part)?;
        let Some(mut here) = difference(before, part, element) else {
            continue;
        };
        here.element += (i * CHUNK / usize::from(element.bytes())) as u64;
        match &mut found {
            Some(first) => first.count += here.count,
            None => found = Some(here),
        }
    }
    Ok(found)
}

/// Compares as many bytes, element by element. The buffer's name is left to the caller.
pub(super) fn difference(before: &[u8], after: &[u8], element: Element) -> Option<Difference> {
    if before == after {
        return None;
    }
    let width = usize::from(element.bytes());
    let pairs = before.chunks(width).zip(after.chunks(width)).enumerate();
    let mut different = pairs.filter(|(_, (a, b))| a != b);
    let (first, (a, b)) = different.next()?;
    Some(Difference {
        buffer: String::new(),
        element: first as u64,
        original: element.format(number(a)),
        rewritten: element.format(number(b)),
        count: 1 + different.count() as u64,
    })
}

/// Compares two buffers of the device there. Only the first element that differs is copied.
fn on_device(
    before: View,
    after: View,
    element: Element,
    helpers: &Helpers,
) -> Result<Option<Difference>, GpuError> {
    let width = u64::from(element.bytes());
    let words = helpers.compare(before, after)?;
    // Our kernel compares whole words; what is left is less than one.
    let tail = before.bytes() / 4 * 4;
    let start = match words {
        Some(difference) => difference.first * 4 / width * width,
        None => tail / width * width,
    };
    let length = match words {
        Some(_) => width.max(4).min(before.bytes() - start),
        None => before.bytes() - start,
    };
    let mut bytes = [vec![0; length as usize], vec![0; length as usize]];
    before.read(start, &mut bytes[0])?;
    after.read(start, &mut bytes[1])?;
    let [a, b] = &bytes;
    let mut pairs = a.chunks(width as usize).zip(b.chunks(width as usize));
    let Some(k) = pairs.position(|(a, b)| a != b) else {
        return Ok(None);
    };
    let value = |bytes: &[u8]| {
        let element_bytes = bytes.chunks(width as usize).nth(k).unwrap_or_default();
        element.format(number(element_bytes))
    };
    Ok(Some(Difference {
        buffer: String::new(),
        element: start / width + k as u64,
        original: value(a),
        rewritten: value(b),
        count: words.map_or(1, |difference| difference.words),
    }))
}

/// Up to eight bytes as a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    for (place, byte) in word.iter_mut().zip(bytes) {
        *place = *byte;
    }
    u64::from_le_bytes(word)
}
