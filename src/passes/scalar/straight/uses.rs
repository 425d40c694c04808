//! Who reads a value.

use crate::Session;
use ptxasw_ir::function::{Function, Value};
use ptxasw_ir::loops::{LoopId, LoopNest};
use ptxasw_ir::opcode::Opcode;
use smallvec::SmallVec;

/// Loops of one value's readers that are noted.
const MAX_LOOPS: usize = 16;

/// The readers of all values, and the loops that they are in.
pub(super) struct Uses {
    /// Readers as the plan has them.
    readers: Vec<u32>,
    /// Readers of the original.
    original: Vec<u32>,
    /// Accesses among these that read the value as their address.
    addresses: Vec<u32>,
    /// The innermost loops around readers of the original.
    loops: Vec<SmallVec<[LoopId; 1]>>,
}

impl Uses {
    /// Of the original. What a device function leaves in registers may be read by its callers: each of its values has one more
    /// reader.
    pub fn new(session: &Session) -> Self {
        let function = session.function;
        let count = function.values.len();
        let mut uses = Uses {
            readers: Vec::new(),
            original: vec![u32::from(!function.entry); count],
            addresses: vec![0; count],
            loops: vec![SmallVec::new(); count],
        };
        uses.count(function, &session.analyses().loops);
        uses.readers.clone_from(&uses.original);
        uses
    }

    fn count(&mut self, function: &Function, loops: &LoopNest) {
        for id in function.block_ids() {
            let (block, inside) = (function.block(id), loops.innermost(id));
            for &id in &block.insts {
                let inst = function.inst(id);
                let guard = inst.guard.iter().map(|guard| &guard.0);
                inst.args
                    .iter()
                    .chain(guard)
                    .for_each(|&value| self.read(value, inside));
                let access = matches!(
                    inst.opcode,
                    Opcode::Load(_) | Opcode::Store(_) | Opcode::Atomic { .. }
                );
                if let (true, Some(address)) = (access, inst.args.first()) {
                    self.addresses[address.index()] += 1;
                }
            }
            let edges = block.terminator.targets().into_iter();
            let passed = edges.flat_map(|target| target.args.iter().copied());
            let assumed = block.assumed.iter().copied();
            let all = passed.chain(block.terminator.decision()).chain(assumed);
            all.for_each(|value| self.read(value, inside));
        }
    }

    fn read(&mut self, value: Value, inside: Option<LoopId>) {
        self.original[value.index()] += 1;
        let loops = &mut self.loops[value.index()];
        if let Some(inside) = inside
            && loops.last() != Some(&inside)
            && loops.len() < MAX_LOOPS
        {
            loops.push(inside);
        }
    }

    /// One more value, which nobody reads yet.
    pub fn add(&mut self) -> Value {
        let value = Value(self.readers.len() as u32);
        self.readers.push(0);
        self.original.push(0);
        self.addresses.push(0);
        self.loops.push(SmallVec::new());
        value
    }

    /// How many read a value.
    pub fn of(&self, value: Value) -> u32 {
        self.readers[value.index()]
    }

    /// The number of readers of a value, to be changed.
    pub fn of_mut(&mut self, value: Value) -> &mut u32 {
        &mut self.readers[value.index()]
    }

    /// Whether the original reads a value that the plan has no reader of.
    pub fn lost(&self, value: Value) -> bool {
        self.original[value.index()] > 0 && self.of(value) == 0
    }

    /// Whether all who read a value access memory there.
    pub fn is_address(&self, value: Value) -> bool {
        let (all, addresses) = (self.original[value.index()], self.addresses[value.index()]);
        all > 0 && all == addresses
    }

    /// Whether the original reads a value in a loop, or in one inside it.
    pub fn is_read_in(&self, value: Value, around: LoopId, loops: &LoopNest) -> bool {
        let mut readers = self.loops[value.index()].iter();
        readers.any(|&inside| loops.encloses(around, inside))
    }
}
