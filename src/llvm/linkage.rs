//! Who calls whom in a module of LLVM IR, and which functions can be called from elsewhere.

use crate::kernels::Entry;
use crate::lower::Lowered;
use crate::view::{Block, Val, View};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use ptxasw_ir::module::graph::calls;
use ptxasw_ir::module::{CallGraph, Fact, link as link_functions};
use ptxasw_ptx::text::mark;
use rustc_hash::FxHashMap;
use std::cell::LazyCell;

/// Completes the functions of a module by what they know of each other. Returns for each what proofs in it rest on by that.
pub fn link<'m>(
    view: View<'m>,
    entries: &[Entry<'m>],
    bodies: &mut [Lowered<'m>],
) -> Vec<Vec<Fact>> {
    for (entry, body) in entries.iter().zip(bodies.iter_mut()) {
        // OpenCL lets functions call a kernel after they have written to memory.
        let called = entry.kernel && entry.function.users().any(Val::is_instruction);
        body.function.callers_may_write |= called;
    }
    let by_name: FxHashMap<&str, u32> = (0..)
        .zip(entries)
        .filter(|(_, entry)| !entry.kernel && is_final(entry.function))
        .map(|(number, entry)| (entry.name.as_str(), number))
        .collect();
    let open = vec![true; entries.len()];
    let functions = bodies.iter().map(|body| &body.function);
    let mut graph = CallGraph::new(functions, open, |_, name| by_name.get(name).copied());
    let mut sites = vec![0; entries.len()];
    for callee in graph.sites.iter().flatten().filter_map(|site| site.callee) {
        sites[callee as usize] += 1;
    }
    let assembly = LazyCell::new(|| assembly(view));
    for ((open, entry), sites) in graph.open.iter_mut().zip(entries).zip(sites) {
        let named = || assembly.iter().any(|text| text.contains(&entry.name));
        *open = calls_of(entry.function) != Some(sites) || named();
    }
    let mut functions: Vec<_> = bodies.iter_mut().map(|body| &mut body.function).collect();
    link_functions(&graph, &mut functions)
}

/// Whether a function calls nothing and nobody of the module calls it.
pub fn is_alone(entry: &Entry, body: &Lowered) -> bool {
    let called = entry.function.users().any(Val::is_instruction);
    entry.kernel && !called && calls(&body.function).next().is_none()
}

/// The texts of inline assembly in a module, which may name functions.
fn assembly(view: View<'_>) -> Vec<String> {
    let functions = view.functions().into_iter();
    let instructions = functions.flat_map(|f| f.blocks().into_iter().flat_map(Block::instructions));
    let calls = instructions.filter(|one| one.opcode() == LLVMOpcode::LLVMCall);
    let texts = calls.filter_map(|call| call.callee()?.assembly());
    let texts = texts.map(|one| one.text).filter(|one| !mark::is_line(one));
    texts.chain([view.assembly()]).collect()
}

/// How many instructions call a function that this module alone sees; none if it is seen elsewhere, or used otherwise than
/// to be called.
fn calls_of(function: Val<'_>) -> Option<usize> {
    let own = [
        LLVMLinkage::LLVMInternalLinkage,
        LLVMLinkage::LLVMPrivateLinkage,
    ];
    let mut calls = function.users().map(|user| {
        let call = user.is_instruction() && user.opcode() == LLVMOpcode::LLVMCall;
        call && user.callee() == Some(function) && !user.arguments().contains(&function)
    });
    let count = function.users().count();
    (own.contains(&function.linkage()) && calls.all(|call| call)).then_some(count)
}

/// The body that is here is the one that runs.
fn is_final(function: Val<'_>) -> bool {
    matches!(
        function.linkage(),
        LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMInternalLinkage
            | LLVMLinkage::LLVMPrivateLinkage
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kernels, lower, read};
    use inkwell::context::Context;

    /// The functions whose callers may have written memory, by their names.
    fn dirty(text: &str) -> Vec<String> {
        let context = Context::create();
        let module = read::read(&context, text.as_bytes(), "a.ll").expect("it reads");
        let view = View::new(&module);
        let entries = kernels::functions(view);
        let lowered = entries.iter().map(|entry| lower::lower(view, entry));
        let mut bodies: Vec<Lowered> = lowered.collect();
        link(view, &entries, &mut bodies);
        let functions = bodies.iter().map(|body| &body.function);
        let dirty = functions.filter(|function| function.callers_may_write);
        dirty.map(|function| function.name.to_string()).collect()
    }

    const MODULE: &str = "
define ptx_kernel void @k() { call void @f() ret void }
define internal void @f() { ret void }
define void @other(ptr %p) { store i32 1, ptr %p REST\n  ret void }
";

    #[test]
    fn a_function_that_only_a_kernel_calls_finds_memory_as_it_was() {
        assert_eq!(dirty(&MODULE.replace("REST", "")), ["other"]);
    }

    /// `ptxas` has no such call; OpenCL has. LLVM 23 reads none.
    #[cfg(not(feature = "llvm23"))]
    #[test]
    fn a_kernel_that_is_called_may_come_after_a_store() {
        let text = MODULE.replace("REST", "call ptx_kernel void @k()");
        assert_eq!(dirty(&text), ["k", "f", "other"]);
    }

    #[test]
    fn assembly_may_call_what_it_names() {
        let text = MODULE.replace("REST", "call void asm sideeffect \"call.uni f;\", \"\"()");
        assert_eq!(dirty(&text), ["f", "other"]);
        let text = MODULE.replace("REST", "") + "module asm \"call.uni f;\"\n";
        assert_eq!(dirty(&text), ["f", "other"]);
    }
}
