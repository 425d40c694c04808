//! A safe view of a module: what the front end asks LLVM, without the cases in which inkwell's own wrappers panic
//! (unusual types, null operands of metadata).

mod function;
mod instructions;
pub mod layout;
mod metadata;
pub mod print;
mod questions;
mod values;

use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use inkwell::module::Module;
use std::ffi::c_char;
use std::marker::PhantomData;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty<'m>(LLVMTypeRef, PhantomData<&'m ()>);

/// A value: constant, argument, instruction, function, variable, or metadata as a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Val<'m>(LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

/// A module that is only read while the view lives.
#[derive(Clone, Copy)]
pub struct View<'m>(&'m Module<'m>);

impl<'m> View<'m> {
    /// Of a whole module.
    pub fn new(module: &'m Module<'_>) -> Self {
        // Nothing that the view gives out outlives the borrow, nor does the context of a borrowed module.
        let module: &'m Module<'m> = unsafe { std::mem::transmute(module) };
        View(module)
    }

    /// What LLVM calls it.
    pub fn raw(self) -> LLVMModuleRef {
        self.0.as_mut_ptr()
    }
}

impl<'m> Val<'m> {
    /// What LLVM calls it.
    pub fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// A value of LLVM's.
    ///
    /// # Safety
    /// It belongs to a module that lives as long as `'m`.
    pub unsafe fn from_raw(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Val(raw, PhantomData))
    }
}

impl<'m> Ty<'m> {
    /// What LLVM calls it.
    pub fn raw(self) -> LLVMTypeRef {
        self.0
    }
}

impl<'m> Block<'m> {
    /// What LLVM calls it.
    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }
}

pub use instructions::AssumedRange;
pub use questions::Assembly;

/// A text of LLVM's, copied.
///
/// # Safety
/// `start` is null or points to `length` bytes.
unsafe fn copied(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
