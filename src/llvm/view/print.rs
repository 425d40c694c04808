//! Values as LLVM prints them.

use super::questions::{Take, texts};
use super::{Val, View};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use std::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    /// In C++, since the text of LLVM's C interface ends at its first NUL.
    fn ptxasw_print(module: LLVMModuleRef, take: Take, context: *mut c_void);
}

/// Takes over a message of LLVM's.
///
/// # Safety
/// It is null or a text that LLVM allocated for its caller.
unsafe fn owned(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}

impl View<'_> {
    /// The whole module, byte for byte.
    pub fn print_bytes(self) -> Vec<u8> {
        // SAFETY: the module lives as long as the view.
        let texts = texts(|take, context| unsafe {
            ptxasw_print(self.0.as_mut_ptr(), take, context);
        });
        texts.concat()
    }

    /// The whole module as text.
    pub fn print(self) -> String {
        let bytes = self.print_bytes();
        String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into())
    }
}

impl Val<'_> {
    /// A value or function. Of an instruction it takes as long as its function is large.
    pub fn print(self) -> String {
        unsafe { owned(LLVMPrintValueToString(self.0)) }
    }
}

/// A name of a value, block or function, as it follows `%` or `@`: in quotes where it must be.
pub fn quoted(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._$".contains(&byte);
    let digit = name.as_bytes().first().is_some_and(u8::is_ascii_digit);
    if !name.is_empty() && !digit && name.bytes().all(plain) {
        return name.to_string();
    }
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' | 0..0x20 | 0x7f.. => text += &format!("\\{byte:02X}"),
            _ => text.push(char::from(byte)),
        }
    }
    text.push('"');
    text
}
