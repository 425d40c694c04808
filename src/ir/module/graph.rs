//! Who calls whom.

use crate::function::{Function, InstId};
use crate::opcode::Opcode;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// A call that can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The call instruction, by its number in the caller.
    pub inst: InstId,
    /// The function that is called; none if it is not known, or not the one that runs after linking.
    pub callee: Option<u32>,
}

/// The calls of a module. Functions are numbered in the order in which they were given.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// The calls of each function, in order.
    pub sites: Vec<Vec<CallSite>>,
    /// Calls can come from where nobody looks: other modules, tables of functions, aliases.
    pub open: Vec<bool>,
}

impl CallGraph {
    /// Of functions. `callee` finds the function that runs where a caller, by number, names one; none where nobody knows,
    /// or where the linker may put another in its place. `open` says of each whether others can call it, too.
    pub fn new<'f>(
        functions: impl IntoIterator<Item = &'f Function>,
        open: Vec<bool>,
        callee: impl Fn(u32, &str) -> Option<u32>,
    ) -> Self {
        let sites = (0..).zip(functions).map(|(caller, function)| {
            let found = calls(function);
            let site = |(inst, name): (InstId, Option<&str>)| CallSite {
                inst,
                callee: name.and_then(|name| callee(caller, name)),
            };
            found.map(site).collect()
        });
        CallGraph {
            sites: sites.collect(),
            open,
        }
    }

    /// Which functions are called.
    pub(super) fn called(&self) -> Vec<bool> {
        let mut called = vec![false; self.sites.len()];
        for callee in self.sites.iter().flatten().filter_map(|site| site.callee) {
            called[callee as usize] = true;
        }
        called
    }

    /// All functions, callees before their callers; those that call each other come together.
    pub(super) fn callees_first(&self) -> Vec<u32> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = self.sites.iter().map(|_| graph.add_node(())).collect();
        for (caller, sites) in self.sites.iter().enumerate() {
            for callee in sites.iter().filter_map(|site| site.callee) {
                graph.add_edge(nodes[caller], nodes[callee as usize], ());
            }
        }
        let components = kosaraju_scc(&graph);
        let order = components.iter().flatten();
        order.map(|node| node.index() as u32).collect()
    }
}

/// The calls in a function's blocks, in order, with the names of those that they call.
pub fn calls(function: &Function) -> impl Iterator<Item = (InstId, Option<&str>)> {
    let blocks = function.block_ids().map(|id| function.block(id));
    let insts = blocks.flat_map(|block| &block.insts);
    insts.filter_map(|&inst| match &function.inst(inst).opcode {
        Opcode::Call { callee, .. } => Some((inst, callee.as_deref())),
        _ => None,
    })
}
