//! Inserted instructions that are no pure operations: accesses to memory, and what lanes do together.

use super::builder::{Builder, NAMELESS};
use crate::mutation::{Mutation, active};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use ptxasw_ir::op::{Op, Permute};
use ptxasw_ir::opcode::{Access, BarrierKind, Opcode, ShuffleMode, VoteMode, VoteOrCount};
use ptxasw_ir::patch::Ref;
use ptxasw_ir::semantics::Domain;
use ptxasw_ir::types::Space;
use std::ffi::c_uint;

/// The number of a state space that accesses can name.
pub(super) fn number_of(space: Space) -> Option<u32> {
    match space {
        Space::Generic => Some(0),
        Space::Global => Some(1),
        Space::Shared => Some(3),
        Space::Const => Some(4),
        Space::Local => Some(5),
        Space::SharedCluster | Space::ParamEntry | Space::ParamFunc => None,
    }
}

/// Whether there is an instruction for it, with these operands. Pure operations are looked at elsewhere.
pub(super) fn is_writable(opcode: &Opcode, args: &[Ref], results: usize) -> bool {
    match opcode {
        Opcode::Op(_) => true,
        Opcode::Load(access) => has_form(access) && results == usize::from(access.elements),
        Opcode::Store(access) => {
            has_form(access)
                && access.skipped == 0
                && access.space != Space::Const
                && args.len() == 1 + usize::from(access.elements)
        }
        Opcode::Barrier { kind, aligned } => {
            // The reductions are of barrier 0 only.
            let zero = matches!(args.first(), Some(Ref::Constant(_, 0)));
            let reduces = matches!(kind, BarrierKind::Reduce(_));
            barrier(*kind, *aligned, args.len()).is_some() && (zero || !reduces)
        }
        Opcode::ActiveMask => args.is_empty() && results == 1,
        Opcode::Shuffle { sync: true, .. } => args.len() == 4 && results <= 2,
        Opcode::Vote { sync: true, .. } => args.len() == 2 && results == 1,
        Opcode::Match { all, .. } => args.len() == 2 && results <= 1 + usize::from(*all),
        _ => false,
    }
}

/// Whether LLVM keeps it if nobody reads its results.
pub(super) fn is_kept(opcode: &Opcode) -> bool {
    !matches!(opcode, Opcode::Op(_) | Opcode::Load(_))
}

fn has_form(access: &Access) -> bool {
    let generic = access.non_coherent && access.space != Space::Global;
    access.order.is_weak()
        && matches!(access.ty.bits, 8 | 16 | 32 | 64)
        && matches!(access.elements, 1 | 2 | 4 | 8)
        && number_of(access.space).is_some()
        && !generic
}

/// The intrinsic of a barrier, by the name that this version of LLVM has for it.
fn barrier(kind: BarrierKind, aligned: bool, args: usize) -> Option<&'static str> {
    use BarrierKind::*;
    let names: &[&str] = match (kind, aligned, args) {
        (Sync, true, 1) => &[
            "llvm.nvvm.barrier.cta.sync.aligned.all",
            "llvm.nvvm.barrier.n",
        ],
        (Sync, true, 2) => &[
            "llvm.nvvm.barrier.cta.sync.aligned.count",
            "llvm.nvvm.barrier",
        ],
        (Sync, false, 1) => &["llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.sync"],
        (Sync, false, 2) => &[
            "llvm.nvvm.barrier.cta.sync.count",
            "llvm.nvvm.barrier.sync.cnt",
        ],
        (Warp, _, 1) => &["llvm.nvvm.bar.warp.sync"],
        (Reduce(VoteOrCount::Popc), true, 2) => &[
            "llvm.nvvm.barrier.cta.red.popc.aligned.all",
            "llvm.nvvm.barrier0.popc",
        ],
        (Reduce(VoteOrCount::And), true, 2) => &[
            "llvm.nvvm.barrier.cta.red.and.aligned.all",
            "llvm.nvvm.barrier0.and",
        ],
        (Reduce(VoteOrCount::Or), true, 2) => &[
            "llvm.nvvm.barrier.cta.red.or.aligned.all",
            "llvm.nvvm.barrier0.or",
        ],
        (ClusterArrive, true, 0) => &["llvm.nvvm.barrier.cluster.arrive.aligned"],
        (ClusterArrive, false, 0) => &["llvm.nvvm.barrier.cluster.arrive"],
        (ClusterWait, true, 0) => &["llvm.nvvm.barrier.cluster.wait.aligned"],
        (ClusterWait, false, 0) => &["llvm.nvvm.barrier.cluster.wait"],
        _ => return None,
    };
    names.iter().copied().find(|name| Builder::has(name))
}

fn memory_type(b: &Builder, access: &Access) -> LLVMTypeRef {
    let element = b.integer(access.ty.bits);
    match access.elements {
        1 => element,
        count => unsafe { LLVMVectorType(element, count.into()) },
    }
}

/// A pointer, moved by the offset of an access.
fn place(b: &Builder, access: &Access, pointer: LLVMValueRef) -> LLVMValueRef {
    match active(Mutation::OffsetDropped) {
        true => pointer,
        false => b.moved(pointer, access.offset),
    }
}

/// The elements of a load through a pointer of the access' space.
pub(super) fn load(b: &Builder, access: &Access, pointer: LLVMValueRef) -> Vec<LLVMValueRef> {
    let whole = b.load(memory_type(b, access), place(b, access, pointer));
    unsafe { LLVMSetAlignment(whole, access.bytes()) };
    if access.non_coherent {
        b.mark_invariant(whole);
    }
    let element = |index| match access.elements {
        1 => whole,
        _ => unsafe { LLVMBuildExtractElement(b.raw, whole, b.number(32, index), NAMELESS) },
    };
    (0..access.elements.into()).map(element).collect()
}

