//! Every operation that is written computes what it means.

use super::super::check::unsupported;
use super::{Names, execute, module, ops, patched, random};
use crate::outputs::Kind as Output;
use crate::read::read;
use crate::version::MAJOR;
use crate::view::View;
use inkwell::context::Context;
use ptxasw::ir::function::BlockId;
use ptxasw::ir::op::{Comparison, FloatMode, FloatOp, Op, Product, Rounding};
use ptxasw::ir::opcode::{Access, Opcode, Order, Scope};
use ptxasw::ir::patch::{Cursor, Patch, Point, Ref};
use ptxasw::ir::semantics::concrete::cut;
use ptxasw::ir::semantics::{fold, operand_widths, result_widths};
use ptxasw::ir::types::{Kind, Space, Type};
use ptxasw::ptx::spell::opcode;

const THREADS: usize = 32;
/// Words of 64 bits that a thread has for operands.
const SLOTS: usize = 8;
/// Operations of one kernel.
const KERNEL: usize = 150;
/// Of the operations with many modifiers one in so many is executed: a prime, so that all modifiers occur.
const STEP: usize = 7;

const KERNEL_TEXT: &str = "define ptx_kernel void @k(ptr %out, ptr %in) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %src = getelementptr [8 x i64], ptr %in, i64 %i
  %dst = getelementptr [SLOTS x i64], ptr %out, i64 %i
  ret void
}
";

fn access(offset: usize) -> Access {
    Access {
        space: Space::Global,
        ty: Type::B64,
        elements: 1,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset: 8 * offset as i64,
        hints: false,
        skipped: 0,
    }
}

/// Loads operands, computes, stores the results in their slots.
fn patch(names: &Names, ops: &[Op]) -> Patch {
    let (mut patch, mut next) = (Patch::default(), 0);
    let mut cursor = Cursor::new(&mut next, 4);
    let (src, dst) = (names.value("%src").into(), names.value("%dst").into());
    let resized = |cursor: &mut Cursor, from, to, value| match from == to {
        true => value,
        false => {
            let signed = false;
            cursor.single(Op::Extend { from, to, signed }, &[value])
        }
    };
    let mut slot = 0;
    for op in ops {
        let mut args: Vec<Ref> = Vec::new();
        for (index, &width) in operand_widths(op).iter().enumerate() {
            let load = Opcode::Load(access(index));
            let loaded = cursor.inst(load, &[src], &[64], None)[0];
            args.push(resized(&mut cursor, 64, width, loaded.into()));
        }
        let widths = result_widths(op);
        for (&width, result) in widths.iter().zip(cursor.op(*op, &args)) {
            let result = resized(&mut cursor, width, 64, result.into());
            cursor.inst(Opcode::Store(access(slot)), &[dst, result], &[], None);
            slot += 1;
        }
    }
    cursor.done(&mut patch, Point::End(BlockId(0)));
    patch
}

/// What is written and differs from what it means.
fn wrong(ops: &[Op], ftz: bool, seed: u64) -> Option<String> {
    let slots: usize = ops.iter().map(|op| result_widths(op).len()).sum();
    let mode = match ftz {
        true if MAJOR >= 23 => "#0 denormal_fpenv(float: preservesign)",
        true => "#0 \"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\"",
        false => "#0",
    };
    let text = KERNEL_TEXT.replace("SLOTS", &slots.to_string());
    let text = module(&text.replace("#0", mode));
    let inputs = random(seed, SLOTS * THREADS);
    let bytes: Vec<u8> = inputs.iter().flat_map(|word| word.to_le_bytes()).collect();
    let found = patched(&text, &|names| patch(names, ops), Output::Ptx)
        .and_then(|ptx| execute(&ptx, THREADS as u32, &bytes, 8 * slots * THREADS));
    let found = match found {
        Ok(found) => found,
        Err(error) => return Some(error),
    };
    let words = found.chunks(8);
    let words: Vec<u64> = words
        .map(|word| u64::from_le_bytes(word.try_into().unwrap()))
        .collect();
    for (inputs, outputs) in inputs.chunks(SLOTS).zip(words.chunks(slots)) {
        let mut rest = outputs;
        for op in ops {
            let widths = operand_widths(op);
            let args = widths
                .iter()
                .zip(inputs)
                .map(|(&width, &bits)| cut(width, bits));
            let args: Vec<u64> = args.collect();
            let expected = fold(op, &args);
            let (found, after) = rest.split_at(expected.len());
            if found != &expected[..] {
                return Some(format!("{op:?} of {args:x?}: {found:x?} for {expected:x?}"));
            }
            rest = after;
        }
    }
    None
}

