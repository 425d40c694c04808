//! Instructions: pure operations, and everything that touches memory, other threads or the machine's state.

use super::op::Op;
use super::types::{Space, Type};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Memory ordering of an access or fence (PTX ISA, "Memory Consistency Model").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Order {
    Weak,
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    Mmio,
}

/// The threads among which an access or fence is strong (PTX ISA, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// `.cta`: the block.
    Block,
    /// `.cluster`
    Cluster,
    /// `.gpu`, `.gl`
    Device,
    /// `.sys`
    System,
}

impl Order {
    /// Plain data access: the only kind that a shuffle may stand for.
    pub fn is_weak(self) -> bool {
        self == Order::Weak
    }
}

/// One load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// The state space written in the instruction.
    pub space: Space,
    /// The type of one element.
    pub ty: Type,
    /// Elements: 1, 2, 4 or 8 (`.v2`, ...).
    pub elements: u8,
    /// Ordering.
    pub order: Order,
    /// Of the ordering; [`Scope::System`] where none is written.
    pub scope: Scope,
    /// `.nc`: read through the non-coherent path: the bytes do not change while the kernel runs.
    pub non_coherent: bool,
    /// Added to the address operand, in bytes.
    pub offset: i64,
    /// `ldu`, cache policies, prefetch sizes, eviction hints, `[a].unified` and the like make no difference to the value; a form whose
    /// value is not that of a plain load (`ld.global.b128` with `.level::...` is plain; `multimem`, `ld.async` are not) is
    /// no access but [`Opcode::Opaque`].
    /// A load of LLVM IR that states less than its natural alignment has some, too: an instruction that is written anew states that.
    pub hints: bool,
    /// The elements that a store leaves as they are in memory, bit 0 the first (`{%r1, _}`); a load has none. Each has an operand
    /// all the same, which nobody reads.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub skipped: u8,
}

fn is_nothing(skipped: &u8) -> bool {
    *skipped == 0
}

impl Access {
    /// Bytes of the whole access.
    pub fn bytes(&self) -> u32 {
        self.element_bytes() * u32::from(self.elements)
    }

    /// Bytes of one element.
    pub fn element_bytes(&self) -> u32 {
        u32::from(self.ty.bits.max(8)) / 8
    }

    /// Whether a store leaves an element as it is in memory.
    pub fn skips(&self, element: u8) -> bool {
        self.skipped.checked_shr(element.into()).unwrap_or(0) & 1 != 0
    }

    /// The elements that are accessed.
    pub fn accessed(self) -> impl Iterator<Item = u8> {
        (0..self.elements).filter(move |&element| !self.skips(element))
    }

    /// Whether all of some bytes are accessed, counted from the first of the access.
    pub fn accesses_all(&self, bytes: Range<u32>) -> bool {
        let each = self.element_bytes();
        let inside = bytes.end <= self.bytes();
        let mut elements = bytes.start / each..bytes.end.div_ceil(each);
        inside && elements.all(|element| !self.skips(element as u8))
    }
}

/// What an instruction may do besides giving results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Effects {
    /// May write memory that loads of this thread can see, or order other threads' writes before later loads.
    pub writes: bool,
    /// May wait for other threads.
    pub waits: bool,
    /// May end the thread.
    pub exits: bool,
    /// Must not be moved, doubled or put under another set of lanes (convergent).
    pub convergent: bool,
    /// May read what other threads write meanwhile, or the time: a loop around it may wait for that.
    pub polls: bool,
    /// May read memory, by no access that the IR shows: a store before must stay.
    pub reads: bool,
}

impl Effects {
    /// Nothing but its results.
    pub const NONE: Effects = Effects {
        writes: false,
        waits: false,
        exits: false,
        convergent: false,
        polls: false,
        reads: false,
    };
    /// Anything: an unknown instruction.
    pub const ALL: Effects = Effects {
        writes: true,
        waits: true,
        exits: true,
        convergent: true,
        polls: true,
        reads: true,
    };

