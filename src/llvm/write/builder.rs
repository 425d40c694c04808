//! New instructions at a place of a function. Values are integers: the bits of an IR value.

use super::error::Unwritable;
use crate::binding::FALLBACK;
use crate::version::MAJOR;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDISubprogramGetLine, LLVMGetSubprogram,
    LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMIntPredicate, LLVMTypeKind};
use ptxasw_ir::semantics::concrete::cut;
use std::ffi::{CStr, c_uint};

unsafe extern "C" {
    /// In C++, since the C interface of inline assembly differs between versions.
    fn ptxasw_active_mask(builder: LLVMBuilderRef) -> LLVMValueRef;
}

/// LLVM's name for no name.
pub(super) const NAMELESS: *const std::ffi::c_char = c"".as_ptr();

/// Builds instructions, and remembers the first operation that LLVM has no exact form for.
pub(super) struct Builder {
    pub raw: LLVMBuilderRef,
    pub context: LLVMContextRef,
    pub module: LLVMModuleRef,
    /// The function's own mode: plain arithmetic of `float` flushes subnormal numbers to zero.
    pub ftz: bool,
    /// The first operation that could not be written.
    pub refused: Option<Unwritable>,
    /// Values that are known to fit a byte.
    pub bytes: Vec<LLVMValueRef>,
}

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.raw) };
    }
}

impl Builder {
    /// For functions of a module, which outlives it.
    pub fn new(module: LLVMModuleRef, ftz: bool) -> Self {
        let context = unsafe { LLVMGetModuleContext(module) };
        Builder {
            raw: unsafe { LLVMCreateBuilderInContext(context) },
            context,
            module,
            ftz,
            refused: None,
            bytes: Vec::new(),
        }
    }

