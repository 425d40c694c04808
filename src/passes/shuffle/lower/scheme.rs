//! The three questions of a scheme: which threads are here, where rows end, and what corner lanes do.

use crate::shuffle::plan::{Region, Wrapping};

/// Where the member mask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    /// All lanes are here: proved, or tested where a copy is entered.
    Whole,
    /// Read at the set-up.
    Active,
    /// Made by ballots; index into the plan's masks.
    Tracked(u32),
}

/// How the ends of rows are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Rows are whole warps: proved, or tested where a copy is entered.
    Whole,
    /// Whether rows are whole warps is asked at run time.
    AskedWhole,
    /// Whether my row reaches the end of the warp is asked at run time.
    AskedReaching,
    /// Rows of any shape: the clamp is the end of my row.
    Any,
    /// Each shuffle compares its distance with the rest of the row.
    Compared,
}

/// Who gives corner lanes their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corner {
    /// The destination's own load.
    Load,
    /// One more load after the source.
    Halo,
}

/// How the shuffles of a region are wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scheme {
    pub mask: Mask,
    pub rows: Rows,
    pub corner: Corner,
}

impl Scheme {
    /// Of a region of the plan.
    pub fn of(region: &Region) -> Self {
        let mask = match (region.wrapping, region.mask) {
            _ if region.copy.is_some() => Mask::Whole,
            (Wrapping::Full, _) => Mask::Whole,
            (_, Some(mask)) => Mask::Tracked(mask),
            (_, None) => Mask::Active,
        };
        let rows = match region.wrapping {
            Wrapping::Full if !region.whole_rows => Rows::Any,
            Wrapping::Full | Wrapping::WholeRows => Rows::Whole,
            Wrapping::Row => Rows::AskedReaching,
            Wrapping::AnyRow => Rows::Any,
            Wrapping::Paper => Rows::Compared,
            Wrapping::Halo if region.copy.is_some() || region.whole_rows => Rows::Whole,
            Wrapping::Halo => Rows::AskedWhole,
        };
        let corner = match region.wrapping {
            Wrapping::Halo => Corner::Halo,
            _ => Corner::Load,
        };
        Scheme { mask, rows, corner }
    }
}
