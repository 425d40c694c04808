//! What a function's instructions do to memory, block by block: weak accesses with their bytes, and what no access may be
//! moved or replaced across.

use super::Span;
use crate::domains::alias::Bytes;
use crate::domains::disjointness::Distances;
use crate::term::{TermId, Terms};
use crate::trace::{Event, Trace};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Function, Inst, InstId, Value};
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// Widest element whose bytes a register can hand on, in bytes.
pub const MAX_ELEMENT: u32 = 8;

/// Accesses of one place that do not serve, among which one that does is looked for.
const MOST_REFUSED: usize = 16;

/// The number of an access in [`Accesses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessId(pub u32);

/// Addresses that differ in nothing but a constant, counted in one state space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape(TermId, Space);

/// The shape of an address, and the constant in bytes.
pub type Place = (Shape, i64);

impl Shape {
    /// Takes the address of some bytes apart; none if it has no term.
    pub fn place(terms: &mut Terms, distances: &mut Distances, bytes: &Bytes) -> Option<Place> {
        let (shape, constant) = distances.shape(terms, bytes.address?);
        Some((Shape(shape, bytes.counted_in), constant as i64))
    }
}

/// Whether constants alone show that two runs of bytes share one: where they begin, and how many they are.
pub fn overlap(one: (Option<Place>, u32), other: (Option<Place>, u32)) -> bool {
    let (Some((shape, start)), Some((other_shape, other_start))) = (one.0, other.0) else {
        return false;
    };
    let forward = other_start.wrapping_sub(start) as u64;
    let backward = start.wrapping_sub(other_start) as u64;
    shape == other_shape && (forward < u64::from(one.1) || backward < u64::from(other.1))
}

/// Accesses of one shape, width and object: what is known of one holds for all but for the constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassId(u32);

/// A weak load or store.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess {
    /// The load or store.
    pub inst: InstId,
    /// Its number in the trace.
    pub event: u32,
    /// The block that it is in.
    pub block: BlockId,
    /// Its position among the events of the block.
    pub position: u32,
    /// It is a store; else it is a load.
    pub is_store: bool,
    /// The access as the instruction has it.
    pub access: Access,
    /// Some of its bytes are undefined in its registers.
    pub partial: bool,
    /// Under which predicate it is executed.
    pub guard: Option<(Value, bool)>,
    /// The class of all accesses with its shape, width and object.
    pub class: ClassId,
    /// None of an address that has no term.
    pub place: Option<Place>,
}

impl MemoryAccess {
    /// Bytes of an element.
    pub fn element_bytes(&self) -> u32 {
        self.access.element_bytes()
    }

    /// Its elements are values that a register can hand on: 1, 2, 4 or 8 bytes and no bit less, unlike an `i1` of LLVM.
    pub fn has_whole_elements(&self) -> bool {
        matches!(self.access.ty.bits, 8 | 16 | 32 | 64)
    }

    /// Its bytes do not change while the kernel runs.
    pub fn reads_constant(&self) -> bool {
        self.access.non_coherent || self.access.space == Space::Const
    }
}

/// A run of bytes of a shape: the first, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The shape that the first byte is counted from.
    pub shape: Shape,
    /// The first byte: a constant that is added to the shape.
    pub start: i64,
    /// How many: 1, 2, 4 or 8.
    pub bytes: u32,
}

/// An element of an access that has the bytes of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// The access whose element has the bytes.
    pub access: AccessId,
    /// Which of its elements.
    pub number: u8,
    /// Where the piece begins in the element, in bytes.
    pub skip: u8,
}

/// Stores of one class in one block, by the constants of their addresses: their positions, ascending.
#[derive(Debug, Default)]
pub struct Stores {
    /// All of them, in their order.
    pub all: Vec<AccessId>,
    /// Those at a constant.
    pub by_constant: BTreeMap<i64, Vec<AccessId>>,
}

/// What is listed of a block.
#[derive(Debug, Default)]
pub struct BlockAccesses {
    /// The number of its first event.
    first: u32,
    /// How many events it has.
    pub len: u32,
    /// What no access is replaced across, with the position of its own event or else of the one after it.
    pub stops: Vec<(u32, InstId)>,
    /// The numbers of all events but weak loads.
    changes: Vec<u32>,
    /// Those of them that are no listed accesses.
    others: Vec<u32>,
    /// The positions of barriers that all threads of the block pass together.
    barriers: Vec<u32>,
    /// Accesses in their order.
    pub accesses: Vec<AccessId>,
    /// Its stores, by class.
    pub stores: BTreeMap<ClassId, Stores>,
    /// The classes of its stores, by shape.
    pub shapes: FxHashMap<Shape, Vec<ClassId>>,
}

impl BlockAccesses {
    /// What no access is replaced across in front of the event at `end`, and not in front of that at `from`.
    pub fn stops(&self, from: u32, end: u32) -> &[(u32, InstId)] {
        let start = self.stops.partition_point(|&(at, _)| at < from);
        let past = self.stops.partition_point(|&(at, _)| at <= end);
        &self.stops[start..past.max(start)]
    }

