//! Which of the proved shuffles are worth emitting: `--profit auto`.
//!
//! Since Volta a shuffle costs about as much as a load that hits L1, in slots and in latency, so that a rewritten kernel
//! may well be slower than its original, and only a measurement on the GPU tells (`ptxasw time`). This model promises no gain: it
//! bounds the cost. What is emitted adds at most a quarter to the machine instructions on the hot path of a kernel, and on
//! that of one iteration of each innermost loop with a shuffle; a region's set-up is not made for a few shuffles that run once.
//!
//! - `estimate`: how many machine instructions the hot path has;
//! - `price`: how many a plan adds to it, and where;
//! - here: which shuffles keep within the bound.
//!
//! A kernel that shuffles already gets no more: so that a second rewriting changes nothing, and since whoever wrote its
//! shuffles has thought about them.

mod estimate;
mod price;

use super::plan::Plan;
use super::refusal::{ConditionName, Refusal};
use crate::ir::analyses::Analyses;
use crate::ir::function::Function;
use crate::ir::loops::LoopId;
use crate::ir::opcode::Opcode;
use estimate::Estimate;
use price::{Prices, Use};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which of the proved shuffles are emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profit {
    /// All of them.
    #[default]
    Always,
    /// Those whose cost is bounded: see [`crate::shuffle::profit`].
    Auto,
}

/// A kernel may grow by one in so many of its instructions.
const BOUND: u32 = 4;
/// Shuffles that share a set-up, where each runs as often as it does.
const LEAST: usize = 4;

/// The shuffles of a plan that are not worth their cost, by their numbers, in order, each with the reason.
pub(super) fn declined(
    function: &Function,
    analyses: &Analyses,
    plan: &Plan,
) -> Vec<(usize, Refusal)> {
    let prices = Prices::new(function, analyses, plan);
    let all = || prices.regions.iter().flat_map(|region| &region.uses);
    let shuffles_already = function
        .insts
        .iter()
        .any(|inst| matches!(inst.opcode, Opcode::Shuffle { .. }));
    if shuffles_already {
        let reason = "the kernel shuffles already, and gets no more";
        let mut declined: Vec<(usize, Refusal)> = all()
            .map(|one| (one.shuffle, decline(reason.to_string())))
            .collect();
        declined.sort_unstable_by_key(|(shuffle, _)| *shuffle);
        return declined;
    }
    let covered = all().map(|one| one.block);
    let mut choice = Choice {
        estimate: Estimate::new(function, analyses, covered),
        spent: FxHashMap::default(),
        prepared: FxHashSet::default(),
        declined: Vec::new(),
    };
    let mut regions: Vec<&price::Region> = prices.regions.iter().collect();
    // The set-up that serves most comes first.
    regions.sort_by_key(|region| std::cmp::Reverse(region.uses.len()));
    for region in regions {
        choice.region(region, &prices);
    }
    choice
        .declined
        .sort_unstable_by_key(|(shuffle, _)| *shuffle);
    choice.declined
}

fn decline(reason: String) -> Refusal {
    Refusal::new(ConditionName::Profit, reason).lift("`--profit always`")
}

/// Where an instruction is executed: once, or in each iteration of a loop. What is in a loop counts once for the whole, too.
type Frame = Option<LoopId>;

struct Choice<'a> {
    estimate: Estimate<'a>,
    /// Instructions that are added, by frame.
    spent: FxHashMap<Frame, u32>,
    /// Sources that are copied or checked for some shuffle that is emitted.
    prepared: FxHashSet<u32>,
    declined: Vec<(usize, Refusal)>,
}

