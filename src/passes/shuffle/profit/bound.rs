//! The bound for a wrapping that is asked for by name: what is emitted adds at most a quarter to the machine instructions on
//! the hot path of a kernel, and on that of one iteration of each innermost loop with a shuffle; a region's set-up is not made
//! for a few shuffles that run once. Where no shuffle of a region keeps within the bound, those of one direction alone may.

use super::budget::{Budget, Charge};
use super::estimate::Estimate;
use super::price::{self, Prices, Use};
use super::repeated::repeated;
use crate::rules::rules;
use crate::shuffle::plan::Plan;
use crate::shuffle::refusal::{Refusal, profit};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashSet;

/// The shuffles of a plan that exceed the bound, by their numbers, in order, each with the reason.
pub fn declined(
    function: &Function,
    analyses: &Analyses,
    (terms, values): (&Terms, &[Option<TermId>]),
    text: &dyn Text,
    plan: &Plan,
) -> Vec<(usize, Refusal)> {
    let prices = Prices::new(function, analyses, text.copied_access(), plan);
    let all = prices.regions.iter().flat_map(|region| &region.uses);
    let covered = all.map(|one| one.block);
    let repeated = repeated(function, analyses, terms, values);
    let share = text.machine_share();
    let mut choice = Choice {
        budget: Budget::new(Estimate::new(function, analyses, share, &repeated, covered)),
        prices: &prices,
        declined: Vec::new(),
    };
    let mut regions: Vec<&price::Region> = prices.regions.iter().collect();
    // The set-up that serves most comes first.
    regions.sort_by_key(|region| std::cmp::Reverse(region.uses.len()));
    for region in regions {
        choice.region(region);
    }
    choice
        .declined
        .sort_unstable_by_key(|(shuffle, _)| *shuffle);
    choice.declined
}

/// The shuffles of a region that are tried together: other lane maps than shifts go with either direction.
#[derive(Clone, Copy)]
enum Directions {
    Both,
    Down,
    Up,
}

impl Directions {
    fn has(self, one: &Use) -> bool {
        match self {
            Directions::Both => true,
            Directions::Down => one.steps >= 0,
            Directions::Up => one.steps <= 0,
        }
    }
}

/// What would become of shuffles of a region, by their numbers, and at which charges.
#[derive(Default)]
struct Attempt {
    emitted: usize,
    declined: Vec<(usize, Refusal)>,
    charges: Vec<Charge>,
    /// Sources that are prepared.
    sources: Vec<u32>,
}

struct Choice<'a> {
    budget: Budget<'a>,
    prices: &'a Prices,
    declined: Vec<(usize, Refusal)>,
}

impl Choice<'_> {
    /// Emits those of both directions; if there are none, those of the one of which there are more: its set-up is cheaper.
    fn region(&mut self, region: &price::Region) {
        let both = self.attempt(region, region.set_up, Directions::Both);
        let directions = [(Directions::Down, region.down), (Directions::Up, region.up)];
        let mut best: Option<(Directions, Attempt)> = None;
        for (directions, set_up) in directions.into_iter().filter(|_| both.emitted == 0) {
            let Some(set_up) = set_up else { continue };
            let attempt = self.attempt(region, set_up, directions);
            if attempt.emitted > best.as_ref().map_or(0, |(_, best)| best.emitted) {
                best = Some((directions, attempt));
            }
        }
        let chosen = match best {
            None => both,
            Some((directions, mut one)) => {
                // What the other direction would cost is what both would.
                let others = region.uses.iter().filter(|other| !directions.has(other));
                let others: FxHashSet<usize> = others.map(|other| other.shuffle).collect();
                let declined = both.declined.into_iter();
                let declined = declined.filter(|(shuffle, _)| others.contains(shuffle));
                one.declined.extend(declined);
                one
            }
        };
        self.budget.add(&chosen.charges, &chosen.sources);
        self.declined.extend(chosen.declined);
    }

    /// What keeps within the bound, the cheapest first, then the shortest distances, then in the order of the text. Nothing is
    /// spent.
    fn attempt(&mut self, region: &price::Region, set_up: u32, directions: Directions) -> Attempt {
        let mut uses: Vec<&Use> = region
            .uses
            .iter()
            .filter(|one| directions.has(one))
            .collect();
        uses.sort_by_key(|one| (one.cost, one.distance, one.shuffle));
        let mut attempt = Attempt {
            charges: vec![(region.frame, set_up)],
            ..Attempt::default()
        };
        attempt.charges.extend(&region.votes);
        if !self.budget.spend(&attempt.charges, &[]) {
            let refusal = self
                .budget
                .too_much("the set-up of its region", &attempt.charges);
            let declined = uses.iter().map(|one| (one.shuffle, refusal.clone()));
            return Attempt {
                declined: declined.collect(),
                ..Attempt::default()
            };
        }
        let mut emitted = Vec::new();
        for &one in &uses {
            let (charges, sources) = self.charges(one);
            if self.budget.spend(&charges, &sources) {
                attempt.charges.extend(charges);
                attempt.sources.extend(sources);
                emitted.push(one);
            } else {
                let refusal = self.budget.too_much("it", &charges);
                attempt.declined.push((one.shuffle, refusal));
            }
        }
        self.budget.give_back(&attempt.charges, &attempt.sources);
        attempt.emitted = emitted.len();
        match few(&emitted, set_up) {
            None => attempt,
            Some(refusal) => {
                let declined = emitted.iter().map(|one| (one.shuffle, refusal.clone()));
                attempt.declined.extend(declined);
                Attempt {
                    declined: attempt.declined,
                    ..Attempt::default()
                }
            }
        }
    }

    /// What a shuffle adds, and the sources that are prepared for it.
    fn charges(&self, one: &Use) -> (Vec<Charge>, Vec<u32>) {
        let mut charges = vec![(one.frame, one.cost)];
        let mut sources = Vec::new();
        for &source in &one.sources {
            let fresh = !self.budget.is_prepared(source) && !sources.contains(&source);
            if let Some(price) = self.prices.sources.get(source as usize).filter(|_| fresh) {
                charges.push((price.frame, price.cost));
                sources.push(source);
            }
        }
        (charges, sources)
    }
}

/// Why so few shuffles are not worth a set-up that runs as often as they do.
fn few(emitted: &[&Use], set_up: u32) -> Option<Refusal> {
    let few = emitted.len() < rules().named_scheme.set_up
        && emitted.iter().all(|one| one.frame.is_none());
    let shuffles = match emitted.len() {
        1 => "one shuffle".to_string(),
        count => format!("{count} shuffles"),
    };
    (few && set_up > 0).then(|| {
        Refusal::new(&profit::SET_UP).with(format!(
            "{set_up} instructions of set-up would serve {shuffles}"
        ))
    })
}