    /// Notes an event that may be more than a weak load.
    fn note(&mut self, number: u32, event: &Event, is_listed: bool) {
        if event.load().is_some_and(|access| access.order.is_weak()) {
            return;
        }
        self.changes.push(number);
        if !is_listed {
            self.others.push(number);
        }
        if event.is_block_barrier() {
            self.barriers.push(event.position);
        }
    }

    /// Those of ascending events that lie in a span.
    pub(super) fn within<'a>(&self, events: &'a [u32], span: &Range<u32>) -> &'a [u32] {
        let start = events.partition_point(|&event| event < self.first + span.start);
        let end = events.partition_point(|&event| event < self.first + span.end);
        &events[start..end.max(start)]
    }

    /// The position after the last barrier of the thread block in front of another; none if there is no such barrier.
    pub(super) fn after_barrier(&self, end: u32) -> Option<u32> {
        let past = self.barriers.partition_point(|&at| at < end);
        Some(self.barriers[..past].last()? + 1)
    }
}

/// A class: what is known of the bytes of its first access holds for the others, but for the constant.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Shape; none if the address has no term.
    pub shape: Option<Shape>,
    /// Of the first access.
    pub bytes: Bytes,
}

/// All weak accesses of a function, and the sync ops between them.
#[derive(Debug, Default)]
pub struct Accesses {
    /// The accesses, in the order of the trace.
    pub list: Vec<MemoryAccess>,
    /// By the numbers of [`ClassId`].
    classes: Vec<Class>,
    blocks: Vec<BlockAccesses>,
    elements: FxHashMap<(BlockId, Shape, i64), Vec<(AccessId, u8)>>,
}

impl Accesses {
    /// Lists a function's accesses. `distances` takes addresses apart into shapes and constants.
    pub fn new(
        function: &Function,
        trace: &Trace,
        terms: &mut Terms,
        distances: &mut Distances,
    ) -> Self {
        let mut accesses = Accesses::default();
        accesses
            .blocks
            .resize_with(function.blocks.len(), BlockAccesses::default);
        let mut classes = FxHashMap::default();
        let mut class_of = |all: &mut Vec<Class>, bytes: Bytes| {
            let place = Shape::place(terms, distances, &bytes);
            let shape = place.map(|(shape, _)| shape);
            let key = (shape, bytes.count, bytes.space, bytes.provenance);
            let class = *classes.entry(key).or_insert(ClassId(all.len() as u32));
            if class.0 as usize == all.len() {
                all.push(Class { shape, bytes });
            }
            (class, place)
        };
        for block in function.block_ids() {
            let events = accesses.enter(block, trace);
            accesses.list_block(function, block, events, &mut class_of);
        }
        accesses
    }

