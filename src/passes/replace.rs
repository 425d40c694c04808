//! Statements that are computed in another way: the most frequent rewriting.

use super::{Fate, Remark, Rewrite, Session};
use ptxasw_ir::function::{BlockId, Function, Inst, InstId, Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Cursor, Point, Readable, Redirect, Ref, Removal};
use rustc_hash::FxHashMap;

/// A statement of one instruction, without a guard and with one result, which the text can define anew.
pub struct Statement<'a> {
    /// The opcode of its only instruction.
    pub opcode: &'a Opcode,
    /// Bits of its result.
    pub width: u8,
    inst: &'a Inst,
    session: &'a Session<'a>,
    /// What replaces the values of removed statements.
    new: &'a FxHashMap<Value, Ref>,
}

impl Statement<'_> {
    /// How a step reads an operand; none if there is no such operand, or the text has it nowhere.
    pub fn read(&self, operand: usize) -> Option<Ref> {
        let value = *self.inst.args.get(operand)?;
        if let Some(&new) = self.new.get(&value) {
            return Some(new);
        }
        let readable = match self.session.text.readable(value) {
            Readable::Directly => true,
            Readable::ByCopy => !self.rests_on_gone(value),
            Readable::No => false,
        };
        readable.then_some(Ref::Value(value))
    }

    /// An operand, as the function has it; none if there is no such operand.
    pub fn operand(&self, operand: usize) -> Option<Value> {
        self.inst.args.get(operand).copied()
    }

    /// The block in which it is executed.
    pub fn block(&self) -> BlockId {
        self.inst.block
    }

    /// The number that an operand is, if it is one.
    pub fn constant(&self, operand: usize) -> Option<u64> {
        let value = *self.inst.args.get(operand)?;
        match self.session.function.value(value).def {
            ValueDef::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// Bits of an operand; 0 if there is none.
    pub fn operand_width(&self, operand: usize) -> u8 {
        let value = self.inst.args.get(operand);
        value.map_or(0, |&value| self.session.function.value(value).width)
    }

    /// A copy of a value may be computed anew, from operands that must not be gone.
    fn rests_on_gone(&self, value: Value) -> bool {
        match self.session.function.value(value).def {
            ValueDef::Result(id, _) => {
                let args = &self.session.function.inst(id).args;
                args.iter().any(|arg| self.new.contains_key(arg))
            }
            _ => false,
        }
    }
}

/// Replaces statements: where `write` returns what is to be read in place of a statement's result, the steps that it wrote take the
/// place of the statement, with the remark `what`. Where it returns none, nothing changes.
pub fn replace(
    session: &Session,
    what: &'static str,
    mut write: impl FnMut(&Statement, &mut Cursor) -> Option<Ref>,
) -> Rewrite {
    let function = session.function;
    let (mut rewrite, mut next, mut new) = (Rewrite::default(), 0, FxHashMap::default());
    // A definition comes before its readers.
    for &block in session.analyses().cfg.reverse_post_order() {
        for (id, value) in alone(function, &function.block(block).insts) {
            if session.text.readable(value) == Readable::No || !session.may_change(id) {
                continue;
            }
            let inst = function.inst(id);
            let statement = Statement {
                opcode: &inst.opcode,
                width: function.value(value).width,
                inst,
                session,
                new: &new,
            };
            let mut cursor = Cursor::new(&mut next, inst.origin);
            let Some(to) = write(&statement, &mut cursor) else {
                continue;
            };
            let patch = &mut rewrite.patch;
            cursor.done(patch, Point::Before(id));
            let clone = None;
            patch.redirect.push(Redirect { clone, value, to });
            patch.remove.push(Removal { clone, inst: id });
            let remark = Remark::new(id, Fate::Rewritten, what);
            rewrite.remarks.push(remark);
            new.insert(value, to);
        }
    }
    rewrite
}

/// The instructions of a block that are statements by themselves, without a guard and with one result, each with that.
fn alone<'f>(
    function: &'f Function,
    insts: &'f [InstId],
) -> impl Iterator<Item = (InstId, Value)> + 'f {
    let origin = |id: &InstId| function.inst(*id).origin;
    let statements = insts.chunk_by(move |one, next| origin(one) == origin(next));
    statements.filter_map(|statement| match statement {
        &[id] => match function.inst(id).results[..] {
            [result] if function.inst(id).guard.is_none() => Some((id, result)),
            _ => None,
        },
        _ => None,
    })
}
