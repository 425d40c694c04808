//! Extensions move in front of arithmetic that is promised not to wrap: `ext(a + b)` becomes `ext(a) + ext(b)`. What a loop
//! counts by such sums from a number on it counts in the wide form, too: `ext(i)` becomes a parameter of the block by itself.
//!
//! A producer's promise ([`NoWrap`](super::function::NoWrap)) counts only where the result matters: where it wraps, nothing that is executed depends
//! on it. So the wide form may differ from the narrow one only where no load, store or branch is reached by it, and every
//! address, and every condition, that an execution comes to is the same in both. What LLVM's own passes do with `nsw`.

use super::function::{BlockId, Function, Inst, InstId, Value, ValueData, ValueDef};
use super::op::{Op, Product};
use super::opcode::Opcode;
use super::semantics::{self, Concrete};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Edges into a block that are looked at for a counter: a loop has few.
const MAX_EDGES: usize = 16;

/// Widths that an extension leads to, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Extension {
    to: u8,
    signed: bool,
}

/// Rewrites the extensions of a function. New values and instructions come after those that are there, so that no number
/// changes; a rewritten extension becomes a copy of the wide form. A wide operation that is valid only by a promise names it
/// in [`Promises::widened`](super::function::Promises::widened).
pub fn widen(function: &mut Function) {
    let wraps = |data: &ValueData| data.promises.is_none();
    if function.values.iter().all(wraps) {
        return;
    }
    let mut widener = Widener {
        function,
        wide: FxHashMap::default(),
        inserted: FxHashMap::default(),
        open: Vec::new(),
        edges: FxHashMap::default(),
    };
    widener.note_edges();
    widener.rewrite_extensions();
    while let Some(demand) = widener.open.pop() {
        match widener.function.value(demand.0).def {
            ValueDef::Parameter(block, index) => widener.build_counter(demand, block, index),
            _ => widener.build(demand),
        }
    }
    widener.place();
}

/// A narrow value whose wide form is used, and that form.
type Demand = (Value, Extension, Value);

struct Widener<'a> {
    function: &'a mut Function,
    /// The wide forms that are used.
    wide: FxHashMap<(Value, Extension), Value>,
    /// New instructions by the one that they follow.
    inserted: FxHashMap<InstId, Vec<InstId>>,
    /// Wide forms still without a definition.
    open: Vec<Demand>,
    /// For blocks with parameters, the terminators' targets that lead there: the terminator's block, and the target's number.
    edges: FxHashMap<BlockId, Vec<(BlockId, usize)>>,
}

