//! The statements of a function, in an order in which definitions come before their readers.

use super::language::is_node;
use crate::Session;
use ptxasw_ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::Readable;

/// What a statement is to the pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It computes this value, the only one that others read, from its operands alone.
    Pure(Value),
    /// It gives a value another name.
    Copy(Value),
    /// Anything else. It stays, and what it reads is needed.
    Other,
}

/// A statement of the text: adjacent instructions of one origin.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'f> {
    /// Its instructions, in order.
    pub insts: &'f [InstId],
    /// The block that executes it.
    pub block: BlockId,
    /// How the pass treats it.
    pub kind: Kind,
}

/// How often each value is used.
fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.values.len()];
    for value in function.uses() {
        uses[value.index()] += 1;
    }
    let assumed = function.blocks.iter().flat_map(|block| &block.assumed);
    for value in assumed {
        uses[value.index()] += 1;
    }
    uses
}

/// All statements that can be reached, in reverse post-order of their blocks.
pub fn statements<'f>(session: &Session<'f>) -> Vec<Statement<'f>> {
    let (function, analyses) = (session.function, session.analyses());
    let uses = uses(function);
    let mut all = Vec::with_capacity(function.insts.len());
    for &block in analyses.cfg.reverse_post_order() {
        let insts = &function.block(block).insts;
        let origin = |id: &InstId| function.inst(*id).origin;
        for insts in insts.chunk_by(|one, next| origin(one) == origin(next)) {
            let kind = match kind(function, &uses, insts) {
                Kind::Pure(value) if !is_known(session, value) => Kind::Other,
                kind => kind,
            };
            all.push(Statement { insts, block, kind });
        }
    }
    all
}

/// Whether the text has a value by itself, so that it can be read and replaced.
fn is_known(session: &Session, value: Value) -> bool {
    session.text.readable(value) != Readable::No && session.text.redirectable(value)
}

fn kind(function: &Function, uses: &[u32], insts: &[InstId]) -> Kind {
    let mut leaving = None;
    for &id in insts {
        let inst = function.inst(id);
        let Opcode::Op(op) = &inst.opcode else {
            return Kind::Other;
        };
        let copy = matches!(op, Op::Copy { .. }) && insts.len() == 1;
        if inst.guard.is_some() || !(copy || is_node(op)) {
            return Kind::Other;
        }
        let mut values = inst.args.iter().filter(|_| copy).chain(&inst.results);
        if values.any(|&value| is_promised(function, value)) {
            return Kind::Other;
        }
        for (number, &result) in inst.results.iter().enumerate() {
            let (all, inside) = (uses[result.index()], inside(function, insts, result));
            match (all - inside, number, leaving) {
                (0, 0, _) => {}
                (0, ..) if all == 0 => {}
                // The statement itself goes on with no value that leaves it.
                (_, 0, None) if inside == 0 => leaving = Some(result),
                _ => return Kind::Other,
            }
        }
        if let (true, Some(result)) = (copy, leaving) {
            return Kind::Copy(result);
        }
    }
    leaving.map_or(Kind::Other, Kind::Pure)
}

/// Whether a value is what the text computes only where a promise of the producer holds. Elsewhere its bits in the text are others, so
/// it is equal to nothing but itself.
pub fn is_promised(function: &Function, value: Value) -> bool {
    let promises = function.promises(value);
    promises.widened.is_some() || promises.granted.is_some()
}

/// How often the statement itself uses one of its values.
fn inside(function: &Function, insts: &[InstId], value: Value) -> u32 {
    if insts.len() == 1 {
        return 0;
    }
    let args = insts.iter().flat_map(|&id| &function.inst(id).args);
    args.filter(|&&arg| arg == value).count() as u32
}

impl Statement<'_> {
    /// The operands that it does not compute itself.
    pub fn operands(&self, function: &Function) -> Vec<Value> {
        let args = self.insts.iter().flat_map(|&id| {
            let inst = function.inst(id);
            let guard = inst.guard.iter().map(|guard| guard.0);
            inst.args.iter().copied().chain(guard)
        });
        args.filter(|&value| !self.defines(function, value))
            .collect()
    }

    /// Whether it computes a value.
    pub fn defines(&self, function: &Function, value: Value) -> bool {
        match function.value(value).def {
            ValueDef::Result(id, _) => self.insts.contains(&id),
            _ => false,
        }
    }
}
