//! What the functions of a module know of each other, whatever text they came from.
//!
//! A function by itself takes a call as something that may do anything, and its callers as ones that have written memory.
//!
//! | file | what |
//! | --- | --- |
//! | `graph` | who calls whom, and which functions others can call, too |
//! | `summary` | what a call may do, from the callees up; what threads did before they came to a function |
//!
//! Each front end resolves names and linkage (weak definitions, aliases, addresses that are taken) when it makes the
//! [`CallGraph`]: they depend on the text.

pub mod graph;
pub mod summary;

pub use graph::{CallGraph, CallSite};

use super::function::Function;

/// Something that no formula states, for certificates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The condition of the shuffle contract that it belongs to.
    pub condition: &'static str,
    /// In words.
    pub how: String,
}

/// Completes the functions of a module, in the order of the graph: what their calls may do, and whether their callers may
/// have written memory. They must be all that the module defines. Returns for each what proofs in it rest on by that.
pub fn link(graph: &CallGraph, functions: &mut [&mut Function]) -> Vec<Vec<Fact>> {
    summary::effects(graph, functions);
    summary::entries(graph, functions);
    functions.iter().map(|f| summary::facts(f)).collect()
}
