//! The register form of a module: names resolved, opcodes understood, not yet SSA.
//!
//! What [`super::decode`] makes of the syntax tree, and what both the executor and the lowering into the SSA IR
//! start from. Each instruction still stands for exactly one statement of the text.

use crate::ast::Span;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Space, Special, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A decoded module.
#[derive(Debug, Default)]
pub struct Module {
    /// `.version` major, minor (of the first header).
    pub version: (u16, u16),
    /// `.target` (of the first header).
    pub target: Target,
    /// 32 or 64 (of the first header).
    pub address_size: u8,
    /// The modules that the text consists of: one, unless some tool concatenated several.
    pub units: Vec<Unit>,
    /// Module-scope variables, in order.
    pub variables: Vec<Variable>,
    /// Functions and kernels, in order, declarations included.
    pub functions: Vec<Function>,
}

/// What one header (`.version`, `.target`, `.address_size`) governs, up to the next: names are looked up in it.
#[derive(Debug, Default)]
pub struct Unit {
    /// `.version` major, minor.
    pub version: (u16, u16),
    /// `.target`.
    pub target: Target,
    /// 32 or 64.
    pub address_size: u8,
    /// Module-scope variables and functions by name; of a declaration and a definition, the definition.
    pub names: FxHashMap<Box<str>, Symbol>,
    /// Items that declare registers at module scope.
    pub registers: Vec<u32>,
}

/// A target architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The word as written: `sm_90a`.
    pub name: String,
    /// Its number: 90.
    pub sm: u32,
    /// The target has the word `debug` (`.target sm_80, debug`).
    pub debug: bool,
}

/// A register of a function, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// What is known of a register.
#[derive(Clone, Debug)]
pub struct Register {
    /// As written, with its number: `%r12`. Registers of different scopes can have the same name.
    pub name: Box<str>,
    /// As declared.
    pub ty: Type,
    /// Nesting depth of the declaring scope; 0 is the function's own body.
    pub depth: u16,
    /// One half of a register of 128 bits, which is two registers of 64 bits here, the lower half first: the name is that
    /// of both together.
    pub half: bool,
}

/// A variable in memory: module scope, function scope, or a `.param` of a call sequence.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name that instructions refer to it by.
    pub name: Box<str>,
    /// The state space (`Global`, `Const`, `Shared`, `Local`, `ParamFunc`).
    pub space: Space,
    /// Size in bytes; 0 for `[]`.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// `.extern` without a size (dynamic shared memory), or a declaration.
    pub external: bool,
    /// What it holds before the kernel starts.
    pub initial: Initial,
    /// Item index in the syntax tree (module scope) or statement index (function scope).
    pub origin: u32,
    /// Type and width of an element.
    pub ty: Type,
}

impl Variable {
    /// The functions whose addresses the initial value holds, as indices into [`Module::functions`].
    pub fn functions(&self) -> impl Iterator<Item = u32> + '_ {
        let addresses = match &self.initial {
            Initial::Known(contents) => contents.addresses.as_slice(),
            Initial::None | Initial::Unknown => &[],
        };
        addresses.iter().filter_map(|address| match address.symbol {
            Symbol::Function(index) => Some(index),
            _ => None,
        })
    }
}

/// The initial value of a variable (PTX ISA, "Variables: Initializers").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// None is given: zeros in `.global` and `.const`, undefined bytes elsewhere.
    #[default]
    None,
    /// Known.
    Known(Box<Contents>),
    /// Given in a form that is not understood.
    Unknown,
}

/// A known initial value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The first bytes of the variable; those after them are zero.
    pub bytes: Vec<u8>,
    /// Addresses in it, whose bytes are zero in `bytes`.
    pub addresses: Vec<InitialAddress>,
}

/// An address in an initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialAddress {
    /// Bytes from the start of the variable.
    pub at: u64,
    /// Bytes of the element that holds it.
    pub bytes: u8,
    /// A module-scope variable or a function.
    pub symbol: Symbol,
    /// Added to the address, in bytes.
    pub offset: i64,
    /// `generic(sym)`: the generic address; else the address in the symbol's own state space.
    pub generic: bool,
    /// `0xff00(sym)`: this byte of the address only.
    pub byte: Option<u8>,
}

/// What a name in memory refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Index into [`Module::variables`].
    Global(u32),
    /// Index into [`Function::variables`].
    Local(u32),
    /// Index into [`Function::parameters`].
    Parameter(u32),
    /// Index into [`Function::returns`].
    Return(u32),
    /// Index into [`Module::functions`].
    Function(u32),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name that loads of it refer to.
    pub name: Box<str>,
    /// Type of an element.
    pub ty: Type,
    /// Size in bytes: that of all elements of an array.
    pub bytes: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Offset in the kernel's parameter block, by size and alignment.
    pub offset: u64,
    /// `.ptr`: the pointed-to space, where it is given.
    pub pointer: Option<Option<Space>>,
    /// `.align` after `.ptr`: what it points to begins at a multiple of so many bytes; else 1.
    pub pointee_align: u32,
    /// A `.reg` parameter of a device function: the register, the first of a vector's.
    pub register: Option<Reg>,
}

