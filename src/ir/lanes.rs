//! Lane maps: from which lane of its warp a lane takes a value.

use serde::{Deserialize, Serialize};
use std::fmt;

/// For every lane the lane that it takes a value from. All maps stay within the lane's own row and warp; that the other
/// thread is there is a condition of its own (CONTRACT.md, "C5: neighbour").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LaneMap {
    /// Lane `i` takes the value of lane `i + N`; 0 is the own lane.
    #[serde(rename = "delta")]
    Shift(i8),
    /// Lane `i` takes the value of lane `i ^ k`; not 0.
    #[serde(rename = "xor")]
    Xor(u8),
    /// All lanes take the value of this one.
    #[serde(rename = "lane")]
    Lane(u8),
}

/// Threads of a warp.
pub const WARP: u8 = 32;

impl LaneMap {
    /// Every lane its own value.
    pub const OWN: LaneMap = LaneMap::Shift(0);

    /// Every lane takes its own value.
    pub fn is_own(self) -> bool {
        self == Self::OWN
    }

    /// The distance of a shift.
    pub fn shift(self) -> Option<i8> {
        match self {
            LaneMap::Shift(delta) => Some(delta),
            LaneMap::Xor(_) | LaneMap::Lane(_) => None,
        }
    }

    /// For shifts, the signed number of lanes from the own lane to the other one; 0 for maps that are not shifts along the row.
    pub fn steps(self) -> i32 {
        self.shift().unwrap_or(0).into()
    }

    /// How far from its own a lane's value comes at most.
    pub fn distance(self) -> u32 {
        match self {
            LaneMap::Shift(delta) => delta.unsigned_abs().into(),
            LaneMap::Xor(mask) => mask.into(),
            LaneMap::Lane(lane) => lane.max((WARP - 1).saturating_sub(lane)).into(),
        }
    }

    /// The other lane lies in the same aligned group of so many lanes as the own one; 1 for shifts, which know no groups.
    pub fn group(self) -> u8 {
        match self {
            LaneMap::Shift(_) => 1,
            LaneMap::Xor(mask) => (mask & (WARP - 1)).saturating_add(1).next_power_of_two(),
            LaneMap::Lane(_) => WARP,
        }
    }

    /// The distance from the thread with this number in its row to the one that it takes its value from, if groups
    /// begin at multiples of their size.
    pub fn distance_at(self, number: u64) -> i64 {
        let moved = match self {
            LaneMap::Shift(delta) => return delta.into(),
            LaneMap::Xor(mask) => number ^ u64::from(mask),
            LaneMap::Lane(lane) => (number & !u64::from(WARP - 1)) + u64::from(lane),
        };
        moved.wrapping_sub(number) as i64
    }
}

impl fmt::Display for LaneMap {
    /// The other lane of lane `t`: `t+2`, `t^1`, `lane 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaneMap::Shift(0) => f.write_str("t"),
            LaneMap::Shift(delta) => write!(f, "t{delta:+}"),
            LaneMap::Xor(mask) => write!(f, "t^{mask}"),
            LaneMap::Lane(lane) => write!(f, "lane {lane}"),
        }
    }
}
