//! What LLVM's C interface answers only in later versions, or not for all values: asked in C++, which is the same for all of them.

use super::{Ty, Val, View};
use inkwell::llvm_sys::core::LLVMIsAInlineAsm;
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use ptxasw_ir::fast_math::FastMath;
use std::ffi::{c_char, c_uint, c_void};
use std::marker::PhantomData;

/// Takes a text, which is there until this returns.
pub(super) type Take = extern "C" fn(*mut c_void, *const c_char, usize);

unsafe extern "C" {
    fn ptxasw_has_typed_pointers(module: LLVMModuleRef) -> bool;
    fn ptxasw_no_wrap(value: LLVMValueRef) -> c_uint;
    fn ptxasw_fast_math(value: LLVMValueRef) -> c_uint;
    fn ptxasw_is_disjoint(value: LLVMValueRef) -> bool;
    fn ptxasw_is_not_negative(value: LLVMValueRef) -> bool;
    fn ptxasw_has_same_sign(value: LLVMValueRef) -> bool;
    fn ptxasw_has_bundles(call: LLVMValueRef) -> bool;
    fn ptxasw_memory_effects(call: LLVMValueRef) -> c_uint;
    fn ptxasw_atomic_operation(instruction: LLVMValueRef, take: Take, context: *mut c_void);
    fn ptxasw_assembly(value: LLVMValueRef, take: Take, context: *mut c_void) -> bool;
    fn ptxasw_flushes(function: LLVMValueRef) -> bool;
    fn ptxasw_case_value(instruction: LLVMValueRef, index: usize) -> LLVMValueRef;
    fn ptxasw_array_length(array: LLVMTypeRef) -> u64;
    fn ptxasw_replace_node_operand(node: LLVMValueRef, index: c_uint, operand: LLVMMetadataRef);
}

/// The texts that `ask` hands out.
pub(super) fn texts(ask: impl FnOnce(Take, *mut c_void)) -> Vec<Vec<u8>> {
    extern "C" fn take(context: *mut c_void, start: *const c_char, length: usize) {
        // SAFETY: it is the list below, and nobody else uses it.
        let texts = unsafe { &mut *context.cast::<Vec<Vec<u8>>>() };
        // SAFETY: so many bytes are there until this returns.
        texts.push(unsafe { std::slice::from_raw_parts(start.cast(), length) }.to_vec());
    }
    let mut texts: Vec<Vec<u8>> = Vec::new();
    ask(take, (&raw mut texts).cast());
    texts
}

fn string(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Inline assembly as a callee: its PTX template, LLVM's constraint string and the `sideeffect` flag.
pub struct Assembly {
    /// The template, with `$0` and so on for operands.
    pub text: String,
    /// Its constraints, separated by commas.
    pub constraints: String,
    /// Whether it says of itself that it has side effects.
    pub effects: bool,
}

impl Assembly {
    /// Whether it is one line with a comment alone, and has no operands: it does nothing.
    pub fn is_comment(&self) -> bool {
        let comment = self.text.trim_start().starts_with("//") && !self.text.contains('\n');
        comment && self.constraints.is_empty()
    }
}

impl View<'_> {
    /// Whether pointers have the types of what they point to, as LLVM 15 and 16 read them by `-opaque-pointers=0`.
    pub fn has_typed_pointers(self) -> bool {
        unsafe { ptxasw_has_typed_pointers(self.0.as_mut_ptr()) }
    }
}

impl Val<'_> {
    /// `nuw` and `nsw` of an `add`, `sub`, `mul` or `shl`.
    pub fn no_wrap(self) -> (bool, bool) {
        let flags = unsafe { ptxasw_no_wrap(self.0) };
        (flags & 1 != 0, flags & 2 != 0)
    }

    /// The flags of an operation on floating-point numbers.
    pub fn fast_math(self) -> FastMath {
        let flags = unsafe { ptxasw_fast_math(self.0) };
        FastMath::of_bits(flags as u8)
    }

    /// `disjoint` of an `or` (since LLVM 18).
    pub fn is_disjoint(self) -> bool {
        unsafe { ptxasw_is_disjoint(self.0) }
    }

    /// `nneg` of a `zext` (since LLVM 18).
    pub fn is_not_negative(self) -> bool {
        unsafe { ptxasw_is_not_negative(self.0) }
    }

    /// `samesign` of an `icmp` (since LLVM 20): it is poison where the signs differ.
    pub fn has_same_sign(self) -> bool {
        unsafe { ptxasw_has_same_sign(self.0) }
    }

    /// Whether a call has operand bundles.
    pub fn has_bundles(self) -> bool {
        unsafe { ptxasw_has_bundles(self.0) }
    }

    /// Whether a call may read and whether it may write memory of any kind, by its attributes and those of what it calls.
    pub fn memory_effects(self) -> (bool, bool) {
        let effects = unsafe { ptxasw_memory_effects(self.0) };
        (effects & 1 != 0, effects & 2 != 0)
    }

    /// Whether plain arithmetic of a function on single precision flushes subnormal numbers to zero of their sign, as the code
    /// generator sees it.
    pub fn flushes(self) -> bool {
        unsafe { ptxasw_flushes(self.0) }
    }

    /// The constant of a case of a `switch`, by its number (an operand before LLVM 22).
    pub fn case_value(self, index: usize) -> Self {
        Val(unsafe { ptxasw_case_value(self.0, index) }, PhantomData)
    }

    /// The operation of an `atomicrmw`, as LLVM IR spells it.
    pub fn atomic_operation(self) -> String {
        let texts = texts(|take, context| unsafe {
            ptxasw_atomic_operation(self.0, take, context);
        });
        string(texts.concat())
    }

    /// The inline assembly that a value is.
    pub fn assembly(self) -> Option<Assembly> {
        if unsafe { LLVMIsAInlineAsm(self.0) }.is_null() {
            return None;
        }
        let mut effects = false;
        let texts = texts(|take, context| {
            effects = unsafe { ptxasw_assembly(self.0, take, context) };
        });
        let mut texts = texts.into_iter().map(string);
        Some(Assembly {
            text: texts.next()?,
            constraints: texts.next()?,
            effects,
        })
    }

    /// Puts another operand into a node of metadata, which it has at `index`.
    ///
    /// # Safety
    /// The operand belongs to the node's context.
    pub unsafe fn replace_node_operand(self, index: u32, operand: LLVMMetadataRef) {
        unsafe { ptxasw_replace_node_operand(self.0, index, operand) };
    }
}

impl Ty<'_> {
    /// Elements of an array.
    pub(super) fn array_length(self) -> u64 {
        unsafe { ptxasw_array_length(self.0) }
    }
}
