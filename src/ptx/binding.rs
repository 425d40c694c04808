//! What the passes may ask about the text that the IR was read from.

mod late;
mod scopes;

use super::ast::{Module, Statement, StatementKind};
use super::decode::form::{self, Reg, Register};
use super::decode::pragma;
use super::lower::Lowered;
use ptxasw_ir::function::{BlockId, Value, ValueDef};
use ptxasw_ir::patch::{Place, Site};
use rustc_hash::FxHashMap;
use scopes::Scopes;
use std::cell::OnceCell;
use std::ops::Range;

/// The registers and statements of one body.
pub struct Binding<'a> {
    form: &'a form::Function,
    lowered: &'a Lowered,
    scopes: Scopes<'a>,
    module: &'a Module<'a>,
    /// The instruction of each statement, `u32::MAX` for none, once somebody asks for one.
    numbers: OnceCell<Vec<u32>>,
    /// The first statement of each block that writes to a register, once somebody asks for one.
    first_writes: OnceCell<FxHashMap<(BlockId, Reg), u32>>,
}

/// Characters of a statement that reports show.
const MAX_SHOWN: usize = 120;

impl<'a> Binding<'a> {
    /// Binds a lowered function to its text and register form.
    pub fn new(module: &'a Module<'a>, form: &'a form::Function, lowered: &'a Lowered) -> Self {
        let function = module.function(form.item);
        let body = function.and_then(|function| function.body.as_ref());
        Binding {
            form,
            lowered,
            scopes: Scopes::new(module, body),
            module,
            numbers: OnceCell::new(),
            first_writes: OnceCell::new(),
        }
    }

    /// The module that the body is in.
    pub(crate) fn module(&self) -> &'a Module<'a> {
        self.module
    }

