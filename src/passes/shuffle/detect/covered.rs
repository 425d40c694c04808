//! Loads that a shuffle covers already: the corner loads of a module that was rewritten before.
//!
//! `shfl d|p ...; @!p ld d, [a]` reads memory only in the lanes that the shuffle left over. Nothing is to be gained there, and
//! a module that is rewritten a second time must come out as it went in. Such a load is recognised by its meaning, not by the
//! names of its registers: where its guard fails, its register keeps what a shuffle gave.

use ptxasw_ir::function::{Function, Inst, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;

/// Moves looked at, from the register's old value back to the shuffle: halves put together, conversions, temporaries.
const MAX_STEPS: u32 = 32;

/// Whether a load is predicated, and its register keeps a shuffled value where the predicate fails.
pub fn is_corner_load(function: &Function, load: InstId) -> bool {
    let inst = function.inst(load);
    let Some((_, negated)) = inst.guard else {
        return false;
    };
    // A block's instructions are in the order of the text.
    let all = &function.block(inst.block).insts;
    let first = all.partition_point(|&id| function.inst(id).origin < inst.origin);
    let same = all[first..].iter().map(|&id| function.inst(id));
    same.take_while(|other| other.origin == inst.origin)
        .filter_map(|other| old_value(other, negated))
        .any(|old| is_exchanged(function, old))
}

/// What the select that completes a guarded instruction takes where the guard fails.
fn old_value(select: &Inst, negated: bool) -> Option<Value> {
    match (&select.opcode, select.args.as_slice()) {
        (Opcode::Op(Op::Select { .. }), &[then, otherwise, _]) => {
            Some(if negated { then } else { otherwise })
        }
        _ => None,
    }
}

/// Whether a value comes from a shuffle, by moves alone.
fn is_exchanged(function: &Function, value: Value) -> bool {
    let mut work = vec![value];
    for _ in 0..MAX_STEPS {
        let Some(ValueDef::Result(id, index)) = work.pop().map(|value| &function.value(value).def)
        else {
            continue;
        };
        let inst = function.inst(*id);
        match &inst.opcode {
            Opcode::Shuffle { .. } if *index == 0 => return true,
            Opcode::Op(Op::Select { .. }) => work.extend(inst.args.iter().take(2)),
            Opcode::Op(
                Op::Copy { .. }
                | Op::Copies { .. }
                | Op::Extend { .. }
                | Op::Convert { .. }
                | Op::Pack { .. }
                | Op::Unpack { .. },
            ) => work.extend(&inst.args),
            _ => {}
        }
    }
    false
}
