//! A kernel made ready to run, with the functions that it can call: addresses of symbols settled, reconvergence points known.
//! All their code is in one list, the kernel's first.

use super::asynchronous::Asynchronous;
use super::error::{ExecutionError, Fault, error};
use super::launch::Launch;
use super::layout::{FrameLayout, FrameVariable, Layout, Location};
use super::linkage::Linkage;
use super::memory::Arena;
use super::reconvergence::post_dominators;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics::operand_widths;
use ptxasw_ir::types::{Kind, Special, Type};
use ptxasw_ptx::ast::Span;
use ptxasw_ptx::decode::form::{
    Action, Function, Instruction, Module, Parameter, Reg, Source, Symbol,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// Most operands of one instruction: address and eight elements.
pub(super) const MAX_OPERANDS: usize = 12;

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
    /// A register of so many bits, plus a constant.
    Sum { reg: u32, bits: u8, offset: i64 },
    /// A constant.
    Imm(u64),
    /// A special register.
    Special(Special),
    /// The address of a variable of the function's activation, plus bytes.
    Frame { variable: u32, offset: i64 },
    /// An address that is not known: index into [`Program::unknown`].
    Unknown(u32),
}

/// A register that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dst {
    pub(super) reg: u32,
    pub(super) ty: Type,
}

/// What a call passes or gives back: one register, or one variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    /// A value that is read.
    Value(Src),
    /// A register that is written.
    Register(Dst),
    /// Part of a variable of the function's activation.
    Memory {
        variable: u32,
        offset: u32,
        bytes: u32,
    },
    /// `_`
    Nowhere,
}

/// Who is called.
#[derive(Debug)]
pub(super) enum Callee {
    /// A device function: index into [`Program::procedures`].
    Procedure(u32),
    /// The function at an address.
    Indirect(Src),
    /// A function that the driver provides, or that nobody does.
    Named(Box<str>),
}

/// The lists of a call.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) arguments: SmallVec<[Cell; 4]>,
    pub(super) returns: SmallVec<[Cell; 2]>,
}

/// An instruction, ready to run.
#[derive(Debug)]
pub(super) struct Inst<'a> {
    pub(super) source: &'a Instruction,
    pub(super) operands: SmallVec<[Src; 4]>,
    pub(super) results: SmallVec<[Option<Dst>; 2]>,
    /// Where lanes that diverge here meet again: the immediate post-dominator, or the function's end.
    pub(super) reconverge: u32,
    /// The function's first instruction; targets of branches count from it.
    pub(super) start: u32,
    /// Index into [`Program::procedures`].
    pub(super) procedure: u32,
    /// Widths of the operands of a pure operation.
    pub(super) widths: SmallVec<[u8; 4]>,
    /// Operands (as bits) that are wider than the operation reads.
    pub(super) cut: u16,
    /// Of a call.
    pub(super) call: Option<Box<Call>>,
    /// Of an asynchronous copy, and what belongs to it.
    pub(super) asynchronous: Option<Asynchronous>,
}

impl Inst<'_> {
    /// A barrier for whole warps.
    pub(super) fn aligned(&self) -> bool {
        let action = &self.source.action;
        matches!(action, Action::Do(Opcode::Barrier { aligned: true, .. }))
    }
}

/// The kernel, or a function that it can call.
#[derive(Debug)]
pub(super) struct Procedure<'a> {
    pub(super) function: &'a Function,
    /// Its first instruction.
    pub(super) start: u32,
    /// The return after its last one.
    pub(super) end: u32,
    /// Columns of registers that an activation takes: at least one, so that only the kernel's begin at 0.
    pub(super) registers: u32,
    /// Memory of an activation.
    pub(super) variables: Vec<FrameVariable>,
    pub(super) parameters: SmallVec<[Cell; 4]>,
    pub(super) returns: SmallVec<[Cell; 2]>,
}

/// A kernel, ready to run.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) code: Vec<Inst<'a>>,
    /// The kernel, then the device functions.
    pub(super) procedures: Vec<Procedure<'a>>,
    /// Of functions of the module, the index into `procedures`.
    numbers: FxHashMap<u32, u32>,
    /// Why addresses are not known.
    pub(super) unknown: Vec<String>,
    pub(super) layout: Layout<'a>,
}

/// What follows the last instruction of a function.
static END: LazyLock<Instruction> = LazyLock::new(|| Instruction {
    statement: 0,
    span: Span::default(),
    spelling: u32::MAX,
    location: None,
    guard: None,
    action: Action::Return,
    results: SmallVec::new(),
    operands: SmallVec::new(),
    used_bytes: None,
    offsets: None,
});

