//! Instructions.

use super::{Block, Ty, Val, copied};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetFilename, LLVMDILocationGetColumn, LLVMDILocationGetLine, LLVMDILocationGetScope,
    LLVMDIScopeGetFile, LLVMDISubprogramGetLine, LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use inkwell::llvm_sys::{
    LLVMAtomicOrdering, LLVMAttributeFunctionIndex, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate,
};
use ptxasw_driver::report::positions::SourcePosition;
use std::ffi::c_void;
use std::marker::PhantomData;

unsafe extern "C" {
    /// In C++, since LLVM's C interface can't read such an attribute.
    fn ptxasw_promised_range(value: LLVMValueRef, low: &mut u64, high: &mut u64) -> bool;
    /// In C++, with LLVM's own arithmetic of ranges.
    fn ptxasw_assumed_ranges(function: LLVMValueRef, found: RangeCallback, context: *mut c_void);
}

/// Takes a value, the `llvm.assume` that speaks of it, and the least and the greatest number.
type RangeCallback = extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef, u64, u64);

/// A range that is promised of a value by an `llvm.assume`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssumedRange<'m> {
    /// The value.
    pub value: Val<'m>,
    /// The first that speaks of it.
    pub assume: Val<'m>,
    /// The least number.
    pub low: u64,
    /// The greatest; it may be below the least.
    pub high: u64,
}

