//! Who calls whom in a module of LLVM IR, and which functions can be called from elsewhere.

use crate::kernels::Entry;
use crate::lower::Lowered;
use crate::view::Val;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use ptxasw::ir::module::{CallGraph, Fact, link as link_functions};
use rustc_hash::FxHashMap;

/// Completes the functions of a module by what they know of each other. Returns for each what proofs in it rest on by that.
pub fn link<'m>(entries: &[Entry<'m>], bodies: &mut [Lowered<'m>]) -> Vec<Vec<Fact>> {
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
    for ((open, entry), sites) in graph.open.iter_mut().zip(entries).zip(sites) {
        *open = calls_of(entry.function) != Some(sites);
    }
    let mut functions: Vec<_> = bodies.iter_mut().map(|body| &mut body.function).collect();
    link_functions(&graph, &mut functions)
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