/// A store through a pointer of the access' space.
pub(super) fn store(
    b: &Builder,
    access: &Access,
    pointer: LLVMValueRef,
    elements: &[LLVMValueRef],
) {
    let mut elements = elements.to_vec();
    if active(Mutation::ElementsReversed) {
        elements.reverse();
    }
    let whole = match elements[..] {
        [only] => only,
        _ => vector(b, b.integer(access.ty.bits), &elements),
    };
    let store = b.store(whole, place(b, access, pointer));
    unsafe { LLVMSetAlignment(store, access.bytes()) };
}

/// Two halves as one, and bytes of two words, by one instruction of the hardware: what LLVM makes of shifts costs more.
pub(super) fn packed(b: &Builder, op: &Op, args: &[LLVMValueRef]) -> Option<LLVMValueRef> {
    if args.iter().all(|one| b.as_constant(one).is_some()) {
        return None;
    }
    match (op, args) {
        (Op::Pack { width: 32, .. }, &[low, high]) => {
            let both = b.intrinsic("llvm.nvvm.lohi.i2d", &mut [], &mut [low, high]);
            Some(b.to_bits(both, 64))
        }
        (Op::Pack { width: 16, .. }, &[_, _]) => {
            Some(b.to_bits(vector(b, b.integer(16), args), 32))
        }
        (Op::Prmt(Permute::Index), &[low, high, control]) => {
            Some(b.intrinsic("llvm.nvvm.prmt", &mut [], &mut [low, high, control]))
        }
        _ => None,
    }
}

/// A vector of these.
fn vector(b: &Builder, element: LLVMTypeRef, elements: &[LLVMValueRef]) -> LLVMValueRef {
    let none = unsafe { LLVMGetPoison(LLVMVectorType(element, elements.len() as c_uint)) };
    (0..)
        .zip(elements)
        .fold(none, |whole, (index, &one)| unsafe {
            LLVMBuildInsertElement(b.raw, whole, one, b.number(32, index), NAMELESS)
        })
}

/// What lanes do together; the results have the widths that the IR gives them.
pub(super) fn together(
    b: &Builder,
    opcode: &Opcode,
    args: &[LLVMValueRef],
    widths: &[u8],
) -> Vec<LLVMValueRef> {
    let call = |name: &str, args: &[LLVMValueRef]| {
        let call = b.intrinsic(name, &mut [], &mut args.to_vec());
        // A barrier waits.
        if !matches!(opcode, Opcode::Barrier { .. }) {
            b.comes_back(call);
        }
        call
    };
    let active_mask = || {
        let call = b.active_mask();
        b.comes_back(call);
        call
    };
    let whole = match (opcode, args) {
        (Opcode::ActiveMask, _) => active_mask(),
        (&Opcode::Shuffle { mode, .. }, &[value, lane, clamp, mask]) => {
            let mode = match mode {
                ShuffleMode::Up => "up",
                ShuffleMode::Down => "down",
                ShuffleMode::Butterfly => "bfly",
                ShuffleMode::Index => "idx",
            };
            let args = [mask, value, lane, clamp];
            if widths.len() < 2 {
                let name = format!("llvm.nvvm.shfl.sync.{mode}.i32");
                let word = call(&name, &args);
                return widths.iter().map(|_| word).collect();
            }
            let both = call(&format!("llvm.nvvm.shfl.sync.{mode}.i32p"), &args);
            return (0..)
                .zip(widths)
                .map(|(index, _)| b.part(both, index))
                .collect();
        }
        (&Opcode::Vote { mode, .. }, &[predicate, mask]) => {
            let name = match mode {
                VoteMode::All => "llvm.nvvm.vote.all.sync",
                VoteMode::Any => "llvm.nvvm.vote.any.sync",
                VoteMode::Uniform => "llvm.nvvm.vote.uni.sync",
                VoteMode::Ballot => "llvm.nvvm.vote.ballot.sync",
            };
            call(name, &[mask, predicate])
        }
        (&Opcode::Match { all, width }, &[value, mask]) => {
            let name = match (all, width) {
                (false, 64) => "llvm.nvvm.match.any.sync.i64",
                (false, _) => "llvm.nvvm.match.any.sync.i32",
                (true, 64) => "llvm.nvvm.match.all.sync.i64p",
                (true, _) => "llvm.nvvm.match.all.sync.i32p",
            };
            let found = call(name, &[mask, value]);
            if all {
                return (0..)
                    .zip(widths)
                    .map(|(index, _)| b.part(found, index))
                    .collect();
            }
            found
        }
        (&Opcode::Barrier { kind, aligned }, _) => {
            let Some(name) = barrier(kind, aligned, args.len()) else {
                return Vec::new();
            };
            match (name.starts_with("llvm.nvvm.barrier0."), args) {
                (true, &[_, predicate]) => call(name, &[b.resized(predicate, 32, false)]),
                _ => call(name, args),
            }
        }
        _ => return Vec::new(),
    };
    let fit = |&width: &u8| match (width, b.bits_of(whole)) {
        // A predicate of a reduction is a number.
        (1, 32) => {
            let unequal = inkwell::llvm_sys::LLVMIntPredicate::LLVMIntNE;
            b.compared(unequal, whole, b.number(32, 0))
        }
        _ => b.resized(whole, width, false),
    };
    widths.iter().map(fit).collect()
}
