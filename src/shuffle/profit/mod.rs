//! Which of the proved shuffles are emitted: `--profit auto`.
//!
//! Since Volta a misaligned load that hits L1 occupies the load/store unit for two cycles, a shuffle for one, and the load of
//! the corner lanes, which every warp has, for one: nothing is gained, and a simulator and published measurements show that
//! most kernels lose. Pascal needs three cycles for the misaligned load. So the default depends on the target:
//!
//! | target | shuffles by default |
//! | --- | --- |
//! | sm_70 and later | none |
//! | sm_60 to sm_62 | all, in a kernel with at least four of them |
//! | sm_50 to sm_53 | none: of twelve published kernels four lose 6 to 15 % |
//! | below, or unknown | none: no measurement shows what they gain with a member mask |
//!
//! A value that the thread itself has loaded before is taken on every target: a `mov` costs less than a load.
//!
//! A wrapping that is asked for by name is emitted on every target, within a bound on its cost:
//! - `estimate`: how many machine instructions the hot path has;
//! - `repeated`: what the code writes down more often than it is computed;
//! - `price`: how many a plan adds to it, and where;
//! - `budget`: what is added so far, and the bound;
//! - `bound`: which shuffles keep within it.
//!
//! A kernel that shuffles already gets no more: so that a second rewriting changes nothing, and since whoever wrote its
//! shuffles has thought about them.

mod bound;
mod budget;
mod estimate;
mod price;
mod repeated;

use super::place::Registers;
use super::plan::Plan;
use super::refusal::{ConditionName, Refusal};
use super::synthesis::Options;
use crate::emulator::term::{TermId, Terms};
use crate::ir::analyses::Analyses;
use crate::ir::function::Function;
use crate::ir::opcode::Opcode;
use crate::solver::{QUERY_GATES, QUICK_GATES};
use std::ops::RangeInclusive;

/// Targets on which shuffles pay from a number of covered loads on.
const PASCAL: RangeInclusive<u32> = 60..=62;
/// The number of covered loads of a kernel from which on they pay there.
const LEAST: usize = 4;

/// Which of the proved shuffles are emitted.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub enum Profit {
    /// All of them.
    #[default]
    Always,
    /// Those that are known to pay on the target: see [`crate::shuffle::profit`].
    Auto,
}

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

/// Which of the proved shuffles of a kernel are emitted.
#[derive(Clone, Debug)]
pub(super) enum Policy {
    /// All of them.
    All,
    /// Those that keep within the bound of [`bound`].
    Bounded,
    /// All, if there are at least so many.
    AtLeast(usize),
    /// None; the reason is the same for each.
    None(Refusal),
}

impl Policy {
    /// What the user's choice and the target come to.
    pub fn new(function: &Function, options: &Options) -> Self {
        let mut insts = function.insts.iter();
        let target = options.target;
        match options.profit {
            Profit::Always => Policy::All,
            Profit::Auto if insts.any(|inst| matches!(inst.opcode, Opcode::Shuffle { .. })) => {
                let reason = "the kernel shuffles already, and gets no more";
                Policy::None(decline(reason.to_string()))
            }
            Profit::Auto if options.wrapping.is_some() => Policy::Bounded,
            Profit::Auto if target.is_some_and(|sm| PASCAL.contains(&sm)) => Policy::AtLeast(LEAST),
            Profit::Auto => {
                let target = target.map_or("an unknown target".to_string(), |sm| format!("sm_{sm}"));
                Policy::None(decline(format!("shuffles are not known to pay on {target}")))
            }
        }
    }

    /// The shuffles of a plan that are not emitted, by their numbers, in order, each with the reason.
    pub fn declined(
        &self,
        function: &Function,
        analyses: &Analyses,
        (terms, values): (&Terms, &[Option<TermId>]),
        registers: &dyn Registers,
        plan: &Plan,
    ) -> Vec<(usize, Refusal)> {
        let shuffles = plan.shuffles.iter().enumerate();
        let shuffles = shuffles.filter(|(_, shuffle)| !shuffle.lanes.is_own());
        let all = |refusal: &Refusal| {
            let numbers = shuffles.clone().map(|(number, _)| number);
            numbers.map(|number| (number, refusal.clone())).collect()
        };
        match self {
            Policy::All => Vec::new(),
            Policy::Bounded => {
                bound::declined(function, analyses, (terms, values), registers, plan)
            }
            Policy::AtLeast(least) => match shuffles.clone().count() {
                count if count < *least => all(&decline(format!(
                    "the kernel has {count} such loads; on sm_60 to sm_62 shuffles pay from {least} on"
                ))),
                _ => Vec::new(),
            },
            Policy::None(refusal) => all(refusal),
        }
    }
}

fn decline(reason: String) -> Refusal {
    Refusal::new(ConditionName::Profit, reason).lift("`--profit always`")
}