impl<'a> Program<'a> {
    /// Makes a kernel ready for a launch.
    pub(super) fn new(
        module: &'a Module,
        kernel: &'a Function,
        launch: &Launch,
    ) -> Result<Self, ExecutionError> {
        if module.address_size == 32 {
            let what = "32-bit addresses".to_owned();
            return Err(error(Fault::NotSupported(what)));
        }
        let linkage = Linkage::new(module);
        let callable = linkage.reachable(kernel);
        let mut layout = Layout::new(module, launch, !callable.is_empty());
        let device = callable
            .iter()
            .filter_map(|&i| module.functions.get(i as usize));
        let functions: Vec<&Function> = std::iter::once(kernel).chain(device).collect();
        let frames: Vec<FrameLayout> = functions.iter().map(|f| layout.frame(f)).collect();
        layout.check(&frames[0])?;
        let mut program = Program {
            code: Vec::new(),
            procedures: Vec::new(),
            numbers: callable.iter().copied().zip(1..).collect(),
            unknown: Vec::new(),
            layout,
        };
        for (&function, frame) in functions.iter().zip(frames) {
            program.add(&linkage, function, frame);
        }
        Ok(program)
    }

    /// The procedure that a function of the module is.
    pub(super) fn procedure_of(&self, linkage_index: u32) -> Option<u32> {
        self.numbers.get(&linkage_index).copied()
    }

    /// The opcode of an instruction, as written.
    pub(super) fn spelling(&self, inst: &Inst) -> &'a str {
        let procedure = self.procedures.get(inst.procedure as usize);
        procedure
            .and_then(|p| p.function.spellings.get(inst.source.spelling as usize))
            .map_or("ret", |text| text)
    }

    /// Appends a function's code.
    fn add(&mut self, linkage: &Linkage, function: &'a Function, frame: FrameLayout) {
        let start = self.code.len() as u32;
        let procedure = self.procedures.len() as u32;
        let mut builder = Builder {
            program: self,
            linkage,
            function,
            frame: &frame,
        };
        let mut calls = function.calls.iter().peekable();
        let reconverge = post_dominators(&function.instructions);
        for ((index, source), reconverge) in (0..).zip(&function.instructions).zip(reconverge) {
            let call = calls.next_if(|call| call.instruction == index);
            let call = call.map(|call| Box::new(builder.call(source, call)));
            let widths = match &source.action {
                Action::Do(Opcode::Op(op)) => operand_widths(op),
                _ => SmallVec::new(),
            };
            let asynchronous = asynchronous(function, source);
            let inst = Inst {
                source,
                operands: builder.operands(source, asynchronous.is_some()),
                cut: wider(function, source, &widths),
                widths,
                results: source
                    .results
                    .iter()
                    .map(|r| r.and_then(|r| dst(function, r)))
                    .collect(),
                reconverge: start + reconverge,
                start,
                procedure,
                call,
                asynchronous,
            };
            builder.program.code.push(inst);
        }
        let parameters = formals(function, &frame.parameters, &function.parameters);
        let returns = formals(function, &frame.returns, &function.returns);
        let end = self.code.len() as u32;
        self.code.push(Inst {
            source: &END,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            reconverge: end,
            start,
            procedure,
            widths: SmallVec::new(),
            cut: 0,
            call: None,
            asynchronous: None,
        });
        self.procedures.push(Procedure {
            function,
            start,
            end,
            registers: (function.registers.len() as u32).max(1),
            variables: frame.variables,
            parameters: parameters.into_iter().collect(),
            returns: returns.into_iter().collect(),
        });
    }

    /// Local memory of a new thread: the kernel's variables.
    pub(super) fn local_memory(&self) -> Arena {
        let mut arena = Arena::window(self.layout.local_shift());
        let variables = self.procedures.first().map_or(&[][..], |p| &p.variables);
        for variable in variables {
            arena.push(&variable.name, vec![0; variable.bytes as usize], false);
        }
        arena
    }
}

/// Turns the operands of one function.
struct Builder<'p, 'l, 'a> {
    program: &'p mut Program<'a>,
    linkage: &'l Linkage<'l>,
    function: &'a Function,
    frame: &'l FrameLayout,
}