impl Parameter {
    /// The registers that a `.reg` parameter consists of: several for a vector and for 128 bits.
    pub fn registers(&self) -> impl Iterator<Item = Reg> + use<> {
        let each = u64::from(self.ty.bits.min(64).div_ceil(8)).max(1);
        let count = (self.bytes / each).max(1) as u32;
        let first = self.register.into_iter();
        first.flat_map(move |first| (0..count).map(move |index| Reg(first.0 + index)))
    }
}

/// A function in register form.
#[derive(Debug, Default)]
pub struct Function {
    /// Its mangled name, unique within the module but for declarations.
    pub name: Box<str>,
    /// Index of its item in the syntax tree.
    pub item: u32,
    /// Index into [`Module::units`].
    pub unit: u32,
    /// A kernel.
    pub entry: bool,
    /// Has a body.
    pub defined: bool,
    /// Return parameters.
    pub returns: Vec<Parameter>,
    /// Parameters.
    pub parameters: Vec<Parameter>,
    /// Registers, of all scopes.
    pub registers: Vec<Register>,
    /// Function-scope variables.
    pub variables: Vec<Variable>,
    /// Instructions, in the order of the text.
    pub instructions: Vec<Instruction>,
    /// What the calls among them pass, in the order of the text.
    pub calls: Vec<Call>,
    /// The opcodes of the body, as written.
    pub spellings: Vec<Box<str>>,
    /// `.reqntid`, missing dimensions as 1.
    pub required_threads: Option<[u32; 3]>,
    /// `.maxntid`, missing dimensions as 1.
    pub max_threads: Option<[u32; 3]>,
}

/// The lists of a `call`: registers, and the `.param` variables of the call sequence.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// Index into [`Function::instructions`].
    pub instruction: u32,
    /// Where return values go: [`Source::Reg`] or the [`Source::Address`] of a variable; none for `_`.
    pub returns: SmallVec<[Option<Source>; 1]>,
    /// Arguments: any [`Source`]; a variable as [`Source::Address`].
    pub arguments: SmallVec<[Source; 4]>,
}

/// One operand that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A register.
    Reg(Reg),
    /// The complement of a predicate register (`!%p`).
    NotReg(Reg),
    /// A constant, as bits of the operand's width.
    Imm(u64),
    /// A special register.
    Special(Special),
    /// The address of a variable or parameter in its own state space, plus bytes.
    Address(Symbol, i64),
    /// Part of a register: `%r1.b0`, `%v.x` is resolved to a register of its own and is not this.
    Part {
        /// The register.
        reg: Reg,
        /// First bit.
        bit: u8,
        /// Bits.
        width: u8,
        /// How it is extended.
        signed: bool,
    },
    /// `%r1 + 4` where a value is read: the sum, in the register's width.
    Sum(Reg, i64),
}

/// One decoded instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Index of its statement in the body.
    pub statement: u32,
    /// Byte span of the statement.
    pub span: Span,
    /// Its opcode: index into [`Function::spellings`].
    pub spelling: u32,
    /// Statement index of the `.loc` in force.
    pub location: Option<u32>,
    /// Guard predicate; `true` for `@!`.
    pub guard: Option<(Reg, bool)>,
    /// What it does.
    pub action: Action,
    /// Destinations; `None` for `_` and for results that the instruction does not name.
    pub results: SmallVec<[Option<Reg>; 2]>,
    /// Operands.
    pub operands: SmallVec<[Source; 4]>,
    /// `.pragma "used_bytes_mask 0x.."` before a vector load: the bytes (bit 0 the first) that are defined.
    pub used_bytes: Option<u64>,
    /// Bytes added to the registers in the two addresses of an asynchronous copy (`cp.async`), which is opaque otherwise.
    pub offsets: Option<Box<[i64; 2]>>,
}

/// Control flow, or anything else. Targets are indices of [`Function::instructions`]; one past the last is the end.
#[derive(Clone, Debug)]
pub enum Action {
    /// Anything that goes on with the next instruction.
    Do(Opcode),
    /// `bra`, `bra.uni`.
    Branch {
        /// Where to.
        target: u32,
        /// `.uni`
        uniform: bool,
    },
    /// `brx.idx`: operand 0 is the index.
    BranchIndexed {
        /// Where to, by index.
        targets: Box<[u32]>,
        /// `.uni`
        uniform: bool,
    },
    /// `ret`
    Return,
    /// `exit`
    Exit,
    /// `trap`, `brkpt` that nothing follows, `__builtin_unreachable`-like ends.
    Trap,
}
