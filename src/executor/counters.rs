//! What an execution did, counted per warp instruction.

use serde::Serialize;

/// Dynamic counts over a whole grid. A warp instruction is one instruction executed by lanes of a warp together; a
/// guarded one counts if the guard holds in at least one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Warps of the grid.
    pub warps: u64,
    /// Warp instructions.
    pub instructions: u64,
    /// Thread instructions: the lanes of each, added up.
    pub thread_instructions: u64,
    /// Loads from global memory, by `ld.global` or a generic address.
    pub global_loads: u64,
    /// The lanes of those.
    pub global_load_lanes: u64,
    /// Sectors of 32 bytes that those loads touch, each once per load.
    pub global_load_sectors: u64,
    /// `shfl`
    pub shuffles: u64,
    /// `vote`, `match`, `redux`, `activemask`, `elect`.
    pub votes: u64,
}

/// Bytes of a sector: the unit of a transfer between the L1 and L2 caches.
pub(super) const SECTOR_BYTES: u64 = 32;

impl Counters {
    /// A count divided by the number of warps.
    pub fn per_warp(&self, count: u64) -> f64 {
        if self.warps == 0 {
            0.0
        } else {
            count as f64 / self.warps as f64
        }
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.warps += other.warps;
        self.instructions += other.instructions;
        self.thread_instructions += other.thread_instructions;
        self.global_loads += other.global_loads;
        self.global_load_lanes += other.global_load_lanes;
        self.global_load_sectors += other.global_load_sectors;
        self.shuffles += other.shuffles;
        self.votes += other.votes;
    }
}