    /// The statements of the body.
    pub(crate) fn statements(&self) -> &'a [Statement] {
        let function = self.module.function(self.form.item);
        let body = function.and_then(|function| function.body.as_ref());
        body.map_or(&[], |body| &body.statements)
    }

    /// The register that an instruction wrote a value to, as wide as the value.
    pub(crate) fn register(&self, value: Value) -> Option<(Reg, &'a Register)> {
        let register = (*self.lowered.registers.get(value.index())?)?;
        let data = self.form.registers.get(register.0 as usize)?;
        // A half has no name in the text.
        (!data.half
            && data.ty.bits == self.lowered.function.value(value).width
            && !self.is_written_twice(value, register))
        .then_some((register, data))
    }

    /// The statement that gives a value writes its register twice, and the last one counts.
    pub(crate) fn is_written_twice(&self, value: Value, register: Reg) -> bool {
        let ValueDef::Result(inst, _) = self.lowered.function.value(value).def else {
            return false;
        };
        let statement = self.lowered.function.inst(inst).origin;
        let instruction = self.instruction(statement);
        instruction.is_some_and(|one| writes_twice(one, register))
    }

    /// Its name means this register everywhere in the body.
    pub(crate) fn visible(&self, register: &Register) -> bool {
        register.depth == 0 && !self.scopes.changes(&register.name)
    }

    /// The instruction of a statement.
    pub(crate) fn instruction(&self, statement: u32) -> Option<&'a form::Instruction> {
        let numbers = self.numbers.get_or_init(|| {
            let statements = self.statements().len();
            let mut numbers = vec![u32::MAX; statements];
            for (number, instruction) in (0..).zip(&self.form.instructions) {
                if let Some(entry) = numbers.get_mut(instruction.statement as usize) {
                    *entry = number;
                }
            }
            numbers
        });
        let number = *numbers.get(statement as usize)?;
        self.form.instructions.get(number as usize)
    }

    /// The pragmas at the begin of a block, in front of all of its instructions (PTX ISA, "Pragma Strings"), the last first.
    pub(crate) fn pragmas(&self, block: BlockId) -> impl Iterator<Item = &'a Statement> {
        let text = self.lowered.texts.get(block.index());
        let number = text.and_then(|text| text.instructions.clone().next());
        let first = number.and_then(|number| self.form.instructions.get(number));
        let end = first.map_or(0, |first| first.statement as usize);
        let before = self.statements().get(..end).unwrap_or_default();
        // In front of its label they are another block's.
        let own = before.iter().rev().take_while(|one| {
            !matches!(
                one.kind,
                StatementKind::Instruction(_) | StatementKind::Label(_)
            )
        });
        let module = self.module;
        own.filter(move |one| {
            matches!(&one.kind, StatementKind::Directive(one)
                if module.str(one.name) == ".pragma" && pragma::used_bytes(module, one).is_none())
        })
    }

    /// Whether a pragma tells the assembler not to unroll the loop of this header.
    pub(crate) fn is_rolled(&self, header: BlockId) -> bool {
        let mut own = self.pragmas(header);
        own.any(|one| self.module.str(one.span).contains("nounroll"))
    }

    /// The first statement from `index` on that closes no scope: what does belongs to the instructions before.
    fn after_scopes(&self, index: u32) -> u32 {
        let rest = self.statements().get(index as usize..).unwrap_or_default();
        let closing = rest
            .iter()
            .take_while(|statement| matches!(statement.kind, StatementKind::Close));
        index + closing.count() as u32
    }

    /// One past the last statement.
    pub(crate) fn end(&self) -> u32 {
        self.statements().len() as u32
    }

    /// Whether code in front of a statement is in an inner scope. Code outside of that scope cannot branch to its labels.
    pub(crate) fn is_inside(&self, statement: u32) -> bool {
        self.scopes.is_inside(statement)
    }

    /// Declarations after the first instruction that begin the body wherever the function is changed, and prototypes of calls with
    /// their labels.
    pub(crate) fn hoisted(&self) -> &[u32] {
        self.scopes.hoisted()
    }

    /// Whether a statement is the label of a prototype in an inner scope, which is duplicated with it.
    pub(crate) fn is_prototype(&self, label: u32) -> bool {
        late::is_prototype(self.module, self.statements(), label)
    }

    /// Whether a name of the module or the function means something else somewhere in the body.
    pub(crate) fn is_hidden(&self, name: &str) -> bool {
        self.scopes.changes(name)
    }

    /// The statements of a block, with labels in front and the branch at the end.
    pub(crate) fn block_statements(&self, block: BlockId) -> Range<u32> {
        let Some(text) = self.lowered.texts.get(block.index()) else {
            return 0..0;
        };
        let instructions = &self.form.instructions;
        let Range { start, end } = text.instructions;
        let after = |index: usize| match index.checked_sub(1) {
            Some(last) => instructions.get(last).map_or(0, |one| one.statement + 1),
            None => 0,
        };
        self.after_scopes(after(start))..self.after_scopes(after(end))
    }

    /// The first statement of each block that writes to a register.
    pub(crate) fn first_writes(&self) -> &FxHashMap<(BlockId, Reg), u32> {
        self.first_writes.get_or_init(|| {
            let mut writes = FxHashMap::default();
            for (block, text) in (0..).map(BlockId).zip(&self.lowered.texts) {
                let instructions = self.form.instructions.get(text.instructions.clone());
                for instruction in instructions.into_iter().flatten() {
                    for &register in instruction.results.iter().flatten() {
                        let first = writes.entry((block, register));
                        first.or_insert(instruction.statement);
                    }
                }
            }
            writes
        })
    }

    /// A guarded statement leaves its register as it was where the guard fails.
    pub(crate) fn guarded(&self, value: Value) -> bool {
        let ValueDef::Result(inst, _) = self.lowered.function.value(value).def else {
            return true;
        };
        let statement = self.lowered.function.inst(inst).origin;
        self.instruction(statement)
            .is_none_or(|instruction| instruction.guard.is_some())
    }

    /// Where a statement is.
    pub(crate) fn place_of(&self, statement: u32) -> Place {
        let statement = self.statements().get(statement as usize);
        statement.map_or_else(Place::default, |statement| Place {
            at: statement.span.start,
            line: self.module.line(statement.span.start),
        })
    }

    /// The place and text of a statement, for reports.
    pub(crate) fn site_of(&self, statement: u32) -> Site {
        let place = self.place_of(statement);
        let Some(statement) = self.statements().get(statement as usize) else {
            return Site::default();
        };
        let mut text = String::new();
        for word in self.module.str(statement.span).split_whitespace() {
            let space = if text.is_empty() { "" } else { " " };
            text.extend([space, word]);
            if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
                text.truncate(end);
                break;
            }
        }
        Site { place, text }
    }

    /// Why statements can't be duplicated in front of the statement `before`, if so: the statement that prevents it, and what
    /// it is.
    pub(crate) fn hindrance(
        &self,
        before: u32,
        statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)> {
        if let Some(found) = self.scopes.between(before, &statements) {
            return Some(found);
        }
        let list = self.statements();
        let mut depth = 0u32;
        let range = statements.start as usize..statements.end as usize;
        for (index, statement) in (statements.start..).zip(list.get(range)?) {
            let open = depth > 0;
            if self.hoisted().binary_search(&index).is_ok() {
                continue;
            }
            let what = match &statement.kind {
                StatementKind::Open => {
                    depth += 1;
                    continue;
                }
                StatementKind::Close if open => {
                    depth -= 1;
                    continue;
                }
                StatementKind::Close => "a scope ends here that begins elsewhere",
                StatementKind::Variable(_) if !open => scopes::LATE,
                StatementKind::Variable(variable)
                    if !is_scoped(self.module.str(variable.space)) =>
                {
                    "a variable of an inner scope"
                }
                StatementKind::Label(_) if open && !self.is_prototype(index) => {
                    "a label in an inner scope"
                }
                StatementKind::Directive(directive)
                    if !(open && self.is_prototype(index.saturating_sub(1))
                        || matches!(
                            self.module.str(directive.name),
                            ".pragma" | ".branchtargets"
                        )) =>
                {
                    "a directive"
                }
                StatementKind::Instruction(instruction)
                    if instruction.guard.is_some()
                        && self.module.str(instruction.opcode).starts_with("brx") =>
                {
                    "a predicated branch by a table"
                }
                StatementKind::Instruction(_) if open && leaves.contains(&index) => {
                    "lanes may diverge in an inner scope"
                }
                _ => continue,
            };
            return Some((index, what));
        }
        (depth > 0).then_some((
            statements.end,
            "a scope ends here that begins in the divergent region",
        ))
    }
}

/// Whether a register is more than one result of an instruction.
pub(crate) fn writes_twice(instruction: &form::Instruction, register: Reg) -> bool {
    let written = instruction.results.iter().flatten();
    written.filter(|&&one| one == register).count() > 1
}

/// Whether each scope has its own variables of a space: registers, and what a call passes in memory.
fn is_scoped(space: &str) -> bool {
    matches!(space, ".reg" | ".param")
}