impl Choice<'_> {
    /// Emits what keeps within the bound, the cheapest first, then the shortest ways, then in the order of the text.
    fn region(&mut self, region: &price::Region, prices: &Prices) {
        let set_up = vec![(None, region.set_up)];
        let mut uses: Vec<&Use> = region.uses.iter().collect();
        uses.sort_by_key(|one| (one.cost, one.distance, one.shuffle));
        if !self.spend(&set_up) {
            for one in uses {
                self.declined.push((
                    one.shuffle,
                    self.too_much("the set-up of its region", &set_up),
                ));
            }
            return;
        }
        let mut emitted = Vec::new();
        let (mut charged, mut prepared) = (set_up, Vec::new());
        for &one in &uses {
            let (charges, sources) = self.charges(one, prices);
            if self.spend(&charges) {
                self.prepared.extend(&sources);
                prepared.extend(sources);
                charged.extend(charges);
                emitted.push(one);
            } else {
                self.declined
                    .push((one.shuffle, self.too_much("it", &charges)));
            }
        }
        let few = emitted.len() < LEAST && emitted.iter().all(|one| one.frame.is_none());
        if few && region.set_up > 0 {
            self.give_back(&charged, &prepared);
            let shuffles = match emitted.len() {
                1 => "one shuffle".to_string(),
                count => format!("{count} shuffles"),
            };
            let reason = format!(
                "{} instructions of set-up would serve {shuffles}",
                region.set_up
            );
            let declined = emitted
                .iter()
                .map(|one| (one.shuffle, decline(reason.clone())));
            self.declined.extend(declined);
        }
    }

    /// Undoes charges of a region.
    fn give_back(&mut self, charged: &[(Frame, u32)], prepared: &[u32]) {
        for (frame, cost) in sums(charged) {
            *self.spent.entry(frame).or_default() -= cost;
        }
        for source in prepared {
            self.prepared.remove(source);
        }
    }

    /// What a shuffle adds, and the sources that are prepared for it.
    fn charges(&self, one: &Use, prices: &Prices) -> (Vec<(Frame, u32)>, Vec<u32>) {
        let mut charges = vec![(one.frame, one.cost)];
        let mut sources = Vec::new();
        for &source in &one.sources {
            let fresh = !self.prepared.contains(&source) && !sources.contains(&source);
            if let Some(price) = prices.sources.get(source as usize).filter(|_| fresh) {
                charges.push((price.frame, price.cost));
                sources.push(source);
            }
        }
        (charges, sources)
    }

    /// Adds the charges if all of them keep within the bound.
    fn spend(&mut self, charges: &[(Frame, u32)]) -> bool {
        let sums = sums(charges);
        let fits = !sums.iter().any(|&(frame, cost)| self.exceeds(frame, cost));
        if fits {
            for (frame, cost) in sums {
                *self.spent.entry(frame).or_default() += cost;
            }
        }
        fits
    }

    /// Why charges do not fit: named by the first frame that has no room for them.
    fn too_much(&self, what: &str, charges: &[(Frame, u32)]) -> Refusal {
        let sums = sums(charges);
        let full = sums
            .iter()
            .find(|&&(frame, cost)| self.exceeds(frame, cost));
        let (frame, cost) = full.copied().unwrap_or((None, 0));
        let place = match frame {
            Some(_) => "an iteration of its loop",
            None => "the hot path",
        };
        let spent = self.spent.get(&frame).copied().unwrap_or(0);
        decline(format!(
            "{what} would bring what is added to {} instructions, more than a quarter of the about {} of {place}",
            spent + cost,
            self.estimate.hot(frame)
        ))
    }

    fn exceeds(&self, frame: Frame, cost: u32) -> bool {
        let spent = self.spent.get(&frame).copied().unwrap_or(0);
        cost > 0 && (spent + cost) * BOUND > self.estimate.hot(frame)
    }
}

/// The charges of each frame, those of loops in the whole, too.
fn sums(charges: &[(Frame, u32)]) -> Vec<(Frame, u32)> {
    let mut sums: Vec<(Frame, u32)> = vec![(None, charges.iter().map(|(_, cost)| cost).sum())];
    for &(frame, cost) in charges.iter().filter(|(frame, _)| frame.is_some()) {
        match sums.iter_mut().find(|(other, _)| *other == frame) {
            Some((_, sum)) => *sum += cost,
            None => sums.push((frame, cost)),
        }
    }
    sums
}
