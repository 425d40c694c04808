//! The pass plugin: `clang++ -Xarch_device -fpass-plugin=libptxasw_llvm.so`, `opt -load-pass-plugin=... -passes=ptxasw`.

use inkwell::llvm_sys::prelude::LLVMModuleRef;
use std::ffi::{c_char, c_void};

/// The version of the interface between LLVM 19 and plugins.
const INTERFACE: u32 = 1;

/// What LLVM asks of a plugin (`llvm::PassPluginLibraryInfo`).
#[repr(C)]
pub struct Information {
    interface: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut c_void),
}

unsafe extern "C" {
    /// In C++: tells LLVM where our pass belongs.
    fn ptxasw_register(builder: *mut c_void);
}

/// What LLVM looks for in a plugin.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn llvmGetPassPluginInfo() -> Information {
    Information {
        interface: INTERFACE,
        name: c"ptxasw".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: ptxasw_register,
    }
}

/// Rewrites a module of the host compiler's; says whether anything was changed.
///
/// # Safety
/// The module is valid, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptxasw_rewrite(_module: LLVMModuleRef) -> bool {
    false
}
