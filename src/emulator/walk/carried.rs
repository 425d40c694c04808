//! Values that a loop carries in a register from one iteration to the next: what a load of the last iteration brought.
//!
//! A parameter of a loop's header that gets a loaded value over the back edge, and another over the edge that enters the loop
//! (`prev = cur; cur = next;`), is as good as a load at the start of the iteration: of the address that the load in the loop
//! has one iteration earlier. The trace gets such a load in front of the header's own events. It only says what the address
//! would be: whether every edge brings what memory holds there is for those to show who make use of it, edge by edge.

use super::Walk;
use super::induction;
use crate::term::{Node, TermId};
use crate::trace::{Carried, Edge, Event, EventKind, Trace};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, Opcode};
use rustc_hash::FxHashMap;

/// Moves from register to register that are followed.
const MAX_MOVES: usize = 64;
/// Iterations that a value can be carried on from register to register.
const MAX_ITERATIONS: usize = 16;

/// What a register holds that is passed over an edge.
#[derive(Clone, Copy)]
enum Stored {
    /// One element of a load: the number of its event, and which element.
    Loaded(u32, usize),
    /// What another parameter of the same header held.
    Parameter(usize),
}

/// A carried value; its events are still numbered as without it.
struct CarriedValue {
    parameter: Value,
    inside: LoopId,
    /// Which of the header's parameters.
    index: usize,
    element: usize,
    event: Event,
    edges: Vec<(Edge, Option<Stored>)>,
}

/// What is known of terms in other iterations of a loop.
struct Iterations {
    id: LoopId,
    /// Whether a term is made of what changes from iteration to iteration, other than their number.
    changing: FxHashMap<TermId, bool>,
    /// Terms in the iteration of a number; none of those that are unknown there.
    at: FxHashMap<TermId, FxHashMap<TermId, Option<TermId>>>,
}

/// The events of loads by their instructions.
type Loads = FxHashMap<InstId, u32>;

