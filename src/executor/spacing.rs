//! The addresses of the allocations of global memory.

use super::memory::{GLOBAL_BASE, slot_address};

/// How the allocations of global memory are placed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum Spacing {
    /// Apart modulo 2^32 and more, like those of a real allocator. Indices of 32 bits make distances that hold modulo 2^32 to 2^36
    /// only: to a test of these, slots that begin at the same place in 2^32 bytes would be one.
    #[default]
    Spread,
    /// A little more than 2^33 bytes from each other: an index of 32 bits that counts words and wraps leads from one to the next.
    Even,
}

impl Spacing {
    /// The error message for another name in a launch.
    pub(super) const EXPECTED: &str = "expected `even` or `spread`";

    /// By the name that launches have for it.
    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Spacing::Spread, Spacing::Even];
        all.into_iter().find(|one| one.name() == name)
    }

    /// The name in launch files and lines.
    pub fn name(self) -> &'static str {
        match self {
            Spacing::Spread => "spread",
            Spacing::Even => "even",
        }
    }

    /// The distance of slots, as a power of two: more than the largest buffer and what is before it.
    pub(super) fn shift(self) -> u32 {
        match self {
            Spacing::Spread => 34,
            Spacing::Even => 33,
        }
    }

    /// Address of region number `index` of the global arena.
    pub(super) fn address(self, index: usize) -> u64 {
        let spread = match self {
            Spacing::Spread => {
                let (coarse, fine) = (index % SPREAD, index / SPREAD % SPREAD);
                coarse as u64 * SPREAD_BYTES + fine as u64 * FINE_BYTES
            }
            Spacing::Even => 0,
        };
        slot_address(GLOBAL_BASE, self.shift(), index) + spread
    }
}

/// So many allocations in a row are far apart, and so many such rows a little.
const SPREAD: usize = 8;
/// Distance of allocations in a row.
const SPREAD_BYTES: u64 = 1 << 29;
/// Distance of the rows of [`SPREAD`] allocations, in bytes.
const FINE_BYTES: u64 = 1 << 26;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::MAX_BUFFER;
    use crate::memory::MAX_GLOBAL_REGIONS;

    #[test]
    fn buffers_are_apart_modulo_what_indices_of_32_bits_reach() {
        let address = |index| Spacing::Spread.address(index);
        let apart = |bits: u32| {
            let mask = (1 << bits) - 1;
            let all = 0..SPREAD * SPREAD;
            let mut places: Vec<u64> = all.map(|one| address(one) & mask).collect();
            places.sort_unstable();
            places
                .windows(2)
                .all(|two| two[1] - two[0] > FINE_BYTES / 2)
        };
        assert!((32..=36).all(apart));
        assert_eq!(
            Spacing::Even.address(1) - Spacing::Even.address(0),
            (1 << 33) + 0x200
        );
        // The largest buffer ends in its slot, and the last one below 2^47.
        for (spacing, index) in [(Spacing::Even, 0), (Spacing::Spread, SPREAD * SPREAD - 1)] {
            let first = spacing.address(index) - GLOBAL_BASE;
            let last = first + MAX_BUFFER;
            assert_eq!(first >> spacing.shift(), last >> spacing.shift());
        }
        let end = address(MAX_GLOBAL_REGIONS - 1) + MAX_BUFFER;
        assert!(end < 1 << 47);
    }
}
