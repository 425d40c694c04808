//! Checked memory: allocations far apart at plausible addresses, with a mark for every undefined byte.

use super::FinalBuffer;
use super::spacing::Spacing;
use ptxasw_ir::types::Space;
use smallvec::SmallVec;
use std::sync::Arc;

/// First address of the global arena.
pub(super) const GLOBAL_BASE: u64 = 0x7000_0000_0000;
/// Most allocations in global memory, so that they stay below 2^47.
pub(super) const MAX_GLOBAL_REGIONS: usize = 1024;
/// Generic address of byte 0 of shared memory.
pub(super) const SHARED_WINDOW: u64 = 0x6f00_0000_0000;
/// Generic address of byte 0 of local memory.
pub(super) const LOCAL_WINDOW: u64 = 0x6e00_0000_0000;
/// Generic address of byte 0 of the parameters.
pub(super) const PARAMETER_WINDOW: u64 = 0x6d00_0000_0000;
/// Generic address of byte 0 of constant memory, whose variables lie among those of global memory.
pub(super) const CONST_WINDOW: u64 = GLOBAL_BASE;
/// Address of function 0 of the module. No access is in bounds there.
pub(super) const FUNCTION_BASE: u64 = 0x6c00_0000_0000;
/// Distance of functions, as a power of two.
pub(super) const FUNCTION_SHIFT: u32 = 7;
/// Size of each window.
pub(super) const WINDOW_BYTES: u64 = 1 << 32;
/// Distance of variables in shared, local and parameter memory, as a power of two.
pub(super) const WINDOW_SHIFT: u32 = 24;
/// The least distance of the variables of frames.
const SMALLEST_SHIFT: u32 = 13;
/// Most variables of one window.
pub(super) const MAX_WINDOW_REGIONS: usize = 200;

/// First generic address of a space that has a window.
pub(super) fn window(space: Space) -> Option<u64> {
    match space {
        Space::Shared | Space::SharedCluster => Some(SHARED_WINDOW),
        Space::Local => Some(LOCAL_WINDOW),
        Space::ParamEntry => Some(PARAMETER_WINDOW),
        Space::ParamFunc => Some(LOCAL_WINDOW),
        Space::Const => Some(CONST_WINDOW),
        Space::Generic | Space::Global => None,
    }
}

/// Bytes found in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryLocation {
    /// The state space, already resolved where the access is generic.
    pub(super) space: Space,
    /// The region in the arena of that space: of the grid, the block or the thread.
    pub(super) region: usize,
    /// First byte in the region.
    pub(super) offset: usize,
}

/// Who stored a word last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writer {
    /// Number of the thread in the grid, from 1; 0: nobody.
    pub thread: u32,
    /// The instruction, as [`super::instruction_at`] takes it.
    pub instruction: u32,
}

/// Bytes in transit from one place to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    pub(super) values: SmallVec<[u8; 16]>,
    /// 1 for each undefined byte.
    pub(super) undefined: SmallVec<[u8; 16]>,
}

impl Bytes {
    /// The bytes of a register's value; `poison` marks the undefined ones.
    pub(super) fn of_word(value: u64, poison: u8) -> Self {
        Bytes {
            values: SmallVec::from_slice(&value.to_le_bytes()),
            undefined: (0..8).map(|i| poison >> i & 1).collect(),
        }
    }

    /// The first eight bytes as a number, and a mask of the undefined ones; missing bytes are undefined.
    pub(super) fn word(&self) -> (u64, u8) {
        let mut word = [0; 8];
        for (slot, byte) in word.iter_mut().zip(&self.values) {
            *slot = *byte;
        }
        let mark = |i: usize| self.undefined.get(i).copied().unwrap_or(1);
        let poison = (0..8).fold(0, |m, i| m | mark(i) << i);
        (u64::from_le_bytes(word), poison)
    }
}

/// One allocation.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// For messages.
    pub(super) name: Arc<str>,
    /// Address of the first byte.
    pub(super) base: u64,
    /// The contents.
    pub(super) bytes: Vec<u8>,
    /// 1 for each undefined byte; empty where all are defined.
    undefined: Vec<u8>,
    /// By words of four bytes; empty until the first store, or where nobody asks.
    pub(super) writers: Vec<Writer>,
    /// A bit for each byte that was stored; empty until the first store.
    written: Vec<u64>,
    /// Stores are faults.
    pub(super) read_only: bool,
    /// Nobody asks who stored.
    unnoted: bool,
}

