//! What the functions of a module of PTX know of each other: above all, which parameters are the same at all calls.
//!
//! A function by itself takes a call as something that may do anything, and its parameters as values that differ from
//! thread to thread. [`link`] looks at all bodies together and writes what it proves into them:
//!
//! | file | what |
//! | --- | --- |
//! | `graph` | the call graph of a module: the callee of each name, and the functions with callers outside; [`ptxasw_ir::module`] propagates facts along it |
//! | `pieces` | the parts of parameters that a function reads, and what a call passes there |
//! | `expression` | values that the launch and the thread's place in it decide |
//! | `constants` | parameters that get the same expression at every call of a launch |
//! | `materialise` | what is known of a parameter, written into the callee |
//!
//! # Parameters
//! A callee is no place of its own for the lanes of a warp: under independent thread scheduling lanes can execute one of
//! its instructions together that came by *different calls*, or by the same call in *different iterations* of a loop of
//! the caller. A value that all lanes of one call agree on is therefore not uniform in the callee. A claim about a
//! parameter must hold in all activations of the function in a launch: every call that the launch can come to passes the
//! same expression over the kernel's parameters, constants, and special registers that a thread never sees change. Then the
//! parameter is that function of the thread, whenever it is read. Where the expression is the same in all threads of a
//! block it is as good as a kernel parameter, and becomes one in the callee's SSA form; else its operations are put there.
//! Functions that somebody else may call (visible to other modules, weak, with an alias, with their address taken) have
//! no such parameters.
//!
//! The text is not changed by any of this.

mod constants;
mod expression;
mod graph;
mod materialise;
mod pieces;

use super::ast;
use super::decode::form;
use super::lower::Lowered;
use ptxasw_ir::module::Fact;

/// A lowered function of a module.
#[derive(Debug)]
pub struct Body {
    /// Its number in [`form::Module::functions`].
    pub index: usize,
    /// Register form.
    pub form: form::Function,
    /// SSA form; linking completes it.
    pub lowered: Lowered,
    /// What linking proved of it that proofs in it rest on.
    pub facts: Vec<Fact>,
}

impl Body {
    /// A function of which nothing is known but its own text.
    pub fn new(index: usize, form: form::Function, lowered: Lowered) -> Self {
        Body {
            index,
            form,
            lowered,
            facts: Vec::new(),
        }
    }
}

/// Completes all bodies of a module by what they know of each other. They must be all that the module defines.
pub fn link(module: &ast::Module, headers: &form::Module, bodies: &mut [Body]) {
    if bodies.iter().all(|body| body.form.entry) {
        return;
    }
    let graph = graph::call_graph(module, headers, bodies);
    let mut functions: Vec<_> = bodies.iter_mut().map(|b| &mut b.lowered.function).collect();
    let facts = ptxasw_ir::module::link(&graph, &mut functions);
    for (body, facts) in bodies.iter_mut().zip(facts) {
        body.facts = facts;
    }
    constants::parameters(&graph, bodies);
}
