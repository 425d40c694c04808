//! Terms as they are inside a copy, where all lanes are in the same iteration of its loops.
//!
//! Each symbol that varies only because lanes leave loops in different iterations is replaced by one that does not vary, in the
//! addresses, facts and values of the part's own blocks. In one thread both stand for the same number. The symbol of a join is
//! replaced, too, where all lanes that are still in the copy took the same path to the join: each branch on a path to the join
//! is uniform or voted, and the loops on it are left in lockstep.

use super::find::leaves_one_by_one;
use super::part::DivergentRegions;
use crate::shuffle::detect::candidate::Candidates;
use crate::shuffle::detect::proposal;
use crate::shuffle::model::data::Data;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{Symbol, TermId, Terms, Variance};
use ptxasw_emulator::{Emulation, JoinPaths};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, ValueDef};
use ptxasw_ir::loops::LoopId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is needed to look at a kernel in lockstep.
pub(in crate::shuffle) struct View<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub parts: &'a DivergentRegions,
}

/// What whole warps stay in a copy for only as long as all lanes do the same.
#[derive(Default)]
pub(in crate::shuffle) struct Voted {
    /// Loops of parts: all lanes go on to the next iteration.
    pub loops: FxHashSet<LoopId>,
    /// Joins, and the blocks in front of them: all lanes take the same path.
    pub joins: BTreeMap<BlockId, Vec<BlockId>>,
}

/// Where all lanes are in the same iteration of a loop, and of the loops around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Wherever they are together.
    Everywhere,
    /// In the copy of one part only.
    InCopy(u32),
    /// Not known to be anywhere.
    Nowhere,
}

/// A symbol that varies only because lanes leave loops one by one.
struct InLoop {
    /// The part that it is of.
    part: u32,
    /// The innermost loop around its definition that lanes leave one by one: in that loop lanes are in lockstep in all loops around
    /// the definition.
    around: Option<LoopId>,
    /// The symbol that replaces it where lanes are in lockstep.
    together: TermId,
}

impl Around {
    fn and(self, other: Around) -> Around {
        match (self, other) {
            (Around::Everywhere, one) | (one, Around::Everywhere) => one,
            _ if self == other => self,
            _ => Around::Nowhere,
        }
    }

    fn in_copy(self, number: u32) -> bool {
        matches!(self, Around::Everywhere) || self == Around::InCopy(number)
    }
}