/// Bits of a word of [`Region::written`].
const BITS: usize = u64::BITS as usize;

/// Bytes of a word of [`super::FinalBuffer::writers`].
pub const WRITER_GRANULE: usize = 4;

impl Region {
    /// The contents after a run.
    pub(super) fn into_final(self, element: u8) -> FinalBuffer {
        let undefined = match self.undefined.iter().any(|&u| u != 0) {
            true => self.undefined,
            false => Vec::new(),
        };
        FinalBuffer {
            bytes: self.bytes,
            element,
            writers: self.writers,
            undefined,
        }
    }

    /// `size` bytes (at most 8) as a little-endian number, and a mask of the undefined ones.
    /// The caller has checked the bounds by [`Arena::locate`].
    pub(super) fn read(&self, offset: usize, size: usize) -> (u64, u8) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&self.bytes[offset..offset + size]);
        let mut poison = 0;
        if !self.undefined.is_empty() {
            for (i, &u) in self.undefined[offset..offset + size].iter().enumerate() {
                poison |= u << i;
            }
        }
        (u64::from_le_bytes(word), poison)
    }

    /// Stores the lower `size` bytes (at most 8) of `value`; `poison` marks the undefined ones.
    pub(super) fn write(&mut self, offset: usize, size: usize, value: u64, poison: u8) {
        self.bytes[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
        if !self.undefined.is_empty() {
            for (i, u) in self.undefined[offset..offset + size].iter_mut().enumerate() {
                *u = poison >> i & 1;
            }
        } else if poison != 0 {
            self.undefined = vec![0; self.bytes.len()];
            self.write(offset, size, value, poison);
        }
    }

    /// Whether a store of these bytes would leave everything as it is.
    pub(super) fn holds(&self, offset: usize, size: usize, value: u64, poison: u8) -> bool {
        self.bytes[offset..offset + size] == value.to_le_bytes()[..size]
            && self.read(offset, size).1 == poison
    }

    /// The bytes from `offset` on, at most `most`, and a mark for each whether it is undefined.
    pub(super) fn bytes_from(&self, offset: usize, most: usize) -> Bytes {
        let end = self.bytes.len().min(offset.saturating_add(most));
        let at = offset.min(end)..end;
        let mark = |i: usize| self.undefined.get(i).copied().unwrap_or(0);
        Bytes {
            undefined: at.clone().map(mark).collect(),
            values: SmallVec::from_slice(&self.bytes[at]),
        }
    }

    /// Stores as many of the bytes as there is room for.
    pub(super) fn store_bytes(&mut self, offset: usize, bytes: &Bytes) {
        let pairs = bytes.values.iter().zip(&bytes.undefined);
        for (at, (&value, &undefined)) in (offset..self.bytes.len()).zip(pairs) {
            self.write(at, 1, u64::from(value), undefined);
        }
    }

    /// Makes all bytes undefined and gives the region another size.
    fn reset(&mut self, bytes: usize) {
        self.bytes.clear();
        self.bytes.resize(bytes, 0);
        self.undefined.clear();
        self.undefined.resize(bytes, 1);
    }

    /// Takes bytes of another state of this allocation, and who stored them: bit i of `bits` is byte `first` + i.
    pub(super) fn take_bytes(&mut self, from: &Region, first: usize, bits: u64) {
        if self.undefined.is_empty() && !from.undefined.is_empty() {
            self.undefined = vec![0; self.bytes.len()];
        }
        if self.writers.is_empty() && !from.writers.is_empty() {
            self.writers = vec![Writer::default(); from.writers.len()];
        }
        if self.written.is_empty() {
            self.written = vec![0; from.written.len()];
        }
        let taken = (0..64).filter(|i| bits >> i & 1 != 0).map(|i| first + i);
        for at in taken.take_while(|&at| at < from.bytes.len()) {
            self.bytes[at] = from.bytes[at];
            if let Some(mark) = self.undefined.get_mut(at) {
                *mark = from.undefined.get(at).copied().unwrap_or(0);
            }
            if let Some(writer) = from.writers.get(at / WRITER_GRANULE) {
                self.writers[at / WRITER_GRANULE] = *writer;
            }
            if let Some(written) = from.written.get(at / BITS) {
                self.written[at / BITS] |= written & 1 << (at % BITS);
            }
        }
    }

    /// Whether a byte of these, at most eight and aligned, was stored since the launch began.
    pub(super) fn is_written(&self, offset: usize, size: usize) -> bool {
        let word = self.written.get(offset / BITS).copied().unwrap_or(0);
        word >> (offset % BITS) & ((1 << size) - 1) != 0
    }

    /// Zeros in place of the contents. Of a large region the system keeps what was written only, and so who stored is not noted.
    pub(super) fn become_zeros(&mut self, bytes: usize) {
        self.bytes = vec![0; bytes];
        self.undefined = Vec::new();
        self.unnoted = true;
    }

    /// Notes who stored `size` bytes at `offset`.
    pub(super) fn note(&mut self, offset: usize, size: usize, writer: Writer) {
        if self.unnoted {
            return;
        }
        if self.writers.is_empty() {
            let words = self.bytes.len().div_ceil(WRITER_GRANULE);
            self.writers = vec![Writer::default(); words];
            self.written = vec![0; self.bytes.len().div_ceil(BITS)];
        }
        for at in offset..offset + size {
            self.written[at / BITS] |= 1 << (at % BITS);
        }
        let last = (offset + size - 1) / WRITER_GRANULE;
        for slot in &mut self.writers[offset / WRITER_GRANULE..=last] {
            *slot = writer;
        }
    }
}

