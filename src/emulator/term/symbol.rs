//! Symbols, which stand for unknown inputs, and the names of uninterpreted functions.

use ptxasw_ir::divergence::Level;
use ptxasw_ir::op::Op;
use std::fmt;

/// A symbol of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub u32);

/// How a symbol's value depends on the thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variance {
    /// As equal as a level says, and otherwise any function of the thread.
    Of(Level),
    /// `%tid.x` itself.
    TidX,
    /// `%laneid` itself.
    LaneId,
}

impl Variance {
    /// As one bit of a set; uniform symbols are in no set.
    pub(super) fn bit(self) -> u8 {
        match self {
            Variance::Of(Level::Uniform) => 0,
            Variance::Of(Level::Row) => 1,
            Variance::TidX => 2,
            Variance::LaneId => 4,
            Variance::Of(Level::Divergent) => 8,
        }
    }
}

/// An unknown input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// For reports and SMT-LIB; unique in the arena.
    pub name: String,
    /// 1 to 64.
    pub width: u8,
    /// How it depends on the thread.
    pub variance: Variance,
    /// Least and greatest value; every rule may rely on it.
    pub unsigned_range: (u64, u64),
}

impl Symbol {
    /// A symbol that can have every value of its width.
    pub fn new(name: impl Into<String>, width: u8, variance: Variance) -> Self {
        Symbol {
            name: name.into(),
            width,
            variance,
            unsigned_range: (0, super::mask(width)),
        }
    }

    /// Sets the range of unsigned values, both ends included.
    pub fn within(mut self, least: u64, greatest: u64) -> Self {
        self.unsigned_range = (least, greatest.min(super::mask(self.width)));
        self
    }
}

/// An uninterpreted function of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// What an uninterpreted function stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// Result number of an operation that is no bit-vector arithmetic.
    Op(Op, u8),
    /// As `Op`, but equal to no other application: the assembler may compute each differently. The number distinguishes them.
    Single(Op, u8, u32),
    /// Anything else, by name.
    Named(Box<str>),
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Named(name) => f.write_str(name),
            Function::Op(op, 0) => write!(f, "{op:?}"),
            Function::Op(op, result) => write!(f, "{op:?}.{result}"),
            Function::Single(op, result, number) => write!(f, "{op:?}.{result}#{number}"),
        }
    }
}
