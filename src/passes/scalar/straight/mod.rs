//! Straight-line scalar optimization (Wu et al., "gpucc: An Open-Source GPGPU Compiler", CGO 2016, section 3.4): what a thread
//! has computed is not computed again, and what is near it is computed from it.
//!
//! | rule | a statement becomes |
//! | --- | --- |
//! | value numbering | an earlier value whose term is the same |
//! | folding | the constant that its term is |
//! | constant offset | an earlier value plus a constant: the assembler folds that into the offset of an access |
//! | stride | an earlier value plus, or minus, another one (`(b + 2) * s` is `(b + 1) * s + s`), or plus a multiple of one |
//!
//! The three forms of strength reduction, pointer arithmetic reassociation and global reassociation are cases of the last two
//! rules: sums are compared as canonical affine terms, in which neither parentheses nor the order of operands are left.
//!
//! # Why equal terms are equal values
//! A term speaks of symbols. A symbol is defined in one block, its *defining block*, and changes only where control enters it;
//! registers that do not change and parameters have none. Let an earlier value `a` dominate a statement `t`, and let `s` be a
//! symbol of the term of `a`. When `a` was computed, its symbols were known: their defining blocks come before the block of `a` in
//! reverse post-order, or are that block. So the block of `a` does not strictly dominate the defining block of `s`. Then no
//! path from `a` to `t` that does not pass `a` again enters that block: the entry reaches it without passing `a`, and would
//! reach `t` so, which `a` dominates. At `t`, `s` is still what it was when `a` was computed last, in whatever loops both
//! lie. Equal terms of `a` and `t` have equal values there, and terms that differ by a constant have values that do.
//!
//! A symbol for the bytes of constant memory at an address changes where a symbol of the address does, which was known earlier still.
//! What was never written has another value in each reading: it serves nothing, nor do values of irreducible cycles.
//!
//! # What is left alone
//! Statements with a guard, carry chains, moves, address conversions (of which the assembler sees more than the number) and all that
//! is no pure operation. Sums of a value and a constant are what the assembler folds already. A sum replaces only what costs
//! more, counted in machine instructions that go ([`cost`]).
//!
//! # Live ranges
//! An earlier value serves in the loop in which it was computed. In a loop within that one it serves only if something of that loop
//! reads it already: then it occupies its register there in any case. It never serves after its loop.
//!
//! | file | what |
//! | --- | --- |
//! | `scope` | the values that dominate a place, by term and by parts of it |
//! | `sums` | the earlier value and the addend that make a value at the least cost |
//! | `uses`, `cost` | who reads a value, and what a statement costs that goes with its last reader |
//! | `plan` | what replaces what, and what dies by it |
//! | `emit` | the plan as a patch |

mod cost;
mod emit;
mod plan;
mod scope;
mod sums;
mod uses;

use crate::{Pass, Rewrite, Session};
use plan::{Form, Plan};
use ptxasw_emulator::Emulation;
use ptxasw_emulator::term::{Node, TermId};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::Readable;
use scope::{Key, Known, Scope};
use smallvec::SmallVec;

/// Straight-line scalar optimization. Time is linear in the size of the function: each value has a bounded number of keys in
/// the scope, and each statement looks at a bounded number of earlier values.
pub struct Scalar;

impl Pass for Scalar {
    fn name(&self) -> &'static str {
        "scalar"
    }

    fn is_arithmetic(&self) -> bool {
        true
    }

    fn run(&self, session: &Session) -> Rewrite {
        if session.target.optimizes_scalars {
            return Rewrite::default();
        }
        let Some(mut emulation) = session.emulation() else {
            return Rewrite::default();
        };
        let latest = latest_defining_blocks(session, &emulation);
        let mut walk = Straight {
            session,
            emulation: &mut emulation,
            latest,
            scope: Scope::default(),
            plan: Plan::new(session),
        };
        let order = preorder(session.analyses());
        for &block in &order {
            walk.block(block);
        }
        walk.plan.emit(&order)
    }
}

/// The walk over the dominator tree.
struct Straight<'a> {
    session: &'a Session<'a>,
    emulation: &'a mut Emulation,
    /// For each term the position in reverse post-order of the last defining block among its symbols.
    latest: Vec<u32>,
    scope: Scope,
    plan: Plan<'a>,
}

/// In [`Straight::latest`]: no value of the term is settled.
const NEVER: u32 = u32::MAX;