impl<'m> Val<'m> {
    /// What a function promises of values before it does anything that might end the thread.
    pub fn assumed_ranges(self) -> Vec<AssumedRange<'m>> {
        extern "C" fn found(
            context: *mut c_void,
            value: LLVMValueRef,
            assume: LLVMValueRef,
            low: u64,
            high: u64,
        ) {
            // SAFETY: it is the list below, and nobody else uses it.
            let all = unsafe { &mut *context.cast::<Vec<AssumedRange>>() };
            all.push(AssumedRange {
                value: Val(value, PhantomData),
                assume: Val(assume, PhantomData),
                low,
                high,
            });
        }
        let mut all: Vec<AssumedRange<'m>> = Vec::new();
        unsafe { ptxasw_assumed_ranges(self.0, found, (&raw mut all).cast()) };
        all
    }

    /// What an instruction does.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// A conditional or unconditional branch: one opcode before LLVM 23, two since.
    pub fn is_branch(self) -> bool {
        #[cfg(not(feature = "llvm23"))]
        return matches!(self.opcode(), LLVMOpcode::LLVMBr);
        #[cfg(feature = "llvm23")]
        return matches!(
            self.opcode(),
            LLVMOpcode::LLVMUncondBr | LLVMOpcode::LLVMCondBr
        );
    }

    /// An instruction.
    pub fn is_instruction(self) -> bool {
        !unsafe { LLVMIsAInstruction(self.0) }.is_null()
    }

    /// The block of an instruction.
    pub fn block(self) -> Block<'m> {
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    /// Where a terminator goes.
    pub fn successors(self) -> Vec<Block<'m>> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count)
            .map(|index| Block(unsafe { LLVMGetSuccessor(self.0, index) }, PhantomData))
            .collect()
    }

    /// What a phi takes, by predecessor.
    pub fn incoming(self) -> Vec<(Block<'m>, Val<'m>)> {
        (0..unsafe { LLVMCountIncoming(self.0) })
            .map(|index| unsafe {
                let block = Block(LLVMGetIncomingBlock(self.0, index), PhantomData);
                (block, Val(LLVMGetIncomingValue(self.0, index), PhantomData))
            })
            .collect()
    }

    /// The comparison of an `icmp`.
    pub fn integer_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The comparison of an `fcmp`.
    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// The least and the greatest number that an integer may be, by a promise: a load, a parameter, what a call returns. The
    /// greatest may be below the least.
    pub fn promised_range(self) -> Option<(u64, u64)> {
        let (mut low, mut high) = (0, 0);
        let found = unsafe { ptxasw_promised_range(self.0, &mut low, &mut high) };
        found.then_some((low, high))
    }

    /// `inbounds` of a `getelementptr`.
    pub fn in_bounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// The type that a `getelementptr` counts in.
    pub fn source_element(self) -> Ty<'m> {
        Ty(unsafe { LLVMGetGEPSourceElementType(self.0) }, PhantomData)
    }

    /// `volatile` of a memory access.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// The ordering of a load, store, `atomicrmw` or fence.
    pub fn ordering(self) -> LLVMAtomicOrdering {
        unsafe { LLVMGetOrdering(self.0) }
    }

    /// The stronger ordering of a `cmpxchg`.
    pub fn exchange_ordering(self) -> LLVMAtomicOrdering {
        unsafe { LLVMGetCmpXchgSuccessOrdering(self.0) }
    }

    /// The type that an `alloca` makes room for.
    pub fn allocated(self) -> Ty<'m> {
        Ty(unsafe { LLVMGetAllocatedType(self.0) }, PhantomData)
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let (start, count) = (LLVMGetIndices(self.0), LLVMGetNumIndices(self.0));
            (0..count as usize).map(|index| *start.add(index)).collect()
        }
    }

    /// The mask of a `shufflevector`; none for an element that is not defined.
    pub fn mask(self) -> Vec<Option<u32>> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count)
            .map(|index| u32::try_from(unsafe { LLVMGetMaskValue(self.0, index) }).ok())
            .collect()
    }

    /// The alignment in bytes of a load's address, as the load states it.
    pub fn alignment(self) -> Option<u64> {
        let load = unsafe { LLVMIsALoadInst(self.0) };
        (!load.is_null()).then(|| unsafe { LLVMGetAlignment(load) }.into())
    }

    /// Whether an instruction has metadata of a kind such as `invariant.load`.
    pub fn has_metadata(self, kind: &str) -> bool {
        self.metadata(kind).is_some()
    }

    /// The metadata of a kind that an instruction has.
    pub fn metadata(self, kind: &str) -> Option<Val<'m>> {
        unsafe {
            if LLVMHasMetadata(self.0) == 0 {
                return None;
            }
            let context = LLVMGetTypeContext(LLVMTypeOf(self.0));
            let kind = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32);
            Val::from_raw(LLVMGetMetadata(self.0, kind))
        }
    }

    /// What a call calls.
    pub fn callee(self) -> Option<Val<'m>> {
        unsafe { Val::from_raw(LLVMGetCalledValue(self.0)) }
    }

    /// What a call passes.
    pub fn arguments(self) -> Vec<Val<'m>> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).filter_map(|index| self.operand(index)).collect()
    }

    /// The value of an attribute of a call, or of the function that it calls; 0 for one without a value.
    pub fn call_attribute(self, name: &str) -> Option<u64> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            if kind == 0 {
                return None;
            }
            let index = LLVMAttributeFunctionIndex;
            let mut found = LLVMGetCallSiteEnumAttribute(self.0, index, kind);
            if found.is_null()
                && let Some(callee) = self.callee()
                && callee.is_function()
            {
                found = LLVMGetEnumAttributeAtIndex(callee.0, index, kind);
            }
            (!found.is_null()).then(|| LLVMGetEnumAttributeValue(found))
        }
    }

    /// A function.
    pub fn is_function(self) -> bool {
        !unsafe { LLVMIsAFunction(self.0) }.is_null()
    }

    /// The source line of an instruction.
    pub fn source_line(self) -> Option<SourcePosition> {
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.0);
            if location.is_null() {
                return None;
            }
            Some(SourcePosition {
                file: file_of(LLVMDILocationGetScope(location)),
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
            })
        }
    }

    /// The source line of a function.
    pub fn function_line(self) -> Option<SourcePosition> {
        unsafe {
            let subprogram = LLVMGetSubprogram(self.0);
            let line = (!subprogram.is_null()).then(|| LLVMDISubprogramGetLine(subprogram));
            Some(SourcePosition {
                line: line.filter(|&line| line > 0)?,
                column: 0,
                file: file_of(subprogram),
            })
        }
    }
}

/// The file of a scope of debug information; empty where it has none.
unsafe fn file_of(scope: LLVMMetadataRef) -> String {
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        let mut length = 0;
        let name = match file.is_null() {
            true => std::ptr::null(),
            false => LLVMDIFileGetFilename(file, &mut length),
        };
        copied(name, length as usize)
    }
}
