//! Whether the compiler that loads the plugin has the LLVM that the plugin is built for.
//!
//! LLVM's own check compares a number that has been the same from LLVM 14 to 20, while classes differ in each version: a plugin
//! for another version crashes the compiler at its first call. A process may hold two LLVMs, the compiler's and the one that
//! this library is linked with. What a symbol means to the compiler is what a search without a version finds first.

use crate::version::MAJOR;
use inkwell::llvm_sys::core::LLVMContextCreate;
use libloading::os::unix::Library;
use std::ffi::{c_uint, c_void};

/// What says which version it is: LLVM 16 was the first to have it.
const OWN: Option<Version> = {
    #[cfg(not(feature = "llvm15"))]
    let own = Some(inkwell::llvm_sys::core::LLVMGetVersion as Version);
    #[cfg(feature = "llvm15")]
    let own = None;
    own
};

/// The compiler's LLVM is another one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "this plugin needs LLVM {MAJOR}, and the compiler that loads it has {found}: use clang-{MAJOR} or opt-{MAJOR}, or build the \
     plugin for that version, or leave it out and set clang's `--ptxas-path`"
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
    let same = theirs.is_none_or(|theirs| theirs == own);
    // SAFETY: the signature is that of LLVM's header, in all versions that have the function.
    let theirs = unsafe { process.get::<Version>(b"LLVMGetVersion\0") };
    let theirs = theirs.ok().map(|symbol| *symbol);
    if same {
        // There is one LLVM, or the compiler shows none of its own.
        return match OWN.or(theirs).map(version) {
            None | Some((MAJOR, _)) => Ok(()),
            Some((_, text)) => Err(OtherLlvm { found: text }),
        };
    }
    let other = theirs.filter(|&theirs| OWN.is_none_or(|own| own as usize != theirs as usize));
    let found = match other.map(version) {
        Some((MAJOR, text)) => format!("another copy of {text} than the plugin is linked with"),
        Some((_, text)) => text,
        None => "LLVM 15 or older, of its own".to_string(),
    };
    Err(OtherLlvm { found })
}

fn version(get: Version) -> (c_uint, String) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the function writes three numbers.
    unsafe { get(&mut major, &mut minor, &mut patch) };
    (major, format!("LLVM {major}.{minor}.{patch}"))
}
