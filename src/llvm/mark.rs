//! What earlier runs did to a function: an attribute says it, and a comment in its body, which is left in the PTX that LLVM makes.

use crate::kernels::{self, Entry};
use crate::view::{Val, View};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_driver::pipeline::Mark;
use ptxasw_driver::pipeline::Options;
use ptxasw_ptx::text::mark;
use std::borrow::Cow;
use std::ffi::c_char;

/// The attribute.
const NAME: &str = "ptxasw";

unsafe extern "C" {
    fn ptxasw_comment(function: LLVMValueRef, start: *const c_char, length: usize);
}

/// The mark of a function, if it was rewritten.
pub fn of(function: Val) -> Option<Mark> {
    let text = function.text_attribute(NAME)?;
    Some(Mark::read(&text))
}

/// The options for a module: all that is done to it is done under these ([`Options::of_module`]).
pub fn of_input<'o>(view: View, options: &'o Options) -> Cow<'o, Options> {
    options.marked(|| {
        let functions = kernels::functions(view).into_iter();
        let marked = functions.filter_map(|one| Some((one.name.into(), of(one.function)?)));
        marked.collect()
    })
}

/// Marks a function, in place of the mark that it has. A function that others call has no comment: where it is inlined, the comment would
/// be one of its caller.
pub fn write(entry: &Entry, mark: &Mark) {
    let text = mark.to_string();
    entry.function.set_text_attribute(NAME, &text);
    if entry.kernel {
        let line = mark::line(&text);
        unsafe { ptxasw_comment(entry.function.raw(), line.as_ptr().cast(), line.len()) };
    }
}
