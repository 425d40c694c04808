//! What a solver may spend.

/// What Z3 may spend on one check, in its own reproducible unit; about half a second where every unit counts.
pub const QUERY_RLIMIT: u32 = 2_000_000;

/// Gates of the circuit that one check may be about: two seconds of Z3's where it is the hardest sort of arithmetic.
pub const QUERY_GATES: u64 = 100_000;

/// [`QUERY_GATES`] where a build waits: the first question alone costs as much as assembling a small module.
pub const QUICK_GATES: u64 = 500;

/// Gates of all checks of one kernel.
pub const KERNEL_GATES: u64 = 400_000;

/// What may be spent in vain in any kernel is the limit of one check divided by this, some 20 ms.
const VAIN_PART: u64 = 16;

/// For each instruction that limit divided by this comes on top: about what assembling it costs.
const VAIN_INSTRUCTION_PART: u64 = 1 << 14;

/// For each instruction the gates of one check divided by this are added to those of all.
const GATES_PART: u64 = 256;

/// What a solver may spend on one kernel. All of it is counted, not timed: the verdicts are the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of the first check, in Z3's own unit.
    pub rlimit: u32,
    /// Gates of one check.
    pub gates: u64,
    /// Gates of all checks.
    pub kernel_gates: u64,
    /// Of all questions that end without a proof, in Z3's own unit: once it is spent, no more are asked. What proves something
    /// is not counted.
    pub vain: u64,
}

impl Limits {
    /// The usual ones, with so many gates of one check and as many times more of all.
    pub fn of_gates(gates: u64) -> Self {
        Limits {
            gates,
            kernel_gates: gates.saturating_mul(KERNEL_GATES / QUERY_GATES),
            ..Limits::default()
        }
    }

    /// Scales the limits for a kernel of so many instructions: one check is worth its limit in any kernel, and what is spent beyond
    /// that, or in vain, is in proportion to the kernel's size.
    pub fn of_kernel(self, instructions: usize) -> Self {
        let more = |limit: u64, part: u64| limit.saturating_mul(instructions as u64) / part;
        let rlimit = u64::from(self.rlimit);
        let gates = self.gates.saturating_add(more(self.gates, GATES_PART));
        Limits {
            kernel_gates: self.kernel_gates.min(gates),
            vain: match rlimit {
                0 => u64::MAX,
                _ => (rlimit / VAIN_PART).max(1) + more(rlimit, VAIN_INSTRUCTION_PART),
            },
            ..self
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            rlimit: QUERY_RLIMIT,
            gates: QUERY_GATES,
            kernel_gates: KERNEL_GATES,
            vain: u64::MAX,
        }
    }
}