    /// What one or the other may do.
    pub fn and(self, other: Effects) -> Effects {
        Effects {
            writes: self.writes | other.writes,
            waits: self.waits | other.waits,
            exits: self.exits | other.exits,
            convergent: self.convergent | other.convergent,
            polls: self.polls | other.polls,
            reads: self.reads | other.reads,
        }
    }

    /// What neither rules out.
    pub fn both(self, other: Effects) -> Effects {
        Effects {
            writes: self.writes & other.writes,
            waits: self.waits & other.waits,
            exits: self.exits & other.exits,
            convergent: self.convergent & other.convergent,
            polls: self.polls & other.polls,
            reads: self.reads & other.reads,
        }
    }
}

/// Atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
}

/// `shfl` modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// `vote` modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

/// Barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BarrierKind {
    /// `bar.sync`/`barrier.sync`: waits. Operands: barrier number and, if there, thread count.
    Sync,
    /// `bar.arrive`: does not wait.
    Arrive,
    /// `bar.red.popc/.and/.or`: waits; operands as `Sync`, then the predicate; one result.
    Reduce(VoteOrCount),
    /// `bar.warp.sync`: operand: member mask.
    Warp,
    /// `barrier.cluster.arrive`/`.wait`
    ClusterArrive,
    /// Waits for the cluster.
    ClusterWait,
}

/// What `bar.red` reduces by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum VoteOrCount {
    Popc,
    And,
    Or,
}

/// What an instruction does. Operands are listed in the order of the PTX text, destinations apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Opcode {
    /// A pure operation.
    Op(Op),
    /// A load: operand 0 is the address (a register, symbol or immediate); one result for each element. A result has the
    /// width of its destination: narrower elements are extended by their type.
    Load(Access),
    /// A store: operand 0 is the address, then one for each element.
    Store(Access),
    /// `atom` (with result) and `red`: operand 0 is the address.
    Atomic {
        /// Operation.
        op: AtomicOp,
        /// Operand type.
        ty: Type,
        /// State space.
        space: Space,
        /// Ordering.
        order: Order,
        /// Of the ordering.
        scope: Scope,
        /// Added to the address, in bytes.
        offset: i64,
    },
    /// `bar`, `barrier`, `bar.warp.sync`.
    Barrier {
        /// Which.
        kind: BarrierKind,
        /// All threads of the warp execute it together (`bar`, `.aligned`).
        aligned: bool,
    },
    /// `membar`, `fence`.
    Fence(Order, Scope),
    /// `shfl` and `shfl.sync`: operands value, lane, clamp and, with `sync`, member mask; results value, predicate.
    Shuffle {
        /// Direction.
        mode: ShuffleMode,
        /// With a member mask.
        sync: bool,
    },
    /// `vote` and `vote.sync`: operands predicate and, with `sync`, member mask.
    Vote {
        /// Which.
        mode: VoteMode,
        /// With a member mask.
        sync: bool,
    },
    /// `match.any/all.sync`: operands value and member mask; results mask and, for `all`, predicate.
    Match {
        /// `.all`
        all: bool,
        /// 32 or 64.
        width: u8,
    },
    /// `redux.sync`: operands value and member mask.
    Redux {
        /// Operation.
        op: AtomicOp,
        /// Operand type.
        ty: Type,
        /// `.abs`: of the magnitudes.
        abs: bool,
        /// `.NaN`: the result is NaN if an operand is.
        nan: bool,
    },
    /// `activemask`
    ActiveMask,
    /// `elect.sync`: operand member mask; results lane, predicate.
    Elect,
    /// A call. Operands are the arguments that are passed in registers (after them those of an indirect callee).
    Call {
        /// The callee's name; none for an indirect call.
        callee: Option<Box<str>>,
        /// What it may do.
        effects: Effects,
    },
    /// No effect that a program can see: `prefetch`, `nanosleep`, `discard` hints, `pmevent`, `griddepcontrol.launch_dependents`.
    Nop,
    /// Not modelled: results are opaque per thread and execution.
    Opaque {
        /// What it may do.
        effects: Effects,
    },
}