impl Straight<'_> {
    fn block(&mut self, block: BlockId) {
        let Analyses {
            dominators, loops, ..
        } = self.session.analyses();
        self.scope.enter(block, dominators);
        if loops.irreducible(block) {
            return;
        }
        let function = self.session.function;
        for &parameter in &function.block(block).params {
            self.note(parameter, block);
        }
        let insts = &function.block(block).insts;
        let origin = |id: &InstId| function.inst(*id).origin;
        for statement in insts.chunk_by(|one, next| origin(one) == origin(next)) {
            if let &[id] = statement {
                self.replace(id);
            }
            for &id in statement {
                for &result in &function.inst(id).results {
                    let inside = |other: &InstId| function.inst(*other).args.contains(&result);
                    if !is_carry(&function.inst(id).opcode) && !statement.iter().any(inside) {
                        self.note(result, block);
                    }
                }
            }
        }
    }

    /// Notes a value that serves from here on.
    fn note(&mut self, value: Value, block: BlockId) {
        let Some(term) = self.emulation.value(value) else {
            return;
        };
        let terms = &self.emulation.terms;
        let known = self.session.analyses().cfg.position(block);
        let named =
            self.plan.is_replaced(value) || self.session.text.readable(value) != Readable::No;
        if terms.as_const(term).is_some() || self.latest[term.index()] > known || !named {
            return;
        }
        self.scope.note(terms, Known { value, block, term });
    }

    /// Replaces a statement of one instruction where all of its results that are read have a better form.
    fn replace(&mut self, id: InstId) {
        let inst = self.session.function.inst(id);
        let stays = !self.session.may_change(id);
        if !may_be_replaced(&inst.opcode) || inst.guard.is_some() || stays {
            return;
        }
        let results = inst.results.iter().copied();
        let read: SmallVec<[Value; 2]> = results.filter(|&one| self.plan.is_read(one)).collect();
        let mut forms: SmallVec<[(Value, Form); 2]> = SmallVec::new();
        for &value in &read {
            if self.session.text.readable(value) == Readable::No {
                return;
            }
            let form = self.known(value, inst.block);
            let form = form.or_else(|| self.sum(id, value).filter(|_| read.len() == 1));
            match form {
                Some(form) => forms.push((value, form)),
                None => return,
            }
        }
        if !forms.is_empty() {
            self.plan.replace(id, &forms);
        }
    }

    /// A value as a constant, or as an earlier value.
    fn known(&self, value: Value, block: BlockId) -> Option<Form> {
        let term = self.emulation.value(value)?;
        if let Some(bits) = self.emulation.terms.as_const(term) {
            return Some(Form::Constant(bits));
        }
        self.named(term, block).map(Form::Same)
    }

    /// The nearest of the earlier values that have a term and may serve in a block: a converted address before the generic one.
    fn named(&self, term: TermId, block: BlockId) -> Option<Value> {
        let found = self.scope.of(Key::Term(term));
        let found = found.filter(|known| self.serves(known, block)).last();
        found.map(|known| known.value)
    }

    /// Whether an earlier value that dominates a block may be read there: it is not dead, and lives in the block's loop.
    fn serves(&self, known: &Known, block: BlockId) -> bool {
        let loops = &self.session.analyses().loops;
        let (from, here) = (loops.innermost(known.block), loops.innermost(block));
        if !self.plan.is_read(known.value) {
            return false;
        }
        let entered = loops.around(block);
        let entered = entered.take_while(|&id| !loops.contains(id, known.block));
        match (from == here, entered.last()) {
            (true, _) => true,
            (false, Some(entered)) => {
                let around = from.is_none_or(|from| loops.contains(from, block));
                around && self.plan.is_read_in(known.value, entered)
            }
            (false, None) => false,
        }
    }
}

/// Whether an instruction is an operation that the pass may replace.
fn may_be_replaced(opcode: &Opcode) -> bool {
    match opcode {
        Opcode::Op(
            Op::Copy { .. } | Op::Copies { .. } | Op::ToGeneric { .. } | Op::FromGeneric { .. },
        ) => false,
        Opcode::Op(_) => !is_carry(opcode),
        _ => false,
    }
}

/// Whether an instruction is part of a carry chain.
fn is_carry(opcode: &Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Op(Op::Carry { .. } | Op::MulAddCarry { .. })
    )
}

/// See [`Straight::latest`].
fn latest_defining_blocks(session: &Session, emulation: &Emulation) -> Vec<u32> {
    let terms = &emulation.terms;
    let mut latest = vec![0; terms.len()];
    for (index, data) in session.function.values.iter().enumerate() {
        if let (ValueDef::Undefined, Some(term)) = (&data.def, emulation.values[index]) {
            latest[term.index()] = NEVER;
        }
    }
    for index in 0..terms.len() {
        let term = TermId(index as u32);
        let mut last = latest[index];
        if let (Node::Symbol(_), Some(&block)) =
            (terms.node(term), emulation.defining_blocks.get(&term))
        {
            last = last.max(session.analyses().cfg.position(block));
        }
        let each = |operand: TermId| last = last.max(latest[operand.index()]);
        terms.node(term).for_each_operand(each);
        latest[index] = last;
    }
    latest
}

/// Reachable blocks, each after its dominators, and those that one dominates together.
fn preorder(analyses: &Analyses) -> Vec<BlockId> {
    let Analyses {
        cfg, dominators, ..
    } = analyses;
    let mut order = cfg.reverse_post_order().to_vec();
    order.sort_unstable_by_key(|&block| dominators.below(block).map(|below| below.start));
    order
}
