//! Metadata.

use super::{Val, View, copied};
use inkwell::llvm_sys::core::*;
use std::ffi::CString;
use std::marker::PhantomData;

impl<'m> View<'m> {
    /// The nodes of `!name`.
    pub fn named_metadata(self, name: &str) -> Vec<Val<'m>> {
        let Ok(name) = CString::new(name) else {
            return Vec::new();
        };
        let module = self.0.as_mut_ptr();
        let count = unsafe { LLVMGetNamedMetadataNumOperands(module, name.as_ptr()) } as usize;
        let mut nodes = vec![std::ptr::null_mut(); count];
        unsafe { LLVMGetNamedMetadataOperands(module, name.as_ptr(), nodes.as_mut_ptr()) };
        nodes
            .into_iter()
            .map(|node| Val(node, PhantomData))
            .collect()
    }
}

impl<'m> Val<'m> {
    /// The operands of a metadata node; none for one that is null. Nothing if it is no node.
    pub fn node_operands(self) -> Vec<Option<Val<'m>>> {
        if unsafe { LLVMIsAMDNode(self.0) }.is_null() {
            return Vec::new();
        }
        let count = unsafe { LLVMGetMDNodeNumOperands(self.0) } as usize;
        let mut operands = vec![std::ptr::null_mut(); count];
        unsafe { LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr()) };
        operands
            .into_iter()
            .map(|operand| unsafe { Val::from_raw(operand) })
            .collect()
    }

    /// A metadata string.
    pub fn metadata_text(self) -> Option<String> {
        let mut length = 0;
        unsafe {
            let start = LLVMGetMDString(self.0, &mut length);
            (!start.is_null()).then(|| copied(start, length as usize))
        }
    }
}
