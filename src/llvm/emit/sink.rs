//! Arithmetic moves down as far as its users let it, over the corner loads that will cut its block in pieces.
//!
//! LLVM's code generator looks at one block at a time: a product and a sum in two blocks become no fused operation, which
//! costs an instruction and gives other bits than the original has.

use inkwell::llvm_sys::LLVMOpcode::{self, *};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// Intrinsics that do nothing but compute.
const PURE: [&str; 14] = [
    "llvm.abs.",
    "llvm.copysign.",
    "llvm.exp2.",
    "llvm.fabs.",
    "llvm.fma.",
    "llvm.fmuladd.",
    "llvm.log2.",
    "llvm.maxnum.",
    "llvm.minnum.",
    "llvm.smax.",
    "llvm.smin.",
    "llvm.sqrt.",
    "llvm.umax.",
    "llvm.umin.",
];

unsafe extern "C" {
    /// In C++: moves an instruction in front of another.
    fn ptxasw_move_before(moved: LLVMValueRef, place: LLVMValueRef);
}

/// Moves what can move over `corners`, in each block that has some. `kept`: instructions that stay, because something stands
/// in front of them or reads them.
///
/// # Safety
/// All are instructions of one function.
pub unsafe fn sink(corners: &[LLVMValueRef], kept: &FxHashSet<LLVMValueRef>) {
    let all: FxHashSet<LLVMValueRef> = corners.iter().copied().collect();
    let mut seen: FxHashSet<LLVMBasicBlockRef> = FxHashSet::default();
    for &corner in corners {
        unsafe {
            let block = LLVMGetInstructionParent(corner);
            if seen.insert(block) {
                sink_in(block, &all, kept);
            }
        }
    }
}

/// The corner loads cut a block in pieces, which are counted from its end. An instruction moves into the last piece in which
/// all its users still find it.
unsafe fn sink_in(
    block: LLVMBasicBlockRef,
    corners: &FxHashSet<LLVMValueRef>,
    kept: &FxHashSet<LLVMValueRef>,
) {
    let mut pieces: FxHashMap<LLVMValueRef, usize> = FxHashMap::default();
    // The first instruction of each piece, in front of which the next one is put that moves there.
    let mut fronts: Vec<LLVMValueRef> = Vec::new();
    unsafe {
        let mut next = LLVMGetLastInstruction(block);
        while !next.is_null() {
            let instruction = next;
            next = LLVMGetPreviousInstruction(instruction);
            if corners.contains(&instruction) {
                fronts.push(LLVMGetNextInstruction(instruction));
            }
            let here = fronts.len();
            // Users in the block stand below and were looked at, but for phis, which read at its end.
            let latest = users(instruction).filter_map(|user| pieces.get(&user).copied());
            let latest = latest.max().unwrap_or(0);
            let moves = latest < here && is_pure(instruction) && !kept.contains(&instruction);
            if moves {
                ptxasw_move_before(instruction, fronts[latest]);
                fronts[latest] = instruction;
            }
            pieces.insert(instruction, if moves { latest } else { here });
        }
    }
}

fn users(value: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    let present = |one: inkwell::llvm_sys::prelude::LLVMUseRef| (!one.is_null()).then_some(one);
    let first = present(unsafe { LLVMGetFirstUse(value) });
    let uses = std::iter::successors(first, move |&one| present(unsafe { LLVMGetNextUse(one) }));
    uses.map(|one| unsafe { LLVMGetUser(one) })
}

/// Whether an instruction only computes.
fn is_pure(instruction: LLVMValueRef) -> bool {
    let opcode: LLVMOpcode = unsafe { LLVMGetInstructionOpcode(instruction) };
    match opcode {
        LLVMAdd | LLVMFAdd | LLVMSub | LLVMFSub | LLVMMul | LLVMFMul | LLVMUDiv | LLVMSDiv
        | LLVMFDiv | LLVMURem | LLVMSRem | LLVMFRem | LLVMFNeg | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI
        | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt
        | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMICmp | LLVMFCmp | LLVMSelect
        | LLVMGetElementPtr | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector
        | LLVMExtractValue | LLVMInsertValue | LLVMFreeze => true,
        LLVMCall => unsafe {
            let callee = LLVMGetCalledValue(instruction);
            let mut length = 0;
            let start = LLVMGetValueName2(callee, &mut length);
            if start.is_null() {
                return false;
            }
            let name = std::slice::from_raw_parts(start.cast::<u8>(), length);
            PURE.iter().any(|pure| name.starts_with(pure.as_bytes()))
        },
        _ => false,
    }
}
