//! The SSA dataflow IR of one function.
//!
//! Blocks take parameters instead of phis; a branch passes arguments. Values, instructions and blocks are indices that
//! print as `v12`, `i7`, `block3`. The IR remembers for each instruction where it came from ([`Inst::origin`]) and knows
//! nothing else of the text.

use super::fast_math::FastMath;
use super::opcode::Opcode;
use super::types::{Space, Special, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index of its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// A value.
    Value, "v");
entity!(
    /// An instruction.
    InstId, "i");
entity!(
    /// A basic block.
    BlockId, "block");

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueDef {
    /// The n-th result of an instruction.
    Result(InstId, u16),
    /// The n-th parameter of a block.
    Parameter(BlockId, u16),
    /// A constant.
    Constant(u64),
    /// A special register whose value does not change within a thread (not `Clock`, not `Other`: those are instructions'
    /// results of [`Opcode::Opaque`]).
    Special(Special),
    /// The address of a variable or parameter block entry in its own space, plus bytes.
    Address(Base, i64),
    /// Read before any definition.
    Undefined,
}

/// What an address constant is based on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// Kernel parameter by index.
    Parameter(u32),
    /// A variable of the module, or of the function: its space and a number that is unique in the function.
    Variable(Space, u32),
    /// A function's address.
    Function(u32),
}

/// A value's definition and width.
#[derive(Clone, Debug)]
pub struct ValueData {
    /// Definition.
    pub def: ValueDef,
    /// Bits: 1 (predicate), 8 to 128.
    pub width: u8,
    /// What the producer promises of it, if anything: few values have some, those of PTX none.
    pub promises: Option<Box<Promises>>,
}

impl ValueData {
    /// One of which nothing is promised.
    pub fn new(def: ValueDef, width: u8) -> Self {
        ValueData {
            def,
            width,
            promises: None,
        }
    }
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub opcode: Opcode,
    /// Operands.
    pub args: SmallVec<[Value; 4]>,
    /// Results.
    pub results: SmallVec<[Value; 2]>,
    /// Executed only where this predicate is true (or, with `true`, false). Only instructions with an effect or a memory
    /// access have one: a guarded pure operation is lowered to the operation and a select.
    pub guard: Option<(Value, bool)>,
    /// The front end's number of the statement it came from; several instructions can share one.
    pub origin: u32,
    /// Its block.
    pub block: BlockId,
}

/// A branch target with the arguments of its block parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to.
    pub block: BlockId,
    /// One for each parameter.
    pub args: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// Unconditional.
    Jump(Target),
    /// On a predicate.
    Branch {
        /// The predicate.
        condition: Value,
        /// Where it is true.
        then: Target,
        /// Where it is false.
        otherwise: Target,
        /// The front end says that all threads agree (`bra.uni`). A hint of the producer, never a proof.
        uniform: bool,
    },
    /// By an index; beyond the targets the behaviour is undefined.
    Switch {
        /// The index.
        index: Value,
        /// Where to.
        targets: Vec<Target>,
    },
    /// Returns to the caller; in a kernel the thread ends.
    Return,
    /// The thread ends.
    Exit,
    /// The grid is aborted, or the end of the text was reached.
    Trap,
}

impl Terminator {
    /// Successors in order.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Jump(target) => SmallVec::from_slice(&[target]),
            Terminator::Branch {
                then, otherwise, ..
            } => SmallVec::from_slice(&[then, otherwise]),
            Terminator::Switch { targets, .. } => targets.iter().collect(),
            Terminator::Return | Terminator::Exit | Terminator::Trap => SmallVec::new(),
        }
    }

    /// One of [`Terminator::targets`], without a look at the others.
    pub fn target(&self, number: usize) -> Option<&Target> {
        match self {
            Terminator::Switch { targets, .. } => targets.get(number),
            _ => self.targets().get(number).copied(),
        }
    }

    /// One of [`Terminator::targets_mut`], without a look at the others.
    pub fn target_mut(&mut self, number: usize) -> Option<&mut Target> {
        match self {
            Terminator::Switch { targets, .. } => targets.get_mut(number),
            _ => self.targets_mut().into_iter().nth(number),
        }
    }

    /// [`Terminator::targets`], to be changed.
    pub fn targets_mut(&mut self) -> SmallVec<[&mut Target; 2]> {
        match self {
            Terminator::Jump(target) => SmallVec::from_iter([target]),
            Terminator::Branch {
                then, otherwise, ..
            } => SmallVec::from_iter([then, otherwise]),
            Terminator::Switch { targets, .. } => targets.iter_mut().collect(),
            Terminator::Return | Terminator::Exit | Terminator::Trap => SmallVec::new(),
        }
    }

    /// The value that decides where to go, if there is one.
    pub fn decision(&self) -> Option<Value> {
        match *self {
            Terminator::Branch { condition, .. } => Some(condition),
            Terminator::Switch { index, .. } => Some(index),
            _ => None,
        }
    }

    /// [`Terminator::decision`], to be changed.
    pub fn decision_mut(&mut self) -> Option<&mut Value> {
        match self {
            Terminator::Branch { condition, .. } => Some(condition),
            Terminator::Switch { index, .. } => Some(index),
            _ => None,
        }
    }

    /// Whether no block follows it. Unlike [`Terminator::targets`] it costs nothing where there are many.
    pub fn leads_nowhere(&self) -> bool {
        match self {
            Terminator::Jump(_) | Terminator::Branch { .. } => false,
            Terminator::Switch { targets, .. } => targets.is_empty(),
            Terminator::Return | Terminator::Exit | Terminator::Trap => true,
        }
    }
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Parameters.
    pub params: Vec<Value>,
    /// Values of one bit that are true wherever the block is executed, by a promise of the producer (`llvm.assume`).
    pub assumed: Vec<Value>,
    /// Instructions.
    pub insts: Vec<InstId>,
    /// End.
    pub terminator: Terminator,
    /// The front end's number of the statement that ends it (or of the last one).
    pub origin: u32,
}

