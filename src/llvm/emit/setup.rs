//! What the set-up of a region leaves for its shuffles: the member mask, and the operands that tell corner lanes from covered ones.

use inkwell::llvm_sys::prelude::LLVMValueRef;

/// What the shuffles of a region read.
#[derive(Clone, PartialEq)]
pub struct Setup {
    /// The member mask.
    pub mask: LLVMValueRef,
    /// The own lane, if there are shifts.
    pub lane: Option<LLVMValueRef>,
    /// How corner lanes of shifts are found.
    pub corner: Corner,
    /// For other lane maps: the whole warp is here, rows are whole groups of lanes.
    pub together: Option<LLVMValueRef>,
    /// For `Wrapping::Halo`.
    pub ring: Option<Ring>,
}

/// How corner lanes are found. An operand is there if the region has shuffles of its direction.
#[derive(Clone, PartialEq)]
pub enum Corner {
    /// The shuffle's own predicate, under these clamps.
    Clamp {
        /// The last usable lane, for shifts down.
        down: Option<LLVMValueRef>,
        /// The first usable lane, for shifts up.
        up: Option<LLVMValueRef>,
    },
    /// Comparisons for each shuffle.
    Compare {
        /// All distances make this lane a corner.
        all: LLVMValueRef,
        /// `ntid.x - tid.x`, for shifts down.
        rest: Option<LLVMValueRef>,
        /// `tid.x`, for shifts up.
        tid: Option<LLVMValueRef>,
    },
}

/// What the destinations of a halo region read.
#[derive(Clone, PartialEq)]
pub struct Ring {
    /// This warp is here as a whole, in whole rows: equal in all lanes. None in a copy, where all are.
    pub whole: Option<LLVMValueRef>,
    /// `%laneid`.
    pub(super) lane: LLVMValueRef,
    /// Bit `N` says that lane `lane + N` is beyond the warp's end: the lane to give is one that loaded the halo.
    pub(super) down: Option<LLVMValueRef>,
    /// Bit `N` likewise for lane `lane - N`.
    pub(super) up: Option<LLVMValueRef>,
}
