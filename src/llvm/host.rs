//! Whether the compiler that loads the plugin has the LLVM that the plugin is built for.
//!
//! LLVM's own check compares a number that has been the same from LLVM 14 to 20, while classes differ in each version: a plugin
//! for another version crashes the compiler at its first call. A process may hold two LLVMs, the compiler's and the one that
//! this library is linked with. What a symbol means to the compiler is what a search without a version finds first.

use inkwell::llvm_sys::core::{LLVMContextCreate, LLVMGetVersion};
use libloading::os::unix::Library;
use std::ffi::{c_uint, c_void};

/// The version of the headers that the plugin is compiled with.
const MAJOR: c_uint = 19;

/// The compiler's LLVM is another one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "this plugin needs LLVM {MAJOR}, and the compiler that loads it has {found}: use clang-{MAJOR} or opt-{MAJOR}, or leave \
     the plugin out and set clang's `--ptxas-path`"
)]
pub struct OtherLlvm {
    found: String,
}

type Version = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint);

/// Compares both.
///
/// # Errors
/// The compiler's is another version, or another copy.
pub fn check() -> Result<(), OtherLlvm> {
    let process = Library::this();
    // SAFETY: the addresses are only compared.
    let theirs = unsafe { process.get::<*const c_void>(b"LLVMContextCreate\0") };
    let theirs = theirs.ok().map(|symbol| symbol.as_raw_ptr().cast_const());
    let own = LLVMContextCreate as *const c_void;
    if theirs.is_none_or(|theirs| theirs == own) {
        // There is one LLVM, or the compiler shows none of its own.
        let (major, text) = version(LLVMGetVersion);
        return match major {
            MAJOR => Ok(()),
            _ => Err(OtherLlvm { found: text }),
        };
    }
    // SAFETY: the signature is that of LLVM's header, in all versions that have the function.
    let found = match unsafe { process.get::<Version>(b"LLVMGetVersion\0") } {
        Ok(theirs) if *theirs as *const () != LLVMGetVersion as *const () => match version(*theirs)
        {
            (MAJOR, text) => format!("another copy of {text} than the plugin is linked with"),
            (_, text) => text,
        },
        // LLVM 16 was the first to have it.
        _ => "LLVM 15 or older".to_string(),
    };
    Err(OtherLlvm { found })
}

fn version(get: Version) -> (c_uint, String) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the function writes three numbers.
    unsafe { get(&mut major, &mut minor, &mut patch) };
    (major, format!("LLVM {major}.{minor}.{patch}"))
}
