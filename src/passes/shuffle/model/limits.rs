//! How much may be spent on one kernel. All of it is counted, not timed or measured: what becomes of a kernel is the same on
//! every machine. What the counts bound is its memory, too: everything that grows does so with them.

use crate::shuffle::refusal::{Refusal, limit};

/// Instructions of the largest kernel that is looked at; each takes about two kilobytes from start to end.
pub const MAX_INSTRUCTIONS: usize = 2_000_000;
/// Terms that a kernel may be made of; each takes about 400 bytes where addresses are made of all of them.
pub const MAX_TERMS: usize = 8_000_000;
/// Pairs of loads of one kernel that the solver is asked about.
pub const MAX_QUERIES: u32 = 32;

/// Steps that the proofs of any kernel may take, see [`KernelLimits::steps`].
pub const LEAST_STEPS: u64 = 1 << 16;
/// Steps that they may take besides for each term of the kernel: one costs about a tenth of what assembling an
/// instruction does.
pub const STEPS_OF_TERM: u64 = 8;

/// Limits of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct KernelLimits {
    /// Instructions, once lowered: a kernel with more is left alone.
    pub instructions: usize,
    /// Terms: a kernel whose own values need more is left alone; where proofs run out of them, the loads that are left stay.
    pub terms: usize,
    /// Pairs of loads that the solver is asked about: the others stay.
    pub queries: u32,
    /// Steps of all proofs, of which each puts other operands into a term: an address is made of many where it is moved to
    /// another lane. Where they run out, the loads that are left stay. None for [`LEAST_STEPS`] and [`STEPS_OF_TERM`].
    pub steps: Option<u64>,
}

impl Default for KernelLimits {
    fn default() -> Self {
        KernelLimits {
            instructions: MAX_INSTRUCTIONS,
            terms: MAX_TERMS,
            queries: MAX_QUERIES,
            steps: None,
        }
    }
}

impl KernelLimits {
    /// Why a kernel of so many instructions is left alone, if it is.
    pub fn refuse_size(&self, instructions: usize) -> Option<Refusal> {
        (instructions > self.instructions)
            .then(|| Refusal::new(&limit::INSTRUCTIONS).with(self.instructions.to_string()))
    }

    /// Steps that the proofs of a kernel may take whose values are so many terms.
    pub fn steps_of(&self, terms: usize) -> u64 {
        let in_proportion =
            || LEAST_STEPS.saturating_add(STEPS_OF_TERM.saturating_mul(terms as u64));
        self.steps.unwrap_or_else(in_proportion)
    }

    /// Why no more is proved.
    pub fn refuse_steps(&self) -> Refusal {
        Refusal::new(&limit::STEPS)
    }

    /// Why no more terms are made.
    pub fn refuse_terms(&self) -> Refusal {
        Refusal::new(&limit::TERMS).with(self.terms.to_string())
    }
}
