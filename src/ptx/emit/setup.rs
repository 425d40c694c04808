//! What the set-up of a region leaves for its shuffles: the member mask, and the operands that tell corner lanes from covered ones.

/// What the shuffles of a region read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The member mask.
    pub mask: String,
    /// The register of `%laneid`, where it was needed.
    pub(super) lane: String,
    /// How corner lanes of shifts are found.
    pub corner: Corner,
    /// For other lane maps the predicate of covered lanes: the whole warp is here, rows are whole groups of lanes.
    pub together: Option<String>,
    /// For `Wrapping::Halo`.
    pub ring: Option<Ring>,
}

/// How corner lanes are found. An operand is there if the region has shuffles of its direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The shuffle's own predicate, under these clamps.
    Clamp {
        /// The last usable lane, for `shfl.sync.down`.
        down: Option<String>,
        /// The first usable lane, for `shfl.sync.up`.
        up: Option<String>,
    },
    /// Compares in front of each shuffle.
    Compare {
        /// A predicate: all deltas make this lane a corner.
        all: String,
        /// `%laneid`.
        lane: String,
        /// `ntid.x - tid.x`, for `shfl.sync.down`.
        rest: Option<String>,
        /// `tid.x`, for `shfl.sync.up`.
        tid: Option<String>,
    },
}

/// What the destinations of a halo region read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The predicate of warps that are here as a whole, in whole rows: equal in all lanes. None in a copy, where all are.
    pub whole: Option<String>,
    /// `%laneid`.
    pub(super) lane: String,
    /// Bit `N` says that lane `lane + N` is beyond the warp's end: the lane to give is one that loaded the halo.
    pub(super) down: Option<String>,
    /// Bit `N` likewise for lane `lane - N`.
    pub(super) up: Option<String>,
}