impl Walk<'_> {
    /// Adds the carried values of all loops to the trace.
    pub(super) fn add_carried(&mut self) {
        if self.analyses.loops.loops.is_empty() {
            return;
        }
        let events = self.trace.events.iter().zip(0..);
        let loads: Loads = events.map(|(event, at)| (event.inst, at)).collect();
        let mut found = Vec::new();
        for id in self.analyses.loops.ids() {
            if !self.analyses.loops.get(id).irreducible {
                self.carried_by(id, &loads, &mut found);
            }
        }
        if !found.is_empty() {
            insert(
                &mut self.trace,
                self.analyses.cfg.reverse_post_order(),
                found,
            );
        }
    }

    fn carried_by(&mut self, id: LoopId, loads: &Loads, all: &mut Vec<CarriedValue>) {
        let header = self.analyses.loops.get(id).header;
        let count = self.function.block(header).params.len();
        let mut iterations = Iterations {
            id,
            changing: FxHashMap::default(),
            at: FxHashMap::default(),
        };
        let mut found: Vec<CarriedValue> = (0..count)
            .filter_map(|index| self.carried_in(&mut iterations, index, loads))
            .collect();
        complete(&mut found);
        all.extend(found);
    }

    /// The carried value of a header's parameter.
    fn carried_in(
        &mut self,
        iterations: &mut Iterations,
        index: usize,
        loads: &Loads,
    ) -> Option<CarriedValue> {
        let id = iterations.id;
        let (address, load, element) = self.address_of(iterations, index, loads)?;
        let data = self.analyses.loops.get(id);
        let header = data.header;
        let first = self.in_first_iteration(iterations, address)?;
        let next = self.in_iteration(iterations, address, 1)?;
        let like = self.trace.events[load as usize].clone();
        let access = *like.load()?;
        let latches = data.latches.iter().map(|&latch| (latch, true));
        let entries = data.entries.iter().map(|&entry| (entry, false));
        let mut edges = Vec::new();
        for (from, back) in latches.chain(entries) {
            for argument in
                induction::arguments(self.function, &self.analyses.cfg, from, header, index)
            {
                let stored = self.stored(header, argument, loads);
                let edge = Edge {
                    from,
                    back,
                    source: None,
                    brings: None,
                    wanted: if back { next } else { first },
                };
                edges.push((edge, stored.filter(|stored| self.is_alike(*stored, &like))));
            }
        }
        let mut constant = true;
        for (edge, stored) in &mut edges {
            if let Some(Stored::Loaded(load, element)) = *stored {
                edge.brings = self.element_address(load, element);
                constant &= is_constant(&self.trace.events[load as usize]);
            }
        }
        Some(CarriedValue {
            parameter: *self.function.block(header).params.get(index)?,
            inside: id,
            index,
            element,
            edges,
            event: Event {
                kind: EventKind::Load(Access {
                    elements: 1,
                    non_coherent: constant,
                    ..access
                }),
                block: header,
                address: Some(address),
                bytes: element_bytes(&access) as u32,
                ..like
            },
        })
    }

    /// The address of the bytes that a parameter holds at the start of an iteration, by what the first latch passes: the
    /// load's, as many iterations earlier as the value was carried on. With the load and the number of its element.
    fn address_of(
        &mut self,
        iterations: &mut Iterations,
        index: usize,
        loads: &Loads,
    ) -> Option<(TermId, u32, usize)> {
        let id = iterations.id;
        let data = self.analyses.loops.get(id);
        let &latch = data.latches.first()?;
        let mut index = index;
        for carried in 1..=MAX_ITERATIONS as u64 {
            let arguments =
                induction::arguments(self.function, &self.analyses.cfg, latch, data.header, index);
            match self.stored(data.header, *arguments.first()?, loads)? {
                Stored::Parameter(other) => index = other,
                Stored::Loaded(load, element) => {
                    let block = self.trace.events[load as usize].block;
                    if self.analyses.loops.innermost(block) != Some(id) {
                        return None;
                    }
                    let address = self.element_address(load, element)?;
                    let back = carried.wrapping_neg();
                    let address = self.in_iteration(iterations, address, back)?;
                    return Some((address, load, element));
                }
            }
        }
        None
    }

    fn element_address(&mut self, load: u32, element: usize) -> Option<TermId> {
        let event = &self.trace.events[load as usize];
        let offset = element as u64 * element_bytes(event.load()?);
        let address = event.address?;
        Some(self.terms.offset(address, offset))
    }

    /// What a register holds: follows moves.
    fn stored(&self, header: BlockId, value: Value, loads: &Loads) -> Option<Stored> {
        let function = self.function;
        let mut value = value;
        for _ in 0..MAX_MOVES {
            let (id, result) = match function.value(value).def {
                ValueDef::Parameter(block, index) if block == header => {
                    return Some(Stored::Parameter(index.into()));
                }
                ValueDef::Result(id, result) => (id, result),
                _ => return None,
            };
            let inst = function.inst(id);
            match (&inst.opcode, inst.args.as_slice()) {
                (Opcode::Op(Op::Copy { .. }), &[from]) => value = from,
                // What completes the register of a narrow load belongs to the load's statement.
                (Opcode::Op(Op::Extend { .. }), &[from]) => match function.value(from).def {
                    ValueDef::Result(load, _) if function.inst(load).origin == inst.origin => {
                        value = from;
                    }
                    _ => return None,
                },
                (Opcode::Load(access), _) => {
                    let plain = inst.guard.is_none() && access.order.is_weak();
                    let &event = loads.get(&id).filter(|_| plain)?;
                    return Some(Stored::Loaded(event, result.into()));
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether an edge brings bytes of the same kind and in the same form as the load in the loop.
    fn is_alike(&self, stored: Stored, like: &Event) -> bool {
        match stored {
            Stored::Loaded(load, _) => alike(&self.trace.events[load as usize], like),
            Stored::Parameter(_) => true,
        }
    }

    // ---- other iterations -------------------------------------------------------------------------------------------

    /// A term as it is `further` iterations on. None if that is unknown: it is made of more than of what is the same in all
    /// iterations, and of their number.
    fn in_iteration(
        &mut self,
        iterations: &mut Iterations,
        term: TermId,
        further: u64,
    ) -> Option<TermId> {
        let further = match active(Mutation::CarriedNotStepped) {
            true => 0,
            false => further,
        };
        let counter = self.counters.get(&iterations.id).copied();
        // How many steps the iterations between make depends on their paths.
        if counter.is_some() && !self.counted(iterations.id).of_iterations() {
            return None;
        }
        let other = counter.map(|counter| self.terms.offset(counter, further));
        self.by_counter(iterations, term, counter.zip(other))
    }

    /// A term as it is in the first iteration.
    fn in_first_iteration(&mut self, iterations: &mut Iterations, term: TermId) -> Option<TermId> {
        let counter = self.counters.get(&iterations.id).copied();
        let zero = counter.map(|counter| self.terms.constant(self.terms.width(counter), 0));
        self.by_counter(iterations, term, counter.zip(zero))
    }

    fn by_counter(
        &mut self,
        iterations: &mut Iterations,
        term: TermId,
        counter: Option<(TermId, TermId)>,
    ) -> Option<TermId> {
        let (defining_blocks, loops, id) =
            (&self.defining_blocks, &self.analyses.loops, iterations.id);
        let changes = |part: TermId| {
            let defined_in = defining_blocks.get(&part);
            counter.is_none_or(|(counter, _)| part != counter)
                && defined_in.is_some_and(|&defined_in| loops.contains(id, defined_in))
        };
        if self.terms.any_part(term, &mut iterations.changing, changes) {
            return None;
        }
        let Some((counter, other)) = counter else {
            return Some(term);
        };
        let done = iterations.at.entry(other).or_default();
        done.insert(counter, Some(other));
        for part in self
            .terms
            .reachable_where(&[term], |t| !done.contains_key(&t))
        {
            let mut known = true;
            let operand = |t: TermId| known &= done.get(&t).is_some_and(Option::is_some);
            self.terms.node(part).for_each_operand(operand);
            let rebuilt = known.then(|| {
                let operand = |t: TermId| done.get(&t).copied().flatten().unwrap_or(t);
                self.terms.rebuild(part, operand)
            });
            // The assembler may compute it differently in each iteration.
            let opaque = matches!(self.terms.node(part), Node::Uninterpreted { .. });
            done.insert(part, rebuilt.filter(|&rebuilt| rebuilt == part || !opaque));
        }
        done.get(&term).copied().flatten()
    }
}

fn element_bytes(access: &Access) -> u64 {
    u64::from(access.ty.bits.max(8)) / 8
}

/// Whether two loads bring bytes of the same kind in the same form.
fn alike(one: &Event, other: &Event) -> bool {
    let (Some(access), Some(wanted)) = (one.load(), other.load()) else {
        return false;
    };
    access.ty.bits == wanted.ty.bits
        && access.ty.signed() == wanted.ty.signed()
        && one.space == other.space
        && one.counted_in() == other.counted_in()
        && one.address.is_some()
}

/// What other parameters bring, and whether all bytes are constant while the kernel runs.
fn complete(found: &mut [CarriedValue]) {
    let places = found.iter().zip(0..);
    let places: FxHashMap<usize, usize> = places.map(|(one, at)| (one.index, at)).collect();
    for at in 0..found.len() {
        for edge in 0..found[at].edges.len() {
            let Some(Stored::Parameter(index)) = found[at].edges[edge].1 else {
                continue;
            };
            let other = places.get(&index).map(|&other| &found[other].event);
            let other = other.filter(|other| alike(other, &found[at].event));
            let brings = other.and_then(|other| other.address);
            found[at].edges[edge].0.brings = brings;
            if brings.is_none() {
                found[at].edges[edge].1 = None;
            }
        }
    }
    // A value that is carried on is constant if it was where it came from.
    for _ in 0..MAX_ITERATIONS {
        let open: Vec<usize> = (0..found.len())
            .filter(|&at| is_constant(&found[at].event) && !comes_constant(found, &places, at))
            .collect();
        for &at in &open {
            if let EventKind::Load(access) = &mut found[at].event.kind {
                access.non_coherent = false;
            }
        }
        if open.is_empty() {
            return;
        }
    }
    for one in found {
        if let EventKind::Load(access) = &mut one.event.kind {
            access.non_coherent = false;
        }
    }
}

fn is_constant(event: &Event) -> bool {
    event.load().is_some_and(|access| access.non_coherent)
}

/// Whether what other parameters bring is constant.
fn comes_constant(found: &[CarriedValue], places: &FxHashMap<usize, usize>, at: usize) -> bool {
    found[at].edges.iter().all(|(_, stored)| match stored {
        Some(Stored::Parameter(index)) => places
            .get(index)
            .is_some_and(|&other| is_constant(&found[other].event)),
        _ => true,
    })
}

/// Puts the carried values in front of the events of their headers.
fn insert(trace: &mut Trace, order: &[BlockId], found: Vec<CarriedValue>) {
    let mut by_header: FxHashMap<BlockId, Vec<CarriedValue>> = FxHashMap::default();
    for one in found {
        by_header.entry(one.event.block).or_default().push(one);
    }
    let mut old = std::mem::take(&mut trace.events).into_iter();
    let (mut moved, mut places) = (Vec::with_capacity(old.len()), FxHashMap::default());
    let mut inserted = Vec::new();
    for &block in order {
        let range = trace.blocks[block.index()].clone();
        let start = trace.events.len() as u32;
        for (one, position) in by_header.remove(&block).into_iter().flatten().zip(0..) {
            places.insert((block, one.index), trace.events.len() as u32);
            trace.events.push(Event {
                position,
                carried: Some(inserted.len() as u32),
                ..one.event.clone()
            });
            inserted.push(one);
        }
        let before = trace.events.len() as u32 - start;
        for event in old.by_ref().take(range.len()) {
            moved.push(trace.events.len() as u32);
            trace.events.push(Event {
                position: event.position + before,
                ..event
            });
        }
        trace.blocks[block.index()] = start..trace.events.len() as u32;
    }
    let source = |block: BlockId, stored: Stored| match stored {
        Stored::Loaded(load, _) => moved.get(load as usize).copied(),
        Stored::Parameter(index) => places.get(&(block, index)).copied(),
    };
    trace.carried = inserted
        .into_iter()
        .map(|one| Carried {
            parameter: one.parameter,
            inside: one.inside,
            element: one.element as u32,
            edges: one
                .edges
                .into_iter()
                .map(|(edge, stored)| Edge {
                    source: stored.and_then(|stored| source(one.event.block, stored)),
                    ..edge
                })
                .collect(),
        })
        .collect();
}