impl Widener<'_> {
    fn rewrite_extensions(&mut self) {
        for index in 0..self.function.insts.len() {
            let inst = &self.function.insts[index];
            let Opcode::Op(Op::Extend { from, to, signed }) = inst.opcode else {
                continue;
            };
            let (narrow, result) = (inst.args[0], inst.results[0]);
            let whole = from < to && self.function.value(narrow).width == from;
            if !whole || inst.guard.is_some() {
                continue;
            }
            let not_negative = self.function.promises(result).no_wrap.signed;
            // An extension of what is not negative is of either kind.
            let kinds: &[bool] = match (signed, not_negative) {
                (false, true) => &[true, false],
                (true, _) => &[true],
                (false, false) => &[false],
            };
            let found = kinds.iter().find_map(|&signed| {
                let extension = Extension { to, signed };
                self.has_wide(narrow, extension)
                    .then(|| self.wide(narrow, extension))
            });
            if let Some(wide) = found {
                let inst = &mut self.function.insts[index];
                inst.opcode = Opcode::Op(Op::Copy { width: to });
                inst.args = smallvec![wide];
            }
        }
    }

    /// The instruction and the operation of a value whose wide form is the wide operation on wide operands.
    fn arithmetic(&self, narrow: Value, extension: Extension) -> Option<(InstId, Op)> {
        let ValueDef::Result(id, 0) = self.function.value(narrow).def else {
            return None;
        };
        let inst = self.function.inst(id);
        let promise = self.function.promises(narrow).no_wrap;
        let kept = match extension.signed {
            true => promise.signed,
            false => promise.unsigned,
        };
        if !kept || inst.guard.is_some() {
            return None;
        }
        let width = extension.to;
        let wide = match inst.opcode {
            Opcode::Op(Op::Add { .. }) => Op::Add { width },
            Opcode::Op(Op::Sub { .. }) => Op::Sub { width },
            Opcode::Op(Op::Shl { .. }) => Op::Shl { width },
            Opcode::Op(Op::Mul {
                product: Product::Low,
                ..
            }) => Op::Mul {
                product: Product::Low,
                width,
                signed: extension.signed,
            },
            _ => return None,
        };
        Some((id, wide))
    }

    fn note_edges(&mut self) {
        for from in self.function.block_ids() {
            let targets = self.function.block(from).terminator.targets();
            for (number, target) in targets.into_iter().enumerate() {
                if !self.function.block(target.block).params.is_empty() {
                    let known = self.edges.entry(target.block).or_default();
                    known.push((from, number));
                }
            }
        }
    }

    /// Whether there is a wide form that is no mere extension.
    fn has_wide(&self, narrow: Value, extension: Extension) -> bool {
        self.arithmetic(narrow, extension).is_some() || self.is_counter(narrow, extension)
    }

    /// Whether a parameter of a block is a number at first, and then the sum of itself and another number.
    fn is_counter(&self, narrow: Value, extension: Extension) -> bool {
        let ValueDef::Parameter(block, index) = self.function.value(narrow).def else {
            return false;
        };
        if self
            .edges
            .get(&block)
            .is_none_or(|edges| edges.len() > MAX_EDGES)
        {
            return false;
        }
        let is_number = |value: Value| {
            let def = &self.function.value(value).def;
            matches!(def, ValueDef::Constant(_))
        };
        let mut counts = false;
        for value in self.incoming(block, index) {
            if is_number(value) {
                continue;
            }
            let Some((id, Op::Add { .. })) = self.arithmetic(value, extension) else {
                return false;
            };
            let args = &self.function.inst(id).args;
            if args[0] != narrow || !is_number(args[1]) {
                return false;
            }
            counts = true;
        }
        counts
    }

    /// What a parameter of a block takes.
    fn incoming(&self, block: BlockId, index: u16) -> impl Iterator<Item = Value> {
        let edges = self.edges.get(&block).into_iter().flatten();
        edges.filter_map(move |&(from, number)| {
            let target = self.function.block(from).terminator.target(number)?;
            target.args.get(usize::from(index)).copied()
        })
    }

    /// Makes a wide counter beside a narrow one.
    fn build_counter(&mut self, demand: Demand, block: BlockId, index: u16) {
        let (_, extension, result) = demand;
        let params = &mut self.function.blocks[block.index()].params;
        let own = params.len() as u16;
        params.push(result);
        self.function.values[result.index()].def = ValueDef::Parameter(block, own);
        for (from, number) in self.edges.get(&block).cloned().unwrap_or_default() {
            let terminator = &self.function.block(from).terminator;
            let taken = terminator.target(number).map(|target| &target.args);
            let Some(&narrow) = taken.and_then(|args| args.get(usize::from(index))) else {
                continue;
            };
            let wide = self.number_or_sum(narrow, extension);
            let terminator = &mut self.function.blocks[from.index()].terminator;
            if let Some(target) = terminator.target_mut(number) {
                target.args.push(wide);
            }
        }
    }

    /// The wide form of what a counter takes.
    fn number_or_sum(&mut self, narrow: Value, extension: Extension) -> Value {
        let ValueData { def, width, .. } = self.function.value(narrow).clone();
        let ValueDef::Constant(bits) = def else {
            return self.wide(narrow, extension);
        };
        let extend = Op::Extend {
            from: width,
            to: extension.to,
            signed: extension.signed,
        };
        let bits = semantics::apply(&mut Concrete, &extend, &[bits])[0];
        self.value(ValueDef::Constant(bits), extension.to)
    }

    /// The wide form of a value, which is built later.
    fn wide(&mut self, narrow: Value, extension: Extension) -> Value {
        if let Some(&known) = self.wide.get(&(narrow, extension)) {
            return known;
        }
        let value = self.value(ValueDef::Undefined, extension.to);
        self.wide.insert((narrow, extension), value);
        self.open.push((narrow, extension, value));
        value
    }

    /// Defines a wide form right after the narrow one.
    fn build(&mut self, (narrow, extension, result): Demand) {
        let Some((id, wide)) = self.arithmetic(narrow, extension) else {
            return;
        };
        let args = self.function.inst(id).args.clone();
        let is_shift = matches!(wide, Op::Shl { .. });
        let operands: SmallVec<[Value; 4]> = args
            .iter()
            .enumerate()
            .map(|(index, &arg)| match is_shift && index == 1 {
                true => arg,
                false => self.operand(arg, extension, id),
            })
            .collect();
        self.insert(id, wide, operands, result);
        let origin = self.function.inst(id).origin;
        self.function.promises_mut(result).widened = Some(origin);
    }

    /// An operand of a wide operation that follows `id`: wide arithmetic, a wide constant, or an extension.
    fn operand(&mut self, narrow: Value, extension: Extension, id: InstId) -> Value {
        if self.has_wide(narrow, extension) {
            return self.wide(narrow, extension);
        }
        let ValueData { def, width, .. } = self.function.value(narrow).clone();
        let extend = Op::Extend {
            from: width,
            to: extension.to,
            signed: extension.signed,
        };
        if let ValueDef::Constant(bits) = def {
            let bits = semantics::apply(&mut Concrete, &extend, &[bits])[0];
            return self.value(ValueDef::Constant(bits), extension.to);
        }
        let result = self.value(ValueDef::Undefined, extension.to);
        self.insert(id, extend, smallvec![narrow], result);
        result
    }

    fn value(&mut self, def: ValueDef, width: u8) -> Value {
        self.function.values.push(ValueData::new(def, width));
        Value(self.function.values.len() as u32 - 1)
    }

    /// A new instruction after `id`.
    fn insert(&mut self, id: InstId, op: Op, args: SmallVec<[Value; 4]>, result: Value) {
        let new = InstId(self.function.insts.len() as u32);
        let Inst { origin, block, .. } = *self.function.inst(id);
        self.function.insts.push(Inst {
            opcode: Opcode::Op(op),
            args,
            results: smallvec![result],
            guard: None,
            origin,
            block,
        });
        self.function.values[result.index()].def = ValueDef::Result(new, 0);
        self.inserted.entry(id).or_default().push(new);
    }

    /// Puts the new instructions into their blocks.
    fn place(self) {
        if self.inserted.is_empty() {
            return;
        }
        for block in &mut self.function.blocks {
            let with_new = |&id: &InstId| {
                let new = self.inserted.get(&id).into_iter().flatten().copied();
                std::iter::once(id).chain(new)
            };
            block.insts = block.insts.iter().flat_map(with_new).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::FunctionBuilder;
    use crate::function::{NoWrap, Terminator};
    use crate::types::Special;
    use crate::verify;
    use proptest::prelude::*;

    const SIGNED: NoWrap = NoWrap {
        signed: true,
        unsigned: false,
    };

    /// `ext((tid.x << 2) + ctaid.x + 7)`, of which the shift promises something only if asked to.
    fn index(signed: bool, shift: NoWrap, sums: NoWrap, extension: NoWrap) -> (Function, Value) {
        let mut builder = FunctionBuilder::new("f", true);
        let block = builder.block();
        let tid = builder.special(Special::Tid(0), 32);
        let block_id = builder.special(Special::Ctaid(0), 32);
        let two = builder.constant(32, 2);
        let seven = builder.constant(32, 7);
        let op = |op| Opcode::Op(op);
        let shl = builder.single(block, op(Op::Shl { width: 32 }), &[tid, two], 32, 0);
        let sum = builder.single(block, op(Op::Add { width: 32 }), &[shl, block_id], 32, 1);
        let sum = (
            sum,
            builder.single(block, op(Op::Add { width: 32 }), &[sum, seven], 32, 2),
        );
        let extend = Op::Extend {
            from: 32,
            to: 64,
            signed,
        };
        let wide = builder.single(block, op(extend), &[sum.1], 64, 3);
        builder.terminate(block, Terminator::Return, 4);
        let mut function = builder.finish();
        let promises = [
            (shl, shift),
            (sum.0, sums),
            (sum.1, sums),
            (wide, extension),
        ];
        for (value, promise) in promises {
            function.promises_mut(value).no_wrap = promise;
        }
        (function, wide)
    }

    /// The function rewritten, without its header.
    fn rewritten((mut function, _): (Function, Value)) -> Vec<String> {
        widen(&mut function);
        assert_eq!(verify::verify(&function), []);
        let text = function.to_string();
        let insts = text.lines().filter(|line| line.contains('='));
        insts.map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn sums_that_do_not_wrap_are_made_wide() {
        let none = NoWrap::default();
        let all = rewritten(index(true, SIGNED, SIGNED, none));
        let expected = [
            "v4: b32 nsw = shl.32 %tid.x, 2 ; 0",
            "v13: b64 = extend.32.64.signed %tid.x ; 0",
            "v11: b64 promised(0) = shl.64 v13, 2 ; 0",
            "v5: b32 nsw = add.32 v4, %ctaid.x ; 1",
            "v12: b64 = extend.32.64.signed %ctaid.x ; 1",
            "v9: b64 promised(1) = add.64 v11, v12 ; 1",
            "v6: b32 nsw = add.32 v5, 7 ; 2",
            "v8: b64 promised(2) = add.64 v9, 7 ; 2",
            "v7: b64 = copy.64 v8 ; 3",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_promise_of_the_other_kind_says_nothing() {
        let none = NoWrap::default();
        let as_it_was = index(false, SIGNED, SIGNED, none);
        let before = as_it_was.0.to_string();
        let (mut function, _) = as_it_was;
        widen(&mut function);
        assert_eq!(function.to_string(), before);
    }

    /// The results of all instructions, which are pure operations, in order.
    fn run(function: &Function, tid: u64, ctaid: u64) -> FxHashMap<Value, u64> {
        let mut known = FxHashMap::default();
        for id in &function.blocks[0].insts {
            let inst = function.inst(*id);
            let Opcode::Op(op) = inst.opcode else {
                panic!("not pure");
            };
            let arg = |arg: &Value| match function.value(*arg).def {
                ValueDef::Constant(bits) => bits,
                ValueDef::Special(Special::Tid(_)) => tid,
                ValueDef::Special(_) => ctaid,
                _ => known[arg],
            };
            let args: Vec<u64> = inst.args.iter().map(arg).collect();
            let result = semantics::apply(&mut Concrete, &op, &args)[0];
            known.insert(inst.results[0], result);
        }
        known
    }

    proptest! {
        /// Where the promises are kept, the wide form is the narrow one, extended.
        #[test]
        fn wide_forms_are_equal_where_promises_are_kept(
            signed: bool, shift: (bool, bool), sums: (bool, bool), not_negative: bool, small: bool,
            tid: u32, ctaid: u32,
        ) {
            let (tid, ctaid) = match small {
                true => (u64::from(tid) & 0x3fff_ffff, u64::from(ctaid) >> 3),
                false => (u64::from(tid), u64::from(ctaid)),
            };
            let promise = |(signed, unsigned)| NoWrap { signed, unsigned };
            let extension = promise((!signed && not_negative, false));
            let (mut function, wide) = index(signed, promise(shift), promise(sums), extension);
            let before = run(&function, tid, ctaid);
            let two_complement = |bits: u64| i128::from(bits as u32 as i32);
            let shl = two_complement(tid) << 2;
            let natural = [tid << 2, (tid << 2 & 0xffff_ffff) + ctaid];
            let fits = |n: i128| i32::try_from(n).is_ok();
            let kept = (!shift.0 || fits(shl))
                && (!shift.1 || natural[0] >> 32 == 0)
                && (!sums.0 || fits(two_complement(tid << 2) + two_complement(ctaid)) && fits(two_complement((tid << 2) + ctaid) + 7))
                && (!sums.1 || natural[1] >> 32 == 0 && ((natural[1] & 0xffff_ffff) + 7) >> 32 == 0)
                && (!extension.signed || before[&wide] >> 31 == 0);
            widen(&mut function);
            prop_assert_eq!(verify::verify(&function), []);
            if kept {
                prop_assert_eq!(run(&function, tid, ctaid)[&wide], before[&wide]);
            }
        }
    }
}
