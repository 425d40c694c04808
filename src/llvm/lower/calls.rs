//! Calls, intrinsics, inline assembly.

use super::{Lowering, Pieces};
use crate::view::{Assembly, Val};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{FloatOp, Op, Permute, Product};
use ptxasw_ir::opcode::{Effects, Opcode, Order};
use ptxasw_ir::types::Space;

/// Intrinsics that a thread does not notice.
const NOTHING: [&str; 13] = [
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.var.annotation",
    "llvm.codeview.annotation",
    "llvm.fake.use",
    "llvm.invariant.end",
    "llvm.prefetch",
    "llvm.nvvm.prefetch.",
    "llvm.nvvm.nanosleep",
];

/// Intrinsics whose result is their first operand.
const IDENTITY: [&str; 7] = [
    "llvm.expect.",
    "llvm.ssa.copy",
    "llvm.annotation.",
    "llvm.ptr.annotation.",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.arithmetic.fence.",
];

impl<'m> Lowering<'m> {
    pub(super) fn call(&mut self, call: Val<'m>) -> Pieces {
        let Some(callee) = call.callee() else {
            return self.opaque_results(call, Effects::ALL);
        };
        if let Some(assembly) = callee.assembly() {
            return match assembly.is_comment() {
                true => Pieces::new(),
                false => self.assembly(call, &assembly),
            };
        }
        if !callee.is_function() {
            return self.called(call, None);
        }
        let name = callee.name();
        if !name.starts_with("llvm.") {
            return self.called(call, Some(&name));
        }
        self.intrinsic(call, &name)
            .unwrap_or_else(|| self.opaque_results(call, stated(call)))
    }

    /// A call of a function: what it may do is what its attributes do not rule out.
    fn called(&mut self, call: Val<'m>, name: Option<&str>) -> Pieces {
        let mut args = Pieces::new();
        for argument in call.arguments() {
            args.extend(self.read(argument));
        }
        let opcode = Opcode::Call {
            callee: name.map(Into::into),
            effects: stated(call),
        };
        let widths = self.widths(call.ty());
        self.emit(opcode, &args, &widths)
    }

    /// What has no side effects and accesses no memory by its own word may be left out, moved and doubled by any compiler.
    fn assembly(&mut self, call: Val<'m>, assembly: &Assembly) -> Pieces {
        let constraints = &assembly.constraints;
        // A clobber of memory, or an operand in memory.
        let in_memory = constraints.contains("memory") || constraints.contains('*');
        let pure = !assembly.effects && !in_memory && call.memory_effects() == (false, false);
        let effects = match pure {
            true => Effects {
                convergent: call.call_attribute("convergent").is_some(),
                ..Effects::NONE
            },
            false => Effects::ALL,
        };
        self.opaque_results(call, effects)
    }

