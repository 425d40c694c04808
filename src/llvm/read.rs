//! Reading a module of LLVM IR, as text or bitcode.

use crate::view::View;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

/// The error for modules with typed pointers, which LLVM 15 and 16 still parse.
pub const TYPED_POINTERS: &str =
    "pointers have types here (`-opaque-pointers=0`), which is not supported";

/// Why a module can't be read: LLVM's own message. For text it has the position and the line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// Reads a module and verifies it. `name` is used in messages.
///
/// # Errors
/// If LLVM can't read the bytes or finds the module invalid.
pub fn read<'ctx>(context: &'ctx Context, bytes: &[u8], name: &str) -> Result<Module<'ctx>, Error> {
    // A C string ends at a zero byte.
    let name = name.replace('\0', " ");
    let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, &name);
    let module = context
        .create_module_from_ir(buffer)
        .map_err(|message| Error(tidy(&message.to_string_lossy(), &name)))?;
    module
        .verify()
        .map_err(|message| Error(tidy(&message.to_string_lossy(), &name)))?;
    match View::new(&module).has_typed_pointers() {
        true => Err(Error(format!("{name}: error: {TYPED_POINTERS}"))),
        false => Ok(module),
    }
}

/// LLVM's message without the line end; it has the name in front.
fn tidy(message: &str, name: &str) -> String {
    let message = message.trim_end();
    match message.starts_with(name) {
        true => message.to_string(),
        false => format!("{name}: error: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let context = Context::create();
        read(&context, text.as_bytes(), "a.ll")
            .expect_err("invalid")
            .to_string()
    }

    #[test]
    fn a_syntax_error_has_a_position() {
        let message = error("define void @f() {\n  ret i32 %x\n}\n");
        assert!(message.starts_with("a.ll:2:7: error: "), "{message}");
    }

    #[test]
    fn an_invalid_module_is_named() {
        let text =
            "define i32 @f() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n";
        let message = error(text);
        assert!(message.starts_with("a.ll: error: "), "{message}");
        assert!(message.contains("%b"), "{message}");
    }

    /// Later versions make them opaque, or do not read them.
    #[cfg(feature = "llvm15")]
    #[test]
    fn typed_pointers_are_refused() {
        let message = error("define void @f(i32* %p) {\n  ret void\n}\n");
        assert!(message.contains(TYPED_POINTERS), "{message}");
    }

    #[test]
    fn what_is_no_ir_is_an_error() {
        assert!(error("BC\u{0}\u{1}").starts_with("a.ll:"));
        let context = Context::create();
        let cut = [b'B', b'C', 0xc0, 0xde, 1, 2, 3, 4, 5];
        assert!(read(&context, &cut, "a.bc").is_err());
        assert!(read(&context, b"", "a.ll").is_ok());
    }
}
