//! What the user lets the memory pass do.

use crate::emulator::alias::Assumptions;
use std::str::FromStr;

/// How far the pass goes (`--loads`). Each level does what the one before does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Loads {
    /// The pass changes nothing.
    Off,
    /// What is right by proof alone: no test at run time, no second copy of code.
    Proofs,
    /// Wide accesses behind one test of alignment and distances at the kernel's entry, too, with the original as the fallback.
    #[default]
    Checked,
    /// Loads and stores go where such a test shows that they may, and loads move up, as far as the occupancy allows.
    Bulk,
    /// All that is sound, whatever it costs.
    Always,
}

/// The words for the levels, in their order.
pub const LEVELS: [(&str, Loads); 5] = [
    ("off", Loads::Off),
    ("proofs", Loads::Proofs),
    ("checked", Loads::Checked),
    ("bulk", Loads::Bulk),
    ("always", Loads::Always),
];

/// That no level has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown level of loads `{0}` (known: off, proofs, checked, bulk, always)")]
pub struct BadLoads(String);

impl FromStr for Loads {
    type Err = BadLoads;

    fn from_str(text: &str) -> Result<Self, BadLoads> {
        let found = LEVELS.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, loads)| loads)
            .ok_or_else(|| BadLoads(text.to_owned()))
    }
}

/// Registers that loads in flight may hold by default.
pub const MAX_LIVE: u32 = 32;

/// Warps that a multiprocessor has room for, on any target (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability").
pub const MAX_WARPS: u32 = 64;

/// What the user chose for the memory pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryOptions {
    /// How far it goes.
    pub loads: Loads,
    /// 32-bit registers that loads which were moved up may hold at one time (`--max-live`).
    pub max_live: u32,
    /// Warps that are resident on a multiprocessor at most, where the user knows it (`--warps-per-sm`).
    pub warps: Option<u32>,
    /// What is taken for granted of kernel parameters (`--assume noalias`).
    pub assumed: Assumptions,
}

/// Resident warps up to which loads move up: with more of them there are enough loads in flight (Little's law; a simulation of
/// an A100 gained at up to 16 warps of a multiprocessor, and lost from 48 on).
const MOST_WARPS: u32 = 16;

impl MemoryOptions {
    /// Whether loads move up over stores.
    pub fn moves_loads(&self) -> bool {
        match self.loads {
            Loads::Always => true,
            Loads::Bulk => self.warps.is_some_and(|warps| warps <= MOST_WARPS),
            _ => false,
        }
    }
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions {
            loads: Loads::default(),
            max_live: MAX_LIVE,
            warps: None,
            assumed: Assumptions::default(),
        }
    }
}
