//! What the arbiter needs of an entry point of the program: what rewrites modules there, and what assembles them.

use super::lab::Code;
use super::registers::Independent;
use crate::pipeline::ssa::Reversions;
use ptxasw_passes::memory::Loads;

/// Modules after the passes.
#[derive(Clone, Default)]
pub struct Rewritten {
    /// Their texts; none of one that is as it came.
    pub texts: Vec<Vec<u8>>,
    /// The changed functions, each with whether it is a kernel.
    pub changed: Vec<(String, bool)>,
    /// Those whose arithmetic passes changed, each with whether it is a kernel.
    pub arithmetic: Vec<(String, bool)>,
    /// Kernels of which it was shown that no block waits for another.
    pub independent: Independent,
}

/// What a rewriting is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It may be what runs.
    Output,
    /// Its machine code is compared.
    Compared,
    /// The same, with tests at run time taken to hold.
    TestsHold,
}

/// One of the program's doors: what rewrites modules there, and what assembles them.
pub trait Door {
    /// What the assembler made, for the door's own use.
    type Made;
    /// The number of the target.
    fn target(&self) -> u32;
    /// The level of the memory pass that a function has first.
    fn loads(&self, function: &str) -> Loads;
    /// The modules as they came.
    ///
    /// # Errors
    /// In words.
    fn original(&self) -> Result<Vec<Vec<u8>>, String>;
    /// The modules after the passes, where something is taken back.
    ///
    /// # Errors
    /// In words.
    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String>;
    /// What the assembler makes of texts.
    ///
    /// # Errors
    /// It does not take them, in words.
    fn assembled(&self, texts: &[Vec<u8>], purpose: Purpose) -> Result<(Self::Made, Code), String>;
    /// Whether the assembler is asked for all entries of a module, not for some by their names.
    fn takes_other_entries(&self) -> bool {
        true
    }
}

/// The choice.
pub struct Choice<Made> {
    /// What was assembled last, if it is taken: not where nothing is changed.
    pub made: Option<Made>,
    /// What is taken back.
    pub back: Reversions,
    /// Kernels that stay rewritten with fewer warps, and why.
    pub accepted: Vec<(String, String)>,
    /// Why nothing is changed: the assembler takes the original only.
    pub rejected: Option<String>,
    /// Why what is taken was not compared with anything.
    pub unknown: Option<String>,
}

impl<Made> Choice<Made> {
    /// With nothing taken back.
    pub(super) fn of(made: Option<Made>) -> Self {
        Choice {
            made,
            back: Reversions::default(),
            accepted: Vec::new(),
            rejected: None,
            unknown: None,
        }
    }
}