/// A range of addresses with allocations in slots of equal size, so that the slot of an address is a shift away.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    base: u64,
    shift: u32,
    /// How regions are placed; none in windows, whose slots are alike.
    spacing: Option<Spacing>,
    pub(super) regions: Vec<Region>,
}

impl Arena {
    /// The arena of global and constant memory.
    pub(super) fn global(spacing: Spacing) -> Self {
        Arena {
            base: GLOBAL_BASE,
            shift: spacing.shift(),
            spacing: Some(spacing),
            regions: Vec::new(),
        }
    }

    /// An arena of a window, addressed from 0, with slots of 2^`shift` bytes.
    pub(super) fn window(shift: u32) -> Self {
        Arena {
            base: 0,
            shift,
            spacing: None,
            regions: Vec::new(),
        }
    }

    /// Address that the next region will have. It is not the start of its slot, so that a negative index is no address
    /// of the slot before, and it is a multiple of 256 and of no large power of two.
    pub(super) fn next_address(&self) -> u64 {
        let index = self.regions.len();
        match self.spacing {
            Some(spacing) => spacing.address(index),
            None => slot_address(self.base, self.shift, index),
        }
    }

    /// Adds an allocation and gives its address.
    pub(super) fn push(&mut self, name: &Arc<str>, bytes: Vec<u8>, defined: bool) -> u64 {
        let base = self.next_address();
        let undefined = if defined {
            Vec::new()
        } else {
            vec![1; bytes.len()]
        };
        self.regions.push(Region {
            name: Arc::clone(name),
            base,
            bytes,
            undefined,
            writers: Vec::new(),
            written: Vec::new(),
            read_only: false,
            unnoted: false,
        });
        base
    }

    /// Adds an undefined allocation, in the room of one that is no more, if there is one.
    pub(super) fn push_undefined(
        &mut self,
        name: &Arc<str>,
        bytes: usize,
        spare: &mut Vec<Region>,
    ) {
        match spare.pop() {
            Some(mut region) => {
                region.reset(bytes);
                region.name = Arc::clone(name);
                region.base = self.next_address();
                self.regions.push(region);
            }
            None => {
                self.push(name, vec![0; bytes], false);
            }
        }
    }

    /// Ends all allocations but the first `count`.
    pub(super) fn truncate(&mut self, count: usize, spare: &mut Vec<Region>) {
        let count = count.min(self.regions.len());
        spare.extend(self.regions.drain(count..));
    }