impl Builder<'_, '_, '_> {
    /// The operands of an instruction; those of calls are in their lists, those of opaque ones are not needed unless they are
    /// `known`.
    fn operands(&mut self, source: &Instruction, known: bool) -> SmallVec<[Src; 4]> {
        let unused = matches!(
            source.action,
            Action::Do(Opcode::Call { .. } | Opcode::Opaque { .. } | Opcode::Nop)
        );
        if unused && !known {
            return SmallVec::new();
        }
        source
            .operands
            .iter()
            .map(|&operand| self.operand(operand))
            .collect()
    }

    fn operand(&mut self, source: Source) -> Src {
        match source {
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
            Source::Address(symbol, offset) => self.address(symbol, offset),
            Source::Sum(reg, offset) => Src::Sum {
                reg: reg.0,
                bits: dst(self.function, reg).map_or(64, |dst| dst.ty.bits),
                offset,
            },
        }
    }

    fn address(&mut self, symbol: Symbol, offset: i64) -> Src {
        let symbol = match symbol {
            Symbol::Function(index) => {
                Symbol::Function(self.linkage.definition(index).unwrap_or(index))
            }
            other => other,
        };
        let layout = &self.program.layout;
        match layout.location(self.function, self.frame, symbol) {
            Location::At(address) => Src::Imm(address.wrapping_add_signed(offset)),
            // The kernel's variables have fixed addresses.
            Location::Frame(variable) if self.function.entry => {
                Src::Imm(layout.local_address(variable).wrapping_add_signed(offset))
            }
            Location::Frame(variable) => Src::Frame { variable, offset },
            Location::Unknown(why) => {
                self.program.unknown.push(why);
                Src::Unknown(self.program.unknown.len() as u32 - 1)
            }
        }
    }

    fn call(&mut self, source: &Instruction, call: &ptxasw_ptx::decode::form::Call) -> Call {
        let Action::Do(Opcode::Call { callee, .. }) = &source.action else {
            return Call {
                callee: Callee::Named("".into()),
                arguments: SmallVec::new(),
                returns: SmallVec::new(),
            };
        };
        let callee = match callee {
            Some(name) => {
                let known = self.linkage.named(self.function, name);
                match known.and_then(|index| self.program.procedure_of(index)) {
                    Some(procedure) => Callee::Procedure(procedure),
                    None => Callee::Named(name.clone()),
                }
            }
            // The address follows the arguments.
            None => match source.operands.last() {
                Some(&address) => Callee::Indirect(self.operand(address)),
                None => Callee::Named("".into()),
            },
        };
        let arguments = call.arguments.iter().map(|&argument| match argument {
            Source::Address(symbol, offset) => self.variable(symbol, offset),
            other => Cell::Value(self.operand(other)),
        });
        let arguments = arguments.collect();
        let returns = call.returns.iter().map(|returned| match *returned {
            Some(Source::Address(symbol, offset)) => self.variable(symbol, offset),
            Some(Source::Reg(reg)) => dst(self.function, reg).map_or(Cell::Nowhere, Cell::Register),
            _ => Cell::Nowhere,
        });
        Call {
            callee,
            arguments,
            returns: returns.collect(),
        }
    }

    /// A variable of a call sequence.
    fn variable(&mut self, symbol: Symbol, offset: i64) -> Cell {
        let location = self
            .program
            .layout
            .location(self.function, self.frame, symbol);
        let Location::Frame(variable) = location else {
            return Cell::Value(self.address(symbol, offset));
        };
        let bytes = self
            .frame
            .variables
            .get(variable as usize)
            .map_or(0, |v| v.bytes);
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        Cell::Memory {
            variable,
            offset,
            bytes: (bytes as u32).saturating_sub(offset),
        }
    }
}

/// What an opaque instruction has to do with asynchronous copies.
fn asynchronous(function: &Function, source: &Instruction) -> Option<Asynchronous> {
    let Action::Do(Opcode::Opaque { .. }) = source.action else {
        return None;
    };
    let spelling = function.spellings.get(source.spelling as usize)?;
    Asynchronous::of(spelling, source, |operand| match operand {
        Source::NotReg(_) => true,
        Source::Reg(reg) => {
            let register = function.registers.get(reg.0 as usize);
            register.is_some_and(|register| register.ty.kind == Kind::Predicate)
        }
        _ => false,
    })
}

/// The cells of the parameters of a function: a vector in registers has several.
fn formals(function: &Function, locations: &[Location], parameters: &[Parameter]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (parameter, location) in parameters.iter().zip(locations) {
        match (parameter.register, location) {
            (Some(_), _) => {
                let registers = parameter.registers().filter_map(|reg| dst(function, reg));
                cells.extend(registers.map(Cell::Register));
            }
            (None, Location::Frame(variable)) => cells.push(Cell::Memory {
                variable: *variable,
                offset: 0,
                bytes: parameter.bytes as u32,
            }),
            (None, _) => cells.push(Cell::Nowhere),
        }
    }
    cells
}

/// The operands, as bits, that hold more than `widths` allows.
fn wider(function: &Function, source: &Instruction, widths: &[u8]) -> u16 {
    let mut mask = 0;
    for (i, (operand, &width)) in source.operands.iter().zip(widths).enumerate() {
        let bits = match *operand {
            Source::Reg(reg) | Source::NotReg(reg) | Source::Sum(reg, _) => function
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