/// A kernel parameter as the IR sees it.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, for reports.
    pub name: Box<str>,
    /// Type of an element.
    pub ty: Type,
    /// Bytes.
    pub bytes: u64,
    /// Declared as a pointer (`.ptr`), with the space where it is given.
    pub pointer: Option<Option<Space>>,
    /// An address that it holds points to global memory: true of kernels' parameters, since no address of another space
    /// lives as long as a launch; of what stands for a callee's parameter only if a kernel's parameter is passed there.
    pub points_to_global: bool,
    /// What it points to is declared to begin at a multiple of so many bytes (`.align` after `.ptr`, `align` of LLVM); else 1.
    pub pointee_align: u32,
    /// What is written through it, or through another pointer, is not accessed through the other kind (`noalias` of LLVM).
    /// PTX can't say so.
    pub no_alias: bool,
}

/// What a producer promises of an operation's result: where it does not hold, nothing that is executed depends on the result
/// (`nsw`, `nuw` of LLVM; of a zero extension `signed` says that the operand is not negative).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoWrap {
    /// As two's complement numbers.
    pub signed: bool,
    /// As natural numbers.
    pub unsigned: bool,
}

/// What a producer promises of a value, besides [`NoWrap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Granted {
    /// It lies in a range.
    Range,
    /// The operands of an `or` have no bit in common: it is their sum.
    Disjoint,
}

/// What the producer promises of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promises {
    /// What may be done with the operation.
    pub fast_math: FastMath,
    /// The operation does not wrap.
    pub no_wrap: NoWrap,
    /// It is what the text computes only by a promise not to wrap ([`super::widen`]), with the origin of the promise.
    pub widened: Option<u32>,
    /// It is what the text computes only by another promise, with its origin, or 0 for a parameter.
    pub granted: Option<(Granted, u32)>,
}

impl Promises {
    /// Shared by all values of which nothing is promised.
    const NONE: &Promises = &Promises {
        fast_math: FastMath::NONE,
        no_wrap: NoWrap {
            signed: false,
            unsigned: false,
        },
        widened: None,
        granted: None,
    };
}

/// Threads of a block along an axis, with room to spare: products of three can be counted.
const MAX_AXIS: u32 = 1 << 16;

/// Whether a block can have this shape. Directives can say anything; what they say is a promise about launches, and there
/// are none of a shape that no device takes.
pub fn is_shape(block: [u32; 3]) -> bool {
    block.iter().all(|threads| (1..=MAX_AXIS).contains(threads))
}

/// A function in SSA form. Unreachable blocks are not part of it; block 0 is the entry and has no predecessors.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its mangled name, unique within the module.
    pub name: Box<str>,
    /// A kernel.
    pub entry: bool,
    /// Parameters of a kernel; of a device function, those that are the same at all calls.
    pub params: Vec<Param>,
    /// Before a device function is called, the thread may have written or ordered memory.
    pub callers_may_write: bool,
    /// Names of [`Base::Variable`]s by number, for reports.
    pub variables: Vec<Box<str>>,
    /// Numbers of those variables that lie in one place, or may: dynamic shared memory under all its names.
    pub dynamic_shared: Vec<u32>,
    /// Blocks, in the order of the text.
    pub blocks: Vec<Block>,
    /// Instructions.
    pub insts: Vec<Inst>,
    /// Values.
    pub values: Vec<ValueData>,
    /// `.reqntid`: the block's shape is exactly this.
    pub required_threads: Option<[u32; 3]>,
    /// `.maxntid`: the block has at most the product of threads.
    pub max_threads: Option<[u32; 3]>,
}

impl Function {
    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }
    /// An instruction.
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.index()]
    }
    /// A value.
    pub fn value(&self, id: Value) -> &ValueData {
        &self.values[id.index()]
    }
    /// What is promised of a value.
    pub fn promises(&self, id: Value) -> &Promises {
        self.value(id).promises.as_deref().unwrap_or(Promises::NONE)
    }
    /// Mutable access to what is promised of a value; makes room for promises if there are none.
    pub fn promises_mut(&mut self, id: Value) -> &mut Promises {
        self.values[id.index()].promises.get_or_insert_default()
    }
    /// Every use of a value: operands, guards, decisions, and the arguments of edges; as often as it is used.
    pub fn uses(&self) -> impl Iterator<Item = Value> + '_ {
        self.blocks.iter().flat_map(|block| {
            let insts = block.insts.iter().map(|&id| self.inst(id));
            let operands = insts.flat_map(|inst| {
                let guard = inst.guard.iter().map(|guard| guard.0);
                inst.args.iter().copied().chain(guard)
            });
            let edges = block.terminator.targets().into_iter();
            let args = edges.flat_map(|target| target.args.iter().copied());
            operands.chain(block.terminator.decision()).chain(args)
        })
    }

    /// All block ids.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }
}
