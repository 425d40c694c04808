//! Divisions of 64 bits that are made with 32 where the operands fit (Wu et al., CGO 2016, section 4.2, "bypassing slow
//! divisions").
//!
//! A GPU divides 64-bit integers by a subroutine of some seventy instructions, 32-bit integers by a dozen. Indices that a program
//! keeps in 64 bits are mostly small, so a test of the upper halves decides at run time:
//!
//! ```text
//! q = div.u64 a, b    ->    if ((a | b) >> 32 == 0 && b != 0) q = zext(div.u32 a, b)
//!                           else                              q = div.u64 a, b
//! ```
//!
//! Operands whose upper halves are 0 are not negative, so the quotient and the remainder of signed numbers are those of unsigned
//! ones. Division by zero stays what it is: PTX leaves its result open, and the two widths differ in it.
//!
//! A warp whose lanes do not agree takes both sides. What is divided by a constant becomes a product in any assembler and stays;
//! so does what its compiler has tested already: NVVM and LLVM's `llc` do so by themselves.

use crate::{Pass, Rewrite, Session, replace};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Terminator, Value, ValueDef};
use ptxasw_ir::op::{Comparison, Op};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Cursor, Ref};
use ptxasw_ir::types::{Kind, Type};

/// The upper half of 64 bits.
const UPPER: u64 = 0xffff_ffff_0000_0000;
/// Branches in front of a division that are looked at.
const MAX_BRANCHES: usize = 4;
/// Values that a branch's condition is made of, of which so many are looked at.
const MAX_VALUES: usize = 16;

/// Divisions of 64 bits, computed in 32 where both operands fit.
pub struct Division;

impl Pass for Division {
    fn name(&self) -> &'static str {
        "division"
    }

    fn run(&self, session: &Session) -> Rewrite {
        if session.target.bypasses_division {
            return Rewrite::default();
        }
        replace(session, "32 bits where the operands fit", |division, at| {
            let Opcode::Op(op) = *division.opcode else {
                return None;
            };
            let short = match op {
                Op::Div { width: 64, .. } => Op::Div {
                    width: 32,
                    signed: false,
                },
                Op::Rem { width: 64, .. } => Op::Rem {
                    width: 32,
                    signed: false,
                },
                _ => return None,
            };
            let (dividend, divisor) = (division.operand(0)?, division.operand(1)?);
            let block = division.block();
            let done = is_constant(session.function, divisor)
                || is_tested(session, block, [dividend, divisor]);
            let operands = [division.read(0)?, division.read(1)?];
            (!done).then(|| bypassed(at, op, short, operands))
        })
    }
}

/// The division in 32 bits where both operands fit, else in 64.
fn bypassed(at: &mut Cursor, long: Op, short: Op, [a, b]: [Ref; 2]) -> Ref {
    let both = at.single(Op::Or { width: 64 }, &[a, b]);
    let upper = at.single(Op::And { width: 64 }, &[both, Ref::Constant(64, UPPER)]);
    let fits = at.equal(64, upper, Ref::Constant(64, 0));
    let different = Op::Compare {
        comparison: Comparison::Ne,
        ty: Type::new(Kind::Bits, 64),
        logic: None,
        ftz: false,
    };
    let divides = at.single(different, &[b, Ref::Constant(64, 0)]);
    let condition = at.single(Op::And { width: 1 }, &[fits, divides]);
    let resized = |at: &mut Cursor, from, to, value| {
        let signed = false;
        at.single(Op::Extend { from, to, signed }, &[value])
    };
    at.either(
        condition,
        64,
        |at| {
            let halves = [a, b].map(|value| resized(at, 64, 32, value));
            let result = at.single(short, &halves);
            resized(at, 32, 64, result)
        },
        |at| at.single(long, &[a, b]),
    )
}

/// Whether a value is a number, by whatever copies.
fn is_constant(function: &Function, mut value: Value) -> bool {
    for _ in 0..MAX_VALUES {
        match function.value(value).def {
            ValueDef::Constant(_) => return true,
            ValueDef::Result(id, _) => match &function.inst(id).opcode {
                Opcode::Op(Op::Copy { .. }) => value = function.inst(id).args[0],
                _ => return false,
            },
            _ => return false,
        }
    }
    false
}

/// Whether one of the last branches in front of a block looks at the two operands together: as a compiler tests their upper
/// halves.
fn is_tested(session: &Session, mut block: BlockId, operands: [Value; 2]) -> bool {
    let Analyses { dominators, .. } = session.analyses();
    for _ in 0..MAX_BRANCHES {
        let Some(above) = dominators.immediate(block) else {
            return false;
        };
        let terminator = &session.function.block(above).terminator;
        if let Terminator::Branch { condition, .. } = *terminator
            && joins(session.function, condition, operands)
        {
            return true;
        }
        block = above;
    }
    false
}

/// Whether a value is made of the `or` of two others.
fn joins(function: &Function, value: Value, operands: [Value; 2]) -> bool {
    let mut work = vec![value];
    for _ in 0..MAX_VALUES {
        let Some(ValueDef::Result(id, _)) = work.pop().map(|one| &function.value(one).def) else {
            continue;
        };
        let inst = function.inst(*id);
        let Opcode::Op(op) = &inst.opcode else {
            continue;
        };
        let both = operands.iter().all(|one| inst.args.contains(one));
        if matches!(op, Op::Or { width: 64 }) && both {
            return true;
        }
        work.extend(&inst.args);
    }
    false
}
