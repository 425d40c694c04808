//! Values that the launch and the thread's place in it decide, as expressions that can be compared between functions.

use super::Body;
use super::pieces::{Formals, Piece};
use ptxasw_ir::function::{Base, Function, Inst, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::{Space, Special};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Operations inside each other that an expression may have.
const MAX_DEPTH: u32 = 8;

/// An expression, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ExpressionId(u32);

/// A value that a thread finds whenever it looks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expression {
    /// A number of so many bits.
    Constant(u8, u64),
    /// Bytes of a parameter of the kernel that is launched: its index, the offset in it, bits.
    Kernel(u32, i64, u8),
    /// A special register that does not change within a thread, in so many bits.
    Special(Special, u8),
    /// What the function of this number reads of its own parameters.
    Formal(u32, Piece),
    /// A pure operation.
    Operation(Op, SmallVec<[ExpressionId; 4]>),
}

struct Entry {
    expression: Expression,
    width: u8,
    /// All threads of a block have one value of it.
    uniform: bool,
}

/// All expressions; equal ones have one number.
#[derive(Default)]
pub(super) struct Expressions {
    list: Vec<Entry>,
    numbers: FxHashMap<Expression, ExpressionId>,
}

impl Expressions {
    pub(super) fn get(&self, id: ExpressionId) -> &Expression {
        &self.list[id.0 as usize].expression
    }

    /// Bits of its value.
    pub(super) fn width(&self, id: ExpressionId) -> u8 {
        self.list[id.0 as usize].width
    }

    /// Whether all threads of a block find the same.
    pub(super) fn is_uniform(&self, id: ExpressionId) -> bool {
        self.list[id.0 as usize].uniform
    }

    pub(super) fn add(&mut self, expression: Expression, width: u8) -> ExpressionId {
        if let Some(&known) = self.numbers.get(&expression) {
            return known;
        }
        let uniform = match &expression {
            Expression::Constant(..) | Expression::Kernel(..) => true,
            Expression::Special(special, _) => matches!(
                special,
                Special::Ntid(_) | Special::Ctaid(_) | Special::Nctaid(_)
            ),
            // Nothing is known of it until it is replaced.
            Expression::Formal(..) => false,
            Expression::Operation(_, parts) => parts.iter().all(|&part| self.is_uniform(part)),
        };
        let id = ExpressionId(self.list.len() as u32);
        self.list.push(Entry {
            expression: expression.clone(),
            width,
            uniform,
        });
        self.numbers.insert(expression, id);
        id
    }

    /// Whether its value is a kernel parameter of 64 bits, which can point to global memory only.
    pub(super) fn is_pointer(&self, id: ExpressionId) -> bool {
        matches!(self.get(id), Expression::Kernel(_, _, 64))
    }
}

/// Reads expressions from one body.
pub(super) struct Reader<'a> {
    pub number: u32,
    pub body: &'a Body,
    pub formals: &'a Formals,
    pub known: FxHashMap<Value, Option<ExpressionId>>,
}

impl Reader<'_> {
    /// The expression of a value; none if something else decides it, or if it is too deep.
    pub(super) fn expression(
        &mut self,
        all: &mut Expressions,
        value: Value,
    ) -> Option<ExpressionId> {
        self.within(all, value, MAX_DEPTH)
    }

    fn within(&mut self, all: &mut Expressions, value: Value, depth: u32) -> Option<ExpressionId> {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        if depth == 0 {
            return None;
        }
        let function: &Function = &self.body.lowered.function;
        let data = function.value(value);
        let found = match data.def {
            ValueDef::Constant(bits) => {
                Some(all.add(Expression::Constant(data.width, bits), data.width))
            }
            ValueDef::Special(special) => {
                Some(all.add(Expression::Special(special, data.width), data.width))
            }
            ValueDef::Result(id, 0) => {
                let inst = function.inst(id);
                match &inst.opcode {
                    _ if inst.results.len() != 1 => None,
                    // The identity, as addresses go.
                    Opcode::Op(
                        Op::Copy { .. }
                        | Op::ToGeneric {
                            space: Space::Global,
                            width: 64,
                        }
                        | Op::FromGeneric {
                            space: Space::Global,
                            width: 64,
                        },
                    ) => self.within(all, *inst.args.first()?, depth - 1),
                    // The compiler may contract it in one place and not in another.
                    Opcode::Op(Op::Float { .. }) => None,
                    Opcode::Op(op) => {
                        let mut parts = SmallVec::new();
                        for &arg in &inst.args {
                            match self.within(all, arg, depth - 1) {
                                Some(part) => parts.push(part),
                                None => return self.keep(value, None),
                            }
                        }
                        Some(all.add(Expression::Operation(*op, parts), data.width))
                    }
                    _ if inst.guard.is_some() => None,
                    _ => match self.formals.read_by(id) {
                        Some(piece) => {
                            Some(all.add(Expression::Formal(self.number, piece), data.width))
                        }
                        None => kernel_parameter(function, inst, data.width)
                            .map(|expression| all.add(expression, data.width)),
                    },
                }
            }
            _ => None,
        };
        self.keep(value, found)
    }

    fn keep(&mut self, value: Value, found: Option<ExpressionId>) -> Option<ExpressionId> {
        self.known.insert(value, found);
        found
    }
}

/// A load of a kernel's own parameter by its name, in its own width.
fn kernel_parameter(function: &Function, inst: &Inst, width: u8) -> Option<Expression> {
    let Opcode::Load(access) = &inst.opcode else {
        return None;
    };
    let whole = access.elements == 1 && access.ty.bits == width;
    let plain = access.space == Space::ParamEntry && access.order.is_weak() && whole;
    match function.value(*inst.args.first()?).def {
        ValueDef::Address(Base::Parameter(index), offset) if plain && function.entry => {
            Some(Expression::Kernel(index, offset + access.offset, width))
        }
        _ => None,
    }
}
