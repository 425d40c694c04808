//! The call graph, and which functions can be called from elsewhere.

use super::Body;
use crate::ir::function::InstId;
use crate::ir::opcode::Opcode;
use crate::ptx::ast::{self, Item, Linkage};
use crate::ptx::decode::form::{self, Initial, Source, Symbol};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

/// A call that can be executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// In the caller's SSA form.
    pub inst: InstId,
    /// The function behind it; none if it is not known, or not the one that runs after linking.
    pub callee: Option<u32>,
}

/// Who calls whom. Functions are numbered as the bodies are.
pub(super) struct Graph {
    /// The calls of each function, in order.
    pub sites: Vec<Vec<Site>>,
    /// Calls can come from where nobody looks: other modules, tables of functions, aliases.
    pub open: Vec<bool>,
    /// Another definition may take its place when modules are linked.
    replaceable: Vec<bool>,
}

impl Graph {
    pub(super) fn new(module: &ast::Module, headers: &form::Module, bodies: &[Body]) -> Self {
        let names = Names::new(headers, bodies);
        let mut graph = Graph {
            sites: Vec::new(),
            open: vec![false; bodies.len()],
            replaceable: vec![false; bodies.len()],
        };
        graph.linkage(module, headers, &names);
        graph.addresses(headers, bodies, &names);
        for body in bodies {
            let sites = graph.sites_of(body, bodies, &names);
            graph.sites.push(sites);
        }
        graph
    }

    /// The calls of a body that can be reached.
    fn sites_of(&mut self, body: &Body, bodies: &[Body], names: &Names) -> Vec<Site> {
        let function = &body.lowered.function;
        let blocks = function.block_ids().map(|id| function.block(id));
        let mut sites = Vec::new();
        for &inst in blocks.flat_map(|block| &block.insts) {
            let Opcode::Call { callee, .. } = &function.inst(inst).opcode else {
                continue;
            };
            let mut found = None;
            if let Some(name) = callee {
                found = names.find(body.form.unit, name);
                if found.is_none() {
                    // Some linkers may take it from another module of the same text.
                    self.opened_everywhere(name, names);
                }
            }
            let trusted = |callee: &u32| {
                !self.replaceable[*callee as usize] && !bodies[*callee as usize].form.entry
            };
            let callee = found.filter(trusted);
            sites.push(Site { inst, callee });
        }
        sites
    }

    /// Functions whose declarations or aliases say that others see them.
    fn linkage(&mut self, module: &ast::Module, headers: &form::Module, names: &Names) {
        for function in &headers.functions {
            let Some(Item::Function(node)) = module.items.get(function.item as usize) else {
                continue;
            };
            if let Some(number) = names.find(function.unit, &function.name) {
                self.open[number as usize] |= node.linkage != Linkage::default();
                self.replaceable[number as usize] |= node.linkage.0 & Linkage::WEAK != 0;
            }
        }
        // `.alias a, f;`: nothing is made of it but that both can be called by the other's name.
        for item in &module.items {
            if let Item::Directive(directive) = item
                && module.str(directive.name) == ".alias"
            {
                for operand in module.list(directive.arguments) {
                    self.opened_everywhere(module.str(operand.span()), names);
                }
            }
        }
    }

    /// Functions whose addresses somebody has.
    fn addresses(&mut self, headers: &form::Module, bodies: &[Body], names: &Names) {
        let locals = bodies.iter().flat_map(|body| &body.form.variables);
        for variable in headers.variables.iter().chain(locals) {
            if variable.initial == Initial::Unknown {
                self.open.fill(true);
            }
            for index in variable.functions() {
                self.opened(names.definition(index));
            }
        }
        for body in bodies {
            let operands = body.form.instructions.iter().flat_map(|i| &i.operands);
            let passed = body.form.calls.iter().flat_map(|call| &call.arguments);
            for source in operands.chain(passed) {
                if let Source::Address(Symbol::Function(index), _) = *source {
                    self.opened(names.definition(index));
                }
            }
        }
    }

    /// The functions of a name in all modules of the text.
    fn opened_everywhere(&mut self, name: &str, names: &Names) {
        for unit in 0..names.headers.units.len() as u32 {
            self.opened(names.find(unit, name));
        }
    }

    fn opened(&mut self, number: Option<u32>) {
        if let Some(number) = number {
            self.open[number as usize] = true;
        }
    }

    /// All functions, callees before their callers; those that call each other come together.
    pub(super) fn bottom_up(&self) -> Vec<u32> {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = self.sites.iter().map(|_| graph.add_node(())).collect();
        for (caller, sites) in self.sites.iter().enumerate() {
            for callee in sites.iter().filter_map(|site| site.callee) {
                graph.add_edge(nodes[caller], nodes[callee as usize], ());
            }
        }
        let components = kosaraju_scc(&graph);
        components
            .iter()
            .flatten()
            .map(|node| node.index() as u32)
            .collect()
    }
}

/// The bodies by name, in each unit of the text.
struct Names<'a> {
    headers: &'a form::Module,
    /// Numbers of bodies by number of the function.
    bodies: FxHashMap<usize, u32>,
}

impl<'a> Names<'a> {
    fn new(headers: &'a form::Module, bodies: &[Body]) -> Self {
        let bodies = (0..).zip(bodies).map(|(number, body)| (body.index, number));
        Names {
            headers,
            bodies: bodies.collect(),
        }
    }

    /// The function of that name with a body in a unit.
    fn find(&self, unit: u32, name: &str) -> Option<u32> {
        match self.headers.units.get(unit as usize)?.names.get(name) {
            Some(&Symbol::Function(index)) => self.bodies.get(&(index as usize)).copied(),
            _ => None,
        }
    }

    /// The body behind a declaration.
    fn definition(&self, index: u32) -> Option<u32> {
        let function = self.headers.functions.get(index as usize)?;
        self.find(function.unit, &function.name)
    }
}
