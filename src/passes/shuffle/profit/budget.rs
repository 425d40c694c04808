//! What is added so far, and whether more keeps within the bound.

use super::estimate::Estimate;
use crate::rules::rules;
use crate::shuffle::refusal::{Refusal, profit};
use ptxasw_ir::loops::LoopId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an instruction is executed: once, or in each iteration of a loop. What is in a loop counts once for the whole, too.
pub type Frame = Option<LoopId>;

/// Instructions that are added, and where.
pub type Charge = (Frame, u32);

/// The instructions that may be added to a kernel.
pub struct Budget<'a> {
    estimate: Estimate<'a>,
    /// Instructions that are added, by frame.
    spent: FxHashMap<Frame, u32>,
    /// Sources that are copied or checked for some shuffle that is emitted.
    prepared: FxHashSet<u32>,
}

impl<'a> Budget<'a> {
    pub fn new(estimate: Estimate<'a>) -> Self {
        Budget {
            estimate,
            spent: FxHashMap::default(),
            prepared: FxHashSet::default(),
        }
    }

    /// Whether a source is prepared already.
    pub fn is_prepared(&self, source: u32) -> bool {
        self.prepared.contains(&source)
    }

    /// Adds the charges, and the sources that are prepared by them, if all of them keep within the bound.
    pub fn spend(&mut self, charges: &[Charge], sources: &[u32]) -> bool {
        let fits = !sums(charges)
            .iter()
            .any(|&(frame, cost)| self.exceeds(frame, cost));
        if fits {
            self.add(charges, sources);
        }
        fits
    }

    /// Adds charges that are known to keep within the bound.
    pub fn add(&mut self, charges: &[Charge], sources: &[u32]) {
        for (frame, cost) in split(charges) {
            *self.spent.entry(frame).or_default() += cost;
        }
        self.prepared.extend(sources);
    }

    /// Undoes [`Budget::add`].
    pub fn give_back(&mut self, charges: &[Charge], sources: &[u32]) {
        for (frame, cost) in split(charges) {
            *self.spent.entry(frame).or_default() -= cost;
        }
        for source in sources {
            self.prepared.remove(source);
        }
    }

    /// Why charges do not fit: named by the first frame that has no room for them.
    pub fn too_much(&self, what: &str, charges: &[Charge]) -> Refusal {
        let sums = sums(charges);
        let full = sums
            .iter()
            .find(|&&(frame, cost)| self.exceeds(frame, cost));
        let (frame, cost) = full.copied().unwrap_or((None, 0));
        let place = match frame {
            Some(_) => "an iteration of its loop",
            None => "the hot path",
        };
        Refusal::new(&profit::BOUND).with(format!(
            "{what} would bring what is added to {} instructions, more than a quarter of the about {} of {place}",
            self.spent(frame) + cost,
            self.estimate.hot(frame)
        ))
    }

    fn spent(&self, frame: Frame) -> u32 {
        self.spent.get(&frame).copied().unwrap_or(0)
    }

    fn exceeds(&self, frame: Frame, cost: u32) -> bool {
        cost > 0
            && (self.spent(frame) + cost) * rules().named_scheme.growth > self.estimate.hot(frame)
    }
}

/// Charges as they are noted: those of loops for the whole, too.
fn split(charges: &[Charge]) -> impl Iterator<Item = Charge> {
    let whole = charges.iter().map(|&(_, cost)| (None, cost));
    let loops = charges.iter().filter(|(frame, _)| frame.is_some());
    whole.chain(loops.copied())
}

/// The sum of the charges of each frame, the whole first.
fn sums(charges: &[Charge]) -> Vec<Charge> {
    let mut sums: Vec<Charge> = vec![(None, 0)];
    for (frame, cost) in split(charges) {
        match sums.iter_mut().find(|(other, _)| *other == frame) {
            Some((_, sum)) => *sum += cost,
            None => sums.push((frame, cost)),
        }
    }
    sums
}
