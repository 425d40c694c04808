//! A function made ready to run: addresses of its symbols settled, reconvergence points known.

use super::error::{ExecutionError, Fault};
use super::launch::{Argument, Launch};
use super::memory::{
    Arena, MAX_GLOBAL_REGIONS, MAX_WINDOW_REGIONS, global_address, window_address,
};
use crate::ir::opcode::Opcode;
use crate::ir::semantics::operand_widths;
use crate::ir::types::{Space, Special, Type};
use crate::ptx::ast::Span;
use crate::ptx::decode::form::{
    Action, Function, Instruction, Module, Parameter, Reg, Source, Symbol,
};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Most operands of one instruction: address and eight elements.
pub(super) const MAX_OPERANDS: usize = 12;
/// Most bytes of static and dynamic shared memory together, and of local memory of a thread.
const MAX_WINDOW_BYTES: u64 = 1 << 22;

/// An operand, ready to be read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Src {
    /// A register.
    Reg(u32),
    /// The complement of a predicate register.
    NotReg(u32),
    /// Bits of a register, extended to 64.
    Part {
        reg: u32,
        bit: u8,
        width: u8,
        signed: bool,
    },
    /// A constant.
    Imm(u64),
    /// A special register.
    Special(Special),
}

/// A register that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dst {
    pub(super) reg: u32,
    pub(super) ty: Type,
}

/// An instruction, ready to run.
#[derive(Debug)]
pub(super) struct Inst<'a> {
    pub(super) source: &'a Instruction,
    pub(super) operands: SmallVec<[Src; 4]>,
    pub(super) results: SmallVec<[Option<Dst>; 2]>,
    /// Where lanes that part here meet again: the immediate post-dominator, or the end.
    pub(super) reconverge: u32,
    /// Widths of the operands of a pure operation.
    pub(super) widths: SmallVec<[u8; 4]>,
    /// Operands (as bits) that are wider than the operation reads.
    pub(super) cut: u16,
}

impl Inst<'_> {
    /// A barrier for whole warps.
    pub(super) fn aligned(&self) -> bool {
        let action = &self.source.action;
        matches!(action, Action::Do(Opcode::Barrier { aligned: true, .. }))
    }
}

