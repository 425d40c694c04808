//! What a function's instructions do to memory, block by block: weak accesses with their bytes, and what no access may be
//! moved or replaced across.

use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::Emulation;
use ptxasw_emulator::domains::alias::Bytes;
use ptxasw_emulator::domains::disjointness::Distances;
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Function, Inst, InstId, Value};
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::patch::Text;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Widest element whose bytes a register can hand on, in bytes.
pub const MAX_ELEMENT: u32 = 8;

/// Accesses of one place that do not serve, among which one that does is looked for.
const MOST_REFUSED: usize = 16;

/// The number of an access in [`Accesses`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessId(pub u32);

/// Addresses that differ in nothing but a constant, counted in one state space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape(u32);

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
    /// Its position among all that is listed of the block.
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
    /// The shape of its address and the constant, in bytes; none of an address that has no term.
    pub place: Option<(Shape, i64)>,
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
    /// How many entries it has.
    pub len: u32,
    /// What no access is replaced across, by position.
    pub stops: Vec<(u32, InstId)>,
    /// Accesses in their order.
    pub accesses: Vec<AccessId>,
    /// Its stores, by class.
    pub stores: BTreeMap<ClassId, Stores>,
    /// The classes of its stores, by shape.
    pub shapes: FxHashMap<Shape, Vec<ClassId>>,
}

impl BlockAccesses {
    /// Lists what no access is replaced across.
    fn stop(&mut self, inst: InstId) {
        self.stops.push((self.len, inst));
        self.len += 1;
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
    pub fn new(function: &Function, emulation: &mut Emulation, distances: &mut Distances) -> Self {
        let mut accesses = Accesses::default();
        accesses
            .blocks
            .resize_with(function.blocks.len(), BlockAccesses::default);
        let (mut shapes, mut classes) = (FxHashMap::default(), FxHashMap::default());
        let Emulation { terms, trace, .. } = emulation;
        let events = trace.events.iter().zip(0..);
        let events = events.filter(|(event, _)| event.carried.is_none());
        let numbers: FxHashMap<InstId, u32> = events.map(|(one, at)| (one.inst, at)).collect();
        for block in function.block_ids() {
            for &id in &function.block(block).insts {
                let inst = function.inst(id);
                if is_private(inst) {
                    continue;
                }
                let Some(access) = weak(inst) else {
                    if stops(inst) {
                        accesses.blocks[block.index()].stop(id);
                    }
                    continue;
                };
                let Some(&event) = numbers.get(&id) else {
                    continue;
                };
                // It faults, or touches what nothing is known of.
                if trace.events[event as usize].unconverted.is_some() {
                    accesses.blocks[block.index()].stop(id);
                    continue;
                }
                let bytes = trace.events[event as usize].bytes();
                let place = bytes.address.map(|address| {
                    let (shape, constant) = distances.shape(terms, address);
                    let next = Shape(shapes.len() as u32);
                    let shape = *shapes.entry((shape, bytes.counted_in)).or_insert(next);
                    (shape, constant as i64)
                });
                let shape = place.map(|(shape, _)| shape);
                let key = (shape, bytes.count, bytes.space, bytes.provenance);
                let next = ClassId(accesses.classes.len() as u32);
                let class = *classes.entry(key).or_insert(next);
                if class == next {
                    accesses.classes.push(Class { shape, bytes });
                }
                accesses.add(MemoryAccess {
                    inst: id,
                    event,
                    block,
                    position: accesses.blocks[block.index()].len,
                    is_store: matches!(inst.opcode, Opcode::Store(_)),
                    access,
                    partial: false,
                    guard: inst.guard,
                    class,
                    place,
                });
            }
        }
        accesses
    }

    fn add(&mut self, access: MemoryAccess) {
        let id = AccessId(self.list.len() as u32);
        let block = &mut self.blocks[access.block.index()];
        block.len += 1;
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
    pub fn note_partial(&mut self, text: &dyn Text) {
        for access in self.list.iter_mut().filter(|access| !access.is_store) {
            access.partial = !text.defines_all(access.inst);
        }
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

/// Parameters: those of kernels are constants that cost nothing, those of calls are private to the call.
fn is_private(inst: &Inst) -> bool {
    let space = match &inst.opcode {
        Opcode::Load(access) | Opcode::Store(access) => access.space,
        _ => return false,
    };
    matches!(space, Space::ParamEntry | Space::ParamFunc)
}

/// The access of a weak load or store.
fn weak(inst: &Inst) -> Option<Access> {
    match &inst.opcode {
        Opcode::Load(access) | Opcode::Store(access) if access.order.is_weak() => Some(*access),
        _ => None,
    }
}

/// Whether no access may be replaced across an instruction that is no weak access (M4 of the contract): it accesses or orders memory,
/// waits, ends the thread, or reads what changes, such as a clock.
fn stops(inst: &Inst) -> bool {
    let effects = effects::of_instruction(inst);
    match inst.opcode {
        // Also those of local memory, and calls whose effects are known.
        Opcode::Load(_) | Opcode::Store(_) | Opcode::Call { .. } | Opcode::Nop => true,
        _ => effects.writes || effects.reads || effects.waits || effects.exits || effects.polls,
    }
}
