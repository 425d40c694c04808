//! Loads that are executed earlier, over stores that leave their bytes alone (bulk load of ACC Saturator, section 5): the assembler
//! keeps the order of a load and a store of which it cannot prove that, and so waits for memory once more.

use super::accesses::AccessId;
use super::conflicts::{Conflicts, Passed};
use super::plan::Decisions;
use super::wide::{Member, Wide};
use ptxasw_ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations of an address that are computed earlier as well.
pub const MAX_NODES: usize = 64;
/// Stores that one load is moved over.
const MAX_CROSSED: usize = 256;

/// A load or store as it is executed, wide or narrow.
struct Executed {
    /// Where: its position in the block.
    position: u32,
    /// The access whose place it has.
    place: AccessId,
    members: Vec<AccessId>,
    /// Which of [`Decisions::wide`] it is, if it is one.
    wide: Option<usize>,
}

/// The loads and stores of a block between two sync ops.
#[derive(Default)]
struct Segment {
    loads: Vec<Executed>,
    stores: Vec<Executed>,
}

impl Conflicts<'_> {
    /// Moves loads up, as long as those in flight hold no more than so many 32-bit registers.
    pub fn move_up(&mut self, decisions: &mut Decisions, max_live: u32) {
        let mut wide_of: FxHashMap<AccessId, usize> = FxHashMap::default();
        for (number, wide) in decisions.wide.iter().enumerate() {
            let members = wide.members.iter();
            wide_of.extend(members.map(|member| (member.access, number)));
        }
        for block in self.known.function.block_ids() {
            for segment in self.segments(block, &decisions.wide, &wide_of) {
                self.move_in(&segment, decisions, max_live);
            }
        }
    }

    fn segments(
        &self,
        block: BlockId,
        wide: &[Wide],
        wide_of: &FxHashMap<AccessId, usize>,
    ) -> Vec<Segment> {
        let listed = self.known.accesses.block(block);
        let mut stops = listed.stops.iter().peekable();
        let mut all = vec![Segment::default()];
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        for &id in &listed.accesses {
            let access = self.known.accesses.get(id);
            while stops.next_if(|&&(at, _)| at < access.position).is_some() {
                all.push(Segment::default());
            }
            if self.decided.gone.contains(&id) {
                continue;
            }
            let number = wide_of.get(&id).copied();
            let (place, members) = match number {
                Some(number) if !seen.insert(number) => continue,
                Some(number) => {
                    let members = wide[number].members.iter();
                    let members = members.map(|member| member.access).collect();
                    (wide[number].place, members)
                }
                None => (id, vec![id]),
            };
            let one = Executed {
                position: self.known.accesses.get(place).position,
                place,
                members,
                wide: number,
            };
            let Some(segment) = all.last_mut() else {
                continue;
            };
            match access.is_store {
                true => segment.stores.push(one),
                false => segment.loads.push(one),
            }
        }
        for segment in &mut all {
            segment.stores.sort_by_key(|one| one.position);
            segment.loads.sort_by_key(|one| one.position);
        }
        all
    }

    fn move_in(&mut self, segment: &Segment, decisions: &mut Decisions, max_live: u32) {
        // What is held across each store.
        let mut held = vec![0; segment.stores.len()];
        // From which store on an operation is computed that was computed later.
        let mut computed: FxHashMap<Value, u32> = FxHashMap::default();
        for load in &segment.loads {
            if !self.may_move(load) {
                continue;
            }
            let registers = load
                .members
                .iter()
                .map(|&id| self.known.accesses.get(id).access.bytes().div_ceil(4))
                .sum::<u32>();
            let end = segment
                .stores
                .partition_point(|store| store.position < load.position);
            let (mut best, mut passed, mut over) = (None, Vec::new(), Vec::new());
            for number in (0..end).rev().take(MAX_CROSSED) {
                let store = &segment.stores[number];
                if held[number] + registers > max_live {
                    break;
                }
                if !self.are_all_apart(load, store, &mut over) {
                    if self.left > 0 && !self.share_a_byte(load, store) {
                        let after_store = load.members.iter().map(|&id| (id, store.place));
                        decisions.after_store.extend(after_store);
                    }
                    break;
                }
                if self
                    .to_compute(load.place, store.place, &computed)
                    .is_none()
                {
                    break;
                }
                // It is written in front of the whole statement of the store: all stores of that are crossed.
                let origin = |at: usize| {
                    let inst = self.known.accesses.get(segment.stores[at].place).inst;
                    self.known.function.inst(inst).origin
                };
                if number > 0 && origin(number - 1) == origin(number) {
                    continue;
                }
                best = Some(number);
                passed.append(&mut over);
            }
            let Some(first) = best else {
                continue;
            };
            for held in &mut held[first..end] {
                *held += registers;
            }
            let target = &segment.stores[first];
            let new = self.to_compute(load.place, target.place, &computed);
            for value in new.unwrap_or_default() {
                computed.insert(value, target.position);
            }
            let early = Some(target.place);
            let number = load.wide.unwrap_or_else(|| {
                decisions.wide.push(self.alone(load.place));
                decisions.wide.len() - 1
            });
            let wide = &mut decisions.wide[number];
            (wide.early, wide.crossed) = (early, end - first);
            wide.passed.append(&mut passed);
        }
    }

    /// An access by itself.
    pub fn alone(&self, id: AccessId) -> Wide {
        let access = self.known.accesses.get(id);
        Wide {
            members: vec![Member {
                access: id,
                skip: 0,
            }],
            bytes: access.access.bytes(),
            element: access.element_bytes(),
            place: id,
            early: None,
            crossed: 0,
            space: self.space(id),
            start: access.place.map_or(0, |(_, constant)| constant),
            aligned: Vec::new(),
            passed: Vec::new(),
        }
    }

    fn may_move(&self, load: &Executed) -> bool {
        let access = self.known.accesses.get(load.place);
        let event = &self.known.events[access.event as usize];
        self.may_change(access)
            && access.guard.is_none()
            && access.place.is_some()
            && !access.partial
            && !access.access.hints
            && access.has_whole_elements()
            && matches!(event.space, Space::Global | Space::Generic)
            && matches!(access.access.space, Space::Global | Space::Generic)
    }

    /// Whether two accesses certainly share a byte.
    fn are_same(&self, one: AccessId, other: AccessId) -> bool {
        let (one, other) = (self.known.accesses.get(one), self.known.accesses.get(other));
        let (Some((shape, start)), Some((own, own_start))) = (one.place, other.place) else {
            return false;
        };
        let forward = own_start.wrapping_sub(start) as u64;
        let backward = start.wrapping_sub(own_start) as u64;
        shape == own
            && (forward < u64::from(one.access.bytes())
                || backward < u64::from(other.access.bytes()))
    }

    /// Whether they certainly share a byte, so that no test can show that they do not.
    fn share_a_byte(&self, load: &Executed, store: &Executed) -> bool {
        let mut pairs = load.members.iter().flat_map(|&id| {
            let stores = store.members.iter();
            stores.map(move |&other| (id, other))
        });
        pairs.any(|(id, other)| self.are_same(id, other))
    }

    fn are_all_apart(
        &mut self,
        load: &Executed,
        store: &Executed,
        passed: &mut Vec<Passed>,
    ) -> bool {
        for &id in &load.members {
            let access = *self.known.accesses.get(id);
            if access.reads_constant() {
                // A store of these very bytes breaks the promise that nobody writes them: nothing is gained by relying on it.
                if store.members.iter().any(|&other| self.are_same(id, other)) {
                    return false;
                }
                continue;
            }
            let bytes = self.bytes(&access);
            let guarded = self.guarded(&access, &bytes);
            for &other in &store.members {
                if self.spend(1).is_err() {
                    return false;
                }
                match self.are_apart(other, &guarded) {
                    Some(how) => {
                        let (access, range) = (other, guarded.range());
                        passed.push(Passed { access, how, range });
                    }
                    None => return false,
                }
            }
        }
        true
    }

    /// The operations that must be computed for the address of a load to be there in front of a store of its block; none if that is
    /// too much, or the address rests on something else. `computed`: from which store on others are.
    fn to_compute(
        &self,
        load: AccessId,
        store: AccessId,
        computed: &FxHashMap<Value, u32>,
    ) -> Option<Vec<Value>> {
        let load = self.known.function.inst(self.known.accesses.get(load).inst);
        let (store, position) = (
            self.known.accesses.get(store).inst,
            self.known.accesses.get(store).position,
        );
        let mut work = vec![*load.args.first()?];
        let mut new = Vec::new();
        let index = |id: InstId| self.known.indices[id.index()];
        while let Some(value) = work.pop() {
            let known = computed.get(&value).is_some_and(|&from| from <= position);
            if known || is_before(self.known.function, index, value, load.block, store) {
                continue;
            }
            let ValueDef::Result(id, _) = self.known.function.value(value).def else {
                return None;
            };
            let inst = self.known.function.inst(id);
            let pure = matches!(inst.opcode, Opcode::Op(_)) && inst.results.len() == 1;
            if !pure || new.len() == MAX_NODES {
                return None;
            }
            new.push(value);
            work.extend(inst.args.iter().copied());
        }
        Some(new)
    }
}

/// Whether a value is defined in front of the statement of an instruction of `block`, if it is defined in that block.
pub fn is_before(
    function: &Function,
    index: impl Fn(InstId) -> usize,
    value: Value,
    block: BlockId,
    at: InstId,
) -> bool {
    match function.value(value).def {
        ValueDef::Result(id, _) => {
            let (inst, target) = (function.inst(id), function.inst(at));
            inst.block != block || index(id) < index(at) && inst.origin != target.origin
        }
        _ => true,
    }
}
