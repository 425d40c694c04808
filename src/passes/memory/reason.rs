//! Why a load or store stays as it is.

use super::accesses::{AccessId, Accesses};
use crate::Session;
use ptxasw_ir::function::{Inst, InstId};
use ptxasw_ir::opcode::Opcode;
use std::borrow::Cow;

/// Why a load or store stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Nothing before has loaded or stored its bytes.
    First,
    /// Its address has no term, or its elements are too wide.
    NoPlace,
    /// On some path nothing has loaded or stored its bytes.
    SomePath,
    /// The bytes were loaded in another iteration of a loop, where the address is another one.
    OtherIteration,
    /// An instruction between orders memory, waits, or reads a clock.
    Stop(InstId),
    /// A store between may write some of its bytes.
    Store(AccessId),
    /// A load between may read what the store writes.
    Read(AccessId),
    /// A store in front of it may write some of its bytes, so it is not loaded earlier.
    AfterStore(AccessId),
    /// The earlier value is in no register that could be read.
    NoRegister(AccessId),
    /// The earlier access is executed under another predicate.
    Guard(AccessId),
    /// The statement does more than to load.
    Statement,
    /// Some bytes beside it are accessed by nobody, or otherwise.
    Gap,
    /// Its address is not known to be a multiple of the width that it has with its neighbours.
    Aligned,
    /// A test of its alignment needs a second copy of the code, which a statement does not allow.
    Uncopyable(u32, &'static str),
    /// A test of its alignment needs a second copy of the code, which costs more than it saves.
    Dear,
    /// From lane to lane or from iteration to iteration its address moves by less than such a width.
    Stride,
    /// The load is uniform, in a loop with loads that differ from lane to lane.
    Broadcast,
    /// The analysis of the function took too many steps.
    Limit,
}

impl Kept {
    /// One clause, and the statement that it is about.
    pub fn words(
        self,
        session: &Session,
        accesses: &Accesses,
    ) -> (Cow<'static, str>, Option<InstId>) {
        let function = session.function;
        let inst = |id: AccessId| Some(accesses.get(id).inst);
        let (what, with) = match self {
            Kept::Uncopyable(origin, what) => {
                let insts = (0..).map(InstId).zip(&function.insts);
                let mut of_statement = insts.filter(|(_, inst)| inst.origin == origin);
                let what = format!(
                    "a test of its alignment needs a second copy of the code, and a statement prevents one: {what}"
                );
                return (what.into(), of_statement.next().map(|(id, _)| id));
            }
            Kept::First => ("nothing before has loaded or stored these bytes", None),
            Kept::NoPlace => ("its address or its elements are wider than 64 bits", None),
            Kept::SomePath => ("on some path these bytes were not loaded before", None),
            Kept::OtherIteration => (
                "only another iteration of the loop has loaded these bytes",
                None,
            ),
            Kept::Stop(at) => (stop_words(function.inst(at)), Some(at)),
            Kept::Store(id) => ("a store between may write these bytes", inst(id)),
            Kept::Read(id) => ("a load between may read what is stored", inst(id)),
            Kept::AfterStore(id) => ("it waits for a store that may write these bytes", inst(id)),
            Kept::NoRegister(id) => ("no register holds the value any more", inst(id)),
            Kept::Guard(id) => ("the earlier access has another predicate", inst(id)),
            Kept::Gap => (
                "its neighbours have no 2, 4, 8 or 16 aligned bytes without a gap",
                None,
            ),
            Kept::Aligned => (
                "no test at the entry shows that its address and its neighbours' are aligned",
                None,
            ),
            Kept::Dear => (
                "a test of its alignment needs a second copy of the code, which saves too little for its size",
                None,
            ),
            Kept::Stride => (
                "where a lane or an iteration begins is no multiple of 2, 4, 8 or 16 bytes that it has with its neighbours",
                None,
            ),
            Kept::Broadcast => (
                "all lanes of a warp load the same, in a loop with loads that differ: a wide access saves nothing there",
                None,
            ),
            Kept::Statement => ("the statement does more than to load", None),
            Kept::Limit => (
                "the function has too many accesses that may overlap, or too many loops around them (limit of steps)",
                None,
            ),
        };
        (what.into(), with)
    }

    /// What a user can do about it, in the words of CUDA C++.
    pub fn lift(self) -> Option<&'static str> {
        match self {
            Kept::Store(_) | Kept::Read(_) | Kept::AfterStore(_) => {
                Some("declare the pointers `__restrict__`, or pass `--assume noalias`")
            }
            Kept::Aligned | Kept::Dear => Some("declare the type `alignas(16)`"),
            Kept::Uncopyable(..) => Some(
                "declare the type `alignas(16)`, or keep that line (inline assembly mostly) out of the function",
            ),
            _ => None,
        }
    }
}

fn stop_words(inst: &Inst) -> &'static str {
    match inst.opcode {
        // A weak access is a stop for this reason only (`Accesses::new`).
        Opcode::Load(access) | Opcode::Store(access) if access.order.is_weak() => {
            "an access lies between whose address was not converted by cvta"
        }
        Opcode::Load(_) | Opcode::Store(_) => "a volatile or ordering access lies between",
        Opcode::Atomic { .. } => "an atomic operation lies between",
        Opcode::Fence(..) => "a fence lies between",
        Opcode::Barrier { .. } => "a barrier lies between",
        Opcode::Call { .. } => "a call lies between",
        Opcode::Opaque { .. } | Opcode::Nop => {
            "an instruction lies between that waits, orders memory, or reads a clock"
        }
        _ => "lanes wait for each other between",
    }
}
