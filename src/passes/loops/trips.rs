//! Loops that are never as long as a batch: the remainders of loops that a compiler has unrolled, first of all.

use super::refusal::Refusal;
use super::shape::{LoopExit, Shape};
use crate::Session;
use ptxasw_ir::function::{Function, Value, ValueDef};
use ptxasw_ir::op::{Comparison, Op};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Type;

/// Whether a loop may run as long as a batch, as far as its counter says: one that goes down to zero from what is bounded.
///
/// # Errors
/// It runs for fewer than two of them.
pub fn long_enough(session: &Session, shape: &Shape, iterations: u32) -> Result<(), Refusal> {
    let most = shape
        .exits
        .iter()
        .filter_map(|exit| most(session.function, shape, exit))
        .min();
    match most {
        Some(most) if most < 2 * u64::from(iterations) => Err(Refusal::Short(most)),
        _ => Ok(()),
    }
}

/// The most iterations of a loop that goes on while `counter - 1` is not zero, by what the counter begins with.
fn most(function: &Function, shape: &Shape, exit: &LoopExit) -> Option<u64> {
    let (next, limit) = unequal(function, exit)?;
    let (Op::Add { .. }, [counter, step]) = operation(function, next)? else {
        return None;
    };
    let bits = function.value(next).width;
    let down = constant(function, *step)? == u64::MAX >> (64 - bits);
    let ValueDef::Parameter(block, number) = function.value(*counter).def else {
        return None;
    };
    if !down || constant(function, limit)? != 0 || block != shape.header {
        return None;
    }
    let begins = function
        .block_ids()
        .filter(|block| !shape.blocks.contains(block));
    let begins = begins.flat_map(|block| function.block(block).terminator.targets());
    let begins = begins.filter(|target| target.block == shape.header);
    let begins = begins.map(|target| largest(function, *target.args.get(usize::from(number))?));
    begins.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

/// The two numbers that must differ for a loop to go on.
fn unequal(function: &Function, exit: &LoopExit) -> Option<(Value, Value)> {
    let ValueDef::Result(id, number) = function.value(exit.condition).def else {
        return None;
    };
    let inst = function.inst(id);
    let Opcode::Op(Op::Compare {
        comparison,
        logic: None,
        ty: Type { .. },
        ..
    }) = inst.opcode
    else {
        return None;
    };
    // The second result is the opposite of the first.
    let holds = exit.on_where == (number == 0);
    match (comparison, holds, &inst.args[..]) {
        (Comparison::Ne, true, &[one, other]) | (Comparison::Eq, false, &[one, other]) => {
            Some((one, other))
        }
        _ => None,
    }
}

/// The largest number that a value can be, as its own operation says.
fn largest(function: &Function, value: Value) -> Option<u64> {
    if let Some(constant) = constant(function, value) {
        return Some(constant);
    }
    match operation(function, value)? {
        (Op::And { .. }, [one, other]) => {
            let masks = [*one, *other].map(|mask| constant(function, mask));
            masks.into_iter().flatten().min()
        }
        (Op::Copy { .. } | Op::Extend { signed: false, .. }, [one]) => {
            match operation(function, *one)? {
                (Op::Copy { .. } | Op::Extend { .. }, _) => constant(function, *one),
                _ => largest(function, *one),
            }
        }
        _ => None,
    }
}

fn operation(function: &Function, value: Value) -> Option<(Op, &[Value])> {
    let ValueDef::Result(id, _) = function.value(value).def else {
        return None;
    };
    let inst = function.inst(id);
    match inst.opcode {
        Opcode::Op(op) => Some((op, &inst.args)),
        _ => None,
    }
}

fn constant(function: &Function, value: Value) -> Option<u64> {
    match function.value(value).def {
        ValueDef::Constant(bits) => Some(bits),
        _ => None,
    }
}
