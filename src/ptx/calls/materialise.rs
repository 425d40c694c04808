//! Writing what is known of a parameter into the callee: as a kernel parameter, or as the operations that give it.

use super::Body;
use super::expression::{Expression, ExpressionId, Expressions};
use super::pieces::Piece;
use ptxasw_ir::function::{Base, Inst, InstId, Param, Value, ValueData, ValueDef};
use ptxasw_ir::module::Fact;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, Opcode, Order, Scope};
use ptxasw_ir::types::{Kind, Space, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Operations that a function may get this way.
const MAX_OPERATIONS: usize = 256;

/// What a value is in a launch of each kernel that comes to the function.
pub(super) type Values = Vec<(u32, ExpressionId)>;

/// Completes one function.
pub(super) struct Writer<'a> {
    body: &'a mut Body,
    all: &'a Expressions,
    /// What stands for kernel parameters by now: what is always equal is one parameter.
    parameters: FxHashMap<Values, u32>,
    operations: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(body: &'a mut Body, all: &'a Expressions) -> Self {
        Writer {
            body,
            all,
            parameters: FxHashMap::default(),
            operations: 0,
        }
    }

    /// Lets the instruction that reads `piece` give `values` instead, if they can be written.
    pub(super) fn write(&mut self, read: InstId, piece: Piece, values: &Values) {
        let name = match self.body.form.parameters.get(piece.formal as usize) {
            Some(parameter) if piece.offset == 0 => parameter.name.to_string(),
            Some(parameter) => format!("{}+{}", parameter.name, piece.offset),
            None => return,
        };
        let mut new = Vec::new();
        let found = self.opcode(read, values, &name, &mut new);
        let Some((opcode, args)) = found else {
            // Operations that were made for it before stay in no block: nothing sees them.
            return;
        };
        let function = &mut self.body.lowered.function;
        let inst = &mut function.insts[read.index()];
        inst.opcode = opcode;
        inst.args = args;
        let block = inst.block;
        let insts = &mut function.blocks[block.index()].insts;
        if let Some(at) = insts.iter().position(|&id| id == read) {
            insts.splice(at..at, new);
        }
        let registers = &mut self.body.lowered.registers;
        registers.resize(self.body.lowered.function.values.len(), None);
        let uniform = values.iter().all(|&(_, id)| self.all.is_uniform(id));
        let what = match uniform {
            true => "the same value, in all threads of a block",
            false => "the same function of the thread's number",
        };
        self.body.facts.push(Fact {
            condition: "C1",
            how: format!("all calls that a launch can come to pass as `{name}` {what}"),
        });
    }

    /// An instruction that gives `values`; those that it needs in front of it go to `new`.
    fn opcode(
        &mut self,
        read: InstId,
        values: &Values,
        name: &str,
        new: &mut Vec<InstId>,
    ) -> Option<(Opcode, SmallVec<[Value; 4]>)> {
        let &(_, first) = values.first()?;
        let width = self.all.width(first);
        if values.iter().all(|&(_, id)| self.all.is_uniform(id)) {
            let index = self.parameter(values, name, width);
            let address = self.leaf(ValueDef::Address(Base::Parameter(index), 0), 64);
            return Some((load(width), SmallVec::from_slice(&[address])));
        }
        self.operations += 1;
        if self.operations > MAX_OPERATIONS {
            return None;
        }
        match self.all.get(first) {
            Expression::Special(special, _) => {
                let same = values.iter().all(|&(_, id)| id == first);
                let value = self.leaf(ValueDef::Special(*special), width);
                same.then(|| {
                    let copy = Opcode::Op(Op::Copy { width });
                    (copy, SmallVec::from_slice(&[value]))
                })
            }
            Expression::Operation(op, parts) => {
                let (op, count) = (*op, parts.len());
                let mut args = SmallVec::new();
                for index in 0..count {
                    let part = |&(kernel, id): &(u32, ExpressionId)| match self.all.get(id) {
                        Expression::Operation(other, parts)
                            if *other == op && parts.len() == count =>
                        {
                            Some((kernel, parts[index]))
                        }
                        _ => None,
                    };
                    let parts = values.iter().map(part).collect::<Option<Values>>()?;
                    args.push(self.value(read, &parts, name, new)?);
                }
                Some((Opcode::Op(op), args))
            }
            _ => None,
        }
    }

    /// A value that is `values`.
    fn value(
        &mut self,
        read: InstId,
        values: &Values,
        name: &str,
        new: &mut Vec<InstId>,
    ) -> Option<Value> {
        let &(_, first) = values.first()?;
        let width = self.all.width(first);
        if values.iter().any(|&(_, id)| self.all.width(id) != width) {
            return None;
        }
        let same = values.iter().all(|&(_, id)| id == first);
        match *self.all.get(first) {
            Expression::Constant(width, bits) if same => {
                return Some(self.leaf(ValueDef::Constant(bits), width));
            }
            Expression::Special(special, width) if same => {
                return Some(self.leaf(ValueDef::Special(special), width));
            }
            _ => {}
        }
        // Parts of a parameter have no name of their own.
        let name = format!("{name}.{}", self.parameters.len());
        let (opcode, args) = self.opcode(read, values, &name, new)?;
        let function = &mut self.body.lowered.function;
        let id = InstId(function.insts.len() as u32);
        let result = Value(function.values.len() as u32);
        let def = ValueDef::Result(id, 0);
        function.values.push(ValueData::new(def, width));
        let Inst { origin, block, .. } = *function.inst(read);
        function.insts.push(Inst {
            opcode,
            args,
            results: SmallVec::from_slice(&[result]),
            guard: None,
            origin,
            block,
        });
        new.push(id);
        Some(result)
    }

    fn leaf(&mut self, def: ValueDef, width: u8) -> Value {
        let values = &mut self.body.lowered.function.values;
        values.push(ValueData::new(def, width));
        Value(values.len() as u32 - 1)
    }

    /// The parameter that stands for `values`.
    fn parameter(&mut self, values: &Values, name: &str, width: u8) -> u32 {
        let params = &mut self.body.lowered.function.params;
        let all = self.all;
        *self.parameters.entry(values.clone()).or_insert_with(|| {
            params.push(Param {
                name: name.into(),
                ty: Type::new(Kind::Bits, width),
                bytes: u64::from(width / 8),
                pointer: None,
                pointee_align: 1,
                points_to_global: values.iter().all(|&(_, id)| all.is_pointer(id)),
                no_alias: false,
            });
            params.len() as u32 - 1
        })
    }
}

/// A load of a kernel parameter.
fn load(width: u8) -> Opcode {
    Opcode::Load(Access {
        space: Space::ParamEntry,
        ty: Type::new(Kind::Bits, width),
        elements: 1,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset: 0,
        hints: false,
        skipped: 0,
    })
}
