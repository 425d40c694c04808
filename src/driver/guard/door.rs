//! The interface between the arbiter and an entry point of the program, which rewrites modules and runs an assembler.

use super::lab::Code;
use super::registers::Independent;
use crate::pipeline::ssa::Reversions;
use ptxasw_passes::memory::Loads;
use rustc_hash::FxHashMap;

/// Modules after the passes.
#[derive(Clone, Default)]
pub struct Rewritten {
    /// Their texts; empty if a module is not changed.
    pub texts: Vec<Vec<u8>>,
    /// The changed functions, each with whether it is a kernel.
    pub changed: Vec<(String, bool)>,
    /// Those whose arithmetic passes changed, each with whether it is a kernel.
    pub arithmetic: Vec<(String, bool)>,
    /// Kernels of which it was shown that no block waits for another.
    pub independent: Independent,
    /// Functions that the memory pass changed, each with the lowest level that is expected to come to the same.
    pub least: FxHashMap<String, Loads>,
}

impl Rewritten {
    /// The same modules with nothing changed.
    pub(super) fn unchanged(&self) -> Self {
        Rewritten {
            texts: vec![Vec::new(); self.texts.len()],
            ..Rewritten::default()
        }
    }
}

/// What a rewritten module is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It may become the output.
    Output,
    /// Its machine code is compared, and discarded.
    Compared,
    /// The same, without the fallback of run-time tests.
    TestsHold,
}

/// An entry point of the program: `opt` and the plugin, the drop-in, `ptxasw clang`.
pub trait Door {
    /// The output of the assembler in the form that the entry point needs.
    type Made;
    /// The number of the target.
    fn target(&self) -> u32;
    /// The level of the memory pass with which a function was rewritten first.
    fn loads(&self, function: &str) -> Loads;
    /// The input modules.
    ///
    /// # Errors
    /// A message.
    fn original(&self) -> Result<Vec<Vec<u8>>, String>;
    /// The modules after the passes, with some changes reverted.
    ///
    /// # Errors
    /// A message.
    fn rewritten(&mut self, back: &Reversions, purpose: Purpose) -> Result<Rewritten, String>;
    /// Assembles texts.
    ///
    /// # Errors
    /// The message of the assembler.
    fn assembled(&self, texts: &[Vec<u8>], purpose: Purpose) -> Result<(Self::Made, Code), String>;
    /// Assembles the modules as they came. Their output is given where it may become that of the build.
    ///
    /// # Errors
    /// The message of the assembler.
    fn as_they_came(&self) -> Result<(Option<Self::Made>, Code), String> {
        let (_, code) = self.assembled(&self.original()?, Purpose::Compared)?;
        Ok((None, code))
    }
    /// Whether the arguments of the assembler select no entries by name.
    fn takes_other_entries(&self) -> bool {
        true
    }
}

/// The candidates that were chosen.
pub struct Choice<Made> {
    /// The output of the assembler; none if no function stays changed.
    pub made: Option<Made>,
    /// What is reverted.
    pub back: Reversions,
    /// Kernels that stay rewritten with fewer warps, and why.
    pub accepted: Vec<(String, String)>,
    /// The error of the assembler, if it accepts the original alone.
    pub rejected: Option<String>,
    /// Why the result could not be compared with the original.
    pub unknown: Option<String>,
}

impl<Made> Choice<Made> {
    /// With nothing reverted.
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
