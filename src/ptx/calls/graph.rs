//! The call graph of a module of PTX: name resolution, linkage, and which functions can be called from elsewhere.

use super::Body;
use crate::ast::{self, Item, Linkage};
use crate::decode::form::{self, Action, Initial, Source, Symbol};
use ptxasw_ir::module::CallGraph;
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

/// The call graph of all bodies.
pub(super) fn call_graph(
    module: &ast::Module,
    headers: &form::Module,
    bodies: &[Body],
) -> CallGraph {
    let names = Names::new(headers, bodies);
    let mut seen = Seen {
        open: vec![false; bodies.len()],
        replaceable: vec![false; bodies.len()],
    };
    seen.linkage(module, headers, &names);
    seen.addresses(headers, bodies, &names);
    seen.unknown_callees(bodies, &names);
    let Seen { open, replaceable } = seen;
    let functions = bodies.iter().map(|body| &body.lowered.function);
    CallGraph::new(functions, open, |caller, name| {
        let callee = names.find(bodies[caller as usize].form.unit, name)?;
        let trusted = !replaceable[callee as usize] && !bodies[callee as usize].form.entry;
        trusted.then_some(callee)
    })
}

/// Who else sees the functions.
struct Seen {
    /// Others can call it.
    open: Vec<bool>,
    /// Another definition may take its place when modules are linked.
    replaceable: Vec<bool>,
}

impl Seen {
    /// Functions that are called where they have no body: some linkers may take it from another module of the same text.
    fn unknown_callees(&mut self, bodies: &[Body], names: &Names) {
        for body in bodies {
            for instruction in &body.form.instructions {
                if let Action::Do(Opcode::Call { callee, .. }) = &instruction.action
                    && let Some(name) = callee
                    && names.find(body.form.unit, name).is_none()
                {
                    self.opened_everywhere(name, names);
                }
            }
        }
    }

    /// Functions whose declarations or aliases say that others see them.
    fn linkage(&mut self, module: &ast::Module, headers: &form::Module, names: &Names) {
        for function in &headers.functions {
            let Some(node) = module.function(function.item) else {
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

    /// The definition that a declaration refers to.
    fn definition(&self, index: u32) -> Option<u32> {
        let function = self.headers.functions.get(index as usize)?;
        self.find(function.unit, &function.name)
    }
}