    /// What follows is at the end of a block.
    pub fn at_end(&self, block: LLVMBasicBlockRef) {
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block) };
    }

    /// What follows is in front of an instruction.
    pub fn before(&self, instruction: LLVMValueRef) {
        unsafe { LLVMPositionBuilderBefore(self.raw, instruction) };
    }

    /// The block that is written.
    pub fn block(&self) -> LLVMBasicBlockRef {
        unsafe { LLVMGetInsertBlock(self.raw) }
    }

    /// What follows belongs to the source line of an instruction, or of the function where that has none.
    pub fn line_of(&self, function: LLVMValueRef, instruction: Option<LLVMValueRef>) {
        unsafe {
            let own =
                instruction.map_or(std::ptr::null_mut(), |one| LLVMInstructionGetDebugLoc(one));
            let subprogram = LLVMGetSubprogram(function);
            let location = match own.is_null() && !subprogram.is_null() {
                true => LLVMDIBuilderCreateDebugLocation(
                    self.context,
                    LLVMDISubprogramGetLine(subprogram),
                    0,
                    subprogram,
                    std::ptr::null_mut(),
                ),
                false => own,
            };
            LLVMSetCurrentDebugLocation2(self.raw, location);
        }
    }

    /// What follows belongs to the source line of a value, if it has one.
    pub fn same_line(&self, value: LLVMValueRef) {
        unsafe {
            if LLVMIsAInstruction(value).is_null() {
                return;
            }
            let location = LLVMInstructionGetDebugLoc(value);
            if !location.is_null() {
                LLVMSetCurrentDebugLocation2(self.raw, location);
            }
        }
    }

    /// A new block of the function that is written.
    pub fn new_block(&self) -> LLVMBasicBlockRef {
        unsafe {
            let block = LLVMAppendBasicBlockInContext(
                self.context,
                LLVMGetBasicBlockParent(self.block()),
                NAMELESS,
            );
            LLVMMoveBasicBlockAfter(block, self.block());
            block
        }
    }

    pub fn jump(&self, to: LLVMBasicBlockRef) {
        unsafe { LLVMBuildBr(self.raw, to) };
    }

    /// A jump in front of a branch, which it replaces: with its line, and what it says of its loop.
    pub fn ending(&self, branch: LLVMValueRef, to: LLVMBasicBlockRef) {
        self.before(branch);
        unsafe {
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(branch));
            self.say_of_loop(LLVMBuildBr(self.raw, to), Some(branch));
        }
    }

    /// The end of a block says what another one does of the loop that it goes back in, or nothing.
    pub fn say_of_loop(&self, end: LLVMValueRef, other: Option<LLVMValueRef>) {
        const LOOP: &CStr = c"llvm.loop";
        unsafe {
            let length = LOOP.count_bytes() as c_uint;
            let kind = LLVMGetMDKindIDInContext(self.context, LOOP.as_ptr(), length);
            let node = other.map(|other| LLVMGetMetadata(other, kind));
            LLVMSetMetadata(end, kind, node.unwrap_or(std::ptr::null_mut()));
        }
    }

    /// An end of the current block that is removed again.
    pub fn stand_in(&self) -> LLVMValueRef {
        unsafe { LLVMBuildUnreachable(self.raw) }
    }

    /// A branch on a value that may be poison: then either successor is taken.
    pub fn branch(
        &self,
        condition: LLVMValueRef,
        then: LLVMBasicBlockRef,
        otherwise: LLVMBasicBlockRef,
    ) {
        let condition = self.decided(condition);
        unsafe { LLVMBuildCondBr(self.raw, condition, then, otherwise) };
    }

    /// A condition by which a branch is decided, whatever it is.
    pub fn decided(&self, condition: LLVMValueRef) -> LLVMValueRef {
        match unsafe { LLVMIsAConstantInt(condition).is_null() } {
            true => self.freeze(condition),
            false => condition,
        }
    }

    pub fn integer(&self, bits: u8) -> LLVMTypeRef {
        unsafe { LLVMIntTypeInContext(self.context, c_uint::from(bits)) }
    }

    /// An integer constant, truncated to `width` bits, which `LLVMConstInt` no longer does since LLVM 23.
    pub fn number(&self, width: u8, bits: u64) -> LLVMValueRef {
        unsafe { LLVMConstInt(self.integer(width), cut(width, bits), 0) }
    }

    pub fn pointer_type(&self, space: u32) -> LLVMTypeRef {
        unsafe { LLVMPointerTypeInContext(self.context, space) }
    }

    pub fn bits_of(&self, value: LLVMValueRef) -> u8 {
        unsafe { LLVMGetIntTypeWidth(LLVMTypeOf(value)) as u8 }
    }

    /// An integer of another width, by zeros or the sign.
    pub fn resized(&self, value: LLVMValueRef, to: u8, signed: bool) -> LLVMValueRef {
        let (from, ty) = (self.bits_of(value), self.integer(to));
        unsafe {
            match from.cmp(&to) {
                std::cmp::Ordering::Equal => value,
                std::cmp::Ordering::Greater => LLVMBuildTrunc(self.raw, value, ty, NAMELESS),
                std::cmp::Ordering::Less if signed => LLVMBuildSExt(self.raw, value, ty, NAMELESS),
                std::cmp::Ordering::Less => LLVMBuildZExt(self.raw, value, ty, NAMELESS),
            }
        }
    }

    /// The bits of a scalar, or of a short vector.
    pub fn to_bits(&self, value: LLVMValueRef, width: u8) -> LLVMValueRef {
        let ty = self.integer(width);
        unsafe {
            match LLVMGetTypeKind(LLVMTypeOf(value)) {
                LLVMTypeKind::LLVMIntegerTypeKind => value,
                LLVMTypeKind::LLVMPointerTypeKind => {
                    LLVMBuildPtrToInt(self.raw, value, ty, NAMELESS)
                }
                _ => LLVMBuildBitCast(self.raw, value, ty, NAMELESS),
            }
        }
    }

    /// Bits as a type of that size. A `ptrtoint` gives its operand back: of `inttoptr (ptrtoint (select c, local, global))` LLVM 22's
    /// `llc` infers local memory.
    pub fn typed(&self, bits: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
        unsafe {
            let is_pointer = !LLVMIsAPtrToIntInst(bits).is_null() && self.bits_of(bits) == 64;
            if is_pointer && LLVMTypeOf(LLVMGetOperand(bits, 0)) == ty {
                return LLVMGetOperand(bits, 0);
            }
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMIntegerTypeKind => bits,
                LLVMTypeKind::LLVMPointerTypeKind => {
                    LLVMBuildIntToPtr(self.raw, bits, ty, NAMELESS)
                }
                _ => LLVMBuildBitCast(self.raw, bits, ty, NAMELESS),
            }
        }
    }

    /// A pointer so many bytes further on.
    pub fn moved(&self, pointer: LLVMValueRef, bytes: i64) -> LLVMValueRef {
        if bytes == 0 {
            return pointer;
        }
        let mut index = [self.number(64, bytes as u64)];
        unsafe {
            let byte = self.integer(8);
            LLVMBuildGEP2(self.raw, byte, pointer, index.as_mut_ptr(), 1, NAMELESS)
        }
    }

    pub fn space_cast(&self, pointer: LLVMValueRef, space: u32) -> LLVMValueRef {
        let ty = self.pointer_type(space);
        unsafe { LLVMBuildAddrSpaceCast(self.raw, pointer, ty, NAMELESS) }
    }

    pub fn compared(
        &self,
        how: LLVMIntPredicate,
        a: LLVMValueRef,
        b: LLVMValueRef,
    ) -> LLVMValueRef {
        unsafe { LLVMBuildICmp(self.raw, how, a, b, NAMELESS) }
    }

    pub fn chosen(
        &self,
        condition: LLVMValueRef,
        a: LLVMValueRef,
        b: LLVMValueRef,
    ) -> LLVMValueRef {
        unsafe { LLVMBuildSelect(self.raw, condition, a, b, NAMELESS) }
    }

    pub fn freeze(&self, value: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildFreeze(self.raw, value, NAMELESS) }
    }

    /// A part of a struct or array.
    pub fn part(&self, whole: LLVMValueRef, index: u32) -> LLVMValueRef {
        unsafe { LLVMBuildExtractValue(self.raw, whole, index, NAMELESS) }
    }

    /// What a slot holds.
    pub fn load(&self, ty: LLVMTypeRef, slot: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildLoad2(self.raw, ty, slot, NAMELESS) }
    }

    pub fn store(&self, value: LLVMValueRef, slot: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildStore(self.raw, value, slot) }
    }

    /// A phi of two values, by the blocks that they come from.
    pub fn phi(&self, incoming: [(LLVMValueRef, LLVMBasicBlockRef); 2]) -> LLVMValueRef {
        let (mut values, mut blocks) = (incoming.map(|one| one.0), incoming.map(|one| one.1));
        unsafe {
            let phi = LLVMBuildPhi(self.raw, LLVMTypeOf(values[0]), NAMELESS);
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), 2);
            phi
        }
    }

    /// The lanes that are here together, which is an instruction of inline assembly in versions of LLVM without an intrinsic for it.
    pub fn active_mask(&self) -> LLVMValueRef {
        const NAME: &str = "llvm.nvvm.activemask";
        match Builder::has(NAME) {
            true => self.intrinsic(NAME, &mut [], &mut []),
            false => unsafe { ptxasw_active_mask(self.raw) },
        }
    }

    /// Whether this version of LLVM has an intrinsic of exactly this name. The name of an overloaded one has no type suffix.
    pub fn has(name: &str) -> bool {
        unsafe {
            // The lookup finds an overloaded one by any name with its prefix.
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut length = 0;
            let start: *const u8 = LLVMIntrinsicGetName(id, &mut length).cast();
            id != 0 && std::slice::from_raw_parts(start, length) == name.as_bytes()
        }
    }

    /// Whether an existing intrinsic is overloaded.
    pub fn is_overloaded(name: &str) -> bool {
        unsafe {
            LLVMIntrinsicIsOverloaded(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len())) != 0
        }
    }

    /// The parameter types of an existing intrinsic, with its overload types.
    pub fn parameters(&self, name: &str, types: &mut [LLVMTypeRef]) -> Vec<LLVMTypeRef> {
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let ty = LLVMIntrinsicGetType(self.context, id, types.as_mut_ptr(), types.len());
            let count = LLVMCountParamTypes(ty) as usize;
            let mut types = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(ty, types.as_mut_ptr());
            types
        }
    }

    /// A call of an intrinsic, which is there; its declaration brings its attributes (`convergent`) with it.
    pub fn intrinsic(
        &self,
        name: &str,
        types: &mut [LLVMTypeRef],
        arguments: &mut [LLVMValueRef],
    ) -> LLVMValueRef {
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert_ne!(id, 0, "this version of LLVM has no intrinsic {name}");
            let (first, count) = (types.as_mut_ptr(), types.len());
            let function = LLVMGetIntrinsicDeclaration(self.module, id, first, count);
            let ty = LLVMIntrinsicGetType(self.context, id, first, count);
            let count = arguments.len() as c_uint;
            let first = arguments.as_mut_ptr();
            LLVMBuildCall2(self.raw, ty, function, first, count, NAMELESS)
        }
    }

    /// Says of a call what its declaration leaves open: no lane waits for one that does not come, so all come back. Without that
    /// word LLVM does not carry what it knows of addresses across the call, and computes them twice.
    ///
    /// Passes of LLVM before 19 merge calls that both arms of a branch begin with, convergent ones as well, unless a call forbids it.
    pub fn comes_back(&self, call: LLVMValueRef) {
        let unmerged = (MAJOR < 19).then_some("nomerge");
        for name in ["nounwind", "willreturn"].into_iter().chain(unmerged) {
            unsafe {
                let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
                LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Marks a load as one of memory that nobody writes while the kernel runs (`!invariant.load`).
    pub fn mark_invariant(&self, load: LLVMValueRef) {
        self.note(load, "invariant.load");
    }

    /// Where the branch at the end of the current block is not taken, the original of a copy runs.
    pub fn note_fallback(&self) {
        self.note(
            unsafe { LLVMGetBasicBlockTerminator(self.block()) },
            FALLBACK,
        );
    }

    /// Puts metadata without operands at an instruction.
    fn note(&self, instruction: LLVMValueRef, name: &str) {
        unsafe {
            let length = name.len() as c_uint;
            let kind = LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length);
            let node = LLVMMDNodeInContext2(self.context, std::ptr::null_mut(), 0);
            LLVMSetMetadata(instruction, kind, LLVMMetadataAsValue(self.context, node));
        }
    }
}
