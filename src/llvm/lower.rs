//! From LLVM IR to the SSA IR.
//!
//! | file | what |
//! | --- | --- |
//! | `values` | what a value is made of; constants and constant expressions |
//! | `parameters` | parameters of kernels and of device functions |
//! | `integers` | integer arithmetic, comparisons, casts |
//! | `overflow` | integer arithmetic that says whether it wraps, or stops where it would |
//! | `floats` | floating-point arithmetic |
//! | `aggregates` | vectors and structs, `select`, `freeze` |
//! | `addresses` | `getelementptr`, address spaces, variables |
//! | `origins` | which space generic pointers lead to |
//! | `ranges` | ranges that the producer promises |
//! | `memory` | loads, stores, atomic accesses, fences |
//! | `calls` | calls, intrinsics, inline assembly |
//! | `warp` | special registers, barriers, communication between lanes |
//! | `control` | terminators |
//!
//! - Vectors, arrays and structs are split into their scalars. A scalar of more than 64 bits is one value of which nothing
//!   is known.
//! - Each use of `undef` or `poison` is a value of its own: two need not agree.
//! - A block is a block, a phi its parameters. Only `switch` makes blocks of its own.
//! - What is not known here gives opaque results and may do anything that its attributes do not rule out.

mod addresses;
mod aggregates;
mod calls;
mod control;
mod floats;
mod integers;
mod memory;
mod origins;
mod overflow;
mod parameters;
mod ranges;
mod values;
mod warp;

pub(crate) use values::memory_type;

