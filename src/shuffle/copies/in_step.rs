//! Terms as they are inside a copy, where all lanes are in the same iteration of its loops.
//!
//! Each symbol that varies only because lanes leave loops in different iterations is replaced by one that does not vary,
//! in the addresses, facts and values of the part's own blocks. In one thread both stand for the same number.

use super::find::leaves_one_by_one;
use super::{Part, Parts};
use crate::emulator::Emulation;
use crate::emulator::term::{Symbol, TermId, Variance};
use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Function, ValueDef};
use crate::ir::loops::LoopId;
use crate::mutation::{Mutation, active};
use crate::shuffle::candidate::Candidates;
use crate::shuffle::eligible::Data;
use crate::shuffle::proposal;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is needed to look at a kernel in step.
pub(in crate::shuffle) struct View<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub parts: &'a Parts,
}

/// The loops of parts that whole warps stay in only as long as all lanes do.
pub(in crate::shuffle) type Voted = FxHashSet<LoopId>;

impl View<'_> {
    /// Rewrites the emulation, and tells the loops that the copies must vote on. `loads` are the numbers of the loads'
    /// events, `kinds` what [`Candidates`] tells loads apart by.
    pub fn apply(
        &self,
        emulation: &mut Emulation,
        loads: &[u32],
        kinds: &[u64],
        max_delta: i8,
    ) -> Voted {
        let all: Voted = self
            .analyses
            .loops
            .ids()
            .filter(|&id| self.part_of_loop(id).is_some() && leaves_one_by_one(self.analyses, id))
            .collect();
        if all.is_empty() {
            return all;
        }
        let voted = self.useful(emulation, &all, loads, kinds, max_delta);
        let maps = self.maps(emulation, &voted);
        for (number, map) in (0..).zip(maps) {
            if !map.is_empty() {
                self.rewrite(emulation, number, map);
            }
        }
        voted
    }

    /// The part that holds a loop.
    fn part_of_loop(&self, id: LoopId) -> Option<u32> {
        let header = self.analyses.loops.get(id).header;
        let number = self.parts.of(header)?;
        self.parts.get(number).refusal.is_none().then_some(number)
    }

    /// Those loops that hold a load which another load could give its value if all lanes were in step.
    fn useful(
        &self,
        emulation: &mut Emulation,
        all: &Voted,
        loads: &[u32],
        kinds: &[u64],
        max_delta: i8,
    ) -> Voted {
        let mut maps = self.maps(emulation, all);
        let zero = emulation.terms.constant(64, 0);
        let mut addresses = Vec::with_capacity(loads.len());
        for &load in loads {
            let event = &emulation.trace.events[load as usize];
            let address = event.address.unwrap_or(zero);
            addresses.push(match self.parts.of(event.block) {
                Some(part) => emulation
                    .terms
                    .replace_also(address, &mut maps[part as usize]),
                None => address,
            });
        }
        let events = &emulation.trace.events;
        let data: Vec<Data> = loads
            .iter()
            .map(|&load| Data::whole(&events[load as usize]))
            .collect();
        let bytes: Vec<u32> = loads
            .iter()
            .map(|&load| events[load as usize].bytes)
            .collect();
        let sizes = data.iter().map(|data| data.element);
        let mut candidates = Candidates::new(
            &emulation.terms,
            &addresses,
            kinds,
            &bytes,
            sizes,
            max_delta,
        );
        let mut useful = Voted::default();
        for ((number, &load), data) in (0..).zip(loads).zip(&data) {
            if events[load as usize].carried.is_some() {
                candidates.admit(number, data.given);
                continue;
            }
            let found = proposal::of(number, data, &candidates).unwrap_or_default();
            if found.iter().any(|proposal| !proposal.lanes.is_own()) {
                let block = emulation.trace.events[load as usize].block;
                useful.extend(
                    self.analyses
                        .loops
                        .around(block)
                        .filter(|id| all.contains(id)),
                );
            }
            candidates.admit(number, data.given);
        }
        useful
    }

    /// For each part the symbols that do not vary in it.
    fn maps(&self, emulation: &mut Emulation, voted: &Voted) -> Vec<FxHashMap<TermId, TermId>> {
        let mut maps = vec![FxHashMap::default(); self.parts.parts.len()];
        let mut symbols: Vec<(TermId, Variance)> = emulation
            .in_step
            .iter()
            .map(|(&symbol, &variance)| (symbol, variance))
            .collect();
        symbols.sort_unstable_by_key(|&(symbol, _)| symbol);
        for (symbol, variance) in symbols {
            let Some(&home) = emulation.homes.get(&symbol) else {
                continue;
            };
            let Some(number) = self.parts.of(home) else {
                continue;
            };
            let in_step = |id: LoopId| {
                voted.contains(&id)
                    || !leaves_one_by_one(self.analyses, id)
                    || active(Mutation::IterationsAssumedEqual)
            };
            if !self.analyses.loops.around(home).all(in_step) {
                continue;
            }
            let name = format!("{}.together", emulation.terms.display(symbol));
            let width = emulation.terms.width(symbol);
            let together = emulation.terms.symbol(Symbol::new(name, width, variance));
            emulation.homes.insert(together, home);
            maps[number as usize].insert(symbol, together);
        }
        maps
    }

    /// Replaces the symbols in what the blocks of a part say.
    fn rewrite(&self, emulation: &mut Emulation, number: u32, mut done: FxHashMap<TermId, TermId>) {
        let part: &Part = self.parts.get(number);
        let inside = |block: BlockId| self.parts.of(block) == Some(number);
        let terms = &mut emulation.terms;
        for event in &mut emulation.trace.events {
            if inside(event.block) {
                event.address = event
                    .address
                    .map(|address| terms.replace_also(address, &mut done));
            }
        }
        emulation.conditions.view(number, &part.blocks, |term| {
            terms.replace_also(term, &mut done)
        });
        for branch in &mut emulation.pruned {
            if inside(branch.block) {
                branch.condition = terms.replace_also(branch.condition, &mut done);
            }
        }
        for fact in &mut emulation.header_facts {
            if inside(fact.header) {
                fact.fact = terms.replace_also(fact.fact, &mut done);
            }
            for edge in fact.edges.iter_mut().filter(|edge| inside(edge.from)) {
                edge.claim = terms.replace_also(edge.claim, &mut done);
                edge.condition = edge
                    .condition
                    .map(|condition| terms.replace_also(condition, &mut done));
            }
        }
        for (value, data) in emulation.values.iter_mut().zip(&self.function.values) {
            let home = match data.def {
                ValueDef::Result(inst, _) => self.function.inst(inst).block,
                ValueDef::Parameter(block, _) => block,
                _ => continue,
            };
            if inside(home) {
                *value = value.map(|term| terms.replace_also(term, &mut done));
            }
        }
    }
}