/// A function, ready to run.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) code: Vec<Inst<'a>>,
    /// Number of registers.
    pub(super) registers: usize,
    /// Sizes of the variables in shared memory, in the order of their regions.
    shared: Vec<(&'a str, u64)>,
    /// Sizes of the variables in local and `.param` memory.
    local: Vec<(&'a str, u64)>,
}

/// Where each symbol lies.
struct Layout<'a> {
    module: &'a Module,
    globals: Vec<Option<u64>>,
    locals: Vec<u64>,
    shared: Vec<(&'a str, u64)>,
    local: Vec<(&'a str, u64)>,
    global_regions: usize,
}

impl<'a> Program<'a> {
    /// Settles all addresses of `function`.
    pub(super) fn new(
        module: &'a Module,
        function: &'a Function,
        launch: &Launch,
    ) -> Result<Self, ExecutionError> {
        if module.address_size == 32 {
            return Err(unsupported("32-bit addresses"));
        }
        let layout = Layout::new(module, function, launch)?;
        let reconverge = post_dominators(&function.instructions);
        let mut code = Vec::with_capacity(function.instructions.len());
        for (source, &reconverge) in function.instructions.iter().zip(&reconverge) {
            let results = source.results.iter();
            let widths = match &source.action {
                Action::Do(Opcode::Op(op)) => operand_widths(op),
                _ => SmallVec::new(),
            };
            let inst = Inst {
                source,
                operands: layout.operands(function, source)?,
                cut: wider(function, source, &widths),
                widths,
                results: results.map(|r| r.and_then(|r| dst(function, r))).collect(),
                reconverge,
            };
            code.push(inst);
        }
        Ok(Program {
            code,
            registers: function.registers.len(),
            shared: layout.shared,
            local: layout.local,
        })
    }

    /// Shared memory of a new block.
    pub(super) fn shared_memory(&self) -> Arena {
        arena(&self.shared)
    }

    /// Local memory of a new thread.
    pub(super) fn local_memory(&self) -> Arena {
        arena(&self.local)
    }
}

fn arena(variables: &[(&str, u64)]) -> Arena {
    let mut arena = Arena::window();
    for (name, bytes) in variables {
        arena.push(name, vec![0; *bytes as usize], false);
    }
    arena
}

/// Global memory: the launch's buffers, then the module's `.global` and `.const` variables.
pub(super) fn global_memory(module: &Module, launch: &Launch) -> Arena {
    let mut arena = Arena::global();
    for (i, buffer) in launch.buffers.iter().enumerate() {
        let name = format!("buffer {i}");
        arena.push(&name, buffer.bytes.clone(), buffer.initialised);
    }
    for variable in &module.variables {
        if matches!(variable.space, Space::Global | Space::Const) {
            arena.push(&variable.name, vec![0; variable.bytes as usize], true);
            if let Some(region) = arena.regions.last_mut() {
                region.read_only = variable.space == Space::Const;
            }
        }
    }
    arena
}

/// The names of its regions, as messages call them.
pub(super) fn global_memory_names(
    module: &Module,
    launch: &Launch,
) -> impl Iterator<Item = String> {
    let buffers = (0..launch.buffers.len()).map(|i| format!("buffer {i}"));
    let in_global = |space| matches!(space, Space::Global | Space::Const);
    let variables = module.variables.iter();
    let variables = variables.filter(move |v| in_global(v.space));
    buffers.chain(variables.map(|v| v.name.to_string()))
}

/// The parameter block of a kernel. It stands in a window of its own as one region.
pub(super) fn parameter_memory(
    function: &Function,
    launch: &Launch,
) -> Result<Arena, ExecutionError> {
    if function.parameters.len() != launch.arguments.len() {
        return Err(bad_launch(format!(
            "{} arguments for {} parameters",
            launch.arguments.len(),
            function.parameters.len()
        )));
    }
    let size = function
        .parameters
        .iter()
        .map(|p| p.offset.saturating_add(p.bytes))
        .max()
        .unwrap_or(0);
    if size > MAX_WINDOW_BYTES {
        return Err(bad_launch(format!("{size} bytes of parameters")));
    }
    let mut block = vec![0; size as usize];
    for (parameter, argument) in function.parameters.iter().zip(&launch.arguments) {
        let start = parameter.offset as usize;
        let place = &mut block[start..start + parameter.bytes as usize];
        let bytes = argument_bytes(parameter, *argument, launch)?;
        let Some(bytes) = bytes.get(..place.len()) else {
            return Err(bad_launch(format!(
                "parameter {} has {} bytes, its argument {}",
                parameter.name,
                parameter.bytes,
                bytes.len()
            )));
        };
        place.copy_from_slice(bytes);
    }
    let mut arena = Arena::window();
    arena.push("parameters", block, true);
    arena.regions[0].read_only = true;
    Ok(arena)
}

/// At least the bytes of an argument: a scalar has eight.
fn argument_bytes<'l>(
    parameter: &Parameter,
    argument: Argument,
    launch: &'l Launch,
) -> Result<Cow<'l, [u8]>, ExecutionError> {
    let bits = match argument {
        Argument::Scalar(bits) => bits,
        Argument::Buffer { index, offset } => {
            if index >= launch.buffers.len() || parameter.bytes != 8 {
                return Err(bad_launch(format!(
                    "parameter {} cannot hold a pointer to buffer {index}",
                    parameter.name
                )));
            }
            global_address(index).wrapping_add(offset)
        }
        Argument::Structure(index) => {
            let Some(bytes) = launch.structures.get(index) else {
                return Err(bad_launch(format!("there is no structure {index}")));
            };
            return Ok(Cow::Borrowed(bytes));
        }
    };
    Ok(Cow::Owned(bits.to_le_bytes().to_vec()))
}

impl<'a> Layout<'a> {
    fn new(
        module: &'a Module,
        function: &'a Function,
        launch: &Launch,
    ) -> Result<Self, ExecutionError> {
        let mut layout = Layout {
            module,
            globals: Vec::new(),
            locals: Vec::new(),
            shared: vec![("dynamic shared memory", u64::from(launch.dynamic_shared))],
            local: Vec::new(),
            global_regions: launch.buffers.len(),
        };
        for variable in &module.variables {
            let address = match variable.space {
                Space::Global | Space::Const => {
                    layout.global_regions += 1;
                    Some(global_address(layout.global_regions - 1))
                }
                Space::Shared | Space::SharedCluster => {
                    Some(layout.shared_variable(&variable.name, variable.bytes))
                }
                _ => None,
            };
            layout.globals.push(address);
        }
        for variable in &function.variables {
            let address = match variable.space {
                Space::Shared | Space::SharedCluster => {
                    layout.shared_variable(&variable.name, variable.bytes)
                }
                _ => {
                    layout.local.push((&variable.name, variable.bytes));
                    window_address(layout.local.len() - 1)
                }
            };
            layout.locals.push(address);
        }
        layout.check_sizes()?;
        Ok(layout)
    }

    /// Variables without a size are dynamic shared memory: all at the same place.
    fn shared_variable(&mut self, name: &'a str, bytes: u64) -> u64 {
        if bytes == 0 {
            return window_address(0);
        }
        self.shared.push((name, bytes));
        window_address(self.shared.len() - 1)
    }

