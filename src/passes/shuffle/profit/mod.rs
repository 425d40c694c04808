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

pub(super) use bound::declined;

pub use super::model::options::Profit;

use super::plan::{Declined, Plan};
use super::refusal::{Refusal, limit, profit};

use super::model::options::Options;
use super::model::verdict::{LoadReport, Outcome};
use crate::rules::rules;
use ptxasw_ir::function::Function;
use ptxasw_ir::opcode::Opcode;

/// What of a kernel is emitted.
#[derive(Clone, Debug)]
pub enum Rule {
    /// What the synthesis makes of the kernel: all that is proved, or what keeps within the bound.
    Synthesis,
    /// All that is proved, if it has so many shuffles, else only values of the thread's own.
    AtLeast(usize),
    /// Only values of the thread's own, and why.
    Own(Refusal),
}

impl Rule {
    /// The rule for a kernel. `target` is the number of the target that machine code is made for, if it is known.
    pub fn new(function: &Function, target: Option<u32>, options: &Options) -> Self {
        let rule = &rules().shuffles;
        let (first, last) = rule.targets;
        let mut insts = function.insts.iter();
        match (options.profit, target) {
            (Profit::Always, _) => Rule::Synthesis,
            _ if insts.any(|inst| matches!(inst.opcode, Opcode::Shuffle { .. })) => {
                Rule::Own(Refusal::new(&profit::SHUFFLES_ALREADY))
            }
            _ if options.wrapping.is_some() => Rule::Synthesis,
            (_, Some(sm)) if (first..=last).contains(&sm) => Rule::AtLeast(rule.covered),
            (_, Some(sm)) => Rule::Own(Refusal::new(&profit::TARGET).with(format!("sm_{sm}"))),
            (_, None) => Rule::Own(Refusal::new(&profit::UNKNOWN_TARGET)),
        }
    }

    /// Why all that is proved of a kernel is declined, if it is.
    pub fn declines(&self, plan: &Plan) -> Option<Refusal> {
        let shuffles = plan.shuffles.iter();
        let count = shuffles.filter(|one| !one.lanes.is_own()).count();
        match self {
            Rule::Synthesis => None,
            Rule::Own(refusal) => Some(refusal.clone()),
            Rule::AtLeast(least) => {
                (count < *least).then(|| Refusal::new(&profit::FEW).with(least.to_string()))
            }
        }
    }
}

/// The plan and the verdicts of a kernel of which all shuffles are declined: `own` has its values of the thread's own, `all` a
/// verdict for every load, as far as proofs go.
pub fn without_shuffles(
    (mut plan, own): (Plan, Vec<LoadReport>),
    all: Vec<LoadReport>,
    declined: &Refusal,
) -> (Plan, Vec<LoadReport>) {
    let loads = own.into_iter().zip(all).map(|(own, all)| {
        let outcome = match (own.outcome, all.outcome) {
            (covered @ Outcome::Covered(_), _) => covered,
            (Outcome::Kept(why), _) if why.reason.code == limit::REWRITINGS.code => {
                Outcome::Kept(why)
            }
            (_, Outcome::Covered(_)) => {
                plan.declined.push(Declined {
                    statement: all.origin,
                    reason: declined.text().into_owned(),
                });
                Outcome::Kept(declined.clone().into())
            }
            (_, kept) => kept,
        };
        LoadReport { outcome, ..own }
    });
    let loads = loads.collect();
    (plan, loads)
}
