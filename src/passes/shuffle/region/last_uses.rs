//! Until where the parameters of blocks are needed.

use ptxasw_ir::function::{Function, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashMap;

/// Moves from register to register that are followed.
const MAX_MOVES: usize = 16;

/// What a value is a copy of.
fn original(function: &Function, mut value: Value) -> Value {
    for _ in 0..MAX_MOVES {
        let ValueDef::Result(inst, _) = function.value(value).def else {
            break;
        };
        let inst = function.inst(inst);
        match (&inst.opcode, inst.args.first()) {
            (Opcode::Op(Op::Copy { .. }), Some(&arg)) => value = arg,
            _ => break,
        }
    }
    value
}

/// The last statement of the text that uses each parameter of a block, or a copy of it.
pub(super) fn last_uses(function: &Function) -> FxHashMap<Value, u32> {
    let mut uses = FxHashMap::default();
    let mut note = |value: Value, statement: u32| {
        let value = original(function, value);
        if let ValueDef::Parameter(..) = function.value(value).def {
            let last = uses.entry(value).or_insert(statement);
            *last = statement.max(*last);
        }
    };
    for inst in &function.insts {
        inst.args.iter().for_each(|&arg| note(arg, inst.origin));
    }
    for block in &function.blocks {
        for target in block.terminator.targets() {
            target.args.iter().for_each(|&arg| note(arg, block.origin));
        }
    }
    uses
}
