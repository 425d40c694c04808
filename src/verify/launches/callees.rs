//! What device functions do with pointers that they are given.

use super::field::Field;
use super::usage::Usage;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Type;
use ptxasw_ptx::decode::form::{Action, Call, Function, Module};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Calls in each other that are followed.
const MAX_DEPTH: usize = 8;

/// By parameter, what a function loads or stores through it.
pub(super) type Pointers = Rc<[Option<Type>]>;

/// The functions of a module, each looked at once.
pub(super) struct Callees<'m> {
    module: &'m Module,
    /// Functions with a body, by unit and name.
    by_name: FxHashMap<(u32, &'m str), usize>,
    known: FxHashMap<usize, Pointers>,
    depth: usize,
}

impl<'m> Callees<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        let functions = module.functions.iter().enumerate();
        let defined = functions.filter(|(_, function)| function.defined && !function.entry);
        Callees {
            module,
            by_name: defined
                .map(|(index, function)| ((function.unit, &*function.name), index))
                .collect(),
            known: FxHashMap::default(),
            depth: 0,
        }
    }

    /// What the callee of a call accesses through its arguments, as far as it is known: not of functions that call
    /// themselves.
    pub(super) fn pointers(&mut self, caller: &Function, call: &Call) -> Pointers {
        let none = || Rc::from([]);
        let Some(index) = self.callee(caller, call) else {
            return none();
        };
        if let Some(known) = self.known.get(&index) {
            return Rc::clone(known);
        }
        if self.depth >= MAX_DEPTH {
            return none();
        }
        self.known.insert(index, none());
        self.depth += 1;
        let function = &self.module.functions[index];
        let usage = Usage::with(function, self);
        self.depth -= 1;
        let parameters = 0..function.parameters.len();
        let pointers: Pointers = parameters
            .map(|number| {
                let field = usage.field(number, 0).filter(|field| Field::points(field));
                field.and_then(|field| field.accessed)
            })
            .collect();
        self.known.insert(index, Rc::clone(&pointers));
        pointers
    }

    fn callee(&self, caller: &Function, call: &Call) -> Option<usize> {
        let instruction = caller.instructions.get(call.instruction as usize)?;
        let Action::Do(Opcode::Call {
            callee: Some(name), ..
        }) = &instruction.action
        else {
            return None;
        };
        self.by_name.get(&(caller.unit, &**name)).copied()
    }
}