    /// There is room for so many more allocations.
    pub(super) fn room(&self, more: usize) -> bool {
        self.regions.len().saturating_add(more) <= window_regions(self.shift)
    }

    /// The region and offset of `size` bytes at `address`, if one region holds them all.
    pub(super) fn locate(&self, address: u64, size: u32) -> Option<(usize, usize)> {
        let index = (address.wrapping_sub(self.base) >> self.shift) as usize;
        let region = self.regions.get(index)?;
        let offset = address.checked_sub(region.base)?;
        let end = offset.checked_add(u64::from(size))?;
        (end <= region.bytes.len() as u64).then_some((index, offset as usize))
    }

    /// Name of the region whose slot holds the address, and the offset from its start: for messages.
    pub(super) fn nearest(&self, address: u64) -> Option<(String, i64)> {
        let index = (address.wrapping_sub(self.base) >> self.shift) as usize;
        let region = self.regions.get(index)?;
        Some((
            region.name.to_string(),
            address.wrapping_sub(region.base) as i64,
        ))
    }
}

/// Address of region number `index` of an arena.
pub(super) fn slot_address(base: u64, shift: u32, index: usize) -> u64 {
    let index = index as u64;
    // Small slots are many: the steps must not add up to a slot.
    let step = if shift < WINDOW_SHIFT {
        index % 4
    } else {
        index
    };
    base + (index << shift) + (1 << (shift - 4)) + 0x100 * (2 * step + 1)
}

/// The distance of the variables of frames, as a power of two, of which the largest has so many bytes.
pub(super) fn frame_shift(largest: u64) -> u32 {
    let twice = largest.saturating_mul(2).max(1 << SMALLEST_SHIFT);
    twice.next_power_of_two().trailing_zeros()
}

/// Most regions of an arena of a window.
pub(super) fn window_regions(shift: u32) -> usize {
    match shift < WINDOW_SHIFT {
        true => (WINDOW_BYTES >> shift) as usize,
        false => MAX_WINDOW_REGIONS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        let mut arena = Arena::global(Spacing::Even);
        let a = arena.push(&"a".into(), vec![0; 16], true);
        let b = arena.push(&"b".into(), vec![0; 16], true);
        assert_eq!(arena.locate(a, 16), Some((0, 0)));
        assert_eq!(arena.locate(b + 12, 4), Some((1, 12)));
        assert_eq!(arena.locate(b + 13, 4), None);
        assert_eq!(arena.locate(b - 1, 1), None);
        assert_eq!(arena.locate(0, 1), None);
        assert_eq!(arena.locate(u64::MAX, 8), None);
        assert_eq!(arena.nearest(b - 4), Some(("b".to_owned(), -4)));
        assert_eq!(a % 256, 0);
        assert!(b - a > 1 << 32);
    }

    #[test]
    fn undefined_bytes() {
        let mut arena = Arena::window(WINDOW_SHIFT);
        arena.push(&"s".into(), vec![0; 8], false);
        let region = &mut arena.regions[0];
        region.write(2, 2, 0xabcd, 0);
        assert_eq!(region.read(0, 8), (0xabcd_0000, 0b1111_0011));
        region.write(2, 2, 0xabcd, 0b10);
        assert_eq!(region.read(2, 2), (0xabcd, 0b10));
        let mut defined = Arena::window(WINDOW_SHIFT);
        defined.push(&"d".into(), vec![0; 8], true);
        defined.regions[0].write(4, 4, 1, 0b1000);
        assert_eq!(defined.regions[0].read(0, 8), (1 << 32, 0x80));
        let last = defined.regions.remove(0).into_final(4);
        assert_eq!(last.undefined, [0, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn writers() {
        let mut arena = Arena::global(Spacing::Even);
        arena.push(&"a".into(), vec![0; 12], true);
        let writer = Writer {
            thread: 3,
            instruction: 9,
        };
        arena.regions[0].note(4, 8, writer);
        assert_eq!(
            arena.regions[0].writers,
            [Writer::default(), writer, writer]
        );
        let region = &arena.regions[0];
        assert!(region.is_written(8, 4) && !region.is_written(0, 4));
    }
}
