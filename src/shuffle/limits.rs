//! How much may be spent on one kernel. All of it is counted, not timed or measured: what becomes of a kernel is the same on
//! every machine. What the counts bound is its memory, too: everything that grows does so with them.

use super::refusal::{ConditionName, Refusal};

/// Instructions of the largest kernel that is looked at; each takes about two kilobytes from start to end.
pub const MAX_INSTRUCTIONS: usize = 2_000_000;
/// Terms that a kernel may be made of; each takes about 400 bytes where addresses are made of all of them.
pub const MAX_TERMS: usize = 8_000_000;
/// Pairs of loads of one kernel that the solver is asked about.
pub const MAX_QUERIES: u32 = 32;

/// Limits of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct KernelLimits {
    /// Instructions, once lowered: a kernel with more is left alone.
    pub instructions: usize,
    /// Terms: a kernel whose own values need more is left alone; where proofs run out of them, the loads that are left stay.
    pub terms: usize,
    /// Pairs of loads that the solver is asked about: the others stay.
    pub queries: u32,
}

impl Default for KernelLimits {
    fn default() -> Self {
        KernelLimits {
            instructions: MAX_INSTRUCTIONS,
            terms: MAX_TERMS,
            queries: MAX_QUERIES,
        }
    }
}

impl KernelLimits {
    /// Why a kernel of so many instructions is left alone, if it is.
    pub fn refuse_size(&self, instructions: usize) -> Option<Refusal> {
        (instructions > self.instructions).then(|| {
            let reason = format!(
                "the kernel has more than {} instructions",
                self.instructions
            );
            Refusal::new(ConditionName::Limit, reason).lift("`--max-instructions`")
        })
    }

    /// Why no more terms are made.
    pub fn refuse_terms(&self) -> Refusal {
        let reason = format!(
            "what addresses are made of takes more than {} terms",
            self.terms
        );
        Refusal::new(ConditionName::Limit, reason).lift("`--max-terms`")
    }
}