/// The operations that PTX has and LLVM can have.
fn written(ftz: bool) -> Vec<Op> {
    let context = Context::create();
    let module = read(&context, module("").as_bytes(), "a.ll").unwrap();
    let module = View::new(&module).raw();
    let many = |op: &Op| {
        matches!(
            op,
            Op::Float { .. } | Op::Convert { .. } | Op::Set { .. } | Op::Lop3 { .. }
        )
    };
    // The executor's addresses are its own.
    let address = |op: &Op| {
        matches!(
            op,
            Op::ToGeneric { .. } | Op::FromGeneric { .. } | Op::IsSpace { .. }
        )
    };
    let all = ops::all().into_iter();
    let spelled = all.filter(|op| opcode(op).is_some() && !address(op));
    let (seldom, always): (Vec<Op>, Vec<Op>) = spelled.partition(many);
    let chosen = always.into_iter().chain(seldom.into_iter().step_by(STEP));
    let supported = |op: &Op| unsupported(module, ftz, &[*op]).is_none();
    chosen.filter(supported).collect()
}

/// Where plain arithmetic flushes subnormal numbers, too.
#[test]
fn operations_compute_what_they_mean() {
    for ftz in [false, true] {
        let ops = written(ftz);
        for (seed, ops) in (1..).zip(ops.chunks(KERNEL)) {
            if let Some(difference) = wrong(ops, ftz, seed) {
                panic!("flushing {ftz}: {difference}");
            }
        }
    }
}

/// What LLVM has a form for, and what not.
#[test]
fn forms_that_llvm_has() {
    let context = Context::create();
    let module = read(&context, module("").as_bytes(), "a.ll").unwrap();
    let module = View::new(&module).raw();
    let float = |op, ty, rounding, ftz| {
        let mode = FloatMode {
            rounding,
            ftz,
            ..FloatMode::NEAREST
        };
        Op::Float { op, ty, mode }
    };
    let half = Type::new(Kind::Float, 16);
    use FloatOp::*;
    for (op, expected) in [
        (float(Add, Type::F32, Rounding::Up, true), true),
        (float(Sub, Type::F32, Rounding::Zero, true), true),
        (float(Fma, Type::F64, Rounding::Down, false), true),
        (float(Div, Type::F32, Rounding::Approximate, true), true),
        (float(Rcp, Type::F32, Rounding::Approximate, true), true),
        (float(Sqrt, Type::F64, Rounding::Nearest, false), true),
        (float(Ex2, Type::F32, Rounding::Approximate, false), true),
        (float(Add, half, Rounding::Contractible, false), true),
        (float(Fma, half, Rounding::Nearest, false), true),
        // No intrinsic.
        (float(Div, Type::F32, Rounding::Full, false), false),
        (float(Tanh, Type::F32, Rounding::Approximate, false), false),
        (float(Rcp, Type::F32, Rounding::Approximate, false), false),
        (float(Neg, Type::F32, Rounding::Nearest, true), false),
        // It would be fused.
        (float(Add, half, Rounding::Nearest, false), false),
        // The function does not flush.
        (float(Mul, half, Rounding::Contractible, true), false),
        // No instruction.
        (float(Ex2, Type::F64, Rounding::Approximate, false), false),
        (float(Add, Type::F64, Rounding::Up, true), false),
    ] {
        let found = unsupported(module, false, &[op]);
        assert_eq!(found.is_none(), expected, "{op:?}");
    }
}

/// Faults in the arithmetic are seen.
pub(super) fn judge() -> Result<(), String> {
    let signed = true;
    let mode = FloatMode {
        ftz: true,
        ..FloatMode::NEAREST
    };
    let comparison = Comparison::LtU;
    let (ty, logic) = (Type::F32, None);
    #[rustfmt::skip]
    let ops = [
        Op::Sub { width: 32 },
        Op::Div { width: 32, signed: false },
        Op::Shl { width: 32 },
        Op::Mul { product: Product::High, width: 32, signed },
        Op::Float { op: FloatOp::Add, ty, mode },
        Op::Float { op: FloatOp::Min, ty, mode },
        Op::Compare { comparison, ty, logic, ftz: false },
    ];
    match wrong(&ops, false, 1) {
        Some(difference) => Err(difference),
        None => Ok(()),
    }
}