impl View<'_> {
    /// Rewrites the emulation, and returns the loops that the copies must vote on. `loads` are the numbers of the loads'
    /// events, `kinds` the kinds by which [`Candidates`] distinguishes loads.
    pub fn apply(
        &self,
        emulation: &mut Emulation,
        loads: &[u32],
        kinds: &[u64],
        max_delta: i8,
    ) -> Voted {
        let loops = self.analyses.loops.ids();
        let join_paths = emulation.join_paths.values();
        let all = Voted {
            loops: loops
                .filter(|&id| {
                    self.part_of_loop(id).is_some() && leaves_one_by_one(self.analyses, id)
                })
                .collect(),
            joins: join_paths
                .map(|join_paths| (join_paths.join, join_paths.from.clone()))
                .collect(),
        };
        if all.loops.is_empty() && all.joins.is_empty() {
            return all;
        }
        emulation.altered = true;
        if self.parts.parts.iter().any(|part| part.kind.tracks()) {
            self.apply_by_loop(emulation);
            return Voted::default();
        }
        let voted = self.useful(emulation, &all, loads, kinds, max_delta);
        let maps = self.maps(emulation, &voted);
        let recorded = Recorded::new(self.function, emulation);
        for (number, map) in (0..).zip(maps) {
            if !map.is_empty() {
                let blocks = &self.parts.get(number).blocks;
                rewrite(&recorded, emulation, number, blocks, |symbol| {
                    map.get(&symbol).copied()
                });
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

    /// Those loops that hold a load which another load could give its value if all lanes were in lockstep.
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
        let mut seen = FxHashSet::default();
        for ((number, &load), data) in (0..).zip(loads).zip(&data) {
            if events[load as usize].carried.is_some() {
                candidates.admit(number, data.given);
                continue;
            }
            let found = proposal::of(number, data, &candidates).unwrap_or_default();
            if found.iter().any(|proposal| !proposal.lanes.is_own()) {
                let block = emulation.trace.events[load as usize].block;
                let around = self.analyses.loops.around(block);
                useful
                    .loops
                    .extend(around.filter(|id| all.loops.contains(id)));
                let address = emulation.trace.events[load as usize].address;
                self.note_joins(
                    emulation,
                    address.unwrap_or(zero),
                    all,
                    &mut seen,
                    &mut useful,
                );
            }
            candidates.admit(number, data.given);
        }
        useful
    }

    /// Notes the joins that an address depends on, and the loops on the paths to them. `seen`: parts of addresses before it.
    fn note_joins(
        &self,
        emulation: &Emulation,
        address: TermId,
        all: &Voted,
        seen: &mut FxHashSet<TermId>,
        useful: &mut Voted,
    ) {
        if emulation.join_paths.is_empty() {
            return;
        }
        let terms = &emulation.terms;
        for part in terms.reachable_where(&[address], |t| !seen.contains(&t)) {
            seen.insert(part);
            if let Some(join_paths) = emulation.join_paths.get(&part) {
                useful
                    .joins
                    .insert(join_paths.join, join_paths.from.clone());
                let here = self.parts.of(join_paths.join);
                let voted = |id: &LoopId| {
                    all.loops.contains(id)
                        && (self.part_of_loop(*id) == here || active(Mutation::OtherPartsInStep))
                };
                useful
                    .loops
                    .extend(join_paths.loops.iter().copied().filter(voted));
            }
        }
    }

    /// Whether all lanes of a copy took the same path to a join.
    fn together_at(&self, join_paths: &JoinPaths, number: u32, voted: &Voted) -> bool {
        let part = self.parts.get(number);
        let inside = |block: &BlockId| {
            self.parts.of(*block) == Some(number) || part.with_branch && part.above == *block
        };
        voted.joins.contains_key(&join_paths.join)
            && join_paths.from.iter().all(inside)
            && join_paths
                .loops
                .iter()
                .all(|&id| self.is_lockstep(id, number, voted))
    }

    /// Whether all lanes of a copy leave a loop in the same iteration. What another copy votes on shows nothing: its lanes
    /// may have left it one by one.
    fn is_lockstep(&self, id: LoopId, number: u32, voted: &Voted) -> bool {
        let own = self.part_of_loop(id) == Some(number) || active(Mutation::OtherPartsInStep);
        own && voted.loops.contains(&id) || !leaves_one_by_one(self.analyses, id)
    }

    /// For each loop where lanes are in lockstep in it and in all loops around it, as [`View::is_lockstep`] decides for one loop.
    fn around(&self, voted: &Voted) -> Vec<Around> {
        let loops = &self.analyses.loops;
        let mut around: Vec<Around> = Vec::with_capacity(loops.loops.len());
        // Outer loops come first.
        for id in loops.ids() {
            let outer = loops.get(id).parent;
            let outer = outer.map_or(Around::Everywhere, |id| around[id.0 as usize]);
            let own = match self.part_of_loop(id) {
                _ if active(Mutation::IterationsAssumedEqual) => Around::Everywhere,
                _ if !leaves_one_by_one(self.analyses, id) => Around::Everywhere,
                _ if !voted.loops.contains(&id) => Around::Nowhere,
                _ if active(Mutation::OtherPartsInStep) => Around::Everywhere,
                Some(number) => Around::InCopy(number),
                None => Around::Nowhere,
            };
            around.push(own.and(outer));
        }
        around
    }

    /// Where masks are tracked, lanes are together in the loops around a block only: each loop of a part has a view of its
    /// own, of the symbols of that loop and of those around it.
    fn apply_by_loop(&self, emulation: &mut Emulation) {
        let mut groups: BTreeMap<(u32, Option<u32>), Vec<BlockId>> = BTreeMap::new();
        for block in self.function.block_ids() {
            if let Some(part) = self.parts.of(block) {
                let inner = self.analyses.loops.innermost(block).map(|id| id.0);
                groups.entry((part, inner)).or_default().push(block);
            }
        }
        let symbols = self.in_loops(emulation);
        let recorded = Recorded::new(self.function, emulation);
        for (number, ((part, _), blocks)) in (0..).zip(groups) {
            let Some(&block) = blocks.first() else {
                continue;
            };
            let inside = |id: LoopId| self.analyses.loops.contains(id, block);
            let lockstep = |symbol: TermId| {
                let found = symbols.get(&symbol)?;
                let here = found.part == part && found.around.is_none_or(inside);
                here.then_some(found.together)
            };
            rewrite(&recorded, emulation, number, &blocks, lockstep);
        }
    }

    /// What varies only because lanes leave loops of its part one by one.
    fn in_loops(&self, emulation: &mut Emulation) -> FxHashMap<TermId, InLoop> {
        // The innermost loop around each that is left one by one. Outer loops come first.
        let mut leaving: Vec<Option<LoopId>> = Vec::with_capacity(self.analyses.loops.loops.len());
        for id in self.analyses.loops.ids() {
            let outer = self.analyses.loops.get(id).parent;
            let outer = outer.and_then(|id| leaving[id.0 as usize]);
            let own = leaves_one_by_one(self.analyses, id).then_some(id);
            leaving.push(own.or(outer));
        }
        let mut found = FxHashMap::default();
        for (symbol, variance) in sorted(emulation) {
            let def_block = emulation.defining_blocks.get(&symbol).copied();
            let part = def_block.and_then(|def_block| self.parts.of(def_block));
            let (Some(def_block), Some(part)) = (def_block, part) else {
                continue;
            };
            if emulation.join_paths.contains_key(&symbol) {
                continue;
            }
            let inner = self.analyses.loops.innermost(def_block);
            let lockstep_symbol = InLoop {
                part,
                around: inner.and_then(|id| leaving[id.0 as usize]),
                together: together(emulation, symbol, variance, def_block),
            };
            found.insert(symbol, lockstep_symbol);
        }
        found
    }

    /// For each part the symbols that do not vary in it.
    fn maps(&self, emulation: &mut Emulation, voted: &Voted) -> Vec<FxHashMap<TermId, TermId>> {
        let mut maps = vec![FxHashMap::default(); self.parts.parts.len()];
        let around = self.around(voted);
        for (symbol, variance) in sorted(emulation) {
            let Some(&def_block) = emulation.defining_blocks.get(&symbol) else {
                continue;
            };
            let Some(number) = self.parts.of(def_block) else {
                continue;
            };
            let inner = self.analyses.loops.innermost(def_block);
            if !inner.is_none_or(|id| around[id.0 as usize].in_copy(number)) {
                continue;
            }
            let join_paths = emulation.join_paths.get(&symbol);
            if join_paths.is_some_and(|join_paths| !self.together_at(join_paths, number, voted)) {
                continue;
            }
            let together = together(emulation, symbol, variance, def_block);
            maps[number as usize].insert(symbol, together);
        }
        maps
    }
}

/// The symbols that vary only because lanes leave loops one by one, and how they vary else, in their order.
fn sorted(emulation: &Emulation) -> Vec<(TermId, Variance)> {
    let all = emulation.lockstep_variance.iter();
    let mut symbols: Vec<_> = all.map(|(&symbol, &variance)| (symbol, variance)).collect();
    symbols.sort_unstable_by_key(|&(symbol, _)| symbol);
    symbols
}

/// The symbol that stands for the same number in all lanes that are together.
fn together(
    emulation: &mut Emulation,
    symbol: TermId,
    variance: Variance,
    def_block: BlockId,
) -> TermId {
    let name = format!("{}.together", emulation.terms.display(symbol));
    let width = emulation.terms.width(symbol);
    let together = emulation.terms.symbol(Symbol::new(name, width, variance));
    emulation.defining_blocks.insert(together, def_block);
    together
}

/// Numbers of what is recorded for blocks, by block.
struct ByBlock(Vec<(BlockId, u32)>);

impl ByBlock {
    fn new(recorded: impl Iterator<Item = (BlockId, u32)>) -> Self {
        let mut all: Vec<(BlockId, u32)> = recorded.collect();
        all.sort_unstable();
        ByBlock(all)
    }

    /// What is recorded for some blocks, in order.
    fn of(&self, blocks: &[BlockId]) -> Vec<usize> {
        let mut numbers = Vec::new();
        for &block in blocks {
            let first = self.0.partition_point(|recorded| recorded.0 < block);
            let own = self.0[first..]
                .iter()
                .take_while(|recorded| recorded.0 == block);
            numbers.extend(own.map(|&(_, number)| number as usize));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// Where to find what is recorded for a part's blocks: a kernel can have as many parts as blocks.
struct Recorded {
    events: ByBlock,
    pruned: ByBlock,
    /// Facts by their header, and by the blocks that edges to it come from.
    facts: ByBlock,
    values: ByBlock,
}

impl Recorded {
    fn new(function: &Function, emulation: &Emulation) -> Self {
        let events = emulation.trace.events.iter().map(|event| event.block);
        let pruned = emulation.pruned.iter().map(|branch| branch.block);
        let facts = (0..).zip(&emulation.header_facts);
        let facts = facts.flat_map(|(number, fact)| {
            let edges = fact.edges.iter().map(|edge| edge.from);
            edges.chain([fact.header]).map(move |block| (block, number))
        });
        let values = (0..).zip(&function.values).filter_map(|(number, data)| {
            let def_block = match data.def {
                ValueDef::Result(inst, _) => function.inst(inst).block,
                ValueDef::Parameter(block, _) => block,
                _ => return None,
            };
            Some((def_block, number))
        });
        Recorded {
            events: ByBlock::new(events.zip(0..)),
            pruned: ByBlock::new(pruned.zip(0..)),
            facts: ByBlock::new(facts),
            values: ByBlock::new(values),
        }
    }
}

/// Replaces symbols by those that `new` gives, in what is recorded for some blocks. View `number` is theirs.
fn rewrite(
    recorded: &Recorded,
    emulation: &mut Emulation,
    number: u32,
    blocks: &[BlockId],
    new: impl Fn(TermId) -> Option<TermId>,
) {
    let mut done = FxHashMap::default();
    let mut replaced =
        |terms: &mut Terms, t| terms.replace_symbols(t, &mut done, |_, symbol| new(symbol));
    let mut own = blocks.to_vec();
    own.sort_unstable();
    own.dedup();
    let inside = |block: BlockId| own.binary_search(&block).is_ok();
    let terms = &mut emulation.terms;
    for event in recorded.events.of(&own) {
        let event = &mut emulation.trace.events[event];
        event.address = event.address.map(|address| replaced(terms, address));
    }
    emulation
        .conditions
        .view(number, &own, |term| replaced(terms, term));
    for branch in recorded.pruned.of(&own) {
        let branch = &mut emulation.pruned[branch];
        branch.condition = replaced(terms, branch.condition);
    }
    for fact in recorded.facts.of(&own) {
        let fact = &mut emulation.header_facts[fact];
        if inside(fact.header) {
            fact.fact = replaced(terms, fact.fact);
        }
        for edge in fact.edges.iter_mut().filter(|edge| inside(edge.from)) {
            edge.claim = replaced(terms, edge.claim);
            edge.condition = edge.condition.map(|condition| replaced(terms, condition));
        }
    }
    for value in recorded.values.of(&own) {
        let value = &mut emulation.values[value];
        *value = value.map(|term| replaced(terms, term));
    }
}
