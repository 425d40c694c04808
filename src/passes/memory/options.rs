//! What the user lets the memory pass do.

use crate::rules::rules;
use ptxasw_base::named::named;
use ptxasw_emulator::domains::alias::Assumptions;
use serde::{Deserialize, Serialize};

/// Iterations of a batch at [`Loads::Pairs`].
const PAIR: u32 = 2;

/// How far the pass goes (`--loads`). Each level does what the one before does.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize,
)]
pub enum Loads {
    /// The pass changes nothing.
    Off,
    /// What is right by proof alone: no test at run time, no second copy of code.
    Proofs,
    /// Wide accesses guarded by one test of alignment and distances at the kernel's entry, too, with the original as the fallback.
    Checked,
    /// Loads and stores go where such a test shows that they may, and loads move up, which hold a few registers.
    Moderate,
    /// Loads move up as far as registers allow.
    Bulk,
    /// Loops load for two iterations at once, too, and all that the levels before do is done in these batches.
    Pairs,
    /// Loops load for as many iterations at once as registers allow.
    #[default]
    Batches,
    /// All that is sound, whatever it costs.
    Always,
}

named!(Loads {
    "off" = Loads::Off, "Nothing";
    "proofs" = Loads::Proofs, "What is proved: no test at run time, no second copy of code";
    "checked" = Loads::Checked, "As proofs; also wide accesses behind one test at the kernel's entry, with the original as the fallback";
    "moderate" = Loads::Moderate, "As checked; also loads and stores that such a test makes superfluous, and loads move up over stores, a few at a time";
    "bulk" = Loads::Bulk, "As moderate, with as many loads at a time as `--max-live` allows";
    "pairs" = Loads::Pairs, "As bulk; also loops load for two iterations at once";
    "batches" = Loads::Batches, "As pairs, for four iterations where registers allow";
    "always" = Loads::Always, "All that is sound, whatever it costs";
});

impl Loads {
    /// The level so many steps further down at which the pass does less. [`Loads::Always`] takes the same place as
    /// [`Loads::Batches`]: a kernel that one of them makes too dear is so by the other.
    pub fn below(self, steps: usize) -> Loads {
        let levels = match self {
            Loads::Off => &[Loads::Off][..],
            Loads::Proofs => &[Loads::Proofs],
            Loads::Checked => &[Loads::Checked, Loads::Proofs],
            Loads::Moderate => &[Loads::Moderate, Loads::Checked, Loads::Proofs],
            Loads::Bulk => &[self, Loads::Moderate, Loads::Checked, Loads::Proofs],
            Loads::Pairs => &[
                self,
                Loads::Bulk,
                Loads::Moderate,
                Loads::Checked,
                Loads::Proofs,
            ],
            Loads::Batches | Loads::Always => &[
                self,
                Loads::Pairs,
                Loads::Bulk,
                Loads::Moderate,
                Loads::Checked,
                Loads::Proofs,
            ],
        };
        levels.get(steps).copied().unwrap_or(Loads::Off)
    }
}

/// What the user chose for the memory pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryOptions {
    /// How far it goes.
    pub loads: Loads,
    /// 32-bit registers that loads which were moved up may hold at one time (`--max-live`), at the highest levels: see
    /// [`Self::in_flight`].
    pub max_live: u32,
    /// What is taken for granted of kernel parameters (`--assume noalias`).
    pub assumed: Assumptions,
    /// Tests are taken to hold, and the fallback is never reached: for what the register guard counts in machine code, not for
    /// code that runs.
    pub tests_hold: bool,
}

impl MemoryOptions {
    /// Whether loads move up over stores. They do at any occupancy: an H200 gained by it at 4 to 64 warps of a multiprocessor
    /// (`benches/gpu`).
    pub fn moves_loads(&self) -> bool {
        self.loads >= Loads::Moderate
    }

    /// Whether loops run in batches of so many iterations.
    pub fn batches(&self, iterations: u32) -> bool {
        self.loads >= Loads::Batches || self.loads == Loads::Pairs && iterations <= PAIR
    }

    /// 32-bit registers that loads which were moved up may hold at one time, at this level.
    pub fn in_flight(&self) -> u32 {
        match self.loads {
            Loads::Moderate => self.max_live.min(rules().bulk.moderate_live),
            _ => self.max_live,
        }
    }

    /// Those for a function that took so many steps back.
    pub fn below(&self, steps: usize) -> Self {
        MemoryOptions {
            loads: self.loads.below(steps),
            ..*self
        }
    }
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions {
            loads: Loads::default(),
            max_live: rules().bulk.max_live,
            assumed: Assumptions::default(),
            tests_hold: false,
        }
    }
}