    /// Notes which events a block has; those of its instructions, with their numbers.
    fn enter<'t>(
        &mut self,
        block: BlockId,
        trace: &'t Trace,
    ) -> impl Iterator<Item = (u32, &'t Event)> + use<'t> {
        let events = trace.of_block(block);
        let listed = &mut self.blocks[block.index()];
        listed.first = trace.blocks.get(block.index()).map_or(0, |all| all.start);
        listed.len = events.len() as u32;
        let carried = events.partition_point(|event| event.carried.is_some());
        (listed.first..).zip(events).skip(carried)
    }

    /// Lists the instructions of a block. `class_of` gives class and place of the bytes of an access.
    fn list_block<'t>(
        &mut self,
        function: &Function,
        block: BlockId,
        events: impl Iterator<Item = (u32, &'t Event)>,
        class_of: &mut impl FnMut(&mut Vec<Class>, Bytes) -> (ClassId, Option<Place>),
    ) {
        let mut events = events.peekable();
        for &id in &function.block(block).insts {
            let inst = function.inst(id);
            let own = events.next_if(|(_, event)| event.inst == id);
            let listed = &mut self.blocks[block.index()];
            let access = own.and_then(|(_, event)| access_of(inst, event));
            if access.is_none() && stops(inst, own.is_some()) {
                let next = own.as_ref().or(events.peek());
                let at = next.map_or(listed.len, |(_, event)| event.position);
                listed.stops.push((at, id));
            }
            let Some((number, event)) = own else {
                continue;
            };
            listed.note(number, event, access.is_some());
            let Some(access) = access else {
                continue;
            };
            let (class, place) = class_of(&mut self.classes, event.bytes());
            self.add(MemoryAccess {
                inst: id,
                event: number,
                block,
                position: event.position,
                is_store: matches!(inst.opcode, Opcode::Store(_)),
                access,
                partial: false,
                guard: inst.guard,
                class,
                place,
            });
        }
        debug_assert!(events.peek().is_none(), "events are in another order");
    }

    fn add(&mut self, access: MemoryAccess) {
        let id = AccessId(self.list.len() as u32);
        let block = &mut self.blocks[access.block.index()];
        block.accesses.push(id);
        if access.is_store {
            if let Some((shape, _)) = access.place
                && !block.stores.contains_key(&access.class)
            {
                block.shapes.entry(shape).or_default().push(access.class);
            }
            let stores = block.stores.entry(access.class).or_default();
            stores.all.push(id);
            if let Some((_, constant)) = access.place {
                stores.by_constant.entry(constant).or_default().push(id);
            }
        }
        let bytes = access.element_bytes();
        if let Some((shape, constant)) = access.place
            && access.has_whole_elements()
        {
            let all = (0..access.access.elements)
                .filter(|&number| !access.access.skips(number) || active(Mutation::SkippedWritten));
            for number in all {
                let start = constant.wrapping_add(i64::from(number) * i64::from(bytes));
                let key = (access.block, shape, start);
                self.elements.entry(key).or_default().push((id, number));
            }
        }
        self.list.push(access);
    }

    /// The access of a number that [`Accesses::ids`] gave.
    pub fn get(&self, id: AccessId) -> &MemoryAccess {
        &self.list[id.0 as usize]
    }

    /// Notes which loads leave bytes undefined.
    pub fn note_partial(&mut self, defines_all: impl Fn(InstId) -> bool) {
        for access in self.list.iter_mut().filter(|access| !access.is_store) {
            access.partial = !defines_all(access.inst);
        }
    }

    /// Whether a block has events that are no weak loads.
    pub(super) fn has_changes(&self, block: BlockId) -> bool {
        !self.block(block).changes.is_empty()
    }

    /// The numbers of all events of a span but weak loads.
    pub fn changes(&self, (block, span): &Span) -> &[u32] {
        let listed = self.block(*block);
        listed.within(&listed.changes, span)
    }

    /// Those of them that are no listed accesses: what orders memory, and stores of which nothing more is known.
    pub fn others(&self, (block, span): &Span) -> &[u32] {
        let listed = self.block(*block);
        listed.within(&listed.others, span)
    }

    /// The class of a number that an access has.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0 as usize]
    }

    /// All numbers, in the order of the blocks.
    pub fn ids(&self) -> impl Iterator<Item = AccessId> + use<> {
        (0..self.list.len() as u32).map(AccessId)
    }

    /// What is listed of a block.
    pub fn block(&self, block: BlockId) -> &BlockAccesses {
        &self.blocks[block.index()]
    }

    /// The bytes of an element of an access; none if it has no place, or is too wide.
    pub fn piece(&self, id: AccessId, number: u8) -> Option<Piece> {
        let access = self.get(id);
        let (shape, constant) = access.place?;
        let bytes = access.element_bytes();
        access.has_whole_elements().then(|| Piece {
            shape,
            start: constant.wrapping_add(i64::from(number) * i64::from(bytes)),
            bytes,
        })
    }

    /// The last element in a block that contains a piece, in front of a position, of an access that `serves`.
    pub fn last_with(
        &self,
        block: BlockId,
        before: u32,
        piece: Piece,
        mut serves: impl FnMut(AccessId) -> bool,
    ) -> Option<Element> {
        let mut best: Option<Element> = None;
        for skip in 0..=(MAX_ELEMENT - piece.bytes) as u8 {
            let start = piece.start.wrapping_sub(i64::from(skip));
            let Some(all) = self.elements.get(&(block, piece.shape, start)) else {
                continue;
            };
            let end = all.partition_point(|&(id, _)| self.get(id).position < before);
            let found = all[..end]
                .iter()
                .rev()
                .take(MOST_REFUSED)
                .find(|&&(id, _)| {
                    let contains = u32::from(skip) + piece.bytes <= self.get(id).element_bytes();
                    contains && serves(id)
                });
            if let Some(&(access, number)) = found
                && best.is_none_or(|best| best.access < access)
            {
                best = Some(Element {
                    access,
                    number,
                    skip,
                });
            }
        }
        best
    }
}

/// The access of a weak load or store whose address is one of the space that it names.
fn access_of(inst: &Inst, event: &Event) -> Option<Access> {
    match &inst.opcode {
        Opcode::Load(access) | Opcode::Store(access) if access.order.is_weak() => {
            // An address that was not converted faults, or touches what nothing is known of.
            let known = !is_private(access) && event.unconverted.is_none();
            known.then_some(*access)
        }
        _ => None,
    }
}

/// Parameters: those of kernels are constants that cost nothing, those of calls are private to the call.
fn is_private(access: &Access) -> bool {
    matches!(access.space, Space::ParamEntry | Space::ParamFunc)
}

/// Whether no access may be replaced across an instruction that is no listed access: it accesses or orders memory, waits, ends the
/// thread, or reads what changes, such as a clock.
fn stops(inst: &Inst, has_event: bool) -> bool {
    let effects = effects::of_instruction(inst);
    match &inst.opcode {
        // Also those of local memory. Without an event they are never executed.
        Opcode::Load(access) | Opcode::Store(access) => {
            !is_private(access) && (has_event || !access.order.is_weak())
        }
        // Also calls whose effects are known.
        Opcode::Call { .. } | Opcode::Nop => true,
        _ => effects.writes || effects.reads || effects.waits || effects.exits || effects.polls,
    }
}
