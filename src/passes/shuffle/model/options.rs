//! What the user chose: which loads are covered, by which scheme, and what may be spent on it.

use super::limits::KernelLimits;
use crate::shuffle::lower::Variant;
use crate::shuffle::plan::Wrapping;
use ptxasw_base::named::named;
use ptxasw_emulator::domains::alias::Assumptions;
use ptxasw_emulator::solver::{QUERY_GATES, QUICK_GATES};

/// Largest distance of a shuffle.
pub const MAX_DELTA: u8 = 31;

/// Options of the shuffles that do not depend on the kernel.
#[derive(Clone, Debug, Hash)]
pub struct Options {
    /// Largest distance |N| between two lanes, in lanes; at most 31.
    pub max_delta: u8,
    /// Most shuffles of a kernel; further loads stay.
    pub max_shuffles: u32,
    /// The scheme; by CONTRACT.md, "Choice of the scheme", if none.
    pub wrapping: Option<Wrapping>,
    /// Which of the proved shuffles are emitted: by default all, with [`Profit::Auto`], the command's default, those that keep
    /// within the bound. What the target allows is asked before ([`Rule`](crate::shuffle::profit::Rule)).
    pub profit: Profit,
    /// 32-bit indices are taken not to wrap, as the paper does.
    pub assume_no_wrap: bool,
    /// What different pointer parameters point to is taken not to overlap.
    pub assume_no_alias: bool,
    /// Loads of shared memory are covered, too.
    pub shared: bool,
    /// The plan carries the SMT-LIB text of each proof.
    pub certificates: bool,
    /// Normal output, or one of the paper's measuring variants.
    pub variant: Variant,
    /// Only the text is wanted: where the target is given no shuffles, nothing is proved that is only reported.
    pub only_text: bool,
    /// What may be spent on a kernel.
    pub limits: KernelLimits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_delta: MAX_DELTA,
            max_shuffles: u32::MAX,
            wrapping: None,
            profit: Profit::Always,
            assume_no_wrap: false,
            assume_no_alias: false,
            shared: false,
            certificates: false,
            variant: Variant::Normal,
            only_text: false,
            limits: KernelLimits::default(),
        }
    }
}

impl Options {
    /// The largest distance that is looked for: never above what a warp has.
    pub(in crate::shuffle) fn largest_distance(&self) -> i8 {
        self.max_delta.min(MAX_DELTA) as i8
    }

    /// What is taken for granted of memory.
    pub fn assumptions(&self) -> Assumptions {
        Assumptions {
            no_alias: self.assume_no_alias,
        }
    }
}

/// Which of the proved shuffles are emitted.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub enum Profit {
    /// All that are proved, whether or not they are known to pay.
    #[default]
    Always,
    /// Those that are known to pay on the target: none on sm_70 and later, where most kernels lose by them, and below sm_60; on
    /// sm_60 to sm_62 all, in kernels with at least four. Of a scheme that is asked for by name those that add at most a quarter
    /// to the hot path, on every target: see [`profit`](crate::shuffle::profit).
    Auto,
}

named!(Profit {
    "auto" = Profit::Auto, "Those that are known to pay on the target";
    "always" = Profit::Always, "All that are proved, on every target";
});

impl Profit {
    /// Gates of the largest question that the solver is asked, unless the user says otherwise: who wants all that can be proved
    /// waits for it.
    pub fn query_gates(self) -> u64 {
        match self {
            Profit::Always => QUERY_GATES,
            Profit::Auto => QUICK_GATES,
        }
    }
}