use crate::kernels::Entry;
use crate::numbering::Numbering;
use crate::view::layout::Layout;
use crate::view::{Block, Val, View};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::builder::FunctionBuilder;
use ptxasw_ir::effects::of_instruction;
use ptxasw_ir::function::{BlockId, Function, NoWrap, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::semantics::result_widths;
use ptxasw_ir::types::Space;
use ptxasw_ir::widen::widen;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The scalars of a value.
type Pieces = SmallVec<[Value; 2]>;

/// A function in SSA form, and how it hangs together with LLVM's.
#[derive(Clone, Debug)]
pub struct Lowered<'m> {
    /// The function. The origin of an instruction is its number in [`Lowered::numbering`].
    pub function: Function,
    /// Statements and names.
    pub numbering: Numbering<'m>,
    /// For each value the parameter, or the result of an instruction, that it is.
    pub held: Vec<Option<Val<'m>>>,
    /// For each value the parameter, or the result of an instruction, that it is a scalar of, and which: the first that has it.
    pub scalars: Vec<Option<(Val<'m>, u32)>>,
    /// The variables of the module, and the `alloca`s, by the numbers that addresses have; none for the copy of a parameter.
    pub variables: Vec<Option<Val<'m>>>,
    /// For each block its place in [`Numbering::parts`]; none for those that a `switch` is made of.
    pub parts: Vec<Option<u32>>,
}

/// Lowers a function with a body.
pub fn lower<'m>(view: View<'m>, entry: &Entry<'m>) -> Lowered<'m> {
    let mut lowering = Lowering::new(view, entry);
    lowering.assumed_ranges(entry);
    lowering.parameters(entry);
    lowering.origins(entry);
    for part in lowering.order.clone() {
        let part = lowering.numbering.parts()[part as usize].clone();
        lowering.block = lowering.blocks[&part.block];
        lowering.uncertain = false;
        for statement in part.statements {
            lowering.origin = statement;
            if let Some(instruction) = lowering.numbering.instruction(statement) {
                lowering.instruction(instruction);
            }
        }
    }
    lowering.terminators();
    lowering.finish()
}

struct Lowering<'m> {
    layout: Layout<'m>,
    numbering: Numbering<'m>,
    kernel: bool,
    /// Subnormal `float`s are flushed to zero.
    ftz: bool,
    builder: FunctionBuilder,
    /// What the results of instructions and the parameters are.
    pieces: FxHashMap<Val<'m>, Pieces>,
    held: Vec<Option<Val<'m>>>,
    scalars: Vec<Option<(Val<'m>, u32)>>,
    variables: Vec<Option<Val<'m>>>,
    /// Blocks that are reached.
    blocks: FxHashMap<Block<'m>, BlockId>,
    parts: Vec<Option<u32>>,
    /// The blocks that are reached, in reverse post-order: definitions come before uses.
    order: Vec<u32>,
    /// Addresses in their own spaces, by pointers to them: parameters in memory, variables, what `alloca` makes, and what
    /// is made from these.
    objects: FxHashMap<Val<'m>, (Space, Value)>,
    /// Indices in bytes, by index, width, bytes of an element, and whether the product does not wrap.
    scaled: FxHashMap<(Value, u8, u64, bool), Value>,
    /// Spaces that other generic pointers lead to.
    spaces: FxHashMap<Val<'m>, Space>,
    /// Pointers to global memory that nobody writes while the kernel runs.
    unchanging: FxHashSet<Val<'m>>,
    /// What `llvm.assume` promises of values: the least and the greatest number, and by which statement.
    assumed: FxHashMap<Val<'m>, (u64, u64, u32)>,
    /// Pointers of which it was asked whether they are the same in each use.
    defined: FxHashMap<Val<'m>, bool>,
    block: BlockId,
    origin: u32,
    /// Something in front of here, in the block, may end the thread or keep it for ever.
    uncertain: bool,
    /// What phis of a block take, by the predecessor.
    incoming: FxHashMap<Block<'m>, Vec<FxHashMap<Block<'m>, Val<'m>>>>,
    /// Numbers of functions whose address is taken.
    functions: FxHashMap<Val<'m>, u32>,
}

impl<'m> Lowering<'m> {
    fn new(view: View<'m>, entry: &Entry<'m>) -> Self {
        let numbering = Numbering::new(entry.function);
        let mut builder = FunctionBuilder::new(&entry.name, entry.kernel);
        builder.function.required_threads = entry.required_threads;
        builder.function.max_threads = entry.max_threads;
        builder.function.callers_may_write = !entry.kernel;
        let order = reverse_post_order(&numbering);
        let mut reached = order.clone();
        reached.sort_unstable();
        let mut blocks = FxHashMap::default();
        let mut parts = Vec::new();
        for part in reached {
            blocks.insert(numbering.parts()[part as usize].block, builder.block());
            parts.push(Some(part));
        }
        Lowering {
            layout: Layout::new(view),
            numbering,
            kernel: entry.kernel,
            ftz: entry.function.flushes(),
            builder,
            pieces: FxHashMap::default(),
            held: Vec::new(),
            scalars: Vec::new(),
            variables: Vec::new(),
            blocks,
            parts,
            order,
            objects: FxHashMap::default(),
            scaled: FxHashMap::default(),
            spaces: FxHashMap::default(),
            unchanging: FxHashSet::default(),
            assumed: FxHashMap::default(),
            defined: FxHashMap::default(),
            block: BlockId(0),
            origin: 0,
            uncertain: false,
            incoming: FxHashMap::default(),
            functions: FxHashMap::default(),
        }
    }

    /// All but terminators, which come last: their phis may take what comes later.
    fn instruction(&mut self, instruction: Val<'m>) {
        use LLVMOpcode::*;
        let pieces = match instruction.opcode() {
            _ if instruction.is_branch() => return,
            LLVMRet | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMResume
            | LLVMCleanupRet | LLVMCatchRet | LLVMCatchSwitch => return,
            LLVMPHI => self.phi(instruction),
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
            | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => self.integer(instruction),
            LLVMICmp => self.integer_comparison(instruction),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMPtrToInt | LLVMIntToPtr => {
                self.resize(instruction)
            }
            LLVMBitCast => self.bit_cast(instruction),
            LLVMAddrSpaceCast => {
                self.note_object(LLVMAddrSpaceCast, instruction);
                self.space_cast(instruction)
            }
            LLVMFNeg | LLVMFAdd | LLVMFSub | LLVMFMul => self.float(instruction),
            LLVMFCmp => self.float_comparison(instruction),
            LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt => {
                self.float_cast(instruction)
            }
            LLVMSelect => self.select(instruction),
            LLVMFreeze => self.freeze(instruction),
            LLVMExtractElement => self.extract_element(instruction),
            LLVMInsertElement => self.insert_element(instruction),
            LLVMShuffleVector => self.shuffle_vector(instruction),
            LLVMExtractValue => self.extract_value(instruction),
            LLVMInsertValue => self.insert_value(instruction),
            LLVMGetElementPtr => {
                self.note_object(LLVMGetElementPtr, instruction);
                self.element_pointer(instruction)
            }
            LLVMAlloca => self.alloca(instruction),
            LLVMLoad => self.load(instruction),
            LLVMStore => self.store(instruction),
            LLVMAtomicRMW => self.atomic(instruction),
            LLVMAtomicCmpXchg => self.compare_exchange(instruction),
            LLVMFence => self.fence(instruction),
            LLVMCall => self.call(instruction),
            // Division and remainder of numbers are not exact in general.
            LLVMFDiv | LLVMFRem => self.opaque_results(instruction, Effects::NONE),
            // Calls that can throw, and whatever comes next year.
            _ => self.opaque_results(instruction, Effects::ALL),
        };
        let pieces = match instruction.opcode() {
            LLVMLoad | LLVMCall => self.in_range(instruction, pieces),
            _ => pieces,
        };
        self.define(instruction, pieces);
    }

    /// Notes what a parameter or the result of an instruction is.
    fn define(&mut self, value: Val<'m>, pieces: Pieces) {
        for (number, piece) in (0..).zip(&pieces) {
            let index = piece.index();
            if self.scalars.len() <= index {
                self.scalars.resize(index + 1, None);
            }
            self.scalars[index].get_or_insert((value, number));
        }
        if let [piece] = *pieces
            && self.numbering.name_of(value).is_some()
            && !matches!(
                value.ty().kind(),
                inkwell::llvm_sys::LLVMTypeKind::LLVMVectorTypeKind
            )
        {
            let index = piece.index();
            if self.held.len() <= index {
                self.held.resize(index + 1, None);
            }
            self.held[index].get_or_insert(value);
        }
        self.pieces.insert(value, pieces);
    }

    /// A pure operation with one result, or the first of two.
    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let widths = result_widths(&op);
        let id = self
            .builder
            .inst(self.block, Opcode::Op(op), args, &widths, None, self.origin);
        self.builder.function.inst(id).results[0]
    }

    /// Any instruction.
    fn emit(&mut self, opcode: Opcode, args: &[Value], widths: &[u8]) -> Pieces {
        let id = self
            .builder
            .inst(self.block, opcode, args, widths, None, self.origin);
        let inst = self.builder.function.inst(id);
        let effects = of_instruction(inst);
        self.uncertain |= effects.exits || effects.waits || effects.polls;
        inst.results.clone()
    }

    /// A value of its own for each thread and execution.
    fn unknown(&mut self, width: u8) -> Value {
        let effects = Effects::NONE;
        self.emit(Opcode::Opaque { effects }, &[], &[width])[0]
    }

    /// An instruction that is not modelled.
    fn opaque_results(&mut self, instruction: Val<'m>, effects: Effects) -> Pieces {
        let widths = self.widths(instruction.ty());
        if widths.is_empty() && effects == Effects::NONE {
            return Pieces::new();
        }
        self.emit(Opcode::Opaque { effects }, &[], &widths)
    }

    fn constant(&mut self, width: u8, bits: u64) -> Value {
        self.builder.constant(width, bits)
    }

    /// A copy of its own, so that every result of an instruction is a value by itself.
    fn copy(&mut self, value: Value) -> Value {
        let width = self.width_of(value);
        if width > 64 {
            return self.unknown(width);
        }
        self.op(Op::Copy { width }, &[value])
    }

    fn width_of(&self, value: Value) -> u8 {
        self.builder.function.value(value).width
    }

    /// Notes that an operation is poison if it wraps.
    fn no_wrap(&mut self, value: Value, facts: NoWrap) {
        if facts != NoWrap::default() {
            self.builder.function.promises_mut(value).no_wrap = facts;
        }
    }

    fn finish(self) -> Lowered<'m> {
        let mut function = self.builder.finish();
        widen(&mut function);
        let mut held = self.held;
        held.resize(function.values.len(), None);
        let mut scalars = self.scalars;
        scalars.resize(function.values.len(), None);
        Lowered {
            function,
            numbering: self.numbering,
            held,
            scalars,
            variables: self.variables,
            parts: self.parts,
        }
    }
}

/// The parts of a function that its entry reaches.
fn reverse_post_order(numbering: &Numbering) -> Vec<u32> {
    let successors = |part: u32| -> Vec<u32> {
        let last = numbering.parts()[part as usize].statements.end - 1;
        let terminator = numbering.instruction(last);
        let blocks = terminator.map_or_else(Vec::new, Val::successors);
        let parts = blocks.into_iter().filter_map(|block| numbering.part(block));
        parts.map(|part| part as u32).collect()
    };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    if numbering.parts().is_empty() {
        return order;
    }
    seen.insert(0);
    let mut stack = vec![(0, successors(0).into_iter())];
    while let Some((part, next)) = stack.last_mut() {
        match next.next() {
            Some(child) => {
                if seen.insert(child) {
                    stack.push((child, successors(child).into_iter()));
                }
            }
            None => {
                order.push(*part);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