    /// An intrinsic whose meaning is known.
    fn intrinsic(&mut self, call: Val<'m>, name: &str) -> Option<Pieces> {
        let starts = |one: &&str| name.starts_with(*one);
        if NOTHING.iter().any(starts) {
            return Some(Pieces::new());
        }
        if IDENTITY.iter().any(starts) {
            let pieces = self.operand(call, 0);
            return Some(pieces.into_iter().map(|piece| self.copy(piece)).collect());
        }
        if name == "llvm.assume" {
            self.assume(call);
            return Some(Pieces::new());
        }
        if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
            return self.nvvm(call, rest);
        }
        let copies = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."];
        if copies.iter().any(starts) {
            let volatile = call.operand(3).and_then(Val::integer) != Some(0);
            let effects = Effects {
                writes: true,
                polls: volatile,
                ..Effects::NONE
            };
            return Some(self.opaque_results(call, effects));
        }
        match name {
            // What follows it is not reached.
            "llvm.trap" | "llvm.ubsantrap" if self.ends_block(call) => return Some(Pieces::new()),
            "llvm.trap" | "llvm.ubsantrap" | "llvm.debugtrap" => {
                return Some(self.opaque_results(call, Effects::ALL));
            }
            _ => {}
        }
        self.arithmetic(call, name)
    }

    fn ends_block(&self, call: Val<'m>) -> bool {
        let next = self.numbering.instruction(self.origin + 1);
        next.is_some_and(|next| {
            next.block() == call.block() && next.opcode() == LLVMOpcode::LLVMUnreachable
        })
    }

    /// A promise: it holds wherever the block is executed, if nothing in front of it in the block can end the thread.
    fn assume(&mut self, call: Val<'m>) {
        let condition = self.operand(call, 0);
        if let ([condition], false) = (&condition[..], self.uncertain) {
            let block = &mut self.builder.function.blocks[self.block.index()];
            block.assumed.push(*condition);
        }
    }

    /// Arithmetic, element by element.
    fn arithmetic(&mut self, call: Val<'m>, name: &str) -> Option<Pieces> {
        let mut words = name.strip_prefix("llvm.")?.split('.');
        let (stem, kind) = (words.next()?, words.next());
        let float = match stem {
            "fma" | "fmuladd" => Some(FloatOp::Fma),
            "fabs" => Some(FloatOp::Abs),
            _ => None,
        };
        let count = call.arguments().len() as u32;
        let operands: Vec<Pieces> = (0..count).map(|index| self.operand(call, index)).collect();
        if let Some(op) = float {
            return Some(self.float_elements(op, call.ty(), &operands));
        }
        let first = operands.first()?;
        let width = first.first().map(|&piece| self.width_of(piece))?;
        if !matches!(width, 32 | 64) {
            return None;
        }
        match kind {
            Some("with") => return self.with_overflow(stem, &operands),
            Some("sat") => return self.saturating(stem, &operands),
            _ => {}
        }
        let relu = false;
        let extreme = |signed, max| match max {
            true => Op::Max {
                width,
                signed,
                relu,
            },
            false => Op::Min {
                width,
                signed,
                relu,
            },
        };
        let op = match stem {
            "smin" => extreme(true, false),
            "smax" => extreme(true, true),
            "umin" => extreme(false, false),
            "umax" => extreme(false, true),
            "abs" => Op::Abs { width },
            "ctpop" => Op::Popc { width },
            "ctlz" => Op::Clz { width },
            "bitreverse" => Op::Brev { width },
            "cttz" => return Some(self.trailing_zeros(first, width)),
            "fshl" | "fshr" if width == 32 => return self.funnel(&operands, stem == "fshl"),
            _ => return None,
        };
        let binary = matches!(op, Op::Min { .. } | Op::Max { .. });
        let elements = (0..first.len()).map(|index| {
            let mut args = vec![first[index]];
            if binary {
                args.push(*operands.get(1)?.get(index)?);
            }
            let result = self.op(op, &args);
            Some(self.resized(result, width, false))
        });
        elements.collect()
    }

    fn trailing_zeros(&mut self, values: &[Value], width: u8) -> Pieces {
        let mut pieces = Pieces::new();
        for &value in values {
            let reversed = self.op(Op::Brev { width }, &[value]);
            let zeros = self.op(Op::Clz { width }, &[reversed]);
            pieces.push(self.resized(zeros, width, false));
        }
        pieces
    }

    fn funnel(&mut self, operands: &[Pieces], left: bool) -> Option<Pieces> {
        let [high, low, amount] = operands else {
            return None;
        };
        let op = Op::Funnel { left, wrap: true };
        (0..high.len())
            .map(|index| {
                let args = [*low.get(index)?, high[index], *amount.get(index)?];
                Some(self.op(op, &args))
            })
            .collect()
    }

    /// Intrinsics of the target.
    fn nvvm(&mut self, call: Val<'m>, name: &str) -> Option<Pieces> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
            return Some(self.special_register(call, register));
        }
        if name.starts_with("ldg.global.") || name.starts_with("ldu.global.") {
            let pointer = call.operand(0)?;
            let constant = name.starts_with("ldg");
            let space = Some(Space::Global);
            return Some(self.loaded(call, pointer, space, Order::Weak, constant));
        }
        let parts = match name {
            "lohi.i2d" => Some(Op::Pack {
                parts: 2,
                width: 32,
            }),
            "prmt" => Some(Op::Prmt(Permute::Index)),
            _ => None,
        };
        if let Some(op) = parts {
            let args = self.all_operands(call);
            return Some(Pieces::from_slice(&[self.op(op, &args)]));
        }
        let (product, width, signed) = match name {
            "mulhi.i" => (Product::High, 32, true),
            "mulhi.ui" => (Product::High, 32, false),
            "mulhi.ll" => (Product::High, 64, true),
            "mulhi.ull" => (Product::High, 64, false),
            _ => return self.warp(call, name),
        };
        let args = [self.operand(call, 0), self.operand(call, 1)].concat();
        let op = Op::Mul {
            product,
            width,
            signed,
        };
        (args.len() == 2).then(|| Pieces::from_slice(&[self.op(op, &args)]))
    }
}

/// What a call may do that its attributes do not rule out.
fn stated(call: Val<'_>) -> Effects {
    // Attributes do not speak of what bundles add.
    if call.has_bundles() {
        return Effects::ALL;
    }
    let has = |name| call.call_attribute(name).is_some();
    let (reads, writes) = call.memory_effects();
    let returns = has("willreturn") && !has("noreturn");
    let alone = has("nosync") && returns;
    let convergent = has("convergent");
    Effects {
        writes: writes || !alone,
        waits: !alone || convergent,
        exits: !returns,
        convergent,
        polls: reads || writes || !alone,
        reads: reads || writes || !alone,
    }
}