    fn check_sizes(&self) -> Result<(), ExecutionError> {
        let total = |list: &[(&str, u64)]| list.iter().fold(0u64, |n, v| n.saturating_add(v.1));
        if total(&self.shared) > MAX_WINDOW_BYTES || total(&self.local) > MAX_WINDOW_BYTES {
            return Err(bad_launch("too much shared or local memory".to_owned()));
        }
        if self.shared.len() > MAX_WINDOW_REGIONS || self.local.len() > MAX_WINDOW_REGIONS {
            return Err(unsupported("so many shared or local variables"));
        }
        if self.global_regions > MAX_GLOBAL_REGIONS {
            return Err(unsupported("so many global variables"));
        }
        let sizes = self.module.variables.iter().map(|v| v.bytes);
        if sizes.fold(0u64, u64::saturating_add) > super::launch::MAX_BUFFER {
            return Err(unsupported("global variables that large"));
        }
        Ok(())
    }

    fn operands(
        &self,
        function: &Function,
        source: &Instruction,
    ) -> Result<SmallVec<[Src; 4]>, ExecutionError> {
        let fail = |what: &str| ExecutionError {
            span: source.span,
            ..unsupported(what)
        };
        if source.operands.len() > MAX_OPERANDS {
            return Err(fail("so many operands"));
        }
        let mut operands = SmallVec::new();
        for operand in &source.operands {
            operands.push(match *operand {
                Source::Reg(reg) => Src::Reg(reg.0),
                Source::NotReg(reg) => Src::NotReg(reg.0),
                Source::Imm(bits) => Src::Imm(bits),
                Source::Special(special) => Src::Special(special),
                Source::Part {
                    reg,
                    bit,
                    width,
                    signed,
                } => Src::Part {
                    reg: reg.0,
                    bit,
                    width,
                    signed,
                },
                Source::Address(symbol, offset) => {
                    let base = self
                        .address(function, symbol)
                        .ok_or_else(|| fail("the address of this symbol"))?;
                    Src::Imm(base.wrapping_add_signed(offset))
                }
            });
        }
        Ok(operands)
    }

    fn address(&self, function: &Function, symbol: Symbol) -> Option<u64> {
        match symbol {
            // The register form has no initial values; zeros would be a guess.
            Symbol::Global(i) if self.module.variables.get(i as usize)?.initialised => None,
            Symbol::Global(i) => *self.globals.get(i as usize)?,
            Symbol::Local(i) => self.locals.get(i as usize).copied(),
            Symbol::Parameter(i) => {
                let parameter = function.parameters.get(i as usize)?;
                Some(window_address(0) + parameter.offset)
            }
            Symbol::Return(_) | Symbol::Function(_) => None,
        }
    }
}

/// The operands, as bits, that hold more than `widths` allows.
fn wider(function: &Function, source: &Instruction, widths: &[u8]) -> u16 {
    let mut mask = 0;
    for (i, (operand, &width)) in source.operands.iter().zip(widths).enumerate() {
        let bits = match *operand {
            Source::Reg(reg) | Source::NotReg(reg) => function
                .registers
                .get(reg.0 as usize)
                .map_or(64, |r| r.ty.bits),
            _ => 64,
        };
        if bits > width && i < 16 {
            mask |= 1 << i;
        }
    }
    mask
}

fn dst(function: &Function, reg: Reg) -> Option<Dst> {
    let register = function.registers.get(reg.0 as usize)?;
    Some(Dst {
        reg: reg.0,
        ty: register.ty,
    })
}

fn unsupported(what: &str) -> ExecutionError {
    error(Fault::NotSupported(what.to_owned()))
}

fn bad_launch(what: String) -> ExecutionError {
    error(Fault::BadLaunch(what))
}

/// An error that no statement is to blame for.
pub(super) fn error(fault: Fault) -> ExecutionError {
    ExecutionError {
        fault,
        span: Span::default(),
        thread: None,
    }
}

/// The immediate post-dominator of each instruction; the number of instructions stands for the end.
pub(super) fn post_dominators(code: &[Instruction]) -> Vec<u32> {
    let end = code.len();
    let mut graph = DiGraph::<(), (), u32>::with_capacity(end + 1, end + 1);
    for _ in 0..=end {
        graph.add_node(());
    }
    let node = |i: usize| NodeIndex::<u32>::new(i.min(end));
    for (i, instruction) in code.iter().enumerate() {
        let falls_through = match &instruction.action {
            Action::Do(_) => true,
            Action::Branch { target, .. } => {
                graph.add_edge(node(i), node(*target as usize), ());
                instruction.guard.is_some()
            }
            Action::BranchIndexed { targets, .. } => {
                for &target in targets.iter() {
                    graph.add_edge(node(i), node(target as usize), ());
                }
                instruction.guard.is_some()
            }
            Action::Return | Action::Exit | Action::Trap => {
                graph.add_edge(node(i), node(end), ());
                instruction.guard.is_some()
            }
        };
        if falls_through {
            graph.add_edge(node(i), node(i + 1), ());
        }
    }
    let tree = simple_fast(Reversed(&graph), node(end));
    (0..end)
        .map(|i| {
            tree.immediate_dominator(node(i))
                .map_or(end, NodeIndex::index) as u32
        })
        .collect()
}
