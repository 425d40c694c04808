//! Functions of a module and their attributes.

use super::{Block, Ty, Val, View, copied};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMUseRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};
use std::ffi::c_uint;
use std::marker::PhantomData;

impl<'m> View<'m> {
    /// All functions, in the order of the module.
    pub fn functions(self) -> Vec<Val<'m>> {
        let mut found = Vec::new();
        let mut next = unsafe { LLVMGetFirstFunction(self.0.as_mut_ptr()) };
        while !next.is_null() {
            found.push(Val(next, PhantomData));
            next = unsafe { LLVMGetNextFunction(next) };
        }
        found
    }

    /// The inline assembly of the module itself.
    pub fn assembly(self) -> String {
        let mut length = 0;
        unsafe {
            let start = LLVMGetModuleInlineAsm(self.0.as_mut_ptr(), &mut length);
            copied(start, length)
        }
    }
}

/// A sequence of LLVM's, by its first and next element.
pub(super) fn chain(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = LLVMValueRef> {
    let present = |value: LLVMValueRef| (!value.is_null()).then_some(value);
    std::iter::successors(present(first), move |&value| {
        present(unsafe { next(value) })
    })
}

impl<'m> Val<'m> {
    /// The name of a function, variable or value; empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            copied(start, length)
        }
    }

    /// Of a function: only declared.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Of a function: who else may define it.
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// Of a function: the number of its calling convention.
    pub fn calling_convention(self) -> u32 {
        unsafe { LLVMGetFunctionCallConv(self.0) }
    }

    /// Of a function: its parameters.
    pub fn parameters(self) -> Vec<Val<'m>> {
        chain(unsafe { LLVMGetFirstParam(self.0) }, LLVMGetNextParam)
            .map(|value| Val(value, PhantomData))
            .collect()
    }

    /// Of a function: its blocks.
    pub fn blocks(self) -> Vec<Block<'m>> {
        let mut blocks =
            vec![std::ptr::null_mut(); unsafe { LLVMCountBasicBlocks(self.0) } as usize];
        unsafe { LLVMGetBasicBlocks(self.0, blocks.as_mut_ptr()) };
        blocks
            .into_iter()
            .map(|block| Block(block, PhantomData))
            .collect()
    }

    /// Of a function: an attribute `"name"="value"`.
    pub fn text_attribute(self, name: &str) -> Option<String> {
        self.text_attribute_at(LLVMAttributeFunctionIndex, name)
    }

    /// Of a function: the text of an attribute `"name"="text"` of a parameter (from 1).
    pub fn text_attribute_at(self, index: u32, name: &str) -> Option<String> {
        let (start, length) = (name.as_ptr().cast(), name.len() as u32);
        unsafe {
            let found = LLVMGetStringAttributeAtIndex(self.0, index, start, length);
            if found.is_null() {
                return None;
            }
            let mut length = 0;
            let value = LLVMGetStringAttributeValue(found, &mut length);
            Some(copied(value, length as usize))
        }
    }

    /// Of a function: sets an attribute `"name"="value"`.
    pub fn set_text_attribute(self, name: &str, value: &str) {
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                LLVMGetTypeContext(LLVMTypeOf(self.0)),
                name.as_ptr().cast(),
                name.len() as c_uint,
                value.as_ptr().cast(),
                value.len() as c_uint,
            );
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Of a function: the type that an attribute such as `byval(T)` of a parameter (from 1) names.
    pub fn parameter_type(self, index: u32, name: &str) -> Option<Ty<'m>> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let found = LLVMGetEnumAttributeAtIndex(self.0, index, kind);
            (kind != 0 && !found.is_null() && LLVMIsTypeAttribute(found) != 0)
                .then(|| Ty(LLVMGetTypeAttributeValue(found), PhantomData))
        }
    }

    /// What uses a value.
    pub fn users(self) -> impl Iterator<Item = Val<'m>> {
        let present = |one: LLVMUseRef| (!one.is_null()).then_some(one);
        std::iter::successors(present(unsafe { LLVMGetFirstUse(self.0) }), move |&one| {
            present(unsafe { LLVMGetNextUse(one) })
        })
        .map(|one| Val(unsafe { LLVMGetUser(one) }, PhantomData))
    }

    /// Of a function: whether it, its result (0) or a parameter (from 1) has an attribute such as `convergent`.
    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        self.attribute(index, name).is_some()
    }

    /// The number of an attribute at an index, 0 for one that has none; none if it is not there.
    pub fn attribute(self, index: u32, name: &str) -> Option<u64> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let found = match kind {
                0 => return None,
                _ => LLVMGetEnumAttributeAtIndex(self.0, index, kind),
            };
            (!found.is_null()).then(|| LLVMGetEnumAttributeValue(found))
        }
    }
}

impl<'m> Block<'m> {
    /// Its instructions.
    pub fn instructions(self) -> impl Iterator<Item = Val<'m>> {
        chain(
            unsafe { LLVMGetFirstInstruction(self.0) },
            LLVMGetNextInstruction,
        )
        .map(|value| Val(value, PhantomData))
    }

    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        Val(unsafe { LLVMBasicBlockAsValue(self.0) }, PhantomData).name()
    }
}
