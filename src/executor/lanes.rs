//! Lanes of a warp: masks of them, and a value for each.

/// Lanes of a warp.
pub(super) const LANES: usize = 32;

/// The lanes of a mask, from the lowest.
pub(super) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}

/// One value per lane, and which lanes have undefined bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) values: [u64; LANES],
    pub(super) poison: u32,
}

impl Column {
    /// Zero in every lane, all of them initialised.
    pub(super) const ZERO: Column = Column::splat(0);

    /// `value` in every lane, all of them initialised.
    pub(super) const fn splat(value: u64) -> Column {
        Column {
            values: [value; LANES],
            poison: 0,
        }
    }
}
