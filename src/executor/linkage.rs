//! Which functions a kernel can reach, and what the names of functions stand for.

use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::Instruction;
use ptxasw_ptx::decode::form::{Action, Function, Module, Source, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// The functions of a module that have a body.
pub(super) struct Linkage<'a> {
    module: &'a Module,
    /// By name; of several units with the same name, the first.
    defined: FxHashMap<&'a str, u32>,
}

impl<'a> Linkage<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        let mut defined = FxHashMap::default();
        for (index, function) in (0..).zip(&module.functions) {
            if function.defined {
                defined.entry(&*function.name).or_insert(index);
            }
        }
        Linkage { module, defined }
    }

    /// The function with a body that a name stands for in the unit of `from`: its own, or else another unit's.
    pub(super) fn named(&self, from: &Function, name: &str) -> Option<u32> {
        let unit = self.module.units.get(from.unit as usize);
        match unit.and_then(|unit| unit.names.get(name)) {
            Some(&Symbol::Function(index)) => self.definition(index),
            _ => self.defined.get(name).copied(),
        }
    }

    /// The definition that a declaration refers to.
    pub(super) fn definition(&self, index: u32) -> Option<u32> {
        let function = self.module.functions.get(index as usize)?;
        match function.defined {
            true => Some(index),
            false => self.defined.get(&*function.name).copied(),
        }
    }

    /// The device functions that a kernel may call, in the order in which they are found.
    pub(super) fn reachable(&self, kernel: &Function) -> Vec<u32> {
        let mut found = ReachedFunctions::default();
        self.scan(kernel, &mut found);
        let mut next = 0;
        while let Some(&index) = found.list.get(next) {
            next += 1;
            if let Some(function) = self.module.functions.get(index as usize) {
                self.scan(function, &mut found);
            }
        }
        found.list
    }

    /// Adds the functions that one calls, and those whose address it takes.
    fn scan(&self, function: &Function, found: &mut ReachedFunctions) {
        for instruction in &function.instructions {
            if let Action::Do(Opcode::Call { callee, .. }) = &instruction.action {
                match callee {
                    Some(name) => self.add(self.named(function, name), found),
                    None => self.add_from_tables(found),
                }
            }
            for operand in &instruction.operands {
                if let Source::Address(Symbol::Function(index), _) = *operand {
                    self.add(self.definition(index), found);
                }
            }
        }
    }

    /// The functions whose addresses initial values of variables hold: an indirect call may find them there.
    fn add_from_tables(&self, found: &mut ReachedFunctions) {
        if std::mem::replace(&mut found.tables, true) {
            return;
        }
        for variable in &self.module.variables {
            for index in variable.functions() {
                self.add(self.definition(index), found);
            }
        }
    }

    fn add(&self, index: Option<u32>, found: &mut ReachedFunctions) {
        let Some(index) = index else { return };
        let function = self.module.functions.get(index as usize);
        if function.is_some_and(|f| !f.entry) && found.set.insert(index) {
            found.list.push(index);
        }
    }
}

/// The functions that a kernel may call, as indices into [`Module::functions`].
pub fn callable(module: &Module, kernel: &Function) -> Vec<u32> {
    Linkage::new(module).reachable(kernel)
}

/// The instruction of that number in the code of a kernel: its own instructions first, with the numbers that they have in
/// the function, then those of the functions that it can call.
pub fn instruction_at<'m>(
    module: &'m Module,
    kernel: &'m Function,
    number: u32,
) -> Option<&'m Instruction> {
    let mut index = number as usize;
    let callable = match index < kernel.instructions.len() {
        true => Vec::new(),
        false => Linkage::new(module).reachable(kernel),
    };
    let callable = callable
        .iter()
        .filter_map(|&i| module.functions.get(i as usize));
    for function in std::iter::once(kernel).chain(callable) {
        if let Some(instruction) = function.instructions.get(index) {
            return Some(instruction);
        }
        // One more follows the text: the return at its end.
        index = index.checked_sub(function.instructions.len() + 1)?;
    }
    None
}

#[derive(Default)]
struct ReachedFunctions {
    list: Vec<u32>,
    set: FxHashSet<u32>,
    /// The functions in initial values are among them.
    tables: bool,
}
