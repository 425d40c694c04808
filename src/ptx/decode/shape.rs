//! What an opcode means before its operands are seen.

use ptxasw_ir::op::{Logic, Op};
use ptxasw_ir::opcode::{Access, AtomicOp, Effects, Opcode, Order, Scope};
use ptxasw_ir::types::{Space, Type};
use smallvec::SmallVec;

/// Types of the operands that an instruction reads; they give the width of immediates.
pub(super) type Types = SmallVec<[Type; 4]>;

/// How an instruction names what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Results {
    /// Nothing.
    None,
    /// `d`
    One,
    /// `d` or `d|q`: two results in either case.
    Two,
}

/// An instruction whose opcode is known whatever its operands are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// What it does.
    pub opcode: Opcode,
    /// What it writes.
    pub results: Results,
    /// What it reads.
    pub sources: Types,
    /// Reads its register of the carry flag after its operands.
    pub carry_in: bool,
    /// Writes both registers of the carry flag after its results, its own first.
    pub carry_out: bool,
}

/// What an opaque instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// No register.
    None,
    /// The first operand with all of its elements, if it is not an address.
    First,
    /// Nobody knows: any register outside of brackets.
    Any,
}

/// What an opcode with its modifiers means, for a given number of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing depends on the operands.
    Plain(Plain),
    /// The fourth source is the truth table.
    Lop3 {
        /// `.or` / `.and`: `d|p` and a fourth operand.
        logic: Option<Logic>,
    },
    /// `mov`: a copy, a packing or an unpacking, as the operands say.
    Move(Type),
    /// `ld`, `ldu`
    Load(Memory),
    /// `st`
    Store(Memory),
    /// `atom`, `red`
    Atomic(Atomic),
    /// `call`
    Call,
    /// `bra`
    Branch {
        /// `.uni`
        uniform: bool,
    },
    /// `brx.idx`
    BranchIndexed {
        /// `.uni`
        uniform: bool,
    },
    /// `ret`
    Return,
    /// `exit`
    Exit,
    /// `trap`
    Trap,
    /// No effect that a program can see.
    Nop,
    /// Not modelled.
    Opaque {
        /// What it may do.
        effects: Effects,
        /// What it writes.
        written: Written,
        /// Writes the registers of the carry flag.
        carry: bool,
    },
}

/// An atomic operation; its offset is in the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atomic {
    /// Operation.
    pub op: AtomicOp,
    /// Operand type.
    pub ty: Type,
    /// State space.
    pub space: Space,
    /// Ordering.
    pub order: Order,
    /// Of the ordering.
    pub scope: Scope,
    /// `atom`, not `red`.
    pub result: bool,
    /// An operand more: the cache policy.
    pub policy: bool,
}

/// A load or store; its offset is in the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    /// The access.
    pub access: Access,
    /// `.param` without `::entry` or `::func`: the operand says which.
    pub bare_param: bool,
    /// An operand more: the cache policy.
    pub policy: bool,
}

impl Plain {
    /// An instruction with one result.
    pub fn new(opcode: Opcode, sources: &[Type]) -> Self {
        Plain {
            opcode,
            results: Results::One,
            sources: Types::from_slice(sources),
            carry_in: false,
            carry_out: false,
        }
    }

    /// Sets the results.
    pub fn results(mut self, results: Results) -> Self {
        self.results = results;
        self
    }
}

impl From<Plain> for Shape {
    fn from(plain: Plain) -> Self {
        Shape::Plain(plain)
    }
}

/// A pure operation with one result.
pub(super) fn op(op: Op, sources: &[Type]) -> Option<Shape> {
    Some(Plain::new(Opcode::Op(op), sources).into())
}
